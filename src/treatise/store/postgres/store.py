"""A store in a PostgreSQL database, for several machines and users."""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import Any, Final, Self

from psycopg.rows import dict_row

from treatise.core.document import Document
from treatise.core.errors import DocumentNotFoundError, StoreVersionError
from treatise.core.indexed import IndexedDocument
from treatise.core.metadata import Metadata
from treatise.core.note import CallOutcome
from treatise.core.ports import Entry, SourceState
from treatise.core.words import n_words
from treatise.store import codec
from treatise.store.checksums import Checksum
from treatise.store.failures import reading_blobs
from treatise.store.postgres import copying, statements, writing
from treatise.store.postgres.address import Address
from treatise.store.postgres.connections import Connection, Connections
from treatise.store.postgres.entries import entry_of, metadata_of
from treatise.store.postgres.leaves import PostgresLeaves
from treatise.store.postgres.schema import MIGRATIONS, migrate, on_schema, version_of
from treatise.store.postgres.text import escaped, unescaped
from treatise.store.rows import check_index, index_row, indexed_of
from treatise.store.stored import StoredCall, StoredDocument

_PREFIX: Final = re.compile(r"[0-9a-f]{1,64}")
_Row = dict[str, Any]


class PostgresStore:
    """A ``Store`` in one schema of a PostgreSQL database with pgvector.

    Readers never wait. Writers wait only for each other's document or source. Threads may share one object: it has a
    pool of connections.

    Args:
        url: As for libpq, with the parameter ``schema`` for another schema than ``treatise``; it is created if absent.
        read_only: Nothing is written, and a missing schema is an empty store.
        busy_timeout_s: How long a statement waits for a lock before ``StoreBusyError``.

    Raises:
        SettingsError: If the URL cannot be read.
        StoreError: If the server cannot be reached, has no pgvector, or the schema is no library.
    """

    def __init__(self, url: str, *, read_only: bool = False, busy_timeout_s: float = 30.0) -> None:
        self.address: Address = Address.parse(url)
        self._read_only = read_only
        self._connections = Connections(self.address, read_only=read_only, busy_timeout_s=busy_timeout_s)
        self._is_absent = False
        with self._connections.first() as connection:
            if read_only:
                self._is_absent = self._version_for_reading(connection) == 0
            else:
                migrate(connection, self.address)
        self._connections.open()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def name(self) -> str:
        """Host, database and schema, for messages; without user and password."""
        return self.address.name

    @property
    def description(self) -> str:
        """Name, size and versions of the server, for people."""
        rows = self._rows(statements.DESCRIPTION, (self.address.schema,))
        if not rows:
            return f"{self.name} does not exist yet"
        (row,) = rows
        versions = f"PostgreSQL {row['server']}, pgvector {row['pgvector']}"
        return f"{self.name} has {row['bytes'] / 2**20:,.1f} MB ({versions})"

    def leaf_index(self, index_key: str) -> PostgresLeaves:
        """The index over the leaves of all documents that have an index with this key."""
        return PostgresLeaves(self._connections, self.address, index_key)

    @property
    def read_only(self) -> bool:
        """Whether it was opened for reading; see ``Store.read_only``."""
        return self._read_only

    def put(
        self, indexed: IndexedDocument, *, index_key: str, state: SourceState | None, provenance: str = "{}"
    ) -> None:
        """Saves a document with one index, in one transaction; see ``Store.put``."""
        document = _document_row(indexed.document)
        row = {"index_key": index_key} | index_row(indexed, provenance)
        vectors, row["crc"] = _with_checksum(indexed, row)

        def work(connection: Connection) -> None:
            to = writing.Writer(connection, self.address)
            if state is not None:
                to.lock_source(state.source)
            number = to.put_document(document)
            to.set_by_source(number, indexed.document.metadata)
            to.replace_index(number, row, vectors)
            if state is not None:
                to.point(state, number)
            to.revise()

        self._connections.write(work)

    def add_index(self, indexed: IndexedDocument, *, index_key: str, provenance: str = "{}") -> bool:
        """Saves another index of a stored document; see ``Store.add_index``."""
        row = {"index_key": index_key} | index_row(indexed, provenance)
        vectors, row["crc"] = _with_checksum(indexed, row)

        def work(connection: Connection) -> bool:
            to = writing.Writer(connection, self.address)
            number = to.locked_number(indexed.document.id)
            if number is None:
                return False
            to.replace_index(number, row, vectors)
            to.revise()
            return True

        return self._connections.write(work)

    def document(self, document_id: str) -> Document:
        """The document, by its id or the beginning of one; see ``Store.document``."""
        for row in self._rows(statements.DOCUMENT, (self._number(document_id),)):
            return self._document(row)
        raise self._not_found(document_id)

    def get(self, document_id: str, index_key: str) -> IndexedDocument | None:
        """The document with that index, or None; see ``Store.get``. Its vectors and lexicon cannot be written to."""
        rows = self._rows(statements.INDEX, (escaped(document_id), escaped(index_key)))
        if not rows:
            return None
        document, row = self._document(rows[0]), rows[0] | {"relations": unescaped(rows[0]["relations"])}
        blobs = [part["rows"] for part in rows if part["rows"] is not None]
        with reading_blobs(self.name, document_id):
            check_index(row, blobs)
            return indexed_of(document, row, blobs)

    def state(self, source: str) -> tuple[str, SourceState] | None:
        """Document id and state of a source at its last indexing; see ``Store.state``."""
        for row in self._rows(statements.STATE, (escaped(source),)):
            return row["id"], SourceState(source, row["size"], row["modified_ns"], row["digest"])
        return None

    def entries(self) -> list[Entry]:
        """Every document, in the order in which they were first put."""
        return [entry_of(row) for row in self._rows(f"{statements.ENTRIES} ORDER BY d.number")]

    @property
    def revision(self) -> object:
        """See ``Store.revision``."""
        return tuple(row["n"] for row in self._rows("SELECT n FROM {s}.revision ORDER BY shard"))

    def sizes(self, index_key: str) -> dict[str, int]:
        """See ``Store.sizes``."""
        return {row["id"]: row["n_nodes"] for row in self._rows(statements.SIZES, (escaped(index_key),))}

    def titles(self) -> dict[str, str]:
        """See ``Store.titles``."""
        known = "SELECT value FROM {s}.metadata WHERE document = number AND key = 'title'"
        first = f"{known} ORDER BY by_user DESC, place LIMIT 1"
        rows = self._rows(f"SELECT id, coalesce(({first}), title) AS title FROM {{s}}.documents ORDER BY number")
        return {row["id"]: unescaped(row["title"]) for row in rows}

    def remove(self, document_id: str) -> Entry:
        """Removes a document, by its id or the beginning of one; see ``Store.remove``."""

        def work(connection: Connection) -> Entry | None:
            to = writing.Writer(connection, self.address)
            entry = to.locked_entry(number)
            if entry is not None:
                to.delete_document(number)
                to.revise()
            return entry

        number = self._number(document_id)
        return self._connections.write(work) or self._missing(document_id)

    def annotate(self, document_id: str, metadata: Metadata) -> Entry:
        """Sets the user's values of these keys; see ``Store.annotate``."""

        def work(connection: Connection) -> Entry | None:
            to = writing.Writer(connection, self.address)
            if to.locked_entry(number) is None:
                return None
            to.set_by_user(number, metadata)
            to.revise()
            return to.locked_entry(number)

        number = self._number(document_id)
        return self._connections.write(work) or self._missing(document_id)

    def finished(self, keys: Sequence[str]) -> dict[str, CallOutcome]:
        """Outcomes by their keys; see ``CallCache.finished``."""
        found: dict[str, CallOutcome] = {}
        query = "SELECT * FROM {s}.calls WHERE key = ANY(%s)"
        for row in self._rows(query, (list(map(escaped, keys)),)) if keys else ():
            key = unescaped(row["key"])
            with reading_blobs(self.name, f"call {key}"):
                cost = row["prompt_tokens"], row["completion_tokens"]
                found[key] = CallOutcome(codec.unpack_finished(row["texts"]), *cost, unescaped(row["misfit"]))
        return found

    def save(self, key: str, outcome: CallOutcome) -> None:
        """Keeps an outcome; see ``CallCache.save``."""
        texts = codec.pack_finished(outcome.texts)
        self.add_call((key, texts, outcome.prompt_tokens, outcome.completion_tokens, outcome.rejection_reason))

    def forget_rejected(self) -> int:
        """Removes the calls without an accepted reply; see ``Store.forget_rejected``."""
        query = on_schema("DELETE FROM {s}.calls WHERE texts = %s", self.address)
        nothing = codec.pack_finished(())
        return self._connections.write(lambda connection: connection.execute(query, (nothing,)).rowcount)

    def check(self) -> list[str]:
        """Faults of the tables as a whole; see ``Store.check``. The server checks its files itself."""
        found = [(finding, self._rows(query)) for finding, query in statements.FAULTS]
        return [f"{rows[0]['count']:,} {finding}" for finding, rows in found if rows and rows[0]["count"]]

    def stored(self, ids: Collection[str] | None = None) -> Iterator[StoredDocument]:
        """See ``Copyable.stored``."""
        wanted = [row["id"] for row in self._rows("SELECT id FROM {s}.documents ORDER BY number")]
        for id_ in wanted if ids is None else [one for one in wanted if one in ids]:
            found = self._connections.read(partial(copying.read, address=self.address, document_id=id_))
            if found is not None:
                for index in found.indexes:
                    with reading_blobs(self.name, id_):
                        check_index(index.row, list(index.vectors))
                yield found

    def stored_calls(self) -> Iterator[StoredCall]:
        """See ``Copyable.stored_calls``."""
        for row in self._rows("SELECT key FROM {s}.calls ORDER BY key"):
            for call in self._rows("SELECT * FROM {s}.calls WHERE key = %s", (row["key"],)):
                cost = call["prompt_tokens"], call["completion_tokens"]
                yield unescaped(call["key"]), call["texts"], *cost, unescaped(call["misfit"])

    def add_stored(self, document: StoredDocument) -> bool:
        """See ``Copyable.add_stored``."""
        return self._connections.write(lambda connection: copying.add(connection, self.address, document))

    def add_call(self, call: StoredCall) -> None:
        """See ``Copyable.add_call``."""
        query = on_schema(statements.SAVE_CALL, self.address)
        key, texts, prompt_tokens, completion_tokens, reason = call
        row = (escaped(key), texts, prompt_tokens, completion_tokens, escaped(reason))
        self._connections.write(lambda connection: connection.execute(query, row))

    def close(self) -> None:
        """Closes the connections; harmless when called twice."""
        self._connections.close()

    def _version_for_reading(self, connection: Connection) -> int:
        version = version_of(connection, self.address)
        if 0 < version < len(MIGRATIONS):
            raise StoreVersionError(
                f"{self.name} has schema version {version}, this Treatise reads {len(MIGRATIONS)}: open it once as a "
                "user who may change its tables, such as with `treatise update`"
            )
        return version

    def _rows(self, query: str, arguments: Sequence[object] = ()) -> list[_Row]:
        """The rows of a query, by the names of their columns; none of a library that does not exist."""
        composed = on_schema(query, self.address)

        def work(connection: Connection) -> list[_Row]:
            if self._is_absent and version_of(connection, self.address) == 0:
                return []
            self._is_absent = False
            with connection.cursor(row_factory=dict_row, binary=True) as cursor:
                return cursor.execute(composed, arguments).fetchall()

        return self._connections.read(work)

    def _number(self, document_id: str) -> int:
        """The number of the only document whose id has this prefix."""
        wanted = document_id.lower()
        query = "SELECT number, id FROM {s}.documents WHERE id >= %s AND id < %s ORDER BY id LIMIT 3"
        found = self._rows(query, (wanted, f"{wanted}g")) if _PREFIX.fullmatch(wanted) else []
        if not found:
            raise self._not_found(document_id)
        if len(found) > 1:
            ids = ", ".join(row["id"] for row in found[:2])
            raise DocumentNotFoundError(f"{document_id!r} could be {ids} or another: give more of the id")
        number: int = found[0]["number"]
        return number

    def _document(self, row: _Row) -> Document:
        with reading_blobs(self.name, row["id"]):
            source, title, language = (unescaped(row[name]) for name in ("source", "title", "language"))
            document = codec.unpack_document(
                source=source,
                title=title,
                language=language,
                text=row["text"],
                structure=row["structure"],
                metadata=metadata_of(row["metadata"]),
            )
            if document.id != row["id"]:
                raise ValueError(f"its content has the hash {document.id}")
            return document

    def _missing(self, document_id: str) -> Entry:
        raise self._not_found(document_id)

    def _not_found(self, document_id: str) -> DocumentNotFoundError:
        return DocumentNotFoundError(f"{self.name} has no document {document_id[:80]!r}: `treatise list` shows them")


def _document_row(document: Document) -> tuple[object, ...]:
    texts = (document.id, escaped(document.source), escaped(document.title), escaped(document.language))
    return (*texts, n_words(document.text), codec.pack_structure(document), codec.pack_text(document.text))


def _with_checksum(indexed: IndexedDocument, row: dict[str, object]) -> tuple[list[bytes], int]:
    total = Checksum(row)
    vectors = list(total.through(codec.pack_vectors(indexed.vectors)))
    return vectors, total.value
