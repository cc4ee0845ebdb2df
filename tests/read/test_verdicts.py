"""Verdicts are decoded from the row that says most about the statement."""

import numpy as np

from treatise.core.verdict import Verdict
from treatise.read import VERDICTS, decode_verdict


def row(supported: float, contradicted: float, not_stated: float) -> np.ndarray:
    logits = np.zeros((3, VERDICTS.stop), dtype=np.float32)
    logits[0, VERDICTS] = supported, contradicted, not_stated
    return logits


def test_without_rows_nothing_is_stated() -> None:
    assert decode_verdict([]).likeliest is Verdict.NOT_STATED


def test_the_row_that_says_most_decides() -> None:
    silent = row(0, 0, 9)
    assert decode_verdict([silent, row(1, 5, 0), silent]).likeliest is Verdict.CONTRADICTED
    assert decode_verdict([silent, row(5, 1, 0)]).likeliest is Verdict.SUPPORTED
    assert decode_verdict([silent]).likeliest is Verdict.NOT_STATED


def test_probabilities_have_the_sum_one() -> None:
    odds = decode_verdict([row(2, -1, 0.5)])
    np.testing.assert_allclose(odds.supported + odds.contradicted + odds.not_stated, 1, atol=1e-6)
