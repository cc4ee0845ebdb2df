"""The default store: one SQLite file, no server."""

import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any, Self

import platformdirs

from treatise import __version__
from treatise.core.document import Document
from treatise.core.errors import DocumentNotFoundError
from treatise.core.indexed import IndexedDocument
from treatise.core.note import CallOutcome
from treatise.core.ports import Entry, SourceState
from treatise.core.words import n_words
from treatise.store import codec
from treatise.store.failures import reading_blobs, translated
from treatise.store.schema import open_for_reading, open_for_writing

_DOCUMENT = """
    SELECT id, coalesce((SELECT min(s.source) FROM sources AS s WHERE s.document = d.number), d.source),
           title, language, text, structure
    FROM documents AS d WHERE number = ?
"""

_INDEX = """
    SELECT i.* FROM indexes AS i JOIN documents AS d ON d.number = i.document
    WHERE d.id = CAST(? AS TEXT) AND i.index_key = ?
"""

_ENTRIES = """
    SELECT number, id, title, language, n_words, indexed_at,
           (SELECT n_units FROM indexes AS i WHERE document = d.number ORDER BY i.number DESC LIMIT 1) AS n_units
    FROM documents AS d ORDER BY number
"""

_INSERT_DOCUMENT = """
    INSERT INTO documents (id, source, title, language, n_words, indexed_at, structure, text)
    VALUES (?, CAST(? AS TEXT), CAST(? AS TEXT), ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
"""

_INSERT_SOURCE = """
    INSERT INTO sources (source, document, size, modified_ns, digest) VALUES (CAST(? AS TEXT), ?, ?, ?, ?)
    ON CONFLICT (source) DO UPDATE SET document = excluded.document, size = excluded.size,
                                       modified_ns = excluded.modified_ns, digest = excluded.digest
"""


_CALL = "key, texts, prompt_tokens, completion_tokens, misfit"  # named: a newer Treatise may add more
_MOST_SLOTS = 500
"""Values in one statement; SQLite may be built to allow a thousand."""


def default_path() -> Path:
    """The default path of the store, in the platform's folder for application data."""
    return platformdirs.user_data_path("treatise", appauthor=False) / "treatise.db"


