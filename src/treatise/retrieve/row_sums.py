"""Checksums of rows of bytes, each of which is compared when it is first read.

A question reads a tenth of the vectors of a large library; to compare all of them before it would take longer than to
answer it.
"""

from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

Sums = npt.NDArray[np.uint64]
"""One checksum per row. Shape ``(n_rows,)``."""

_IN_CACHE: Final = 1_024
"""Rows that are added up at a time: their words stay in the processor's cache."""


class DamagedRowsError(Exception):
    """Rows differ from their checksums: their file was damaged after it was written."""


def row_sums(rows: npt.NDArray[np.int8]) -> Sums:
    """The sum of each row's words of 32 bits, each multiplied by a random odd number of 64 bits (multilinear hashing).

    Any change within one word changes the sum; of other changes about one in 2**32 does not. Two words are multiplied
    together: the upper one's number is 2**32 times the factor of both plus one of its own.
    """
    n_rows, width = rows.shape
    found = np.empty(n_rows, dtype=np.uint64)
    padded = -(-width // 8) * 8
    factors, of_upper_halves = _factors(padded // 8)
    for first in range(0, n_rows, _IN_CACHE):
        here = np.ascontiguousarray(rows[first : first + _IN_CACHE])
        if padded != width:
            here = np.pad(here, ((0, 0), (0, padded - width)))
        words = here.view("<u8")
        found[first : first + _IN_CACHE] = words @ factors + (words >> np.uint64(32)) @ of_upper_halves
    return found


class CheckedRows:
    """Rows that are compared with their checksums when they are first read. Threads may share them.

    Args:
        rows: They may be mapped from a file. Shape ``(n_rows, width)``, int8.
        sums: Of each.
    """

    def __init__(self, rows: npt.NDArray[np.int8], sums: Sums) -> None:
        self._rows, self._sums = rows, sums
        self._is_known = np.zeros(len(rows), dtype=bool)

    def __getitem__(self, numbers: slice | npt.NDArray[np.int64]) -> npt.NDArray[np.int8]:
        """The rows with these numbers.

        Raises:
            DamagedRowsError: If one differs from its checksum.
        """
        found = self._rows[numbers]
        is_known = self._is_known[numbers]
        if not is_known.all():
            read = found if not is_known.any() else found[~is_known]
            wanted = self._sums[numbers][~is_known]
            if not np.array_equal(row_sums(read), wanted):
                raise DamagedRowsError("vectors do not have the checksums they were written with")
            self._is_known[numbers] = True
        return found


@lru_cache(maxsize=8)
def _factors(n: int) -> tuple[Sums, Sums]:
    """Two times ``n`` odd numbers, the same in every process."""
    generator = np.random.default_rng(0)
    both, upper = (generator.integers(0, 1 << 64, n, dtype=np.uint64) | np.uint64(1) for _ in range(2))
    return both, upper
