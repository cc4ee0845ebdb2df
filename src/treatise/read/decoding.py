"""Decodes a reader's token logits to spans, kinds and probabilities, in numpy.

Start and end of an answer are scored at each token of the passages and, for "no answer here", at the first token of the
row, as in Devlin et al. (2019), section 4.3. The null score makes rows comparable: a span's margin is its score minus
the null score of its row.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import islice
from typing import Final

import numpy as np

from treatise.core.span_answer import AnswerSpan, SpanAnswer, SpanAnswerKind
from treatise.core.vectors import Floats
from treatise.read.windows import Numbers, Window

_NEVER: Final = -1e9
_LOWEST: Final = -80.0  # log of the lowest score


class Head(IntEnum):
    """The columns of the last layer; from ``SPAN`` on, only those of a row's first token are used."""

    START = 0
    END = 1
    INSIDE = 2
    SPAN = 3
    LIST = 4
    SENTENCE = 5
    YES = 6
    NO = 7
    NONE = 8
    SUPPORTED = 9
    CONTRADICTED = 10
    NOT_STATED = 11


KINDS: Final = tuple(Head[kind.name] for kind in SpanAnswerKind)
"""The columns of kinds, in the order of ``SpanAnswerKind``."""
ANSWERS: Final = slice(Head.SPAN, Head.NONE + 1)
VERDICTS: Final = slice(Head.SUPPORTED, Head.NOT_STATED + 1)
"""The columns of verdicts on a statement, which is read in the place of a question; absent in a reader without them."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Calibration of ``p_no_answer``: a logistic regression fitted on dev questions.

    Attributes:
        margin: Weight of the best span's margin.
        answers: Weight of the maximum log odds of any answer against none, over all rows.
        bias: Intercept.
    """

    margin: float = -0.5
    answers: float = -0.5
    bias: float = 0.0


@dataclass(frozen=True, slots=True)
class Decoding:
    """How spans are chosen.

    Attributes:
        n_spans: Maximum number of spans returned.
        n_candidates: Maximum number of candidates returned, which may overlap.
        span_tokens: Longest span.
        ends_tried: Number of best starts and best ends combined per row.
        calibration: Of ``p_no_answer``.
    """

    n_spans: int = 8
    span_tokens: int = 48
    ends_tried: int = 24
    calibration: Calibration = Calibration()
    n_candidates: int = 20


@dataclass(frozen=True, slots=True)
class _Candidates:
    """Candidate spans by their characters, with their margins. Columns of shape ``(n_candidates,)``."""

    passage: Numbers
    start: Numbers
    end: Numbers
    margin: Floats

    @property
    def highest(self) -> float:
        """The maximum margin; 0 without candidates."""
        return float(self.margin.max()) if len(self.margin) else 0.0

    def ranked(self, total: float) -> Iterator[AnswerSpan]:
        """All of them, best first; ``total`` is the log partition over all spans and no answer."""
        for at in np.lexsort((self.end, self.start, self.passage, -self.margin)).tolist():
            score = float(np.exp(np.clip(self.margin[at] - total, _LOWEST, 0.0)))
            yield AnswerSpan(int(self.passage[at]), int(self.start[at]), int(self.end[at]), score)


def decode(windows: Sequence[Window], logits: Sequence[Floats], decoding: Decoding) -> SpanAnswer:
    """The answer from all rows together.

    Args:
        windows: The rows; without rows there is no answer.
        logits: Of each row, shape ``(n_tokens, len(Head))``.
        decoding: How spans are chosen.
    """
    if not windows:
        return SpanAnswer((), SpanAnswerKind.SPAN, p_no_answer=1.0, p_yes=0.5)
    candidates = _all_candidates(windows, logits, decoding)
    first = np.stack([of_row[0] for of_row in logits])
    answerable = log_odds_of_answers(first)
    features = candidates.highest, float(answerable.max())
    kind, p_yes = _kind(first, answerable)
    total = float(np.logaddexp.reduce([_total(*pair) for pair in zip(windows, logits, strict=True)]))
    spans = tuple(_apart(candidates.ranked(total), decoding.n_spans))
    p_no_answer = no_answer(*features, decoding.calibration)
    others = tuple(islice(candidates.ranked(total), decoding.n_candidates))
    return SpanAnswer(spans, kind, p_no_answer, p_yes, others)


