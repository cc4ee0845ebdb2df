"""The table of documents' metadata: what sources state, and what users set."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter
from typing import Final

from treatise.core.metadata import Metadata

_OF_SOURCE, _OF_USER = 0, 1

TABLE: Final = """
    CREATE TABLE metadata (
        document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
        key TEXT NOT NULL,
        by_user INTEGER NOT NULL,
        place INTEGER NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (document, key, by_user, place)
    ) WITHOUT ROWID
"""

_INSERT: Final = "INSERT INTO metadata (document, key, by_user, place, value) VALUES (?, ?, ?, ?, CAST(? AS TEXT))"

_INHERIT: Final = """
    INSERT INTO metadata SELECT :heir, key, by_user, place, value FROM metadata
    WHERE document = :former AND by_user = 1
          AND key NOT IN (SELECT key FROM metadata WHERE document = :heir AND by_user = 1)
"""


def read_metadata(connection: sqlite3.Connection, condition: str = "") -> dict[int, dict[str, tuple[str, ...]]]:
    """The values of every document, or of those of a WHERE clause, by number and key.

    What the user set replaces what the source states.
    """
    rows = connection.execute(
        f"SELECT document, key, by_user, value FROM metadata{condition} ORDER BY document, key, by_user, place"
    )
    found: dict[int, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for (document, key, _), values in groupby(rows, itemgetter(0, 1, 2)):
        found[document][key] = tuple(row[3] for row in values)
    return found


def stated_by_source(connection: sqlite3.Connection, document: int) -> dict[str, tuple[str, ...]]:
    """The values that the source of one document states."""
    return read_metadata(connection, f" WHERE document = {int(document)} AND by_user = 0").get(document, {})


def set_by_source(connection: sqlite3.Connection, document: int, metadata: Metadata) -> None:
    """Replaces what the source states."""
    connection.execute("DELETE FROM metadata WHERE document = ? AND by_user = 0", (document,))
    _insert(connection, document, metadata, _OF_SOURCE)


def set_by_user(connection: sqlite3.Connection, document: int, metadata: Metadata) -> None:
    """Replaces what the user set for these keys."""
    keys = ((document, key) for key in metadata)
    connection.executemany("DELETE FROM metadata WHERE document = ? AND key = ? AND by_user = 1", keys)
    _insert(connection, document, metadata, _OF_USER)


def inherit(connection: sqlite3.Connection, heir: int, former: int) -> None:
    """Copies what the user set from a former document, except keys that the heir has."""
    connection.execute(_INHERIT, {"heir": heir, "former": former})


def _insert(connection: sqlite3.Connection, document: int, metadata: Metadata, by_user: int) -> None:
    rows: Iterable[tuple[object, ...]] = (
        (document, key, by_user, place, value.encode("utf-8", "surrogatepass"))
        for key, values in metadata.items()
        for place, value in enumerate(values)
    )
    connection.executemany(_INSERT, rows)
