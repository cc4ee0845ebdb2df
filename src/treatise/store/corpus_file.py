"""The side file of a library's index over all documents: arrays that are appended, never changed, and mapped.

A file has two header slots of 512 bytes and then blocks. Each block has a head in JSON (the names, types, shapes and
CRC-32 of its arrays) and the arrays, aligned at 64 bytes. Arrays are compared with their CRC when a process first maps
them, except those in ``OWN_SUMS``: they are most of the file, and their readers compare the rows that they read.
A writer appends a block, syncs it, and then writes the older slot: readers use the newer valid slot, so a block exists
when its header does. What was appended without a header is overwritten. The file is derived from the library: one that
is missing, cut, foreign, damaged or of another version is made again.
"""

import json
import mmap
import os
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import get_ident
from typing import Any, BinaryIO, Final, cast

import numpy as np
import numpy.typing as npt

Arrays = Mapping[str, npt.NDArray[Any]]

VERSION: Final = 7

OWN_SUMS: Final = frozenset({"vectors"})
"""Arrays without a CRC: the checksums of their rows are in another array, and whoever reads a row compares it."""

_MAGIC: Final = b"TREACORP"
_SLOT: Final = 512
_ALIGNED: Final = 64
_HEADER: Final = struct.Struct("<8sIQQ64s")  # magic, version, generation, length, key
_BLOCK: Final = struct.Struct("<8sII")  # magic, length of the head, CRC of the head
_START: Final = b"BLOCK\0\0\0"


class CorpusFileError(Exception):
    """The file cannot be used; the message says why. Callers make it again."""


@dataclass(frozen=True, slots=True)
class Header:
    """The committed state of a file: how often it was changed, and its length in bytes."""

    generation: int
    length: int


@dataclass(slots=True)
class CorpusFile:
    """An open file, and the blocks up to its header.

    Attributes:
        path: The file.
        key: Names recipe and models; a file with another key is foreign.
        header: What the blocks were read by.
        blocks: The arrays of each block, mapped from the file.
    """

    path: Path
    key: str
    header: Header = field(default_factory=lambda: Header(0, 2 * _SLOT))
    blocks: list[Arrays] = field(default_factory=list)
    _inode: int = 0

    @classmethod
    def open(cls, path: Path, key: str, before: "CorpusFile | None" = None) -> "CorpusFile":
        """The file as it is now. ``before`` is an earlier state of it, whose blocks are not read again.

        Raises:
            CorpusFileError: If the file is missing, cut, foreign, damaged or of another version.
        """
        try:
            with _opened(path, "rb") as file:
                header = _newest_header(file, path, key)
                inode = os.fstat(file.fileno()).st_ino
                is_continued = (
                    before is not None and before._inode == inode and before.header.generation <= header.generation
                )
                known, start = (before.blocks, before.header.length) if before and is_continued else ([], 2 * _SLOT)
                return cls(path, key, header, [*known, *_blocks(file, start, header.length, path)], inode)
        except FileNotFoundError as error:
            raise CorpusFileError(f"{path} does not exist") from error

    @classmethod
    def create(cls, path: Path, key: str, blocks: Sequence[Arrays]) -> "CorpusFile":
        """Writes a new file beside the old one, and takes its place when it is complete."""
        part = path.with_name(f"{path.name}.{os.getpid()}-{get_ident()}.part")  # threads may write at the same time
        try:
            with _private(part) as file:
                file.write(bytes(2 * _SLOT))
                for arrays in blocks:
                    _write_block(file, arrays)
                length = file.tell()
                _sync(file)
                _write_header(file, Header(1, length), key)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
        return cls.open(path, key)

    @property
    def is_current(self) -> bool:
        """Whether the file is neither changed nor replaced since it was read."""
        try:
            with _opened(self.path, "rb") as file:
                return self._is_state_of(file)
        except (OSError, CorpusFileError):
            return False

    @property
    def is_cut(self) -> bool:
        """Whether the blocks reach beyond the end of the file, or may, since another stands in its place.

        To read them there kills the process (SIGBUS).
        """
        try:
            found = self.path.stat()
        except OSError:  # deleted: what is mapped stays
            return False
        return found.st_ino != self._inode or found.st_size < self.header.length

    def append(self, arrays: Arrays) -> "CorpusFile":
        """The file with one more block.

        Raises:
            CorpusFileError: If another process has changed it meanwhile.
            OSError: If it cannot be written; the file is as it was, and as long.
        """
        try:
            self._append(arrays)
        except OSError:
            with suppress(OSError, CorpusFileError):
                self._give_back()
            raise
        return self.open(self.path, self.key, self)

    def _append(self, arrays: Arrays) -> None:
        with _opened(self.path, "r+b") as file, _locked(file):
            if not self._is_state_of(file):
                raise CorpusFileError(f"{self.path} was changed by another process")
            file.seek(self.header.length)
            _write_block(file, arrays)
            length = file.tell()
            _sync(file)
            _write_header(file, Header(self.header.generation + 1, length), self.key)

    def _give_back(self) -> None:
        """Cuts off what a failed write left behind its header: on a full disk the library needs the room."""
        with _opened(self.path, "r+b") as file, _locked(file):
            if self._is_state_of(file):
                file.truncate(self.header.length)

    def _is_state_of(self, file: BinaryIO) -> bool:
        return os.fstat(file.fileno()).st_ino == self._inode and (
            _newest_header(file, self.path, self.key) == self.header
        )


