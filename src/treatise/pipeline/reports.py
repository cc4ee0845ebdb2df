"""Reports of indexing sources and parsing chunks."""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from treatise.core.indexed import IndexedDocument
from treatise.core.note import Origin
from treatise.llm.budget import Spending


class Outcome(StrEnum):
    """The outcome of indexing a source."""

    NEW = "new"
    UPDATED = "updated"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class IndexReport:
    """The result of indexing one source.

    Attributes:
        source: The source's name in the store: an absolute path, or ``"-"``.
        document: The document's id.
        outcome: New, updated (changed content, or a recipe new to the document), or unchanged.
        n_words, n_units: Words (``core.words.n_words``) and leaves of the document, also if the source is unchanged.
        seconds: Wall time.
        notes: Number of notes of inner nodes by ``core.note.Origin``; empty without notes.
        rejections: Number of rejected notes by the rejection reason of the model's last reply.
        n_kept: Number of notes taken from the source's former index.
        spending: Calls of a language model, made and reused. Sources that were indexed together share one.
    """

    source: str
    document: str
    outcome: Outcome
    n_words: int
    n_units: int
    seconds: float
    notes: dict[str, int] = field(default_factory=dict)
    rejections: dict[str, int] = field(default_factory=dict)
    n_kept: int = 0
    spending: Spending = field(default_factory=Spending)


@dataclass(frozen=True, slots=True)
class ChunkReport:
    """The result of parsing chunks in advance.

    Attributes:
        n_chunks: Chunks of the documents; 0 if the recipe has no trees.
        n_trees: Chunks that have a tree now.
        spending: Calls of a language model, made and reused.
    """

    n_chunks: int = 0
    n_trees: int = 0
    spending: Spending = field(default_factory=Spending)


def count_origins(indexed: IndexedDocument) -> dict[str, int]:
    """Notes of inner nodes by their origin."""
    inner = (note.origin for note in indexed.notes if note.origin is not Origin.LEAF)
    return dict(sorted(Counter(map(str, inner)).items()))


def count_rejections(indexed: IndexedDocument) -> dict[str, int]:
    """Rejected notes by rejection reason."""
    return dict(Counter(note.rejection_reason for note in indexed.notes if note.rejection_reason))


def count_kept(indexed: IndexedDocument, before: IndexedDocument | None) -> int:
    """Notes of inner nodes taken from the former index."""
    known = {note.key for note in before.notes} if before else set()
    return sum(note.origin is not Origin.LEAF and note.key in known for note in indexed.notes)


def needs_retry(indexed: IndexedDocument) -> bool:
    """Whether extracted sentences replace notes that a model should have written."""
    return any(note.origin in (Origin.OVER_BUDGET, Origin.REJECTED) for note in indexed.notes)
