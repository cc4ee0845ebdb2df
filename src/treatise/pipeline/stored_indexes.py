"""The indexes that a store has for a system, made where they are missing or damaged."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import TypedDict

from treatise.core.document import Document
from treatise.core.errors import DocumentNotFoundError, StoreDamagedError
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import Store
from treatise.core.recipe import Balanced, Flat, Indexing, Sentences
from treatise.llm.budget import Budget
from treatise.pipeline.cache import DocumentCache
from treatise.pipeline.system import System


class IndexKey(TypedDict):
    """The arguments that name an index in a store."""

    index_key: str
    provenance: str


class StoredIndexes:
    """Loads the indexes of a system from a store; those used last stay in memory. Threads may share it.

    Args:
        store: Keeps documents and indexes.
        system: Makes the indexes.
    """

    def __init__(self, store: Store, system: System) -> None:
        self._store = store
        self._system = system
        self._index_key = system.index_key  # a hash of the recipe: too slow to make for every document
        self._cache = DocumentCache()

    @property
    def key(self) -> IndexKey:
        """The key of the system's indexes, and what it is a hash of."""
        system = self._system
        provenance = json.dumps({"indexing": system.recipe.indexing.record(), "models": system.index_models})
        return {"index_key": self._index_key, "provenance": provenance}

    def load(self, document_id: str) -> IndexedDocument:
        """The index of a stored document, made now if it is damaged or does not exist under this recipe.

        Questions never pay for notes: unfinished ones are marked for ``retry``. A read-only store keeps nothing.

        Raises:
            DocumentNotFoundError: If the document is not stored, or is removed meanwhile.
            StoreDamagedError: If the document itself is damaged, and only its source can replace it.
        """
        if (indexed := self.sound(document_id)) is not None:
            return indexed
        alike = self.alike(document_id)
        unpaid = replace(self.reusing([alike] if alike else []), budget=Budget(max_calls=0))
        (indexed,) = unpaid.index([alike.document if alike else self._store.document(document_id)])
        if not self._store.read_only and not self._store.add_index(indexed, **self.key):
            raise DocumentNotFoundError(f"document {document_id} was removed while it was being read")
        return self._cache.put(document_id, indexed)

    def sound(self, document_id: str) -> IndexedDocument | None:
        """The index of a stored document; None if it does not exist, or is damaged and is to be replaced."""
        try:
            return self._find(document_id)
        except StoreDamagedError:
            return None

    def alike(self, document_id: str) -> IndexedDocument | None:
        """The index of a stored document under the recipe with the same leaves and no parser; None if there is none.

        A document that was indexed to be asked has the vectors that its summary needs.
        """
        system = self._system.with_recipe(replace(self._system.recipe, indexing=self._plain))
        try:
            return self._store.get(document_id, system.index_key)
        except StoreDamagedError:
            return None

    def reusing(self, known: Sequence[IndexedDocument]) -> System:
        """The system with an encoder that reuses the vectors of these indexes: former ones, or ``alike``."""
        if not known:
            return self._system
        from treatise.embed import ReusingEncoder

        engines, indexing = self._system.engines, self._system.recipe.indexing
        learned = indexing if all(one.notes for one in known) else self._plain  # vectors of notes need notes
        encoder = ReusingEncoder(engines.encoder, known, learned)
        return replace(self._system, engines=replace(engines, encoder=encoder))

    @property
    def _plain(self) -> Indexing:
        units = self._system.recipe.indexing.units
        return Indexing(units, Balanced() if isinstance(units, Sentences) else Flat())

    def document(self, document_id: str) -> Document:
        """A document by its id or the beginning of one; a loaded one even if another process has removed it since."""
        cached = self._cache.get(document_id)
        return cached.document if cached else self._store.document(document_id)

    def forget(self, document_id: str) -> None:
        """Drops a document that was removed, or has another index."""
        self._cache.drop(document_id)

    def _find(self, document_id: str) -> IndexedDocument | None:
        if (indexed := self._cache.get(document_id)) is not None:
            return indexed
        indexed = self._store.get(document_id, self._index_key)
        return self._cache.put(document_id, indexed) if indexed else None
