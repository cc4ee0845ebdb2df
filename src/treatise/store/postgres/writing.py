"""The steps of transactions that write to a library in PostgreSQL.

Locks come in one order: the source, its new document, its former document. Transactions that still block each other are
repeated by ``Connections.write``.
"""

from collections.abc import Mapping, Sequence
from typing import Any, LiteralString

from psycopg import sql
from psycopg.rows import dict_row

from treatise.core.metadata import Metadata
from treatise.core.ports import Entry, SourceState
from treatise.store.postgres import statements
from treatise.store.postgres.address import Address
from treatise.store.postgres.connections import Connection
from treatise.store.postgres.entries import entry_of
from treatise.store.postgres.schema import on_schema
from treatise.store.postgres.text import escaped

_TEXTS = ("index_key", "made_from", "relations", "treatise_version")


class Writer:
    """Writes within one transaction.

    Args:
        connection: In a transaction.
        address: The library.
    """

    def __init__(self, connection: Connection, address: Address) -> None:
        self._connection = connection
        self._address = address

    def lock_source(self, source: str) -> None:
        """Waits for transactions that assign the same source: it may not have a row yet that could be locked."""
        key = f"{self._address.schema} {escaped(source)}"
        self._connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 1))", (key,))

    def put_document(self, row: Sequence[object]) -> int:
        """Inserts or renews a document, locks it, and returns its number."""
        (number,) = self._one(statements.INSERT_DOCUMENT, row) or (0,)
        return int(number)

    def locked_number(self, document_id: str) -> int | None:
        """The number of a document, which is locked; None if it does not exist."""
        found = self._one("SELECT number FROM {s}.documents WHERE id = %s FOR UPDATE", (document_id,))
        return int(found[0]) if found else None

    def locked_entry(self, number: int) -> Entry | None:
        """The entry of a document, which is locked; None if it does not exist."""
        if self._one("SELECT 1 FROM {s}.documents WHERE number = %s FOR UPDATE", (number,)) is None:
            return None
        query = on_schema(f"{statements.ENTRIES} WHERE d.number = %s", self._address)
        with self._connection.cursor(row_factory=dict_row, binary=True) as cursor:
            row = cursor.execute(query, (number,)).fetchone()
        return entry_of(row) if row else None

    def replace_index(self, document: int, row: Mapping[str, object], vectors: Sequence[bytes]) -> None:
        """Saves an index in place of one with the same key."""
        query = "DELETE FROM {s}.indexes WHERE document = %s AND index_key = %s"
        self._run(query, (document, escaped(str(row["index_key"]))))
        self.insert_index(document, row, vectors)

    def insert_index(self, document: int, row: Mapping[str, object], vectors: Sequence[bytes]) -> None:
        """Saves an index that the document does not have."""
        values = {name: escaped(str(value)) if name in _TEXTS else value for name, value in row.items()}
        values["document"] = document
        insert = sql.SQL("INSERT INTO {table} ({names}) VALUES ({slots}) RETURNING number").format(
            table=sql.Identifier(self._address.schema, "indexes"),
            names=sql.SQL(", ").join(map(sql.Identifier, values)),
            slots=sql.SQL(", ").join(map(sql.Placeholder, values)),
        )
        found = self._connection.execute(insert, values).fetchone() or (0,)
        for part, rows in enumerate(vectors):
            self._run("INSERT INTO {s}.vectors (number, part, rows) VALUES (%s, %s, %s)", (found[0], part, rows))

    def point(self, state: SourceState, number: int) -> None:
        """Assigns a locked source to a document, and removes its former document if no other source has it."""
        source = escaped(state.source)
        before = self._one("SELECT document FROM {s}.sources WHERE source = %s", (source,))
        row = (source, number, state.size, state.modified_ns, state.digest)
        self._run(statements.INSERT_SOURCE, row)
        if before is None or before[0] == number:
            return
        self._one("SELECT 1 FROM {s}.documents WHERE number = %s FOR UPDATE", before)
        if self._one("SELECT 1 FROM {s}.sources WHERE document = %s LIMIT 1", before) is None:
            self._run(statements.INHERIT, {"heir": number, "former": before[0]})
            self.delete_document(before[0])

    def set_by_source(self, document: int, metadata: Metadata) -> None:
        """Replaces what the source states."""
        self._run("DELETE FROM {s}.metadata WHERE document = %s AND by_user = 0", (document,))
        self._insert_metadata(document, metadata, by_user=0)

    def set_by_user(self, document: int, metadata: Metadata) -> None:
        """Replaces what the user set for these keys."""
        keys = list(map(escaped, metadata))
        query = "DELETE FROM {s}.metadata WHERE document = %s AND key = ANY(%s) AND by_user = 1"
        self._run(query, (document, keys))
        self._insert_metadata(document, metadata, by_user=1)

    def delete_document(self, number: int) -> None:
        """Removes a document, its indexes, sources and metadata."""
        self._run("DELETE FROM {s}.documents WHERE number = %s", (number,))

    def revise(self) -> None:
        """Changes the revision; the last step, because its lock is held until the commit."""
        self._run(statements.REVISE, ())

    def _insert_metadata(self, document: int, metadata: Metadata, *, by_user: int) -> None:
        for key, values in metadata.items():
            for place, value in enumerate(values):
                self._run(statements.INSERT_METADATA, (document, escaped(key), by_user, place, escaped(value)))

    def _one(self, query: LiteralString, arguments: Sequence[object]) -> tuple[Any, ...] | None:
        return self._connection.execute(on_schema(query, self._address), arguments).fetchone()

    def _run(self, query: LiteralString, arguments: Sequence[object] | Mapping[str, object]) -> None:
        self._connection.execute(on_schema(query, self._address), arguments)
