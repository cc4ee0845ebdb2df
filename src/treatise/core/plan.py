"""How an answer is to be organised, before it is written (Disco-RAG, section 3)."""

from dataclasses import dataclass
from enum import StrEnum

from treatise.core.graph import ChunkTree, RhetoricalGraph


class Role(StrEnum):
    """What a step of a plan does for the answer."""

    CLAIM = "claim"  # the main claim
    CONDITION = "condition"  # under what the claim holds
    SUPPORT = "support"  # what bears it out
    CONFLICT = "conflict"  # what speaks against it; shown side by side
    BACKGROUND = "background"  # what must be known to read it


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a plan: what it does, and which chunks (counted from 0) it draws on."""

    role: Role
    chunks: tuple[int, ...]


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
    """

    trees: tuple[ChunkTree | None, ...] = ()
    graph: RhetoricalGraph | None = None
    plan: Plan | None = None
