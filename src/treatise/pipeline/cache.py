"""Loaded documents kept in memory between questions."""

from dataclasses import replace
from threading import Lock
from typing import Final

from treatise.core.indexed import IndexedDocument
from treatise.core.vectors import as_float32

MAX_CACHED_NODES: Final = 150_000
"""Nodes of loaded documents kept in memory between questions: about 260 MB."""


class DocumentCache:
    """The indexed documents used last, by id, up to ``max_nodes`` nodes; at least one document stays.

    An id names content, so a cached document stays true until its index is replaced. Vectors are kept as float32:
    converting them costs more than multiplying them. Threads may share a cache.
    """

    def __init__(self, max_nodes: int = MAX_CACHED_NODES) -> None:
        self._max_nodes = max_nodes
        self._lock = Lock()
        self._documents: dict[str, IndexedDocument] = {}  # least recently used first
        self._n_nodes = 0  # of all of them

    def get(self, document_id: str) -> IndexedDocument | None:
        """The document, which becomes the most recent one; None if it is not cached."""
        with self._lock:
            if (indexed := self._documents.pop(document_id, None)) is not None:
                self._documents[document_id] = indexed
            return indexed

    def put(self, document_id: str, indexed: IndexedDocument) -> IndexedDocument:
        """Caches a document, and returns it as cached; the least recently used ones are evicted."""
        cached = replace(indexed, vectors=as_float32(indexed.vectors))
        with self._lock:
            self._remove(document_id)
            self._documents[document_id] = cached
            self._n_nodes += cached.n_nodes
            while self._n_nodes > self._max_nodes and len(self._documents) > 1:
                self._remove(next(iter(self._documents)))
        return cached

    def drop(self, document_id: str) -> None:
        """Forgets a document; harmless if it is not cached."""
        with self._lock:
            self._remove(document_id)

    def _remove(self, document_id: str) -> None:
        if (gone := self._documents.pop(document_id, None)) is not None:
            self._n_nodes -= gone.n_nodes
