"""Entries of the SQLite store: one line per document."""

import sqlite3
from collections import defaultdict

from treatise.core.ports import Entry
from treatise.store import statements
from treatise.store.metadata import read_metadata
from treatise.store.rows import rows_by_name


def read_entries(connection: sqlite3.Connection) -> list[Entry]:
    """Every document, in the order in which they were first put."""
    return _entries(connection, "")


def read_entry(connection: sqlite3.Connection, number: int) -> Entry:
    """The document with this number."""
    (entry,) = _entries(connection, str(int(number)))
    return entry


def _entries(connection: sqlite3.Connection, number: str) -> list[Entry]:
    of_one, of_document = (f" WHERE number = {number}", f" WHERE document = {number}") if number else ("", "")
    sources = _listed(connection, f"SELECT document, CAST(source AS TEXT) FROM sources{of_document} ORDER BY source")
    keys = f"SELECT document, CAST(index_key AS TEXT) FROM indexes{of_document} ORDER BY index_key"
    index_keys = _listed(connection, keys)
    metadata = read_metadata(connection, of_document)
    return [
        Entry(
            id=row["id"],
            title=row["title"],
            language=row["language"],
            sources=tuple(sources[row["number"]]),
            n_words=row["n_words"],
            n_units=row["n_units"],
            indexed_at=row["indexed_at"],
            index_keys=tuple(index_keys[row["number"]]),
            n_bytes=row["n_bytes"],
            modified_ns=row["modified_ns"],
            metadata=metadata.get(row["number"], {}),
        )
        for row in rows_by_name(connection.execute(f"{statements.ENTRIES}{of_one} ORDER BY number"))
    ]


def _listed(connection: sqlite3.Connection, query: str) -> dict[int, list[str]]:
    """The results of a query, as one list per document number."""
    lists = defaultdict(list)
    for document, value in connection.execute(query):
        lists[document].append(value)
    return lists