def no_answer(margin: float, answers: float, calibration: Calibration) -> float:
    """The calibrated probability that there is no answer."""
    z = calibration.margin * margin + calibration.answers * answers + calibration.bias
    return float(1 / (1 + np.exp(-np.clip(z, -50, 50))))


def log_odds_of_answers(first: Floats) -> Floats:
    """Log odds of any answer against none, from the first token's logits of each row. Shape ``(n_rows,)``."""
    odds: Floats = np.logaddexp.reduce(first[:, list(KINDS)], axis=1) - first[:, Head.NONE]
    return odds


def best_margin(windows: Sequence[Window], logits: Sequence[Floats], decoding: Decoding) -> float:
    """The margin of the best span of all rows; 0 without rows."""
    return _all_candidates(windows, logits, decoding).highest


def _all_candidates(windows: Sequence[Window], logits: Sequence[Floats], decoding: Decoding) -> _Candidates:
    found = [_candidates(*pair, decoding) for pair in zip(windows, logits, strict=True)]
    columns = ("passage", "start", "end", "margin")
    return _Candidates(*(np.concatenate([getattr(one, name) for one in found]) for name in columns))


def _candidates(window: Window, logits: Floats, decoding: Decoding) -> _Candidates:
    """The candidate spans of one row: pairs of a good start and a good end in the same passage."""
    inside = window.passage >= 0
    start, end = (np.where(inside, logits[:, column], _NEVER) for column in (Head.START, Head.END))
    n = min(decoding.ends_tried, int(inside.sum()))
    first, last = (np.argsort(-scores, kind="stable")[:n] for scores in (start, end))
    i, j = (grid.ravel() for grid in np.meshgrid(first, last, indexing="ij"))
    fits = (i <= j) & (j - i < decoding.span_tokens) & (window.passage[i] == window.passage[j])
    fits &= window.ends[j] > window.starts[i]
    i, j = i[fits], j[fits]
    null = logits[0, Head.START] + logits[0, Head.END]
    return _Candidates(window.passage[i], window.starts[i], window.ends[j], start[i] + end[j] - null)


def _total(window: Window, logits: Floats) -> float:
    """Log of the sum of exponentiated margins over all pairs of start and end, plus 1 for no answer."""
    counts = window.passage >= 0
    counts[0] = True
    starts, ends = (np.logaddexp.reduce(logits[counts, column]) for column in (Head.START, Head.END))
    return float(starts + ends - logits[0, Head.START] - logits[0, Head.END])


def _apart(ranked: Iterable[AnswerSpan], n: int) -> Iterator[AnswerSpan]:
    """The best ``n`` spans without overlap."""
    kept: list[AnswerSpan] = []
    for one in ranked:
        if len(kept) == n:
            return
        if not any(one.passage == other.passage and one.start < other.end and other.start < one.end for other in kept):
            kept.append(one)
            yield one


def _kind(first: Floats, answerable: Floats) -> tuple[SpanAnswerKind, float]:
    """The most likely kind, rows weighted by their probability of an answer, and the share of yes in yes and no."""
    kinds = _softmax(first[:, list(KINDS)].astype(np.float64))
    shares = _softmax(np.minimum(answerable, 30.0).astype(np.float64)) @ kinds
    by_kind = dict(zip(SpanAnswerKind, shares.tolist(), strict=True))
    yes, no = by_kind[SpanAnswerKind.YES], by_kind[SpanAnswerKind.NO]
    p_yes = yes / (yes + no) if yes + no else 0.5
    either = max(by_kind, key=lambda kind: by_kind[kind])
    if yes + no > by_kind[either]:
        either = SpanAnswerKind.YES
    if either in (SpanAnswerKind.YES, SpanAnswerKind.NO):
        either = SpanAnswerKind.YES if p_yes >= 0.5 else SpanAnswerKind.NO
    return either, p_yes


def _softmax(scores: np.ndarray) -> np.ndarray:
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares: np.ndarray = raised / raised.sum(axis=-1, keepdims=True)
    return shares
