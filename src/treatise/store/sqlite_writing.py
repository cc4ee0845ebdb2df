"""Writes a document, its index and its source to a SQLite store, within the caller's transaction."""

import sqlite3
from collections.abc import Iterator

from treatise.core.document import Document
from treatise.core.ports import SourceState
from treatise.core.words import n_words
from treatise.store import codec, statements
from treatise.store.checksums import Checksum
from treatise.store.metadata import inherit
from treatise.store.rows import utf8


def document_row(document: Document, indexed_at: float) -> tuple[object, ...]:
    """The values of a document; ``indexed_at`` is in seconds since the epoch."""
    return (
        document.id,
        utf8(document.source),
        utf8(document.title),
        document.language,
        n_words(document.text),
        indexed_at,
        codec.pack_structure(document),
        codec.pack_text(document.text),
    )


def insert_document(connection: sqlite3.Connection, row: tuple[object, ...]) -> int:
    """Writes the values of a document, and returns its number."""
    connection.execute(statements.INSERT_DOCUMENT, row)
    number: int = connection.execute("SELECT number FROM documents WHERE id = ?", row[:1]).fetchone()[0]
    return number


def replace_index(
    connection: sqlite3.Connection, document: int, columns: dict[str, object], parts: Iterator[bytes]
) -> None:
    """Writes the columns of an index of the document with that number, and the parts of its vectors."""
    row = {"document": document} | columns
    connection.execute("DELETE FROM indexes WHERE document = :document AND index_key = :index_key", row)
    names = ", ".join(row)
    slots = ", ".join(f":{name}" for name in row)
    number = connection.execute(f"INSERT INTO indexes ({names}) VALUES ({slots})", row).lastrowid
    total = Checksum(row)
    connection.executemany(
        "INSERT INTO vectors (number, part, rows) VALUES (?, ?, ?)",
        ((number, part, rows) for part, rows in enumerate(total.through(parts))),
    )
    connection.execute("INSERT INTO checksums (number, crc) VALUES (?, ?)", (number, total.value))


def point(connection: sqlite3.Connection, state: SourceState, number: int) -> None:
    """Assigns a source to a document, and removes its former document if no other source has it."""
    source = utf8(state.source)
    before = connection.execute("SELECT document FROM sources WHERE source = CAST(? AS TEXT)", (source,))
    left = before.fetchone()
    connection.execute(statements.INSERT_SOURCE, (source, number, state.size, state.modified_ns, state.digest))
    if left is not None and not connection.execute(statements.HAS_SOURCE, left).fetchone():
        inherit(connection, number, *left)
        connection.execute("DELETE FROM documents WHERE number = ?", left)
