"""Documents of a library in PostgreSQL as packed rows, to and from other stores."""

from typing import Any

from psycopg.rows import dict_row

from treatise.store.postgres.address import Address
from treatise.store.postgres.connections import Connection
from treatise.store.postgres.schema import on_schema
from treatise.store.postgres.text import escaped, unescaped
from treatise.store.postgres.writing import Writer
from treatise.store.stored import DOCUMENT_COLUMNS, INDEX_COLUMNS, Row, StoredDocument, StoredIndex

_OF_DOCUMENT = ("id", "source", "title", "language")
_OF_INDEX = ("index_key", "made_from", "relations", "treatise_version")

_ADD_DOCUMENT = """
    INSERT INTO {s}.documents (id, source, title, language, n_words, indexed_at, structure, text)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (id) DO NOTHING
"""
_ADD_SOURCE = """
    INSERT INTO {s}.sources (source, document, size, modified_ns, digest) VALUES (%s, %s, %s, %s, %s)
    ON CONFLICT (source) DO NOTHING
"""
_ADD_METADATA = """
    INSERT INTO {s}.metadata (document, key, by_user, place, value) VALUES (%s, %s, %s, %s, %s) ON CONFLICT DO NOTHING
"""


def read(connection: Connection, address: Address, document_id: str) -> StoredDocument | None:
    """The document with everything that belongs to it, of one moment; None if it does not exist."""

    def rows(query: str, *arguments: object) -> list[Row]:
        with connection.cursor(row_factory=dict_row, binary=True) as cursor:
            return cursor.execute(on_schema(query, address), arguments).fetchall()

    with connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        found = rows("SELECT * FROM {s}.documents WHERE id = %s", document_id)
        if not found:
            return None
        number = found[0]["number"]
        sources = rows("SELECT * FROM {s}.sources WHERE document = %s ORDER BY source", number)
        metadata = rows("SELECT * FROM {s}.metadata WHERE document = %s ORDER BY key, by_user, place", number)
        indexes = [
            StoredIndex(
                _readable(row, INDEX_COLUMNS, _OF_INDEX),
                tuple(
                    part["rows"]
                    for part in rows("SELECT rows FROM {s}.vectors WHERE number = %s ORDER BY part", row["number"])
                ),
            )
            for row in rows("SELECT * FROM {s}.indexes WHERE document = %s ORDER BY number", number)
        ]
    return StoredDocument(
        row=_readable(found[0], DOCUMENT_COLUMNS, _OF_DOCUMENT),
        indexes=tuple(indexes),
        sources=tuple((unescaped(row["source"]), row["size"], row["modified_ns"], row["digest"]) for row in sources),
        metadata=tuple(
            (unescaped(row["key"]), row["by_user"], row["place"], unescaped(row["value"])) for row in metadata
        ),
    )


def add(connection: Connection, address: Address, document: StoredDocument) -> bool:
    """Adds what the library lacks of a document; see ``Copyable.add_stored``."""

    def run(query: str, *arguments: object) -> Any:
        return connection.execute(on_schema(query, address), arguments)

    to = Writer(connection, address)
    values = [escaped(document.row[name]) if name in _OF_DOCUMENT else document.row[name] for name in DOCUMENT_COLUMNS]
    for source, *_ in document.sources:  # sorted: two processes that copy the same library lock in the same order
        to.lock_source(source)
    is_new: bool = run(_ADD_DOCUMENT, *values).rowcount == 1
    number = to.locked_number(document.id)
    for source, *state in document.sources:
        run(_ADD_SOURCE, escaped(source), number, *state)
    for key, by_user, place, value in document.metadata:
        run(_ADD_METADATA, number, escaped(key), by_user, place, escaped(value))
    known = {row[0] for row in run("SELECT index_key FROM {s}.indexes WHERE document = %s", number)}
    for index in document.indexes:
        if escaped(index.row["index_key"]) not in known and number is not None:
            to.insert_index(number, index.row, index.vectors)
    to.revise()
    return is_new


def _readable(row: Row, names: tuple[str, ...], texts: tuple[str, ...]) -> Row:
    return {name: unescaped(row[name]) if name in texts else row[name] for name in names}
