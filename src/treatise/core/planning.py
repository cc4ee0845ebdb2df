"""What a recipe makes of the retrieved chunks before it answers: Disco-RAG's parts (section 3), each with a switch."""

from dataclasses import dataclass
from enum import StrEnum

from treatise.core.errors import RecipeError


class TreesBy(StrEnum):
    """Who gives each chunk its discourse tree."""

    NONE = "none"
    PARSER = "parser"  # the trained parser and segmenter
    LLM = "llm"  # a language model: the paper


class GraphBy(StrEnum):
    """Who relates the chunks to each other."""

    NONE = "none"
    LOCAL = "local"  # a scorer of pairs, without a language model
    SPARSE = "sparse"  # a language model that names the related pairs only
    LISTWISE = "listwise"  # a language model that judges every ordered pair in one reply: the paper
    MARKERS = "markers"  # a language model that names connectives alone: the paper's appendix F


class PlanBy(StrEnum):
    """Who plans the answer."""

    NONE = "none"
    STRUCTURE = "structure"  # rules over trees and graph
    LLM = "llm"  # a language model, from trees and graph: the paper
    WITH_ANSWER = "with-answer"  # a language model, in the reply that holds the answer: retrieve-and-plan
    BEFORE_RETRIEVAL = "before-retrieval"  # a language model, from the question alone, with queries: plan-and-retrieve


class Format(StrEnum):
    """How structure is written into a prompt. A published format is never changed: a change is a new number."""

    FULL_1 = "full-1"  # every tree with its texts and every ordered pair, as in the paper
    COMPACT_1 = "compact-1"  # the relations that bear on the answer, units by their first words; related pairs


class PerturbationKind(StrEnum):
    """What is done to structure or evidence to see what it is worth (the paper's figures 3c and 4)."""

    SHUFFLED_RELATIONS = "shuffled-relations"  # labels of the trees' joins change places
    FLIPPED_NUCLEI = "flipped-nuclei"  # a nucleus becomes the satellite, and the other way round
    REMOVED_SUBTREES = "removed-subtrees"  # a join's two parts stay side by side without a relation
    REMOVED_EDGES = "removed-edges"
    FLIPPED_EDGES = "flipped-edges"
    REPLACED_LINKS = "replaced-links"  # an edge gets another relation
    SHUFFLED_STEPS = "shuffled-steps"
    DROPPED_STEPS = "dropped-steps"
    NOISE_CHUNKS = "noise-chunks"  # chunks give way to others that were not retrieved


@dataclass(frozen=True, slots=True)
class Perturbation:
    """A harm, how much of it, and the seed of what it hits.

    Attributes:
        harm: What is done.
        share: To how much of what there is, above 0, at most 1.
        seed: Equal seeds hit the same places of the same structure.
    """

    harm: PerturbationKind
    share: float = 0.3
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise RecipeError(f"the share of a perturbation is above 0 and at most 1, not {self.share}")


@dataclass(frozen=True, slots=True)
class Planning:
    """What stands between evidence and answer. Where a language model is named and none is at hand, the parser, the
    local scorer and the rules take its place.

    Attributes:
        trees, graph, plan: Who makes them, if anybody.
        format: How they are written into a prompt.
        digest_words: Where not 0, a language model that relates chunks or plans reads so many words of each chunk's
            most nuclear units, not the whole chunk.
        perturbations: What is done to them before they are used.
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
