"""Checksums of indexes: a flipped bit in a vector or a posting would change answers without an error."""

import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

_COLUMNS: Final = (
    "n_units", "n_nodes", "dim", "units", "tree", "relations", "notes", "clusters",
    "lexicon_terms", "lexicon_starts", "lexicon_units", "lexicon_counts", "lexicon_lengths",
)  # fmt: skip
"""Every column that an answer depends on. A document needs no checksum: its id is a hash of its content."""


class Checksum:
    """The CRC-32 of an index, over its row and the parts of its vectors in order.

    Args:
        row: The columns of the index; other columns are ignored.

    Attributes:
        value: The checksum so far.
    """

    def __init__(self, row: Mapping[str, object]) -> None:
        self.value: int = 0
        for name in _COLUMNS:
            self._add(_bytes(row.get(name)))

    def through(self, parts: Iterable[bytes]) -> Iterator[bytes]:
        """The same parts of the vectors, added to the checksum as they pass."""
        for part in parts:
            self._add(part)
            yield part

    def _add(self, part: bytes) -> None:
        self.value = zlib.crc32(part, zlib.crc32(len(part).to_bytes(8, "little"), self.value))


def checksum(row: Mapping[str, object], parts: Iterable[bytes]) -> int:
    """The checksum of a complete index."""
    total = Checksum(row)
    for _ in total.through(parts):
        pass
    return total.value


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
