"""The default store: one SQLite file, no server."""

import os
import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from threading import Lock
from typing import Concatenate, ParamSpec, Self, TypeVar

import platformdirs

from treatise.core.document import Document
from treatise.core.errors import DocumentNotFoundError, StoreError
from treatise.core.indexed import IndexedDocument
from treatise.core.metadata import Metadata
from treatise.core.note import CallOutcome
from treatise.core.ports import Entry, SourceState
from treatise.store import codec, sqlite_copying, sqlite_writing, statements
from treatise.store.entries import read_entries, read_entry
from treatise.store.failures import reading_blobs, translated
from treatise.store.forks import closing_at_forks
from treatise.store.metadata import set_by_source, set_by_user, stated_by_source
from treatise.store.opening import FileState, open_for_reading, open_for_writing, transaction
from treatise.store.rows import check_index, index_row, indexed_of, rows_by_name, utf8
from treatise.store.stored import StoredCall, StoredDocument
from treatise.store.transfer import check_exported, export_library, import_library

_CALL = "key, texts, prompt_tokens, completion_tokens, misfit"  # named: a newer Treatise may add more
_SAVE_CALL = f"INSERT INTO calls ({_CALL}) VALUES (?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING"
_MOST_SLOTS = 500
"""Values in one statement; SQLite may be built to allow a thousand."""

_Result = TypeVar("_Result")
_Arguments = ParamSpec("_Arguments")
_Method = Callable[Concatenate["SqliteStore", _Arguments], _Result]


def rereading(method: _Method[_Arguments, _Result]) -> _Method[_Arguments, _Result]:
    """The reading method, repeated if another process wrote to a file that is read without locks."""

    @wraps(method)
    def reads(store: "SqliteStore", *args: _Arguments.args, **options: _Arguments.kwargs) -> _Result:
        while (idle := store._idle) is not None:
            try:
                result = method(store, *args, **options)
            except StoreError:
                if idle.is_current:
                    raise
            else:
                if idle.is_current:
                    return result
            store._reopen()
        return method(store, *args, **options)

    return reads  # type: ignore[return-value]  # wraps() makes the name of the first argument part of the type


def default_path() -> Path:
    """The default path of the store, in the platform's folder for application data."""
    return platformdirs.user_data_path("treatise", appauthor=False) / "treatise.db"


