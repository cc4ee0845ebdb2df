"""Keeps the indexes of sources up to date: only new and changed sources are indexed."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from treatise import ingest
from treatise.core.document import Document
from treatise.core.errors import DocumentNotFoundError, SourceError
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import SourceState, Store
from treatise.core.words import n_words
from treatise.ingest.files import is_unchanged, read_file, state_of
from treatise.llm.budget import Budget, Spending
from treatise.pipeline.arguments import check_source
from treatise.pipeline.candidates import Candidates
from treatise.pipeline.progress import ProgressCallback, stage
from treatise.pipeline.reports import (
    ChunkReport,
    IndexReport,
    Outcome,
    count_kept,
    count_origins,
    count_rejections,
    needs_retry,
)
from treatise.pipeline.stored_indexes import StoredIndexes
from treatise.pipeline.system import System

MAX_WORDS_TOGETHER: Final = 400_000
"""Maximum words of documents indexed together: waves of calls cover all of them."""

_Source = tuple[str | Path, bytes | None]
"""A path, or any name with its bytes."""


SourceReader = Callable[[bytes, str], Document]
"""Reads a document from its bytes and its name; raises ``SourceError``."""


def read_source(data: bytes, name: str) -> Document:
    """The built-in ``SourceReader``, in this process."""
    return ingest.read_bytes(data, name=name)


@dataclass(frozen=True, slots=True)
class _Pending:
    """A source that was read and needs an index; ``before`` is its former index, or one with the same leaves."""

    name: str
    document: Document
    state: SourceState
    outcome: Outcome
    n_words: int
    before: IndexedDocument | None


class SourceIndexer:
    """Saves the indexes of sources in a store; one budget for everything it indexes.

    Args:
        store: Keeps documents and indexes.
        system: Makes the indexes.

    Attributes:
        indexes: Loads the indexes.
        candidates: Chooses the documents to search for a question.
    """

    def __init__(self, store: Store, system: System) -> None:
        self._store = store
        self._system = system
        self._runner = system.index_runner()
        self.indexes: StoredIndexes = StoredIndexes(store, system)
        self.candidates: Candidates = Candidates(store, system, self.indexes.load)

    @property
    def spending(self) -> Spending:
        """The calls of indexing so far, made and reused."""
        return self._runner.spending.copy() if self._runner else Spending()

    @property
    def budget_left(self) -> Budget:
        """The system's budget minus the spending of indexing."""
        return self._system.budget.after(self.spending)

    def index_all(
        self,
        sources: Iterable[_Source],
        *,
        progress: ProgressCallback | None = None,
        retry: bool = False,
        read: SourceReader = read_source,
    ) -> Iterator[tuple[str, IndexReport | SourceError]]:
        """See ``Library.index_all``."""
        indexed: list[str] = []
        for name, result in self._index_all(sources, progress=progress, retry=retry, read=read):
            if isinstance(result, IndexReport):
                indexed.append(result.document)
            yield name, result
        self.read_openings(indexed, progress)
        self.candidates.prepare()

    def read_openings(self, ids: Sequence[str], progress: ProgressCallback | None = None) -> None:
        """Reads the openings of these documents, if the large prior is chosen and has not read them."""
        if openings := self._system.engines.openings:
            missing = openings.missing(dict.fromkeys(ids), self._system.cache)
            openings.read(missing, self._found, self._system.cache, stage(progress, "read openings"))

    def _found(self, document_id: str) -> Document | None:
        """A stored document; None if another process has removed it since it was listed."""
        try:
            return self._store.document(document_id)
        except DocumentNotFoundError:
            return None

    def _index_all(
        self, sources: Iterable[_Source], *, progress: ProgressCallback | None, retry: bool, read: SourceReader
    ) -> Iterator[tuple[str, IndexReport | SourceError]]:
        group: list[_Pending] = []
        words_together = MAX_WORDS_TOGETHER if self._runner and self._system.recipe.indexing.asks_model else 0
        if retry and self._runner:
            self._store.forget_rejected()
        for source, data in sources:
            is_file = data is None and isinstance(source, (str, Path))
            name = str(Path(source).absolute()) if is_file else str(source)
            try:
                check_source(source, data)
                with ingest.listening(progress):
                    found = self._examine(name, data, read, retry=retry and self._runner is not None)
            except SourceError as error:
                yield name, error
                continue
            if isinstance(found, IndexReport):
                yield name, found
                continue
            group.append(found)
            if sum(pending.n_words for pending in group) >= words_together:
                yield from self._index_group(group, progress)
                group = []
        if group:
            yield from self._index_group(group, progress)

    def parse_chunks(self, documents: Sequence[str], progress: ProgressCallback | None = None) -> ChunkReport:
        """Makes the trees of all chunks of these documents within the budget; see ``System.parse_chunks``."""
        return self._system.parse_chunks(map(self.indexes.load, documents), runner=self._runner, progress=progress)

    def _examine(self, name: str, data: bytes | None, read: SourceReader, *, retry: bool) -> IndexReport | _Pending:
        """The report of a source that needs no work, or its document."""
        started = time.monotonic()
        known = self._store.state(name)
        before = self.indexes.sound(known[0]) if known else None
        is_ready = before is not None and not (retry and needs_retry(before))
        if before and data is None and known and is_ready and is_unchanged(name, known[1]):
            return _unchanged(name, before, started)
        alike = self.indexes.alike(known[0]) if known and not before else None
        if alike and data is None and known and is_unchanged(name, known[1]):
            return _pending(name, alike.document, known[1], Outcome.UPDATED, alike)
        content, state = (data, state_of(name, data)) if data is not None else read_file(name)
        if before and known and is_ready and known[1].digest == state.digest:
            return _unchanged(name, before, started)
        outcome = Outcome.UPDATED if known else Outcome.NEW
        return _pending(name, read(content, name), state, outcome, before or alike)

    def _index_group(
        self, group: Sequence[_Pending], progress: ProgressCallback | None
    ) -> Iterator[tuple[str, IndexReport | SourceError]]:
        started = time.monotonic()
        before = self.spending
        system = self.indexes.reusing([pending.before for pending in group if pending.before])
        indexed = system.index([pending.document for pending in group], runner=self._runner, progress=progress)
        spending = self.spending.since(before)
        for done, (pending, one) in enumerate(zip(group, indexed, strict=True)):
            if progress:
                progress("store", done, len(group))
            self._store.put(one, state=pending.state, **self.indexes.key)
            self.indexes.forget(one.document.id)  # the same document may now have other notes
            yield pending.name, _report(pending, one, time.monotonic() - started, spending)


def _pending(
    name: str, document: Document, state: SourceState, outcome: Outcome, before: IndexedDocument | None
) -> _Pending:
    return _Pending(name, document, state, outcome, n_words(document.text), before)


def _unchanged(name: str, indexed: IndexedDocument, started: float) -> IndexReport:
    """The report of a source that was indexed before, with the size of its document."""
    document = indexed.document
    seconds = time.monotonic() - started
    return IndexReport(name, document.id, Outcome.UNCHANGED, n_words(document.text), len(indexed.units), seconds)


def _report(pending: _Pending, indexed: IndexedDocument, seconds: float, spending: Spending) -> IndexReport:
    return IndexReport(
        source=pending.name,
        document=indexed.document.id,
        outcome=pending.outcome,
        n_words=pending.n_words,
        n_units=len(indexed.units),
        seconds=seconds,
        notes=count_origins(indexed),
        rejections=count_rejections(indexed),
        n_kept=count_kept(indexed, pending.before),
        spending=spending,
    )