class SqliteStore:
    """A ``Store`` in one SQLite file (and its two side files while it is open).

    Several processes may read while one writes; writers queue up. Threads that share one object take turns: open one
    object per thread if readers must not wait.

    Args:
        path: The file. It and its folders are created if absent.
        read_only: Nothing is written, and a missing file is an empty store.
        busy_timeout_s: How long a writer waits for another one before ``StoreBusyError``.
        clock: Seconds since the epoch, for ``Entry.indexed_at``.

    Raises:
        StoreError: If the file cannot be opened as a store.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        read_only: bool = False,
        busy_timeout_s: float = 30.0,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.path = Path(path)
        self._clock = clock
        self._lock = Lock()
        with translated(self.path):
            self._connection = (open_for_reading if read_only else open_for_writing)(self.path, busy_timeout_s)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def put(
        self, indexed: IndexedDocument, *, index_key: str, state: SourceState | None, provenance: str = "{}"
    ) -> None:
        """Saves a document with one index, in one transaction; see ``Store.put``."""
        document_row = self._document_row(indexed.document)
        index_row = {"index_key": index_key} | _index_row(indexed, provenance)
        with self._transaction("BEGIN IMMEDIATE"):
            number = self._insert_document(document_row)
            self._replace_index({"document": number} | index_row, codec.pack_vectors(indexed.vectors))
            if state is not None:
                self._point(state, number)

    def document(self, document_id: str) -> Document:
        """The document, by its id or the beginning of one; see ``Store.document``."""
        with self._transaction("BEGIN"):
            number, _ = self._found(document_id)
            return self._document(number)

    def get(self, document_id: str, index_key: str) -> IndexedDocument | None:
        """The document with that index, or None; see ``Store.get``. Its vectors and lexicon cannot be written to."""
        with self._transaction("BEGIN"):
            row = next(_rows(self._connection.execute(_INDEX, (_utf8(document_id), index_key))), None)
            if row is None:
                return None
            parts = self._connection.execute(
                "SELECT rows FROM vectors WHERE number = ? ORDER BY part", (row["number"],)
            )
            blobs = [rows for (rows,) in parts]
            document = self._document(row["document"])
        with reading_blobs(self.path, document_id):
            return _indexed(document, row, blobs)

    def state(self, source: str) -> tuple[str, SourceState] | None:
        """Document id and state of a source at its last indexing; see ``Store.state``."""
        with self._transaction("BEGIN"):
            found = self._connection.execute(
                "SELECT id, size, modified_ns, digest FROM sources JOIN documents ON number = document"
                " WHERE sources.source = CAST(? AS TEXT)",
                (_utf8(source),),
            ).fetchone()
        return found and (found[0], SourceState(source, *found[1:]))

    def entries(self) -> list[Entry]:
        """Every document, in the order in which they were first put."""
        with self._transaction("BEGIN"):
            return self._entries()

    def remove(self, document_id: str) -> Entry:
        """Removes a document, by its id or the beginning of one; see ``Store.remove``."""
        with self._transaction("BEGIN IMMEDIATE"):
            number, full_id = self._found(document_id)
            entry = next(entry for entry in self._entries() if entry.id == full_id)
            self._connection.execute("DELETE FROM documents WHERE number = ?", (number,))
            return entry

    def finished(self, keys: Sequence[str]) -> dict[str, CallOutcome]:
        """Outcomes by their keys; see ``CallCache.finished``."""
        found: dict[str, CallOutcome] = {}
        with self._transaction("BEGIN"):
            for first in range(0, len(keys), _MOST_SLOTS):
                some = keys[first : first + _MOST_SLOTS]
                slots = ", ".join("?" * len(some))
                rows = self._connection.execute(f"SELECT {_CALL} FROM calls WHERE key IN ({slots})", some)
                for key, texts, *rest in rows:
                    with reading_blobs(self.path, f"call {key}"):
                        found[key] = CallOutcome(codec.unpack_finished(texts), *rest)
        return found

    def save(self, key: str, outcome: CallOutcome) -> None:
        """Keeps an outcome; see ``CallCache.save``.

        Calls are not synced to the disk one by one: they survive a kill of this process, but a crash of the machine may
        lose one.
        """
        cost = outcome.prompt_tokens, outcome.completion_tokens
        row = (key, codec.pack_finished(outcome.texts), *cost, outcome.rejection_reason)
        with self._unsynced(), self._transaction("BEGIN IMMEDIATE"):
            insert = f"INSERT INTO calls ({_CALL}) VALUES (?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING"
            self._connection.execute(insert, row)

    def forget_rejected(self) -> int:
        """Removes the calls without an accepted reply; see ``Store.forget_rejected``."""
        with self._transaction("BEGIN IMMEDIATE"):
            nothing = codec.pack_finished(())
            return self._connection.execute("DELETE FROM calls WHERE texts = ?", (nothing,)).rowcount

    def close(self) -> None:
        """Releases the files; harmless when called twice."""
        with self._lock, translated(self.path):
            self._connection.close()

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        """A transaction: one view of the store for all reads; all writes or none."""
        with self._lock, translated(self.path):
            self._connection.execute(begin)
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # SQLite rolls back by itself if the disk is full
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _unsynced(self) -> Iterator[None]:
        with translated(self.path):
            self._connection.execute("PRAGMA synchronous = NORMAL")
        try:
            yield
        finally:
            with suppress(sqlite3.Error):  # a closed store has nothing to sync
                self._connection.execute("PRAGMA synchronous = FULL")

    def _document_row(self, document: Document) -> tuple[object, ...]:
        return (
            document.id,
            _utf8(document.source),
            _utf8(document.title),
            document.language,
            n_words(document.text),
            self._clock(),
            codec.pack_structure(document),
            codec.pack_text(document.text),
        )

    def _insert_document(self, row: tuple[object, ...]) -> int:
        self._connection.execute(_INSERT_DOCUMENT, row)
        number: int = self._connection.execute("SELECT number FROM documents WHERE id = ?", row[:1]).fetchone()[0]
        return number

    def _replace_index(self, row: dict[str, object], parts: Iterator[bytes]) -> None:
        self._connection.execute("DELETE FROM indexes WHERE document = :document AND index_key = :index_key", row)
        names = ", ".join(row)
        slots = ", ".join(f":{name}" for name in row)
        number = self._connection.execute(f"INSERT INTO indexes ({names}) VALUES ({slots})", row).lastrowid
        self._connection.executemany(
            "INSERT INTO vectors (number, part, rows) VALUES (?, ?, ?)",
            ((number, part, rows) for part, rows in enumerate(parts)),
        )

    def _point(self, state: SourceState, number: int) -> None:
        """Assigns a source to a document, and removes its former document if no other source has it."""
        source = _utf8(state.source)
        before = self._connection.execute("SELECT document FROM sources WHERE source = CAST(? AS TEXT)", (source,))
        left = before.fetchone()
        self._connection.execute(_INSERT_SOURCE, (source, number, state.size, state.modified_ns, state.digest))
        if left is not None:
            self._connection.execute(
                "DELETE FROM documents AS d WHERE number = ? AND NOT EXISTS"
                " (SELECT * FROM sources AS s WHERE s.document = d.number)",
                left,
            )

    def _found(self, document_id: str) -> tuple[int, str]:
        """Number and id of the only document whose id has this prefix."""
        wanted = document_id.lower()
        found = self._connection.execute(
            "SELECT number, id FROM documents WHERE id >= CAST(:id AS TEXT) AND id < CAST(:id AS TEXT) || 'g' LIMIT 3",
            {"id": _utf8(wanted)},
        ).fetchall()
        if not wanted or not found:
            raise DocumentNotFoundError(f"{self.path} has no document {document_id!r}: `treatise list` shows them")
        if len(found) > 1:
            ids = ", ".join(id_ for _, id_ in found[:2])
            raise DocumentNotFoundError(f"{document_id!r} could be {ids} or another: give more of the id")
        return found[0][0], found[0][1]

    def _document(self, number: int) -> Document:
        id_, source, title, language, text, structure = self._connection.execute(_DOCUMENT, (number,)).fetchone()
        with reading_blobs(self.path, id_):
            return codec.unpack_document(source=source, title=title, language=language, text=text, structure=structure)

    def _entries(self) -> list[Entry]:
        sources = self._listed("SELECT document, source FROM sources ORDER BY source")
        index_keys = self._listed("SELECT document, index_key FROM indexes ORDER BY index_key")
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
            )
            for row in _rows(self._connection.execute(_ENTRIES))
        ]

    def _listed(self, query: str) -> dict[int, list[str]]:
        """The results of a query, as one list per document number."""
        lists = defaultdict(list)
        for document, value in self._connection.execute(query):
            lists[document].append(value)
        return lists


def _index_row(indexed: IndexedDocument, provenance: str) -> dict[str, object]:
    tree, relations = codec.pack_tree(indexed.tree)
    n_nodes, dim = indexed.vectors.shape
    return {
        "made_from": provenance,
        "treatise_version": __version__,
        "n_units": len(indexed.units),
        "n_nodes": n_nodes,
        "dim": dim,
        "units": codec.pack_units(indexed.units),
        "tree": tree,
        "relations": relations,
        "notes": codec.pack_notes(indexed.notes) if indexed.notes else None,
        "clusters": codec.pack_clusters(indexed.clusters) if indexed.clusters else None,
        **codec.pack_lexicon(indexed.lexicon),
    }


def _indexed(document: Document, row: dict[str, Any], vectors: list[bytes]) -> IndexedDocument:
    units = codec.unpack_units(row["units"])
    texts = [document.quote(unit.start, unit.end) for unit in units] if row["notes"] else []
    return IndexedDocument(
        document=document,
        units=units,
        tree=codec.unpack_tree(row["tree"], row["relations"]),
        vectors=codec.unpack_vectors(vectors, row["n_nodes"], row["dim"]),
        lexicon=codec.unpack_lexicon(row),
        notes=codec.unpack_notes(row["notes"], texts) if row["notes"] else (),
        clusters=codec.unpack_clusters(row["clusters"]) if row["clusters"] else (),
    )


def _rows(found: sqlite3.Cursor) -> Iterator[dict[str, Any]]:
    """Rows by the names of their columns."""
    names = [column[0] for column in found.description]
    return (dict(zip(names, row, strict=True)) for row in found)


def _utf8(text: str) -> bytes:
    """The argument of ``CAST(? AS TEXT)``: file names may contain lone surrogates, which the driver refuses as
    ``str``.
    """
    return text.encode("utf-8", "surrogatepass")
