"""Every encoder keeps the contract, and the contract notices what breaks it."""

from collections.abc import Sequence

import numpy as np
import pytest

from treatise.core.ports import Progress
from treatise.core.vectors import Floats
from treatise.testing import HashingEncoder, check_encoder


@pytest.mark.parametrize("reads_context", [False, True])
def test_the_hashing_encoder_keeps_the_contract(reads_context: bool) -> None:
    check_encoder(lambda: HashingEncoder(32, reads_context=reads_context))


class CutsLongTexts(HashingEncoder):
    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Floats:
        return super().encode([" ".join(text.split()[:256]) for text in texts], progress)


class GivesNaN(HashingEncoder):
    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Floats:
        rows = super().encode(texts, progress)
        rows[[not text.strip() for text in texts]] = np.nan
        return rows


class LosesTheOrder(HashingEncoder):
    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Floats:
        return super().encode(sorted(texts, key=len), progress)


@pytest.mark.parametrize(
    ("broken", "message"),
    [(CutsLongTexts, "is cut off"), (GivesNaN, "gives NaN"), (LosesTheOrder, "changes with its neighbours")],
)
def test_a_broken_encoder_is_found_out(broken: type[HashingEncoder], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_encoder(broken)
