"""The database's tables and migrations.

A migration is a function with its number in its name; ``PRAGMA user_version`` counts the migrations of a file. A
published migration is never edited: a change gets a new one.
"""

import sqlite3
from collections.abc import Callable
from typing import Final

from treatise.store import metadata

APPLICATION_ID: Final = 0x54524541  # "TREA", in the file's header: tells a store from any other SQLite database

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


def _migrate_4(connection: sqlite3.Connection) -> None:
    """Checksums of indexes, in a table of their own: a new column would rewrite every index.

    Indexes of earlier versions have none until they are made again.
    """
    connection.execute(
        """
        CREATE TABLE checksums (
            number INTEGER PRIMARY KEY REFERENCES indexes ON DELETE CASCADE,
            crc INTEGER NOT NULL
        )
        """
    )


def _migrate_5(connection: sqlite3.Connection) -> None:
    """Metadata: what sources state, and what users set."""
    connection.execute(metadata.TABLE)


MIGRATIONS: Final[tuple[Callable[[sqlite3.Connection], None], ...]] = (
    _migrate_1,
    _migrate_2,
    _migrate_3,
    _migrate_4,
    _migrate_5,
)
