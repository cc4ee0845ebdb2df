"""Methods of a library on its documents: load, list, tag and remove them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from treatise.core.document import Document
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import Entry
from treatise.pipeline.metadata import NewValue, annotate, entries_where, ids_where

if TYPE_CHECKING:
    from treatise.pipeline.library import Library


class DocumentMethods:
    """The documents of a library, by their ids, filters and metadata."""

    __slots__ = ()

    def unindexed(self, documents: Sequence[str] | None = None, where: str = "") -> list[str]:
        """The ids of documents that a question has to index first: no index by this recipe, its models and reader.

        Args:
            documents: Full ids of documents; by default the whole library.
            where: A filter on them.
        """
        library = _library(self)
        missing = library._indexer.candidates.unindexed(documents)
        return ids_where(library.store, where, missing) if missing and where.strip() else missing

    def document(self, document_id: str) -> Document:
        """A document by its id or an unambiguous prefix."""
        return _library(self)._indexer.indexes.document(document_id)

    def indexed(self, document_id: str) -> IndexedDocument:
        """The index of a document by its full id, made now if it does not exist under this recipe."""
        return _library(self)._indexer.indexes.load(document_id)

    def documents(self, where: str = "") -> list[Entry]:
        """The documents of the library that satisfy a filter, oldest first.

        Raises:
            FilterError: If the filter is not valid, or names a field that no document has.
        """
        return entries_where(_library(self).store, where)

    def tag(
        self, document_id: str, tags: Sequence[str] = (), *, remove: Sequence[str] = (), **values: NewValue
    ) -> Entry:
        """Adds and removes tags of a document, and sets the values of keys, such as ``year=2024, project="x"``.

        A key set to None or to no values is removed. Filters find documents by tags and keys; they stay when a source
        is updated.

        Raises:
            FilterError: If a key cannot be set.
            DocumentNotFoundError: If there is no such document.
        """
        return annotate(_library(self).store, document_id, tags, remove, values)

    def remove(self, document_id: str) -> Entry:
        """Removes a document."""
        library = _library(self)
        removed = library.store.remove(document_id)
        library._indexer.indexes.forget(removed.id)
        return removed


def _library(methods: DocumentMethods) -> "Library":
    return cast("Library", methods)
