"""Opens database files: for reading and writing, for reading alone, and for reading without permission to write."""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from treatise.core.errors import StoreDamagedError, StoreVersionError
from treatise.store import schema

_MIN_BYTES: Final = 512
"""The smallest page of SQLite: a shorter file is no database."""


def open_for_writing(path: Path, busy_timeout_s: float) -> sqlite3.Connection:
    """The database at ``path``, created if absent and migrated to this version's schema.

    A new file and its new folders are accessible to their owner only.

    Raises:
        StoreDamagedError: If the path is a folder or a different kind of database.
        StoreVersionError: If a newer Treatise wrote it.
    """
    _refuse_other_files(path)
    _make_private(path)
    with _closed_on_error(_connect(path, "mode=rwc", busy_timeout_s)) as connection:
        _version(connection, path)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        _use_wal(connection, busy_timeout_s)
        _migrate(connection, path)
    return connection


def open_for_reading(path: Path, busy_timeout_s: float) -> "tuple[sqlite3.Connection, FileState | None]":
    """The database at ``path``, read-only; an empty one in memory if the file does not exist or has no tables.

    A database of an earlier version is read from a migrated copy.

    Without permission to create SQLite's side files, an idle file is opened without locks. Then the second value is
    its state: what was read is valid only if the state is still the same afterwards.

    Raises:
        StoreDamagedError: If the path is a folder or a different kind of database.
        StoreVersionError: If a newer Treatise wrote it.
    """
    _refuse_other_files(path)
    if not path.exists():
        return _empty_store(path), None
    connection, state = _connected_for_reading(path, busy_timeout_s)
    with _closed_on_error(connection):
        version = _version(connection, path)
        if version == len(schema.MIGRATIONS):
            connection.execute("PRAGMA query_only = ON")
            return connection, state
    with closing(connection):
        return (_migrated_copy(connection, path) if version else _empty_store(path)), None


class FileState:
    """The state of a database file that is read without locks.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen = self._now()

    @property
    def is_current(self) -> bool:
        """Whether nothing has written to the file since."""
        return self._seen == self._now() and not _side_file(self._path).exists()

    def _now(self) -> tuple[int, ...]:
        found = self._path.stat()
        return found.st_ino, found.st_size, found.st_mtime_ns


def _connected_for_reading(path: Path, busy_timeout_s: float) -> tuple[sqlite3.Connection, FileState | None]:
    """SQLite reads through side files: it needs permission to create them, or another process that has done so."""
    if not _side_file(path).exists() and not os.access(path.parent, os.W_OK):
        state = FileState(path)
        if state.is_current:
            return _connect(path, "mode=ro&immutable=1", busy_timeout_s), state
    mode = "mode=rw" if os.access(path, os.W_OK) else "mode=ro"
    return _connect(path, mode, busy_timeout_s), None


def _side_file(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _make_private(path: Path) -> None:
    """Creates the file, and its missing folders, for their owner only: they hold the text of private documents."""
    missing = [folder for folder in path.parents if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(mode=0o700, exist_ok=True)
    with suppress(FileExistsError):  # an existing file must not be opened: see _refuse_other_files
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _connect(path: Path, mode: str, busy_timeout_s: float) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{mode}",
        uri=True,
        timeout=busy_timeout_s,
        isolation_level=None,  # transactions begin explicitly
        check_same_thread=False,  # the store has a lock
    )
    connection.text_factory = _text
    connection.execute("PRAGMA trusted_schema = OFF")  # the file may be somebody else's
    return connection


def _text(stored: bytes) -> str:
    """File names may contain lone surrogates, which SQLite keeps unchanged."""
    return stored.decode("utf-8", "surrogatepass")


def _refuse_other_files(path: Path) -> None:
    """Refuses what SQLite would fail on without a reason, or overwrite as an empty database: very short files.

    The file must not be opened here. Closing it would drop the locks that this process's other connections hold on it
    (POSIX drops all locks of a process with any of its descriptors); another process that closes the library would take
    itself for the last one, and delete the log that these connections go on writing to.
    """
    if not path.exists():
        return
    if not path.is_file():
        raise StoreDamagedError(f"{path} is a folder or device, expected a file, such as {path / 'treatise.db'}")
    if 0 < path.stat().st_size < _MIN_BYTES and not path.with_name(f"{path.name}-journal").exists():
        raise StoreDamagedError(f"{path} is not a Treatise store: name another file")


def _empty_store(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    _migrate(connection, path)
    connection.execute("PRAGMA query_only = ON")
    return connection


def _migrated_copy(connection: sqlite3.Connection, path: Path) -> sqlite3.Connection:
    """A copy in this version's schema. It is a temporary file that SQLite deletes by itself."""
    copy = sqlite3.connect("", isolation_level=None, check_same_thread=False)
    copy.text_factory = _text
    with _closed_on_error(copy):
        connection.backup(copy)
        _migrate(copy, path)
        copy.execute("PRAGMA query_only = ON")
    return copy


@contextmanager
def _closed_on_error(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    try:
        yield connection
    except BaseException:
        connection.close()
        raise


def _version(connection: sqlite3.Connection, path: Path) -> int:
    """The number of migrations that the database has had; 0 for one without tables."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    (n_tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    # Last: another process may be creating the store, and commits all three at once.
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != schema.APPLICATION_ID and (version or n_tables):
        raise StoreDamagedError(f"{path} is a database of another program, not a Treatise store: name another file")
    if version > len(schema.MIGRATIONS):
        raise StoreVersionError(
            f"{path} has schema {version}, this Treatise reads up to {len(schema.MIGRATIONS)}: upgrade Treatise, "
            "or name another file"
        )
    return version


def _use_wal(connection: sqlite3.Connection, busy_timeout_s: float) -> None:
    """Switches a new file to write-ahead logging; SQLite does not wait for locks here, though it does elsewhere."""
    deadline = time.monotonic() + busy_timeout_s
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


@contextmanager
def transaction(connection: sqlite3.Connection, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
    """A transaction: one view of the database for all reads; all writes or none."""
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite rolls back by itself if the disk is full
            connection.execute("ROLLBACK")
        raise


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Runs the missing migrations in one transaction: two processes may open a new store at the same time."""
    if _version(connection, path) == len(schema.MIGRATIONS):
        return
    with transaction(connection):
        for migration in schema.MIGRATIONS[_version(connection, path) :]:
            migration(connection)
        connection.execute(f"PRAGMA user_version = {len(schema.MIGRATIONS)}")
