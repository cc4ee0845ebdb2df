"""The structure built over retrieved chunks before answering: the parts of Disco-RAG (section 3)."""

from dataclasses import dataclass
from enum import StrEnum

from treatise.core.errors import RecipeError


class TreesBy(StrEnum):
    """The source of each chunk's discourse tree."""

    NONE = "none"
    PARSER = "parser"  # the trained parser and segmenter
    LLM = "llm"  # a language model: the paper


class GraphBy(StrEnum):
    """The source of the relations between chunks."""

    NONE = "none"
    LOCAL = "local"  # a scorer of pairs, without a language model
    SPARSE = "sparse"  # a language model that lists only the related pairs
    LISTWISE = "listwise"  # a language model that judges every ordered pair in one reply: the paper
    MARKERS = "markers"  # a language model that lists only connectives: the paper's appendix F


class PlanBy(StrEnum):
    """The source of the answer's plan."""

    NONE = "none"
    STRUCTURE = "structure"  # rules over trees and graph
    LLM = "llm"  # a language model, from trees and graph: the paper
    WITH_ANSWER = "with-answer"  # a language model, in the same reply as the answer: retrieve-and-plan
    BEFORE_RETRIEVAL = "before-retrieval"  # a language model, from the question alone, with queries: plan-and-retrieve


class Format(StrEnum):
    """The format of structure in a prompt. A published format is never changed: a change gets a new number."""

    FULL_1 = "full-1"  # every tree with its texts and every ordered pair, as in the paper
    COMPACT_1 = "compact-1"  # the relations relevant to the answer, units by their first words; related pairs


class PerturbationKind(StrEnum):
    """A kind of damage to structure or evidence, to measure its value (the paper's figures 3c and 4)."""

    SHUFFLED_RELATIONS = "shuffled-relations"  # the labels of the trees' joins are permuted
    FLIPPED_NUCLEI = "flipped-nuclei"  # nucleus and satellite are exchanged
    REMOVED_SUBTREES = "removed-subtrees"  # the two parts of a join lose their relation
    REMOVED_EDGES = "removed-edges"
    FLIPPED_EDGES = "flipped-edges"
    REPLACED_LINKS = "replaced-links"  # the relation of an edge is replaced
    SHUFFLED_STEPS = "shuffled-steps"
    DROPPED_STEPS = "dropped-steps"
    NOISE_CHUNKS = "noise-chunks"  # chunks are replaced by others that were not retrieved


@dataclass(frozen=True, slots=True)
class Perturbation:
    """A damage, its extent and its seed.

    Attributes:
        harm: The kind of damage.
        share: The share of the structure that is damaged, above 0, at most 1.
        seed: Equal seeds damage the same places of the same structure.
    """

    harm: PerturbationKind
    share: float = 0.3
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise RecipeError(f"the share of a perturbation is above 0 and at most 1, not {self.share}")


@dataclass(frozen=True, slots=True)
class Planning:
    """Options of the structure between evidence and answer. If a part needs a language model and there is none, the
    parser, the local scorer and rules replace it.

    Attributes:
        trees, graph, plan: The source of each, if any.
        format: How they are written into a prompt.
        digest_words: If not 0, a language model that relates chunks or plans reads this many words of each chunk's most
            nuclear units, not the whole chunk.
        perturbations: Damage applied to them before use.
    """

    trees: TreesBy = TreesBy.NONE
    graph: GraphBy = GraphBy.NONE
    plan: PlanBy = PlanBy.NONE
    format: Format = Format.COMPACT_1
    digest_words: int = 0
    perturbations: tuple[Perturbation, ...] = ()

    def __post_init__(self) -> None:
        if self.digest_words < 0:
            raise RecipeError(f"digest_words is 0 (whole chunks) or more, not {self.digest_words}")

    @property
    def wants_structure(self) -> bool:
        """Whether anything is made of the evidence before the answer."""
        return (self.trees, self.graph, self.plan) != (TreesBy.NONE, GraphBy.NONE, PlanBy.NONE)
