"""Documents of a SQLite library as packed rows, to and from other stores."""

import sqlite3
from typing import Any

from treatise.store.rows import rows_by_name, utf8
from treatise.store.stored import DOCUMENT_COLUMNS, INDEX_COLUMNS, Row, StoredDocument, StoredIndex

_ADD_DOCUMENT = """
    INSERT INTO documents (id, source, title, language, n_words, indexed_at, structure, text)
    VALUES (?, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
"""
_ADD_SOURCE = """
    INSERT OR IGNORE INTO sources (source, document, size, modified_ns, digest) VALUES (CAST(? AS TEXT), ?, ?, ?, ?)
"""
_ADD_METADATA = """
    INSERT OR IGNORE INTO metadata (document, key, by_user, place, value)
    VALUES (?, CAST(? AS TEXT), ?, ?, CAST(? AS TEXT))
"""
_INDEX = "SELECT i.*, (SELECT crc FROM checksums WHERE number = i.number) AS crc FROM indexes AS i WHERE document = ?"
_TEXTS = ("source", "title", "language")


def read(connection: sqlite3.Connection, document_id: str) -> StoredDocument | None:
    """The document with everything that belongs to it; None if it does not exist."""

    def rows(query: str, *arguments: object) -> list[Row]:
        return list(rows_by_name(connection.execute(query, arguments)))

    found = rows("SELECT * FROM documents WHERE id = ?", document_id)
    if not found:
        return None
    number = found[0]["number"]
    sources = rows("SELECT * FROM sources WHERE document = ? ORDER BY source", number)
    metadata = rows("SELECT * FROM metadata WHERE document = ? ORDER BY key, by_user, place", number)
    return StoredDocument(
        row={name: found[0][name] for name in DOCUMENT_COLUMNS},
        indexes=tuple(_index(connection, row) for row in rows(f"{_INDEX} ORDER BY i.number", number)),
        sources=tuple((row["source"], row["size"], row["modified_ns"], row["digest"]) for row in sources),
        metadata=tuple((row["key"], row["by_user"], row["place"], row["value"]) for row in metadata),
    )


def add(connection: sqlite3.Connection, document: StoredDocument) -> bool:
    """Adds what the library lacks of a document; see ``Copyable.add_stored``."""

    def run(query: str, *arguments: object) -> sqlite3.Cursor:
        return connection.execute(query, arguments)

    values = [utf8(document.row[name]) if name in _TEXTS else document.row[name] for name in DOCUMENT_COLUMNS]
    is_new = run(_ADD_DOCUMENT, *values).rowcount == 1
    (number,) = run("SELECT number FROM documents WHERE id = ?", document.id).fetchone()
    for source, *state in document.sources:
        run(_ADD_SOURCE, utf8(source), number, *state)
    for key, by_user, place, value in document.metadata:
        run(_ADD_METADATA, number, utf8(key), by_user, place, utf8(value))
    known = {row[0] for row in run("SELECT index_key FROM indexes WHERE document = ?", number)}
    for index in document.indexes:
        if index.row["index_key"] not in known:
            _add_index(connection, number, index)
    return is_new


def _index(connection: sqlite3.Connection, row: Row) -> StoredIndex:
    parts = connection.execute("SELECT rows FROM vectors WHERE number = ? ORDER BY part", (row["number"],))
    return StoredIndex({name: row[name] for name in INDEX_COLUMNS}, tuple(rows for (rows,) in parts))


def _add_index(connection: sqlite3.Connection, document: int, index: StoredIndex) -> None:
    row: dict[str, Any] = {"document": document} | {name: index.row[name] for name in INDEX_COLUMNS if name != "crc"}
    slots = ", ".join(f":{name}" for name in row)
    number = connection.execute(f"INSERT INTO indexes ({', '.join(row)}) VALUES ({slots})", row).lastrowid
    for part, rows in enumerate(index.vectors):
        connection.execute("INSERT INTO vectors (number, part, rows) VALUES (?, ?, ?)", (number, part, rows))
    if index.row["crc"] is not None:
        connection.execute("INSERT INTO checksums (number, crc) VALUES (?, ?)", (number, index.row["crc"]))
