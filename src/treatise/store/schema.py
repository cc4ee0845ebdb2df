"""The database's tables, migrations, and opening of files.

A migration is a function with its number in its name; ``PRAGMA user_version`` counts the migrations of a file. A
published migration is never edited: a change gets a new one.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from treatise.core.errors import StoreDamagedError, StoreVersionError

APPLICATION_ID: Final = 0x54524541  # "TREA", in the file's header: tells a store from any other SQLite database

_HEAD: Final = b"SQLite format 3\0"

_TABLES_1 = (
    """
    CREATE TABLE documents (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        source TEXT NOT NULL,
        title TEXT NOT NULL,
        language TEXT NOT NULL,
        n_words INTEGER NOT NULL,
        indexed_at REAL NOT NULL,
        structure BLOB NOT NULL,
        text BLOB NOT NULL
    )
    """,
    """
    CREATE TABLE sources (
        source TEXT PRIMARY KEY,
        document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
        size INTEGER NOT NULL,
        modified_ns INTEGER NOT NULL,
        digest TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    "CREATE INDEX sources_by_document ON sources (document, source)",
    """
    CREATE TABLE indexes (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
        index_key TEXT NOT NULL,
        made_from TEXT NOT NULL,
        treatise_version TEXT NOT NULL,
        n_units INTEGER NOT NULL,
        n_nodes INTEGER NOT NULL,
        dim INTEGER NOT NULL,
        units BLOB NOT NULL,
        tree BLOB NOT NULL,
        relations TEXT NOT NULL,
        lexicon_terms BLOB NOT NULL,
        lexicon_starts BLOB NOT NULL,
        lexicon_units BLOB NOT NULL,
        lexicon_counts BLOB NOT NULL,
        lexicon_lengths BLOB NOT NULL,
        UNIQUE (document, index_key)
    )
    """,
    """
    CREATE TABLE vectors (
        number INTEGER NOT NULL REFERENCES indexes ON DELETE CASCADE,
        part INTEGER NOT NULL,
        rows BLOB NOT NULL,
        PRIMARY KEY (number, part)
    )
    """,
)


def _migrate_1(connection: sqlite3.Connection) -> None:
    """Documents, their sources, their indexes, and the indexes' vectors."""
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    for statement in _TABLES_1:
        connection.execute(statement)


def _migrate_2(connection: sqlite3.Connection) -> None:
    """The notes and clusters of an index, and finished calls to language models."""
    connection.execute("ALTER TABLE indexes ADD COLUMN notes BLOB")
    connection.execute("ALTER TABLE indexes ADD COLUMN clusters BLOB")
    connection.execute(
        """
        CREATE TABLE calls (
            key TEXT PRIMARY KEY,
            texts BLOB NOT NULL,
            prompt_tokens INTEGER NOT NULL,
            completion_tokens INTEGER NOT NULL
        ) WITHOUT ROWID
        """
    )


def _migrate_3(connection: sqlite3.Connection) -> None:
    """The reason why every reply to a call was rejected."""
    connection.execute("ALTER TABLE calls ADD COLUMN misfit TEXT NOT NULL DEFAULT ''")


MIGRATIONS: Final[tuple[Callable[[sqlite3.Connection], None], ...]] = (_migrate_1, _migrate_2, _migrate_3)


def open_for_writing(path: Path, busy_timeout_s: float) -> sqlite3.Connection:
    """The database at ``path``, created if absent and migrated to this version's schema.

    Raises:
        StoreDamagedError: If the path is a folder or a different kind of database.
        StoreVersionError: If a newer Treatise wrote it.
    """
    _refuse_other_files(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with _closed_on_error(_connect(path, "mode=rwc", busy_timeout_s)) as connection:
        _version(connection, path)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        _use_wal(connection, busy_timeout_s)
        _migrate(connection, path)
    return connection


def open_for_reading(path: Path, busy_timeout_s: float) -> sqlite3.Connection:
    """The database at ``path``, read-only; an empty one in memory if the file does not exist or has no tables.

    Raises:
        StoreDamagedError: If the path is a folder or a different kind of database.
        StoreVersionError: If another version of Treatise wrote it.
    """
    _refuse_other_files(path)
    if not path.exists():
        return _empty_store(path)
    with _closed_on_error(_connect(path, _reading_mode(path), busy_timeout_s)) as connection:
        version = _version(connection, path)
        if 0 < version < len(MIGRATIONS):
            raise StoreVersionError(
                f"{path} has schema {version}, this Treatise reads {len(MIGRATIONS)}: index anything to migrate it"
            )
        connection.execute("PRAGMA query_only = ON")
    if version == 0:
        connection.close()
        return _empty_store(path)
    return connection


def _connect(path: Path, mode: str, busy_timeout_s: float) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{mode}",
        uri=True,
        timeout=busy_timeout_s,
        isolation_level=None,  # transactions begin explicitly
        check_same_thread=False,  # the store has a lock
    )
    connection.text_factory = _text
    return connection


def _text(stored: bytes) -> str:
    """File names may contain lone surrogates, which SQLite keeps unchanged."""
    return stored.decode("utf-8", "surrogatepass")


def _reading_mode(path: Path) -> str:
    """The mode for reading a file: SQLite reads through side files, which it cannot create in a read-only folder."""
    has_wal = path.with_name(f"{path.name}-wal").exists()
    return "mode=rw" if has_wal or os.access(path.parent, os.W_OK) else "mode=ro&immutable=1"


def _refuse_other_files(path: Path) -> None:
    """SQLite would treat any short file as an empty database, and overwrite it."""
    if path.exists() and not path.is_file():
        raise StoreDamagedError(f"{path} is a folder or device, expected a file, such as {path / 'treatise.db'}")
    if path.exists():
        with path.open("rb") as file:
            head = file.read(len(_HEAD))
        if head not in (b"", _HEAD):
            raise StoreDamagedError(f"{path} is not a Treatise store: name another file")


def _empty_store(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    _migrate(connection, path)
    connection.execute("PRAGMA query_only = ON")
    return connection


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
    if application != APPLICATION_ID and (version or n_tables):
        raise StoreDamagedError(f"{path} is a database of another program, not a Treatise store: name another file")
    if version > len(MIGRATIONS):
        raise StoreVersionError(
            f"{path} has schema {version}, this Treatise reads up to {len(MIGRATIONS)}: upgrade Treatise, "
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


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Runs the missing migrations in one transaction: two processes may open a new store at the same time."""
    if _version(connection, path) == len(MIGRATIONS):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for migration in MIGRATIONS[_version(connection, path) :]:
            migration(connection)
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
