"""Documents as a store holds them: packed rows, which move to another store without being encoded again."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, Final, Protocol

DOCUMENT_COLUMNS: Final = ("id", "source", "title", "language", "n_words", "indexed_at", "structure", "text")

INDEX_COLUMNS: Final = (
    "index_key", "made_from", "treatise_version", "n_units", "n_nodes", "dim", "units", "tree", "relations",
    "lexicon_terms", "lexicon_starts", "lexicon_units", "lexicon_counts", "lexicon_lengths", "notes", "clusters", "crc",
)  # fmt: skip
"""The columns of an index; ``crc`` is None for one of an early version."""

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class StoredIndex:
    """An index: its columns by name, and the parts of its vectors."""

    row: Row
    vectors: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document with everything that belongs to it.

    Attributes:
        row: Its columns by name.
        indexes: In the order in which they were made.
        sources: Source, size, modification time and digest of each.
        metadata: Key, whether the user set it (1), place and value of each.
    """

    row: Row
    indexes: tuple[StoredIndex, ...]
    sources: tuple[tuple[str, int, int, str], ...]
    metadata: tuple[tuple[str, int, int, str], ...]

    @property
    def id(self) -> str:
        """The document's id."""
        return str(self.row["id"])


StoredCall = tuple[str, bytes, int, int, str]
"""Key, packed texts, tokens of prompt and reply, and rejection reason of a finished call."""


class Copyable(Protocol):
    """A store whose documents can be copied to and from another one."""

    def sizes(self, index_key: str) -> dict[str, int]:
        """See ``Store.sizes``."""
        ...

    def stored(self, ids: Collection[str] | None = None) -> Iterator[StoredDocument]:
        """The documents, or those with these ids, oldest first.

        Raises:
            StoreDamagedError: If an index differs from its checksum.
        """
        ...

    def stored_calls(self) -> Iterator[StoredCall]:
        """The finished calls."""
        ...

    def add_stored(self, document: StoredDocument) -> bool:
        """Adds what the store lacks of a document, in one transaction; whether the document is new.

        Indexes, sources and keys that the store has stay as they are.
        """
        ...

    def add_call(self, call: StoredCall) -> None:
        """Adds a finished call, unless the store has it."""
        ...
