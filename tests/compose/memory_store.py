"""A store of one's own, as in docs/design/layout.md: everything that the contract asks for, in memory."""

import time
from collections.abc import Sequence

from treatise.core.document import Document
from treatise.core.errors import DocumentNotFoundError
from treatise.core.indexed import IndexedDocument
from treatise.core.metadata import Metadata
from treatise.core.ports import Entry, SourceState
from treatise.core.words import n_words
from treatise.llm.cache import MemoryCache


class MemoryStore(MemoryCache):
    """A ``Store`` that ends with the process."""

    def __init__(self) -> None:
        super().__init__()
        self._indexes: dict[str, dict[str, IndexedDocument]] = {}  # by document, oldest first, then by key
        self._sources: dict[str, tuple[str, SourceState]] = {}
        self._metadata: dict[str, Metadata] = {}

    def put(
        self, indexed: IndexedDocument, *, index_key: str, state: SourceState | None, provenance: str = "{}"
    ) -> None:
        id_ = indexed.document.id
        of_document = self._indexes.setdefault(id_, {})
        of_document.pop(index_key, None)
        of_document[index_key] = indexed
        if state is not None:
            before, _ = self._sources.pop(state.source, (id_, state))
            self._sources[state.source] = id_, state
            if before != id_ and not self._sources_of(before):
                del self._indexes[before]
                self._metadata[id_] = {**self._metadata.pop(before, {}), **self._metadata.get(id_, {})}

    @property
    def read_only(self) -> bool:
        return False

    def add_index(self, indexed: IndexedDocument, *, index_key: str, provenance: str = "{}") -> bool:
        is_stored = indexed.document.id in self._indexes
        if is_stored:
            self.put(indexed, index_key=index_key, state=None, provenance=provenance)
        return is_stored

    def document(self, document_id: str) -> Document:
        return self._newest(self._id(document_id)).document

    def get(self, document_id: str, index_key: str) -> IndexedDocument | None:
        return self._indexes.get(document_id, {}).get(index_key)

    def state(self, source: str) -> tuple[str, SourceState] | None:
        return self._sources.get(source)

    def entries(self) -> list[Entry]:
        return [self._entry(id_) for id_ in self._indexes]

    @property
    def revision(self) -> object:
        return {id_: tuple(of_document) for id_, of_document in self._indexes.items()}

    def sizes(self, index_key: str) -> dict[str, int]:
        return {
            id_: of_document[index_key].n_nodes if index_key in of_document else 0
            for id_, of_document in self._indexes.items()
        }

    def titles(self) -> dict[str, str]:
        return {id_: self._entry(id_).shown_title for id_ in self._indexes}

    def remove(self, document_id: str) -> Entry:
        id_ = self._id(document_id)
        entry = self._entry(id_)
        del self._indexes[id_]
        for source in entry.sources:
            del self._sources[source]
        self._metadata.pop(id_, None)
        return entry

    def annotate(self, document_id: str, metadata: Metadata) -> Entry:
        id_ = self._id(document_id)
        changed = {**self._metadata.get(id_, {}), **metadata}
        self._metadata[id_] = {key: values for key, values in changed.items() if values}
        return self._entry(id_)

    def forget_rejected(self) -> int:
        rejected = [key for key, finished in self._finished.items() if not finished.texts]
        for key in rejected:
            del self._finished[key]
        return len(rejected)

    def check(self) -> list[str]:
        return []

    def close(self) -> None:
        pass

    def _id(self, prefix: str) -> str:
        found = [id_ for id_ in self._indexes if prefix and id_.startswith(prefix)]
        if len(found) != 1:
            raise DocumentNotFoundError(f"{prefix!r} names {len(found)} documents of this store")
        return found[0]

    def _newest(self, id_: str) -> IndexedDocument:
        return list(self._indexes[id_].values())[-1]

    def _sources_of(self, id_: str) -> Sequence[str]:
        return sorted(source for source, (document, _) in self._sources.items() if document == id_)

    def _entry(self, id_: str) -> Entry:
        newest = self._newest(id_)
        document = newest.document
        of_document = (state for owner, state in self._sources.values() if owner == id_)
        states = sorted(of_document, key=lambda state: -state.modified_ns)
        return Entry(
            id=id_,
            title=document.title,
            language=document.language,
            sources=tuple(self._sources_of(id_)),
            n_words=n_words(document.text),
            n_units=len(newest.units),
            indexed_at=time.time(),
            index_keys=tuple(sorted(self._indexes[id_])),
            n_bytes=states[0].size if states else 0,
            modified_ns=states[0].modified_ns if states else 0,
            metadata={**document.metadata, **self._metadata.get(id_, {})},
        )
