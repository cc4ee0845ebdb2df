"""Reads a file that gzip, bzip2 or xz has packed: what it unpacks to, within limits, as if it had been named."""

import bz2
import io
import lzma
import zlib
from dataclasses import replace
from gzip import BadGzipFile, GzipFile
from pathlib import PurePath
from typing import BinaryIO, Final

from treatise.core.errors import DamagedSourceError, EmptySourceError, SourceError, SourceTooLargeError
from treatise.ingest.formats import format_of
from treatise.ingest.limits import Allowance, Limits
from treatise.ingest.reading import Reading

_GZIP: Final = b"\x1f\x8b"
_BZIP2: Final = b"BZh"
_XZ: Final = b"\xfd7zXZ"
_SMALL_BYTES: Final = 4 * 2**20  # what unpacks to less is harmless at any ratio
HEAD_BYTES: Final = 2**14
"""How much of a file is read to know what it is."""
_TARS: Final = {".tgz": ".tar", ".tbz2": ".tar", ".txz": ".tar"}


def read_packed(data: bytes, name: str, limits: Limits) -> Reading:
    """The blocks of the file inside, in its own format.

    Raises:
        DamagedSourceError: Not packed so, or cut off.
        SourceTooLargeError: It unpacks to more than the limits allow.
        SourceError: As the reader of the file inside.
    """
    if not limits.max_depth:
        raise SourceError(f"{name}: too many archives within each other; unpack it, and name the files in it")
    unpacked = _unpacked(data, name, limits)
    if not unpacked.strip():
        raise EmptySourceError(f"{name}: it holds an empty file")
    allowance = limits.allowance or Allowance(limits.max_unpacked_bytes)
    allowance.n_bytes -= len(unpacked)
    inner = inner_name(name)
    inside = replace(limits, max_depth=limits.max_depth - 1, allowance=allowance)
    return format_of(unpacked, inner).read(unpacked, name, inside)


def inner_name(name: str) -> str:
    """The name of the file inside.

    >>> [inner_name(one) for one in ("ls.1.gz", "docs.tgz", "notes")]
    ['ls.1', 'docs.tar', 'notes']
    """
    suffix = PurePath(name).suffix
    is_packed = suffix.lower() in (".gz", ".bz2", ".xz", *_TARS)
    return name[: len(name) - len(suffix)] + _TARS.get(suffix.lower(), "") if is_packed else name


def unpacked_head(file: BinaryIO) -> bytes:
    """The first bytes of the file inside; empty if it is not packed so."""
    try:
        with _opened(file.read(HEAD_BYTES), "") as stream:
            return stream.read1(HEAD_BYTES)
    except (BadGzipFile, OSError, EOFError, lzma.LZMAError, zlib.error, ValueError, DamagedSourceError):
        return b""


def _unpacked(data: bytes, name: str, limits: Limits) -> bytes:
    most = min(limits.max_bytes, limits.max_unpacked_bytes, max(_SMALL_BYTES, limits.max_member_ratio * len(data)))
    if limits.allowance is not None:
        most = min(most, max(0, limits.allowance.n_bytes))
    try:
        with _opened(data, name) as stream:
            unpacked = stream.read(most + 1)
    except (BadGzipFile, OSError, EOFError, lzma.LZMAError, zlib.error, ValueError) as error:
        raise DamagedSourceError(f"{name}: damaged or cut off ({error}); download or save the file again") from error
    if len(unpacked) > most:
        raise SourceTooLargeError(
            f"{name}: unpacks to more than {most:,} bytes from {len(data):,}, as a bomb may; if you trust it, unpack "
            "it, and name the file inside"
        )
    return unpacked


def _opened(data: bytes, name: str) -> GzipFile | bz2.BZ2File | lzma.LZMAFile:
    stream = io.BytesIO(data)
    if data.startswith(_GZIP):
        return GzipFile(fileobj=stream)
    if data.startswith(_BZIP2):
        return bz2.BZ2File(stream)
    if data.startswith(_XZ):
        return lzma.LZMAFile(stream)
    raise DamagedSourceError(f"{name}: not packed by gzip, bzip2 or xz; download or save the file again")