def _opened(path: Path, mode: str) -> BinaryIO:
    """The open file. What is no file is refused before it is opened: a pipe would be waited for."""
    if path.exists() and not path.is_file():
        raise CorpusFileError(f"{path} is a {'folder' if path.is_dir() else 'pipe or device'}, expected a file")
    return cast("BinaryIO", path.open(mode))


def _newest_header(file: BinaryIO, path: Path, key: str) -> Header:
    file.seek(0)
    found = [_read_header(file.read(_SLOT), path, key) for _ in range(2)]
    headers = [header for header in found if header is not None]
    if not headers:
        raise CorpusFileError(f"{path} has no valid header")
    newest = max(headers, key=lambda header: header.generation)
    size = os.fstat(file.fileno()).st_size
    if size < newest.length:
        raise CorpusFileError(f"{path} is cut: {size:,} of {newest.length:,} bytes")
    return newest


def _read_header(slot: bytes, path: Path, key: str) -> Header | None:
    """The header of a slot; None for an empty or torn one."""
    if len(slot) < _SLOT or zlib.crc32(slot[: _HEADER.size]) != int.from_bytes(slot[_SLOT - 4 :], "little"):
        return None
    magic, version, generation, length, of_key = _HEADER.unpack(slot[: _HEADER.size])
    if magic != _MAGIC:
        return None
    if version != VERSION:
        raise CorpusFileError(f"{path} has version {version}, this Treatise reads {VERSION}")
    if of_key.rstrip(b"\0") != _short(key):
        raise CorpusFileError(f"{path} was made by another recipe or encoder")
    return Header(generation, length)


def _write_header(file: BinaryIO, header: Header, key: str) -> None:
    packed = _HEADER.pack(_MAGIC, VERSION, header.generation, header.length, _short(key))
    slot = packed.ljust(_SLOT - 4, b"\0") + zlib.crc32(packed).to_bytes(4, "little")
    file.seek(header.generation % 2 * _SLOT)
    file.write(slot)
    _sync(file)


def _short(key: str) -> bytes:
    return key.encode()[:64]


def _write_block(file: BinaryIO, arrays: Arrays) -> None:
    rows = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    described = [[name, array.dtype.str, array.shape, _crc(name, array)] for name, array in rows.items()]
    head = json.dumps(described).encode()
    file.write(_BLOCK.pack(_START, len(head), zlib.crc32(head)) + head)
    for array in rows.values():
        file.write(bytes(-file.tell() % _ALIGNED))
        file.write(_bytes(array))
    file.write(bytes(-file.tell() % _ALIGNED))


def _bytes(array: npt.NDArray[Any]) -> memoryview | bytes:
    return array.view(np.uint8).data if array.size else b""


def _crc(name: str, array: npt.NDArray[Any]) -> int | None:
    return None if name in OWN_SUMS else zlib.crc32(_bytes(array))


def _blocks(file: BinaryIO, at: int, end: int, path: Path) -> Iterator[Arrays]:
    """The blocks from a place of the file on, compared with their checksums."""
    if end <= at:
        return
    mapped = mmap.mmap(file.fileno(), end, access=mmap.ACCESS_READ)
    while at < end:
        try:
            arrays, at = _read_block(mapped, at)
        except (ValueError, TypeError, KeyError, struct.error) as error:
            raise CorpusFileError(f"{path} is damaged at byte {at:,} ({error})") from error
        yield arrays


def _read_block(mapped: mmap.mmap, at: int) -> tuple[Arrays, int]:
    start, n_head, crc_of_head = _BLOCK.unpack_from(mapped, at)
    head = mapped[at + _BLOCK.size : at + _BLOCK.size + n_head]
    if start != _START or zlib.crc32(head) != crc_of_head:
        raise ValueError("no block begins here")
    at += _BLOCK.size + n_head
    arrays = {}
    for name, dtype, shape, crc in json.loads(head):
        at += -at % _ALIGNED
        n_items = int(np.prod(shape, dtype=np.int64))
        arrays[name] = np.frombuffer(mapped, np.dtype(dtype), n_items, at).reshape(shape)
        if _crc(name, arrays[name]) != crc:
            raise ValueError(f"{name} does not have the checksum it was written with")
        at += arrays[name].nbytes
    return arrays, at + -at % _ALIGNED


def _sync(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


@contextmanager
def _private(path: Path) -> Iterator[BinaryIO]:
    """A new file that only its owner can read, as the library."""
    with os.fdopen(
        os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600), "w+b"
    ) as file:
        yield file


@contextmanager
def _locked(file: BinaryIO) -> Iterator[None]:
    """Excludes other writers, where the platform has such locks."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)
