"""How an answer is to be organised, before it is written (Disco-RAG, section 3)."""

from dataclasses import dataclass
from enum import StrEnum

from treatise.core.document import Span
from treatise.core.graph import ChunkTree, RhetoricalGraph


class Role(StrEnum):
    """What a step of a plan does for the answer."""

    CLAIM = "claim"  # the main claim
    CONDITION = "condition"  # under what the claim holds
    SUPPORT = "support"  # what bears it out
    CONFLICT = "conflict"  # what speaks against it; shown side by side
    BACKGROUND = "background"  # what must be known to read it


@dataclass(frozen=True, slots=True)
class Part:
    """A sentence of a chunk.

    Attributes:
        chunk: Which one, counted from 0.
        span: Where it stands in the chunk's text.
    """

    chunk: int
    span: Span


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a plan: what it does, and the sentences that it draws on, in the order in which to say them."""

    role: Role
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan in one or both forms.

    Attributes:
        text: One paragraph of prose, as a language model writes and reads it; a structured plan has a rendering.
        steps: In the order in which the answer follows them; empty where the plan is prose alone.
    """

    text: str
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Structure:
    """What was made of the retrieved chunks before the answer was written.

    Attributes:
        trees: One a chunk, None where a chunk has none; empty where trees are off.
        graph: None where it is off.
        plan: None where it is off.
        conflicts: Sentences of two chunks that the graph sets against each other, those that bear on the question.
    """

    trees: tuple[ChunkTree | None, ...] = ()
    graph: RhetoricalGraph | None = None
    plan: Plan | None = None
    conflicts: tuple[tuple[Part, Part], ...] = ()
