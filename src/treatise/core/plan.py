"""Plans: the organisation of an answer before it is written (Disco-RAG, section 3)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from treatise.core.document import Span
from treatise.core.graph import ChunkTree, RhetoricalGraph


class Role(StrEnum):
    """The function of a step of a plan."""

    CLAIM = "claim"  # the main claim
    CONDITION = "condition"  # conditions under which the claim is true
    SUPPORT = "support"  # evidence for the claim
    CONFLICT = "conflict"  # evidence against the claim; shown side by side
    BACKGROUND = "background"  # knowledge needed to understand it


@dataclass(frozen=True, slots=True)
class Part:
    """A sentence of a chunk.

    Attributes:
        chunk: Index of the chunk.
        span: Its place in the chunk's text.
    """

    chunk: int
    span: Span


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a plan: its role, and the sentences that it uses, in order."""

    role: Role
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan, as prose, as steps, or both.

    Attributes:
        text: One paragraph of prose, written or read by a language model; for a structured plan, its text form.
        steps: In the order of the answer; empty if the plan is prose only.
    """

    text: str
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Structure:
    """The structure of the retrieved chunks, built before the answer is written.

    Attributes:
        trees: One per chunk, None if a chunk has none; empty if trees are off.
        graph: None if it is off.
        plan: None if it is off.
        conflicts: Pairs of sentences in two chunks that contradict each other and concern the question.
    """

    trees: tuple[ChunkTree | None, ...] = ()
    graph: RhetoricalGraph | None = None
    plan: Plan | None = None
    conflicts: tuple[tuple[Part, Part], ...] = ()


@dataclass(frozen=True, slots=True)
class Rendered:
    """A structure as text of a prompt, in addition to the passages.

    Attributes:
        text: All parts; empty if everything is off.
        tokens: Tokens of ``"trees"``, ``"graph"`` and ``"plan"``, by our own count; absent parts are left out.
    """

    text: str = ""
    tokens: Mapping[str, int] = field(default_factory=dict)
