"""The parts of a document that a summary covers in proportion: its sections, or stretches of equal length."""

from itertools import accumulate
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.document import Document
from treatise.core.indexed import IndexedDocument

MIN_PARTS: Final = 3
MAX_PARTS: Final = 12
_STRETCHES: Final = 6  # parts of a text without sections
_MAX_SHARE: Final = 0.8  # of the text in one part, above which the level of sections below is taken


def parts_of(indexed: IndexedDocument) -> npt.NDArray[np.int64]:
    """The part of each unit, from 0 in text order. Shape ``(n_units,)``.

    Parts are the sections of the highest level that divides the text into at least three parts, none with more than
    four fifths of it; at most twelve, neighbours being joined. A text without such sections is cut into six stretches.
    """
    starts, ends = indexed.offsets
    lengths = ends - starts
    for level in sorted({section.level for section in indexed.document.sections if section.level}):
        parts = np.searchsorted(_starts(indexed.document, level), starts, side="right")
        shares = np.bincount(parts, weights=lengths) / max(1, lengths.sum())
        if np.count_nonzero(shares) >= MIN_PARTS and shares.max() <= _MAX_SHARE:
            return _joined(parts, shares)
    return _stretches(lengths)


def _starts(document: Document, level: int) -> npt.NDArray[np.int64]:
    starts = [section.start for section in document.sections if 0 < section.level <= level]
    return np.array(starts, dtype=np.int64)


def _joined(parts: npt.NDArray[np.int64], shares: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """The parts numbered anew, short ones joined with those after them until there are at most twelve."""
    if np.count_nonzero(shares) <= MAX_PARTS:
        return np.unique(parts, return_inverse=True)[1].astype(np.int64)
    middles = np.fromiter(accumulate(shares), dtype=np.float64) - shares / 2
    groups = np.minimum((middles * MAX_PARTS).astype(np.int64), MAX_PARTS - 1)
    return np.unique(groups[parts], return_inverse=True)[1].astype(np.int64)


def _stretches(lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    middles = np.cumsum(lengths) - lengths / 2
    stretches: npt.NDArray[np.int64] = (middles * _STRETCHES / max(1, lengths.sum())).astype(np.int64)
    return stretches.clip(max=_STRETCHES - 1)
