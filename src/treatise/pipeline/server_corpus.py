"""The index over all documents of a library in a database server, kept in step with its store."""

import logging
from collections.abc import Callable
from typing import Final

from treatise.core.errors import StoreDamagedError, StoreUnwritableError
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import Store
from treatise.core.ports.leaf_index import LeafIndex, LeafRows, LeafTree
from treatise.pipeline.corpus import CorpusIndex
from treatise.retrieve.corpus import Candidates, Corpus, CorpusQuery
from treatise.retrieve.segments import segment_of
from treatise.retrieve.server_corpus import ServerCorpus

_DAMAGE: Final = (StoreDamagedError, LookupError, ValueError)
"""Tables that are missing, and rows that do not fit together."""

_logger = logging.getLogger("treatise")


class ServerCorpusIndex:
    """Finds candidates in a library at a server. The index is brought up to date before each search.

    Args:
        store: The library.
        leaves: Its index.
        index_key: The key of the indexes that it covers.
        load: Returns a document of the store with its index.
    """

    def __init__(self, store: Store, leaves: LeafIndex, index_key: str, load: Callable[[str], IndexedDocument]) -> None:
        self._store, self._leaves, self._load = store, leaves, load
        self._here = CorpusIndex(store, index_key, load, None)
        self._seen: tuple[object, ServerCorpus | Corpus | None] = (None, None)

    def find(self, query: CorpusQuery) -> Candidates:
        """See ``Corpus.find``; over the documents that the store has now.

        A damaged index is made again, as it is derived; the library is unharmed.
        """
        try:
            return self.current().find(query)
        except _DAMAGE:
            self._seen = None, None  # another process may have removed documents, or made the index again
        try:
            return self.current().find(query)
        except _DAMAGE as error:
            _logger.warning("%s: the index over all documents is made again; the library is unharmed", error)
            self._drop()
        return self.current().find(query)

    def _drop(self) -> None:
        try:
            self._leaves.drop()
        except StoreUnwritableError:
            self._seen = self._store.revision, self._here.current()
        else:
            self._seen = None, None

    def current(self) -> ServerCorpus | Corpus:
        """The index of the documents that the store has now; in this process's memory if the server refuses it."""
        revision = self._store.revision
        seen, corpus = self._seen
        if corpus is None or seen != revision:
            corpus = self._updated(corpus if isinstance(corpus, ServerCorpus) else None)
            self._seen = revision, corpus
        return corpus

    def _updated(self, before: ServerCorpus | None) -> ServerCorpus | Corpus:
        missing = self._leaves.missing()
        if not self._store.read_only:
            try:
                self._leaves.update(leaf_rows(self._load(id_)) for id_ in missing)
            except StoreUnwritableError as error:
                _logger.warning("%s: the index over all documents is kept in memory", error)
            else:
                return ServerCorpus(self._leaves, before)
        return self._here.current() if missing else ServerCorpus(self._leaves, before)


def leaf_rows(indexed: IndexedDocument) -> LeafRows:
    """The leaves of a document."""
    vectors = indexed.vectors[indexed.tree.leaf_nodes]
    one = segment_of([indexed])
    tree = LeafTree(
        ranges=one.ranges,
        lengths=one.lengths_of_means,
        headings=one.headings,
        is_guide=one.is_guide,
        n_terms=one.lengths,
        n_words=one.n_words,
        texts=one.texts,
    )
    return LeafRows(indexed.document.id, vectors, one.headings, indexed.lexicon, tree if one.is_pooled[0] else None)
