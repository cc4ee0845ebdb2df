"""The protocol of stores."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from treatise.core.document import Document
from treatise.core.indexed import IndexedDocument
from treatise.core.metadata import Metadata
from treatise.core.ports.call_cache import CallCache

if TYPE_CHECKING:
    from treatise.core.ports.leaf_index import LeafIndex


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
        n_bytes, modified_ns: Size and modification time of its newest source; 0 if it has none.
        metadata: What its source states and what the user set, which counts before it.
    """

    id: str
    title: str
    language: str
    sources: tuple[str, ...]
    n_words: int
    n_units: int
    indexed_at: float
    index_keys: tuple[str, ...]
    n_bytes: int = 0
    modified_ns: int = 0
    metadata: Metadata = field(default_factory=dict, hash=False)

    @property
    def shown_title(self) -> str:
        """The title that the user set, or else the document's."""
        return next(iter(self.metadata.get("title", ())), self.title)


class Store(CallCache, Protocol):
    """Documents and their indexes, and finished calls to language models.

    A document becomes visible whole or not at all.

    Readers never wait for writers. Every method raises a ``StoreError``, and nothing else, if the disk, a lock,
    a permission or damage prevents it.
    """

    @property
    def read_only(self) -> bool:
        """Whether every method that writes raises ``StoreUnwritableError``."""
        ...

    def put(
        self, indexed: IndexedDocument, *, index_key: str, state: SourceState | None, provenance: str = "{}"
    ) -> None:
        """Saves a document with one index, in one transaction. An equal (id, key) is replaced; other keys stay.

        ``provenance`` is the JSON whose hash is the key; it is stored for inspection and not read by code.

        With ``state``, the source now belongs to this document; a document left without sources is removed in the same
        transaction, and the keys that its user set pass to this document, unless it has them.
        """
        ...

    def add_index(self, indexed: IndexedDocument, *, index_key: str, provenance: str = "{}") -> bool:
        """Saves another index of a stored document; False, with nothing written, if the store no longer has it.

        For indexes that are computed from the store's own copy: a document that was removed or replaced in the
        meantime does not come back.
        """
        ...

    def document(self, document_id: str) -> Document:
        """The document. An unambiguous prefix of its id is enough. Raises ``DocumentNotFoundError`` if absent."""
        ...

    def get(self, document_id: str, index_key: str) -> IndexedDocument | None:
        """The document with that index, or None if the document has no such index.

        Raises:
            StoreDamagedError: If the document or the index is not what was put.
        """
        ...

    def state(self, source: str) -> tuple[str, SourceState] | None:
        """Document id and state of a source at its last indexing, or None for an unknown source."""
        ...

    def entries(self) -> list[Entry]:
        """Every document, oldest first."""
        ...

    @property
    def revision(self) -> object:
        """A value that changes whenever documents may have changed, by this process or another one."""
        ...

    def sizes(self, index_key: str) -> dict[str, int]:
        """The nodes of every document's index with this key, 0 if it has none; by id, oldest first."""
        ...

    def titles(self) -> dict[str, str]:
        """The title of every document, the one that the user set if there is one; by id, oldest first."""
        ...

    def remove(self, document_id: str) -> Entry:
        """Removes a document, its indexes and its sources. Raises ``DocumentNotFoundError``."""
        ...

    def annotate(self, document_id: str, metadata: Metadata) -> Entry:
        """Sets the user's values of these keys and returns the entry; a key without values is removed.

        Other keys stay. Keys and values are stored as they are (``core.metadata`` checks them). An unambiguous prefix
        of the id is enough. Raises ``DocumentNotFoundError``.
        """
        ...

    def forget_rejected(self) -> int:
        """Removes the calls without an accepted reply, so that they are repeated, and returns their number."""
        ...

    def check(self) -> list[str]:
        """The faults of the store's files as a whole, one sentence each; empty if it is sound.

        Documents and indexes are checked as they are read.
        """
        ...

    def close(self) -> None:
        """Releases the files; harmless when called twice."""
        ...


@runtime_checkable
class HasLeafIndex(Protocol):
    """A store whose server keeps an index over the leaves."""

    def leaf_index(self, index_key: str) -> "LeafIndex":
        """The index over the leaves of the documents that have an index with this key."""
        ...
