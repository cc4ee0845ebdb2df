"""Cosines that are known nearly, from the sides of random planes on which vectors lie: a bit each.

The vectors of texts have a mean of some length, and most of their variance lies in a third of their dimensions. So
planes go through the mean and divide these dimensions only: 256 bits rank as well as the 384 signs of the components
would, and the first half alone rules out most rows.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.corpus import Scale
from treatise.core.vectors import Floats, standardise_on

Codes = npt.NDArray[np.uint64]
"""One bit per plane, 64 to a word. Shape ``(N_BITS / 64, n_rows)``: a scan of one word takes half the time of rows."""

N_BITS: Final = 256

_FIRST: Final = slice(0, 2)
"""Words that are compared for all rows; the others are compared for those that are nearest by these."""

_REST: Final = slice(2, None)

_N_DIRECTIONS: Final = 128
"""Principal directions that the planes divide."""

_FIRST_SHARE: Final = 0.02
"""Of all rows, those that are compared by all words, at least."""

_OF_MEAN: Final = 0.7
"""Share of the mean that is taken from a question before it is coded.

A code does not tell how far a vector is from the mean; this goes with the vector's part along the mean. So the
question's own part along the mean counts less than in a cosine, but it counts.
"""

_N_SAMPLED: Final = 1 << 13
_FAR: Final = np.uint8(255)
_BLOCK: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Planes:
    """Planes through the mean of vectors that divide them evenly.

    Attributes:
        centre: The mean. Shape ``(dim,)``, float32.
        normals: Shape ``(dim, N_BITS)``, float32.
    """

    centre: Floats
    normals: Floats

    @classmethod
    def of(cls, vectors: Floats) -> "Planes":
        """The planes for a sample of vectors; the same for the same sample."""
        centre = vectors.mean(axis=0)
        centred = vectors - centre
        principal = np.linalg.eigh(centred.T @ centred)[1][:, ::-1][:, :_N_DIRECTIONS]
        generator, n = np.random.default_rng(0), principal.shape[1]
        rotations = [np.linalg.qr(generator.standard_normal((n, n)))[0] for _ in range(-(-N_BITS // n))]
        normals = principal @ np.concatenate(rotations, axis=1)[:, :N_BITS]
        return cls(centre.astype(np.float32), normals.astype(np.float32))

    def codes(self, vectors: Floats) -> Codes:
        """The side of each plane on which the vectors lie."""
        packed = np.packbits((vectors - self.centre) @ self.normals > 0, axis=1)
        return np.ascontiguousarray(packed.view("<u8").astype(np.uint64, copy=False).T)

    def code_of_question(self, vector: Floats) -> Codes:
        """The code with which those of vectors are compared. Shape ``(N_BITS / 64,)``."""
        found: Codes = self.codes(vector[None] + np.float32(1 - _OF_MEAN) * self.centre)[:, 0]
        return found


class Signs:
    """The codes of rows, compared with that of a question. A distance is a number of planes between the two.

    Args:
        codes: Of all rows.
        code: The question's; see ``Planes.code_of_question``.
        is_row: The rows that are searched, at least one; None for all.
    """

    def __init__(self, codes: Codes, code: npt.NDArray[np.uint64], is_row: npt.NDArray[np.bool_] | None) -> None:
        self._codes, self._code, self._is_row = codes, code, is_row
        self._n_rows = codes.shape[1] if is_row is None else int(np.count_nonzero(is_row))
        step = -(-self._n_rows // _N_SAMPLED)
        sample = np.arange(0, self._n_rows, step) if is_row is None else np.flatnonzero(is_row)[::step]
        self._sample = self._distances(sample, _FIRST)
        whole = self._sample + self._distances(sample, _REST)
        self._scale = Scale(float(whole.mean()), float(whole.std()))

    def nearest(self, n: int) -> npt.NDArray[np.int64]:
        """About ``n`` rows with the smallest distances, ascending."""
        share = max(_FIRST_SHARE, min(1.0, 4 * n / self._n_rows))
        limit = int(np.quantile(self._sample, share, method="higher"))
        rows, first = self._within(limit)
        whole = self._distances(rows, _REST) + first
        furthest = int(np.searchsorted(np.cumsum(np.bincount(whole, minlength=1)), n))
        return rows[whole <= furthest]

    def standardised(self, rows: npt.NDArray[np.int64]) -> Floats:
        """Nearly the standardised cosines of rows."""
        whole = self._distances(rows, slice(None)).astype(np.float32)
        found: Floats = -standardise_on(self._scale, whole)
        return found

    def _distances(self, rows: npt.NDArray[np.int64], words: slice) -> npt.NDArray[np.uint16]:
        """The distances of rows by some of the words."""
        found = np.zeros(len(rows), dtype=np.uint16)
        for word, of_vector in zip(self._codes[words], self._code[words], strict=True):
            found += np.bitwise_count(word.take(rows) ^ of_vector)
        return found

    def _within(self, limit: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
        """The rows that are at most so far by the first words, ascending, and their distances."""
        rows, distances = [], []
        for first in range(0, self._codes.shape[1], _BLOCK):
            here = slice(first, first + _BLOCK)
            found = np.zeros(len(self._codes[0, here]), dtype=np.uint8)
            for word, of_vector in zip(self._codes[_FIRST], self._code[_FIRST], strict=True):
                found += np.bitwise_count(word[here] ^ of_vector)
            if self._is_row is not None:
                found[~self._is_row[here]] = _FAR
            chosen = np.flatnonzero(found <= limit)
            rows.append(chosen + first)
            distances.append(found[chosen])
        return np.concatenate(rows), np.concatenate(distances)
