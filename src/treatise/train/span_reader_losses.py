"""Losses of the span reader on rows of several lengths at once, each row by itself. Shape ``(n_rows,)``."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch.nn import functional

from treatise.read.decoding import ANSWERS, VERDICTS, Head
from treatise.train.span_reader_data import VERDICT_KINDS, LabelledWindow

_NEVER: Final = -1e4
_SIDES: Final = (Head.START, Head.END)


@dataclass(frozen=True, slots=True)
class Targets:
    """What is to be learned from some rows, on the device of their logits.

    Attributes:
        passages: Whether a token is of a passage. Shape ``(n_rows, longest)``.
        places: Whether an answer may begin or end there: at these tokens and at the row's first one, which means "not
            in this row". The same shape.
        right: Whether one does, in the order of ``_SIDES``. Shape ``(2, n_rows, longest)``.
        inside: 1 for a token inside an answer, else 0. Shape ``(n_rows, longest)``.
        needs_all: Whether all of a row's answers are needed, not just one. Shape ``(n_rows,)``, as the following.
        knows_spans: Whether spans are learned from it.
        is_statement: Whether the question is a statement, and ``kind`` the verdict on it.
        kind: The column of the kind or verdict.
    """

    passages: torch.Tensor
    places: torch.Tensor
    right: torch.Tensor
    inside: torch.Tensor
    needs_all: torch.Tensor
    knows_spans: torch.Tensor
    is_statement: torch.Tensor
    kind: torch.Tensor

    @classmethod
    def of(cls, rows: Sequence[LabelledWindow], device: torch.device) -> "Targets":
        """The targets of these rows, which are padded to the longest."""
        shape = len(rows), max(len(one.window.ids) for one in rows)
        passages, inside = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=np.float32)
        right = np.zeros((len(_SIDES), *shape), dtype=bool)
        for row, one in enumerate(rows):
            passages[row, : len(one.window.ids)] = one.window.passage >= 0
            for first, last in one.spans:
                right[0, row, first] = right[1, row, last] = True
                inside[row, first : last + 1] = 1
            right[:, row, 0] = not one.spans
        places = passages.copy()
        places[:, 0] = True
        flags = [[one.needs_all, one.knows_spans, one.kind in VERDICT_KINDS] for one in rows]
        arrays = (passages, places, right, inside, *np.array(flags, dtype=bool).T)
        kinds = torch.tensor([int(one.kind) for one in rows])
        return cls(*(torch.from_numpy(array.copy()).to(device) for array in arrays), kinds.to(device))


def span_losses(logits: torch.Tensor, targets: Targets) -> torch.Tensor:
    """Cross entropy of first and last tokens; the row's first token is the target if it has no answer."""
    total = logits.new_zeros(len(logits))
    for shares, right in zip(_log_shares(logits, targets), targets.right, strict=True):
        all_of_them = (shares * right).sum(dim=1) / right.sum(dim=1)
        one_of_them = shares.masked_fill(~right, _NEVER).logsumexp(dim=1)
        total = total - torch.where(targets.needs_all, all_of_them, one_of_them)
    return total


def inside_losses(logits: torch.Tensor, targets: Targets) -> torch.Tensor:
    """Binary cross entropy of tokens inside answers; tokens inside and outside have equal total weight."""
    losses = functional.binary_cross_entropy_with_logits(logits[..., Head.INSIDE], targets.inside, reduction="none")
    inside = targets.inside.bool()
    sides = [targets.passages & side for side in (~inside, inside)]
    means = torch.stack([(losses * side).sum(dim=1) / side.sum(dim=1).clamp(min=1) for side in sides])
    n_sides = torch.stack([side.any(dim=1) for side in sides]).sum(dim=0)
    return means.sum(dim=0) / n_sides.clamp(min=1)


def kind_losses(logits: torch.Tensor, targets: Targets) -> torch.Tensor:
    """Cross entropy of the kind of answer or none, or of the verdict on a statement, at the row's first token."""
    shares = _kind_log_shares(logits, targets.is_statement)
    return -shares.gather(1, targets.kind[:, None])[:, 0]


def taught_losses(logits: torch.Tensor, teacher: torch.Tensor, targets: Targets) -> torch.Tensor:
    """Divergence of a reader's probabilities from its teacher's: of first and last tokens, of tokens inside, and of
    kinds or verdicts, weighted alike.

    Args:
        logits: The reader's. Shape ``(n_rows, longest, n_columns)``.
        teacher: The teacher's, of the same rows and shape.
        targets: Where answers may be, and which rows have statements.
    """
    pairs = [*zip(_log_shares(logits, targets), _log_shares(teacher, targets), strict=True)]
    pairs.append((_kind_log_shares(logits, targets.is_statement), _kind_log_shares(teacher, targets.is_statement)))
    of_tokens = functional.binary_cross_entropy_with_logits(
        logits[..., Head.INSIDE], teacher[..., Head.INSIDE].sigmoid(), reduction="none"
    )
    inside = (of_tokens * targets.passages).sum(dim=1) / targets.passages.sum(dim=1).clamp(min=1)
    return inside + torch.stack([(theirs.exp() * (theirs - ours)).sum(dim=1) for ours, theirs in pairs]).sum(dim=0)


def _log_shares(logits: torch.Tensor, targets: Targets) -> list[torch.Tensor]:
    """The log probability of each token to be the first, and the last, of an answer. Shape ``(n_rows, longest)``."""
    return [logits[..., side].masked_fill(~targets.places, _NEVER).log_softmax(dim=1) for side in _SIDES]


def _kind_log_shares(logits: torch.Tensor, is_statement: torch.Tensor) -> torch.Tensor:
    """The log probability of each kind or verdict, at a row's first token. Shape ``(n_rows, n_columns)``."""
    columns = torch.arange(logits.shape[-1], device=logits.device)
    verdicts = (columns >= VERDICTS.start) & (columns < VERDICTS.stop)
    answers = (columns >= ANSWERS.start) & (columns < ANSWERS.stop)
    counts = torch.where(is_statement[:, None], verdicts, answers)
    return logits[:, 0].masked_fill(~counts, _NEVER).log_softmax(dim=1)
