"""Reads files and streams within the size limits."""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

from treatise.core.errors import SourceError, SourceNotFoundError, SourceTooLargeError
from treatise.ingest.limits import DEFAULT_LIMITS, Limits

_CHUNK_BYTES: Final = 2**20
_NOT_BLOCKING: Final = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)  # each exists only on some systems
_KINDS: Final = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


def read_regular_file(name: str, limits: Limits = DEFAULT_LIMITS) -> tuple[bytes, int]:
    """The bytes of a regular file, and its modification time in nanoseconds just before they were read.

    Raises:
        SourceNotFoundError: No such file, or a folder.
        SourceTooLargeError: The file is over the limit; nothing beyond the limit is read.
        SourceError: It is a device or a pipe, or cannot be read.
    """
    path = Path(name)
    try:
        _require_regular(name, path.stat())  # checked before opening: opening a pipe blocks until it has a writer
        descriptor = os.open(path, os.O_RDONLY | _NOT_BLOCKING)
        with open(descriptor, "rb", buffering=0) as stream:  # noqa: PTH123  (pathlib cannot open descriptors)
            state = os.fstat(descriptor)
            _require_regular(name, state)
            _require_size(name, state.st_size, limits)
            content = read_stream(stream, name, limits)
    except FileNotFoundError as error:
        raise SourceNotFoundError(f"{name}: no such file; check the path{_here()}") from error
    except PermissionError as error:
        raise SourceError(f"{name}: no permission to read it; change it with: chmod u+r FILE") from error
    except (OSError, ValueError) as error:
        raise SourceError(f"{name}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    return content, state.st_mtime_ns


def _here() -> str:
    """The working folder, in brackets; empty if it is deleted."""
    with suppress(OSError):
        return f" (this is {Path.cwd()})"
    return ""


def read_stream(stream: BinaryIO, name: str, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """All bytes of a stream, read in chunks.

    Raises:
        SourceTooLargeError: The stream yields more than the limit; it is not read further.
    """
    chunks: list[bytes] = []
    size = 0
    while chunk := stream.read(_CHUNK_BYTES):
        size += len(chunk)
        _require_size(name, size, limits)
        chunks.append(chunk)
    return b"".join(chunks)


def _require_regular(name: str, state: os.stat_result) -> None:
    if stat.S_ISREG(state.st_mode):
        return
    if stat.S_ISDIR(state.st_mode):
        raise SourceNotFoundError(f"{name}: a directory, not a file; name the files in it: {Path(name) / '*'}")
    kind = next((kind for is_kind, kind in _KINDS if is_kind(state.st_mode)), "no regular file")
    raise SourceError(f"{name}: {kind}, not a file; to read a stream, use standard input: COMMAND | treatise ask - ...")


def _require_size(name: str, size: int, limits: Limits) -> None:
    if size > limits.max_bytes:
        raise SourceTooLargeError(
            f"{name}: over the limit of {limits.max_bytes // 2**20:,} MB; split it into parts, "
            "or raise Limits.max_bytes"
        )
