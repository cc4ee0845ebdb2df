"""Reads the streams of compound files (OLE2), the container of Outlook messages, with bounds on time and memory.

Layout: [MS-CFB]. Sectors of a stream are a linked list in a table of sectors; short streams lie in small sectors within
one stream; storages and streams are nodes of binary trees in the directory.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from treatise.core.errors import DamagedSourceError

MAGIC: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_HEADER: Final = struct.Struct("<8s16xHHHHH6xIII4xIIIII")
_ENTRY: Final = struct.Struct("<64sHBxIII36xIQ")
_LAST_SECTOR: Final = 0xFFFFFFF9  # larger numbers mark ends and free sectors
_FIRST_TABLES: Final = 109
_STORAGE, _STREAM, _ROOT = 1, 2, 5
_LITTLE_ENDIAN: Final = 0xFFFE
_SECTOR_SHIFTS: Final = {3: 9, 4: 12}
_MINI_SHIFT: Final = 6
_MAX_NAME_BYTES: Final = 64
_MAX_READ: Final = 4  # what may be read, in lengths of the file


@dataclass(frozen=True, slots=True)
class Entry:
    """A stream or storage of the directory.

    Attributes:
        name: Its name; equal names differ in no case.
        kind: 1 for a storage, 2 for a stream, 5 for the root.
        left, right, child: Its neighbours in the tree of its storage, and the tree of its own entries.
        start: Number of its first sector.
        size: Its length in bytes.
    """

    name: str
    kind: int
    left: int
    right: int
    child: int
    start: int
    size: int


@dataclass(slots=True)
class Storage:
    """The streams and storages within a storage, by name; each belongs to one storage only.

    Attributes:
        streams: Entries of streams.
        storages: Numbers of storages in the directory.
    """

    streams: dict[str, Entry] = field(default_factory=dict)
    storages: dict[str, int] = field(default_factory=dict)


class CompoundFile:
    """The directory and streams of a compound file.

    Args:
        data: The whole file.
        name: Name of the source in messages.

    Raises:
        DamagedSourceError: Not a compound file, truncated, or with circular chains.
    """

    def __init__(self, data: bytes, name: str) -> None:
        self._data = data
        self._name = name
        if len(data) < 512 or not data.startswith(MAGIC):
            raise self._damaged("it does not begin as a compound file does")
        _, _, version, order, shift, mini_shift, _, _, first, cutoff, mini, _, more, n_more = _HEADER.unpack_from(data)
        if order != _LITTLE_ENDIAN or _SECTOR_SHIFTS.get(version) != shift or mini_shift != _MINI_SHIFT:
            raise self._damaged("its header is not that of a compound file")
        self._shift = shift
        self._cutoff = cutoff
        self._n_left = _MAX_READ * len(data)
        self._table = self._numbers(self._table_sectors(more, n_more))[: len(data) >> shift]
        self._entries = self._directory(self._chained(first), version)
        self._small = self._chained(self._entries[0].start)
        self._small_table = self._numbers(self._chain(mini, self._table))[: len(self._small) >> _MINI_SHIFT]
        self._used = {0}

    def root(self) -> Storage:
        """The entries at the top."""
        return self.storage(0)

    def storage(self, number: int) -> Storage:
        """The entries of a storage; those that were listed before, as in a circle, are left out."""
        found = Storage()
        waiting = [self._entries[number].child]
        while waiting:
            at = waiting.pop()
            if at >= len(self._entries) or at in self._used:
                continue
            self._used.add(at)
            entry = self._entries[at]
            waiting += [entry.left, entry.right]
            if entry.kind == _STREAM:
                found.streams[entry.name] = entry
            elif entry.kind == _STORAGE:
                found.storages[entry.name] = at
        return found

    def read(self, entry: Entry) -> bytes:
        """The bytes of a stream.

        Raises:
            DamagedSourceError: Its sectors are missing, circular, or shared by many streams.
        """
        self._n_left -= entry.size
        if self._n_left < 0:
            raise self._damaged("its streams are longer than the file")
        if entry.size < self._cutoff:
            size = 1 << _MINI_SHIFT
            places = (at * size for at in self._chain(entry.start, self._small_table, entry.size >> _MINI_SHIFT))
            content = b"".join(self._small[place : place + size] for place in places)
        else:
            content = self._chained(entry.start, entry.size >> self._shift)
        if len(content) < entry.size:
            raise self._damaged(f"truncated: {entry.name} has {len(content):,} of {entry.size:,} bytes")
        return content[: entry.size]

    def _table_sectors(self, more: int, n_more: int) -> Iterator[int]:
        """Sectors that hold the table of sectors, from the header and the sectors that continue it."""
        yield from struct.unpack_from(f"<{_FIRST_TABLES}I", self._data, 76)
        n_numbers = (1 << self._shift) // 4
        for _ in range(min(n_more, len(self._data) >> self._shift)):
            if more > _LAST_SECTOR:
                return
            *numbers, more = struct.unpack(f"<{n_numbers}I", self._sector(more).ljust(n_numbers * 4, b"\xff"))
            yield from numbers

    def _numbers(self, sectors: Iterator[int]) -> tuple[int, ...]:
        known = (at for at in sectors if at <= _LAST_SECTOR)
        size = 1 << self._shift
        content = b"".join(self._sector(at).ljust(size, b"\xff") for at in islice(known, len(self._data) // size))
        return struct.unpack(f"<{len(content) // 4}I", content)

    def _sector(self, number: int) -> bytes:
        start = (number + 1) << self._shift
        return self._data[start : start + (1 << self._shift)]

    def _chained(self, first: int, n_last: int | None = None) -> bytes:
        return b"".join(map(self._sector, self._chain(first, self._table, n_last)))

    def _chain(self, at: int, table: tuple[int, ...], n_last: int | None = None) -> Iterator[int]:
        """The sectors of a list from ``at``, at most ``n_last`` after the first; none of them twice."""
        for n_before in range(len(table) + 1):
            if at > _LAST_SECTOR or (n_last is not None and n_before > n_last):
                return
            if at >= len(table) or n_before == len(table):
                raise self._damaged("its list of sectors is broken or circular")
            yield at
            at = table[at]

    def _directory(self, content: bytes, version: int) -> list[Entry]:
        entries = []
        for raw, n_bytes, kind, left, right, child, start, size in _ENTRY.iter_unpack(
            content[: len(content) // _ENTRY.size * _ENTRY.size]
        ):
            name = raw[: min(max(n_bytes - 2, 0), _MAX_NAME_BYTES)].decode("utf-16-le", "replace")
            size = size & 0xFFFFFFFF if version == min(_SECTOR_SHIFTS) else size
            entries.append(Entry(name, kind, left, right, child, start, size))
        if not entries or entries[0].kind != _ROOT:
            raise self._damaged("it has no directory")
        return entries

    def _damaged(self, why: str) -> DamagedSourceError:
        return DamagedSourceError(f"{self._name}: a damaged compound file: {why}; save or download it again")
