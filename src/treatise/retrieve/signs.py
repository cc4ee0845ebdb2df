"""Cosines that are known nearly, from the signs of the components alone: a bit each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.corpus import Scale
from treatise.core.vectors import Floats, standardise_on
from treatise.retrieve.segments import codes_of

_FAR: Final = np.uint16(65_535)
_BLOCK: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Signs:
    """How many components of each row have another sign than the question's.

    Attributes:
        distances: The numbers; ``_FAR`` for a row outside the search. Shape ``(n_rows,)``.
        counts: The number of rows with each distance, without those outside.
        scale: Mean and deviation of the distances.
    """

    distances: npt.NDArray[np.uint16]
    counts: npt.NDArray[np.int64]
    scale: Scale

    @classmethod
    def of(
        cls, codes: Sequence[npt.NDArray[np.uint64]], vector: Floats, is_row: npt.NDArray[np.bool_] | None
    ) -> "Signs":
        """Compares a vector with the codes of all segments (see ``Segment.codes``); ``is_row`` is None for all rows."""
        code = codes_of(vector[None])[0]
        distances = np.concatenate([sign_distances(of_one, code) for of_one in codes])
        if is_row is not None:
            distances[~is_row] = _FAR
        counts = np.bincount(distances, minlength=1)[: int(_FAR)]
        values = np.arange(len(counts))
        mean = float(np.average(values, weights=counts))
        deviation = float(np.average((values - mean) ** 2, weights=counts)) ** 0.5
        return cls(distances, counts, Scale(mean, deviation))

    def nearest(self, n: int) -> npt.NDArray[np.int64]:
        """At least ``n`` rows with the smallest distances, all that are equally near included."""
        limit = int(np.searchsorted(np.cumsum(self.counts), n))
        found: npt.NDArray[np.int64] = np.flatnonzero(self.distances <= limit)
        return found

    def standardised(self, rows: npt.NDArray[np.int64]) -> Floats:
        """Nearly the standardised cosines of rows."""
        found: Floats = -standardise_on(self.scale, self.distances[rows].astype(np.float32))
        return found


def sign_distances(codes: npt.NDArray[np.uint64], code: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint16]:
    """Number of components whose signs differ, per row."""
    found = np.zeros(codes.shape[1], dtype=np.uint16)
    for first in range(0, len(found), _BLOCK):
        here = slice(first, first + _BLOCK)
        for word, of_vector in zip(codes, code, strict=True):
            found[here] += np.bitwise_count(word[here] ^ of_vector)
    return found
