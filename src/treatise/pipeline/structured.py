"""The structure of a question's evidence, as values; ``pipeline.structure`` makes it."""

from dataclasses import dataclass, field

from treatise.core.evidence import Evidence
from treatise.core.plan import Rendered, Structure
from treatise.core.usage import Usage


@dataclass(frozen=True, slots=True)
class EvidenceStructure:
    """The structure of one question's evidence; by default none.

    Attributes:
        structure: Trees, graph, plan and conflicts, perturbed if the recipe says so.
        rendered: The structure as text of a prompt.
        notes: Remarks for the user on how it was made.
    """

    structure: Structure = field(default_factory=Structure)
    rendered: Rendered = field(default_factory=Rendered)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StructuredEvidence:
    """The evidence for a question with its structure.

    Attributes:
        evidence: The passages.
        structure: Over the passages; each is a chunk.
        usage: The cost of both.
    """

    evidence: Evidence
    structure: Structure
    usage: Usage
