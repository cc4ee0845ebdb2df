"""The protocol of stores."""

from dataclasses import dataclass
from typing import Protocol

from treatise.core.document import Document
from treatise.core.indexed import IndexedDocument
from treatise.core.ports.call_cache import CallCache


@dataclass(frozen=True, slots=True)
class SourceState:
    """The state of a source when it was indexed, to detect changes without reading it.

    Attributes:
        source: Absolute path, URL or ``"-"``.
        size: Bytes.
        modified_ns: Modification time in nanoseconds; 0 if the source has none.
        digest: SHA-256 of the bytes, hexadecimal.
    """

    source: str
    size: int
    modified_ns: int
    digest: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the list of documents.

    Attributes:
        id: The document's id.
        title, language: The document's.
        sources: Every source with this content, sorted.
        n_words, n_units: Words (``core.words.n_words``); units of its newest index.
        indexed_at: Seconds since the epoch, UTC.
        index_keys: Keys of its indexes, sorted.
    """

    id: str
    title: str
    language: str
    sources: tuple[str, ...]
    n_words: int
    n_units: int
    indexed_at: float
    index_keys: tuple[str, ...]


class Store(CallCache, Protocol):
    """Documents and their indexes, and finished calls to language models.

    A document becomes visible whole or not at all.

    Readers never wait for writers. Every method raises a ``StoreError``, and nothing else, if the disk, a lock,
    a permission or damage prevents it.
    """

    def put(
        self, indexed: IndexedDocument, *, index_key: str, state: SourceState | None, provenance: str = "{}"
    ) -> None:
        """Saves a document with one index, in one transaction. An equal (id, key) is replaced; other keys stay.

        ``provenance`` is the JSON whose hash is the key; it is stored for inspection and not read by code.

        With ``state``, the source now belongs to this document; a document left without sources is removed in the same
        transaction.
        """
        ...

    def document(self, document_id: str) -> Document:
        """The document. An unambiguous prefix of its id is enough. Raises ``DocumentNotFoundError`` if absent."""
        ...

    def get(self, document_id: str, index_key: str) -> IndexedDocument | None:
        """The document with that index, or None if the document has no such index."""
        ...

    def state(self, source: str) -> tuple[str, SourceState] | None:
        """Document id and state of a source at its last indexing, or None for an unknown source."""
        ...

    def entries(self) -> list[Entry]:
        """Every document, oldest first."""
        ...

    def remove(self, document_id: str) -> Entry:
        """Removes a document, its indexes and its sources. Raises ``DocumentNotFoundError``."""
        ...

    def forget_rejected(self) -> int:
        """Removes the calls without an accepted reply, so that they are repeated, and returns their number."""
        ...

    def close(self) -> None:
        """Releases the files; harmless when called twice."""
        ...
