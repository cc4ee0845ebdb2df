"""The server's own database beside the store: keys, jobs, uploaded files, conversations, usage and audit.

The store keeps documents; this keeps what a server adds. Several workers share it. Migrations are numbered functions,
as in ``store.schema``: a published one is never edited.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, Final

import platformdirs

from treatise.core.errors import StoreBusyError, StoreError, StoreVersionError
from treatise.settings import Settings
from treatise.store import default_path
from treatise.store.opening import transaction

APPLICATION_ID: Final = 0x54524553  # "TRES": a server's state, not a store
_BUSY_TIMEOUT_S: Final = 20.0

_TABLES_1: Final = (
    """
    CREATE TABLE keys (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        hash BLOB NOT NULL,
        scopes TEXT NOT NULL,
        collections TEXT NOT NULL,
        limits TEXT NOT NULL,
        created_at REAL NOT NULL,
        used_at REAL
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE usage (
        key TEXT NOT NULL,
        period TEXT NOT NULL,
        requests INTEGER NOT NULL DEFAULT 0,
        upload_bytes INTEGER NOT NULL DEFAULT 0,
        tokens INTEGER NOT NULL DEFAULT 0,
        cost REAL NOT NULL DEFAULT 0,
        PRIMARY KEY (key, period)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE audit (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        at REAL NOT NULL,
        key TEXT NOT NULL,
        action TEXT NOT NULL,
        subject TEXT NOT NULL,
        request_id TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE files (
        source TEXT PRIMARY KEY,
        digest TEXT NOT NULL,
        name TEXT NOT NULL,
        size INTEGER NOT NULL,
        document TEXT,
        created_at REAL NOT NULL
    ) WITHOUT ROWID
    """,
    "CREATE INDEX files_by_document ON files (document)",
    """
    CREATE TABLE jobs (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        key TEXT NOT NULL,
        status TEXT NOT NULL,
        task TEXT NOT NULL,
        progress TEXT NOT NULL,
        version INTEGER NOT NULL DEFAULT 1,
        attempts INTEGER NOT NULL DEFAULT 0,
        cancelled INTEGER NOT NULL DEFAULT 0,
        owner TEXT NOT NULL DEFAULT '',
        seen_at REAL NOT NULL DEFAULT 0,
        created_at REAL NOT NULL,
        updated_at REAL NOT NULL
    )
    """,
    "CREATE INDEX jobs_by_status ON jobs (status, number)",
    """
    CREATE TABLE conversations (
        id TEXT PRIMARY KEY,
        key TEXT NOT NULL,
        title TEXT NOT NULL,
        record TEXT NOT NULL,
        created_at REAL NOT NULL,
        updated_at REAL NOT NULL
    ) WITHOUT ROWID
    """,
)


def _migrate_1(connection: sqlite3.Connection) -> None:
    """Keys, usage, audit, uploaded files, jobs and conversations."""
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    for statement in _TABLES_1:
        connection.execute(statement)


MIGRATIONS: Final[tuple[Callable[[sqlite3.Connection], None], ...]] = (_migrate_1,)

Row = dict[str, Any]


class State:
    """The database of one server, shared by its threads and its workers.

    Args:
        folder: Created if absent, readable by its owner only.

    Raises:
        StoreError: If the database cannot be opened, or a newer Treatise wrote it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._connection = _open(folder / "server.db")
        except (OSError, sqlite3.Error) as error:
            raise StoreError(
                f"the server's folder {folder} cannot be used ({error}): name another with --state"
            ) from error

    def rows(self, query: str, arguments: Sequence[object] = ()) -> list[Row]:
        """The rows of a query, as dictionaries."""
        with self._translated():
            found = self._connection.execute(query, arguments)
            names = [column[0] for column in found.description or ()]
            return [dict(zip(names, row, strict=True)) for row in found]

    def row(self, query: str, arguments: Sequence[object] = ()) -> Row | None:
        """The first row of a query; None without one."""
        return next(iter(self.rows(query, arguments)), None)

    def change(self, statement: str, arguments: Sequence[object] = ()) -> int:
        """Runs one statement in its own transaction, and returns the number of rows that it changed."""
        with self._translated():
            return self._connection.execute(statement, arguments).rowcount

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """A write transaction over several statements: all of them or none."""
        with self._translated(), transaction(self._connection):
            yield self._connection

    def close(self) -> None:
        """Releases the files; harmless when called twice."""
        with self._lock:
            self._connection.close()

    def __del__(self) -> None:
        connection = vars(self).get("_connection")  # absent if it could not be opened
        if connection is not None:
            connection.close()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except sqlite3.Error as error:
                is_busy = getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
                kind = StoreBusyError if is_busy else StoreError
                raise kind(f"the server's database in {self.folder} failed ({error})") from error


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
    path.chmod(0o600)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")  # survives a killed process; a power cut may lose the last second
    connection.execute("BEGIN IMMEDIATE")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise StoreVersionError(f"{path} has schema {version}, this Treatise reads up to {len(MIGRATIONS)}: upgrade it")
    for migration in MIGRATIONS[version:]:
        migration(connection)
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    connection.execute("COMMIT")
    return connection


def state_folder(configured: str, settings: Settings) -> Path:
    """The folder of the server's own data: the configured one, or beside the store."""
    if configured:
        return Path(configured).expanduser()
    store = str(settings.store or default_path()).removeprefix("sqlite:///")
    if "://" in store:
        return Path(platformdirs.user_data_path("treatise", appauthor=False)) / "server"
    path = Path(store).expanduser()
    return path.with_name(f"{path.name}.server")
