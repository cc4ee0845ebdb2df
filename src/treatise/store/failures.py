"""Errors of SQLite and the codec as errors that name the store and a remedy."""

import shutil
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from treatise.core.errors import (
    StoreBusyError,
    StoreDamagedError,
    StoreError,
    StoreUnwritableError,
    TreeError,
)

_INDEX_AGAIN = "move the file away and index your sources again: they are not touched"

DOCUMENT_AGAIN = ": index its source again; `treatise doctor --verify` checks the others"
"""The remedy for a damaged document of the user's own library."""

_KINDS: dict[int, tuple[type[StoreError], str, str]] = {
    sqlite3.SQLITE_BUSY: (
        StoreBusyError,
        "is being written by another process",
        "wait for it to finish, then try again",
    ),
    sqlite3.SQLITE_LOCKED: (StoreBusyError, "is locked", "wait for the other process to finish, then try again"),
    sqlite3.SQLITE_PROTOCOL: (StoreBusyError, "is in heavy use by other processes", "try again"),
    sqlite3.SQLITE_CORRUPT: (StoreDamagedError, "is damaged", _INDEX_AGAIN),
    sqlite3.SQLITE_NOTADB: (StoreDamagedError, "is not a Treatise store", f"name another file, or {_INDEX_AGAIN}"),
    sqlite3.SQLITE_FULL: (StoreUnwritableError, "has no room to grow", "free some space on its disk"),
    sqlite3.SQLITE_READONLY: (StoreUnwritableError, "is not writable", "check its permissions and its folder's"),
    sqlite3.SQLITE_PERM: (StoreUnwritableError, "is not accessible", "check its permissions and its folder's"),
    sqlite3.SQLITE_CANTOPEN: (StoreUnwritableError, "cannot be opened", "check its permissions and its folder's"),
    sqlite3.SQLITE_TOOBIG: (StoreError, "cannot hold a document this large", "split the source into several files"),
}

_FAILED_WRITES = ("WRITE", "FSYNC", "TRUNCATE", "SHM")
"""Parts of the names of input/output errors that mean a write failed: a quota, a full disk met in shared memory."""

_BROKEN_BLOBS = (zlib.error, ValueError, LookupError, TypeError, TreeError, RecursionError)
"""Errors of decoding foreign bytes."""


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raises SQLite's errors as ``StoreError`` with the path, the reason and a remedy."""
    try:
        yield
    except sqlite3.Error as error:
        raise _store_error(path, error) from error
    except UnicodeDecodeError as error:
        raise StoreDamagedError(f"{path} is damaged ({error}): {_INDEX_AGAIN}") from error
    except OSError as error:
        raise StoreUnwritableError(
            f"{path} cannot be opened ({error.strerror}): check its permissions, or name another file"
        ) from error


@contextmanager
def reading_blobs(path: Path | str, document_id: str) -> Iterator[None]:
    """Raises errors of the codec as ``StoreDamagedError`` with the path and the document."""
    try:
        yield
    except _BROKEN_BLOBS as error:
        raise StoreDamagedError(f"{path}: document {document_id} is damaged ({error}){DOCUMENT_AGAIN}") from error


def _store_error(path: Path, error: sqlite3.Error) -> StoreError:
    code: int | None = getattr(error, "sqlite_errorcode", None)  # absent if the sqlite3 module itself objects
    if code is None:
        return StoreError(f"{path}: {error}")
    name = error.sqlite_errorname
    primary = code & 0xFF
    if primary == sqlite3.SQLITE_IOERR and any(part in name for part in _FAILED_WRITES):
        primary = sqlite3.SQLITE_FULL
    kind, finding, remedy = _KINDS.get(primary, (StoreError, "failed", "check its disk"))
    room = f", {_free_mb(path)} MB free" if primary == sqlite3.SQLITE_FULL else ""
    return kind(f"{path} {finding} ({error}, {name}{room}): {remedy}")


def _free_mb(path: Path) -> int:
    return shutil.disk_usage(path.parent).free >> 20