class SqliteStore:
    """A ``Store`` in one SQLite file (and its two side files while it is open).

    Several processes may read while one writes; writers queue up. Threads that share one object take turns: open one
    object per thread if readers must not wait. At a fork the open stores of a process are closed and opened again
    (``store.forks``), in the child when it first uses them.

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
        self.path: Path = Path(path)
        self._read_only = read_only
        self._busy_timeout_s = busy_timeout_s
        self._clock = clock
        self._lock = Lock()
        self._idle: FileState | None = None
        self._process = os.getpid()
        self._open()
        closing_at_forks().add(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def read_only(self) -> bool:
        """Whether it was opened for reading; see ``Store.read_only``."""
        return self._read_only

    def put(
        self, indexed: IndexedDocument, *, index_key: str, state: SourceState | None, provenance: str = "{}"
    ) -> None:
        """Saves a document with one index, in one transaction; see ``Store.put``."""
        document_row = sqlite_writing.document_row(indexed.document, self._clock())
        row = {"index_key": index_key} | index_row(indexed, provenance)
        with self._transaction("BEGIN IMMEDIATE"):
            number = sqlite_writing.insert_document(self._connection, document_row)
            set_by_source(self._connection, number, indexed.document.metadata)
            sqlite_writing.replace_index(self._connection, number, row, codec.pack_vectors(indexed.vectors))
            if state is not None:
                sqlite_writing.point(self._connection, state, number)

    def add_index(self, indexed: IndexedDocument, *, index_key: str, provenance: str = "{}") -> bool:
        """Saves another index of a stored document; see ``Store.add_index``."""
        row = {"index_key": index_key} | index_row(indexed, provenance)
        with self._transaction("BEGIN IMMEDIATE"):
            found = self._connection.execute("SELECT number FROM documents WHERE id = ?", (indexed.document.id,))
            numbers = found.fetchone()
            if numbers:
                sqlite_writing.replace_index(self._connection, numbers[0], row, codec.pack_vectors(indexed.vectors))
        return numbers is not None

    @rereading
    def document(self, document_id: str) -> Document:
        """The document, by its id or the beginning of one; see ``Store.document``."""
        with self._transaction("BEGIN"):
            number, _ = self._found(document_id)
            return self._document(number)

    @rereading
    def get(self, document_id: str, index_key: str) -> IndexedDocument | None:
        """The document with that index, or None; see ``Store.get``. Its vectors and lexicon cannot be written to."""
        with self._transaction("BEGIN"):
            row = next(rows_by_name(self._connection.execute(statements.INDEX, (utf8(document_id), index_key))), None)
            if row is None:
                return None
            parts = self._connection.execute(
                "SELECT rows FROM vectors WHERE number = ? ORDER BY part", (row["number"],)
            )
            blobs = [rows for (rows,) in parts]
            document = self._document(row["document"])
        with reading_blobs(self.path, document_id):
            check_index(row, blobs)
            return indexed_of(document, row, blobs)

    @rereading
    def state(self, source: str) -> tuple[str, SourceState] | None:
        """Document id and state of a source at its last indexing; see ``Store.state``."""
        with self._transaction("BEGIN"):
            found = self._connection.execute(
                "SELECT id, size, modified_ns, digest FROM sources JOIN documents ON number = document"
                " WHERE sources.source = CAST(? AS TEXT)",
                (utf8(source),),
            ).fetchone()
        return found and (found[0], SourceState(source, *found[1:]))

    @rereading
    def entries(self) -> list[Entry]:
        """Every document, in the order in which they were first put."""
        with self._transaction("BEGIN"):
            return read_entries(self._connection)

    @property
    def revision(self) -> object:
        """See ``Store.revision``."""
        with self._alone():
            (of_others,) = self._connection.execute("PRAGMA data_version").fetchone()
            return id(self._connection), of_others, self._connection.total_changes

    @rereading
    def sizes(self, index_key: str) -> dict[str, int]:
        """See ``Store.sizes``."""
        with self._transaction("BEGIN"):
            rows = self._connection.execute(statements.SIZES, (index_key,))
            return {id_.decode(): n_nodes for id_, n_nodes in rows}

    @rereading
    def titles(self) -> dict[str, str]:
        """See ``Store.titles``."""
        with self._transaction("BEGIN"):
            return dict(self._connection.execute(statements.TITLES).fetchall())

    def remove(self, document_id: str) -> Entry:
        """Removes a document, by its id or the beginning of one; see ``Store.remove``."""
        with self._transaction("BEGIN IMMEDIATE"):
            number, _ = self._found(document_id)
            entry = read_entry(self._connection, number)
            self._connection.execute("DELETE FROM documents WHERE number = ?", (number,))
            return entry

    def annotate(self, document_id: str, metadata: Metadata) -> Entry:
        """Sets the user's values of these keys; see ``Store.annotate``."""
        with self._transaction("BEGIN IMMEDIATE"):
            number, _ = self._found(document_id)
            set_by_user(self._connection, number, metadata)
            return read_entry(self._connection, number)

    @rereading
    def export(self, path: Path, ids: Collection[str] | None = None) -> int:
        """Writes the library, or these documents, to a new file; see ``transfer.export_library``."""
        with self._alone(), translated(path):
            return export_library(self._connection, path, ids)

    def import_(self, path: Path) -> tuple[int, int]:
        """Adds the documents of an exported library, each of which must be whole; see ``transfer.import_library``."""
        with SqliteStore(path, read_only=True, busy_timeout_s=self._busy_timeout_s) as other:
            check_exported(other)
        with self._alone():
            return import_library(self._connection, path, self._busy_timeout_s)

    def stored(self, ids: Collection[str] | None = None) -> Iterator[StoredDocument]:
        """See ``Copyable.stored``."""
        for entry in self.entries():
            if ids is not None and entry.id not in ids:
                continue
            found = self._stored(entry.id)
            for index in found.indexes if found else ():
                with reading_blobs(self.path, entry.id):
                    check_index(index.row, list(index.vectors))
            if found is not None:
                yield found

    def stored_calls(self) -> Iterator[StoredCall]:
        """See ``Copyable.stored_calls``."""
        with self._transaction("BEGIN"):
            rows = self._connection.execute(f"SELECT {_CALL} FROM calls ORDER BY key").fetchall()
        yield from rows

    def add_stored(self, document: StoredDocument) -> bool:
        """See ``Copyable.add_stored``."""
        with self._transaction("BEGIN IMMEDIATE"):
            return sqlite_copying.add(self._connection, document)

    def add_call(self, call: StoredCall) -> None:
        """See ``Copyable.add_call``."""
        with self._alone(), self._unsynced():
            self._connection.execute(_SAVE_CALL, call)  # a statement alone is a transaction

    @rereading
    def _stored(self, document_id: str) -> StoredDocument | None:
        with self._transaction("BEGIN"):
            return sqlite_copying.read(self._connection, document_id)

    @rereading
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
        texts = codec.pack_finished(outcome.texts)
        self.add_call((key, texts, outcome.prompt_tokens, outcome.completion_tokens, outcome.rejection_reason))

    def forget_rejected(self) -> int:
        """Removes the calls without an accepted reply; see ``Store.forget_rejected``."""
        with self._transaction("BEGIN IMMEDIATE"):
            nothing = codec.pack_finished(())
            return self._connection.execute("DELETE FROM calls WHERE texts = ?", (nothing,)).rowcount

    @rereading
    def check(self) -> list[str]:
        """Faults of the file as a whole; see ``Store.check``."""
        with self._transaction("BEGIN"):
            pages = [found for (found,) in self._connection.execute("PRAGMA integrity_check(20)") if found != "ok"]
            broken = self._connection.execute("PRAGMA foreign_key_check").fetchall()
        return [
            *pages,
            *(f"row {row} of {table} refers to a missing row of {parent}" for table, row, parent, _ in broken),
        ]

    def close(self) -> None:
        """Releases the files; harmless when called twice."""
        closing_at_forks().discard(self)
        with self._alone():
            self._connection.close()

    def __del__(self) -> None:
        connection = vars(self).get("_connection")  # absent if it could not be opened
        if connection is not None and self._process == os.getpid():
            connection.close()

    def _open(self) -> None:
        with translated(self.path):
            if self._read_only:
                self._connection, self._idle = open_for_reading(self.path, self._busy_timeout_s)
            else:
                self._connection = open_for_writing(self.path, self._busy_timeout_s)

    def _reopen(self) -> None:
        with self._alone():
            self._connection.close()
            self._open()

    def before_fork(self) -> None:
        """Closes the connection, when other threads do not use it; ``after_fork`` opens it again in this process."""
        self._lock.acquire()
        if self._process == os.getpid():
            self._connection.close()

    def after_fork(self) -> None:
        """See ``before_fork``. A file that cannot be opened any more is an error when the store is next used."""
        try:
            if self._process == os.getpid():
                with suppress(StoreError):
                    self._open()
        finally:
            self._lock.release()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """No other thread uses the connection, and it belongs to this process."""
        self._opened_in_this_process()
        with self._lock, translated(self.path):
            yield

    def _opened_in_this_process(self) -> None:
        """Opens the file in a forked process, where ``before_fork`` has closed the connection and holds the lock."""
        if self._process == os.getpid():
            return
        self._lock = Lock()
        self._open()
        self._process = os.getpid()
        closing_at_forks().add(self)

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        with self._alone(), transaction(self._connection, begin):
            yield

    @contextmanager
    def _unsynced(self) -> Iterator[None]:
        """What is written alone in this block is not synced."""
        self._connection.execute("PRAGMA synchronous = NORMAL")
        try:
            yield
        finally:
            with suppress(sqlite3.Error):  # a closed store has nothing to sync
                self._connection.execute("PRAGMA synchronous = FULL")

    def _found(self, document_id: str) -> tuple[int, str]:
        """Number and id of the only document whose id has this prefix."""
        wanted = document_id.lower()
        found = self._connection.execute(
            "SELECT number, id FROM documents WHERE id >= CAST(:id AS TEXT) AND id < CAST(:id AS TEXT) || 'g' LIMIT 3",
            {"id": utf8(wanted)},
        ).fetchall()
        if not wanted or not found:
            raise DocumentNotFoundError(f"{self.path} has no document {document_id!r}: `treatise list` shows them")
        if len(found) > 1:
            ids = ", ".join(id_ for _, id_ in found[:2])
            raise DocumentNotFoundError(f"{document_id!r} could be {ids} or another: give more of the id")
        return found[0][0], found[0][1]

    def _document(self, number: int) -> Document:
        id_, source, title, language, text, structure = self._connection.execute(
            statements.DOCUMENT, (number,)
        ).fetchone()
        metadata = stated_by_source(self._connection, number)
        with reading_blobs(self.path, id_):
            document = codec.unpack_document(
                source=source, title=title, language=language, text=text, structure=structure, metadata=metadata
            )
            if document.id != id_:
                raise ValueError(f"its content has the hash {document.id}")
            return document
