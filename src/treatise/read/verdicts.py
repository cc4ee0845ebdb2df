"""Decodes a reader's verdict on a statement from the first tokens of its rows."""

from collections.abc import Sequence

import numpy as np

from treatise.core.vectors import Floats
from treatise.core.verdict import VerdictOdds
from treatise.read.decoding import VERDICTS, Head

_NOT_STATED = Head.NOT_STATED - VERDICTS.start


def decode_verdict(logits: Sequence[Floats]) -> VerdictOdds:
    """The verdict of the row that says most about the statement; without rows, it is not stated.

    Args:
        logits: Of each row, shape ``(n_tokens, VERDICTS.stop)``.
    """
    if not logits:
        return VerdictOdds(0.0, 0.0, 1.0)
    raised = np.stack([of_row[0, VERDICTS] for of_row in logits]).astype(np.float64)
    raised = np.exp(raised - raised.max(axis=1, keepdims=True))
    shares = raised / raised.sum(axis=1, keepdims=True)
    supported, contradicted, not_stated = shares[shares[:, _NOT_STATED].argmin()].tolist()
    return VerdictOdds(supported, contradicted, not_stated)
