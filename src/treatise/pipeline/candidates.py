"""Finding the documents of a store that may answer a question."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from treatise.core.corpus import CorpusStatistics
from treatise.core.errors import DocumentNotFoundError
from treatise.core.ports import HasLeafIndex, Store
from treatise.pipeline.corpus import CorpusIndex, Load
from treatise.pipeline.openings import opening_cosines
from treatise.pipeline.system import DEFAULT_WORDS, System
from treatise.retrieve.corpus import CorpusQuery
from treatise.retrieve.named import Named, named_documents
from treatise.retrieve.prior import has_prior
from treatise.store import SqliteStore

if TYPE_CHECKING:
    from treatise.pipeline.server_corpus import ServerCorpusIndex

MAX_FULL_SCAN_NODES: Final = 20_000
"""Libraries up to this size are searched whole, as if they were one document."""

N_CANDIDATES: Final = 24
"""Documents of a larger library whose trees are searched for a question."""


_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class AllDocuments:
    """A ``CandidateFinder`` that returns every document: exact, and suitable for small libraries.

    Attributes:
        store: The store with the documents.
    """

    store: Store

    def find(self, question: str) -> Sequence[str]:  # noqa: ARG002  (every document is a candidate)
        """See ``CandidateFinder.find``."""
        return [*self.store.sizes("")]


@dataclass(frozen=True, slots=True)
class Found:
    """The documents to search for a question.

    Attributes:
        ids: Of the documents.
        corpus: Statistics of all documents that they were chosen from; None if none was left out.
    """

    ids: Sequence[str]
    corpus: CorpusStatistics | None = None

    @property
    def statistics(self) -> CorpusStatistics:
        """The statistics of documents that were chosen.

        Raises:
            ValueError: If none was left out.
        """
        if self.corpus is None:
            raise ValueError("all documents were found: there are no statistics of others")
        return self.corpus


class _OfAll(Generic[_Value]):
    """A value per document, read again when the store has changed."""

    def __init__(self, store: Store, read: Callable[[], Mapping[str, _Value]]) -> None:
        self._store, self._read = store, read
        self._known: tuple[object, Mapping[str, _Value]] = (None, {})

    def __call__(self) -> Mapping[str, _Value]:
        revision = self._store.revision
        if self._known[0] != revision:
            self._known = revision, self._read()
        return self._known[1]


class Candidates:
    """Chooses the documents of a library to search: all of a small one, the best of a large one.

    Args:
        store: The library.
        system: Its recipe and encoder.
        load: Loads a document, and keeps it in memory.
        max_nodes: Documents with at most so many nodes together are all searched.
        n_documents: Candidates otherwise.

    Attributes:
        index: The index over all documents.
        read: Loads a document without keeping it in memory.
    """

    def __init__(
        self,
        store: Store,
        system: System,
        load: Load,
        *,
        max_nodes: int = MAX_FULL_SCAN_NODES,
        n_documents: int = N_CANDIDATES,
    ) -> None:
        self._store, self._system, self._load = store, system, load
        self._max_nodes, self._n_documents = max_nodes, n_documents
        self.read = _without_keeping(store, system.index_key, load)
        self._sizes = _OfAll(store, partial(store.sizes, system.index_key))
        self._titles = _OfAll(store, store.titles)
        self.index: CorpusIndex | ServerCorpusIndex = self._index()

    def _index(self) -> "CorpusIndex | ServerCorpusIndex":
        """At the server of the store, or in a file beside it."""
        key = self._system.index_key
        if isinstance(self._store, HasLeafIndex):
            from treatise.pipeline.server_corpus import ServerCorpusIndex

            return ServerCorpusIndex(self._store, self._store.leaf_index(key), key, self.read)
        return CorpusIndex(self._store, key, self.read, side_file(self._store, key), sizes=self._sizes)

    def find(self, question: str, among: Sequence[str] | None = None, *, max_words: int = DEFAULT_WORDS) -> Found:
        """The documents to search for a question, in the order of the library; ``among`` limits them.

        ``max_words`` is the budget of the evidence, to which they are to contribute.
        """
        sizes = self._sizes()
        ids = [*sizes] if among is None else among
        if len(ids) <= self._n_documents or any(id_ not in sizes for id_ in ids):
            return Found(ids)
        if not all(sizes[id_] for id_ in ids):
            if self._store.read_only:
                return Found(ids)
            sizes = self._completed(ids, sizes)
        if sum(sizes.get(id_, 0) for id_ in ids) <= self._max_nodes:
            return Found(ids)
        return self.choose(question, None if among is None else frozenset(among), max_words=max_words)

    def choose(self, question: str, among: Collection[str] | None = None, *, max_words: int = DEFAULT_WORDS) -> Found:
        """The best documents by the index, in the order of the library, however small it is."""
        vector = self._system.engines.encoder.encode_questions([question])[0]
        recipe, ids = self._system.recipe, self.ids
        searched = ids if among is None else among
        query = CorpusQuery(
            question,
            vector,
            recipe.scoring,
            n_documents=self._n_documents,
            among=among,
            selection=None if recipe.reranking else recipe.selection,
            max_words=max_words,
            openings=opening_cosines(
                question, searched, recipe=recipe, engines=self._system.engines, cache=self._system.cache
            ),
        )
        found = self.index.find(query)
        chosen = set(found.documents)
        return Found([id_ for id_ in ids if id_ in chosen], found.statistics)

    def named(self, question: str, among: Sequence[str] | None = None) -> Named:
        """The documents that the question names; ``among`` limits them."""
        titles = self._titles()
        return named_documents(question, titles if among is None else {one: titles.get(one, "") for one in among})

    @property
    def ids(self) -> list[str]:
        """Every document of the library, oldest first."""
        return [*self._sizes()]

    def unindexed(self, among: Sequence[str] | None = None) -> list[str]:
        """The documents that have no index by this system."""
        sizes = self._sizes()
        return [id_ for id_ in (sizes if among is None else among) if not sizes.get(id_, 1)]

    def without_opening(self, among: Sequence[str] | None = None) -> list[str]:
        """The documents whose openings the larger encoder has not read; empty without one, or among few documents."""
        openings, ids = self._system.engines.openings, self.ids if among is None else among
        if openings is None or not has_prior(self._system.recipe.scoring, len(ids)):
            return []
        return openings.missing(ids, self._system.cache)

    def prepare(self) -> None:
        """Brings the index of a large library up to date, so that no question waits for it."""
        sizes = self._sizes()
        if len(sizes) > self._n_documents and sum(sizes.values()) > self._max_nodes:
            self.index.current()

    def _completed(self, ids: Sequence[str], sizes: Mapping[str, int]) -> Mapping[str, int]:
        """The sizes after documents of other recipes were indexed by this one."""
        for id_ in ids:
            if not sizes[id_]:
                with suppress(DocumentNotFoundError):  # removed since: whoever loads a document that was named says so
                    self._load(id_)
        return self._sizes()


def side_file(store: Store, index_key: str) -> Path | None:
    """Where the index over all documents is kept: beside the library; None if the library is no file."""
    return (
        store.path.with_name(f"{store.path.name}-{index_key[:16]}.corpus") if isinstance(store, SqliteStore) else None
    )


def _without_keeping(store: Store, index_key: str, load: Load) -> Load:
    """Reads a document with its index, without keeping it in memory. It holds no reference to the candidates."""
    return lambda document_id: store.get(document_id, index_key) or load(document_id)
