"""A system as a value: what its units are, how its tree and vectors are made, how it scores and selects.

Two parts matter to an index on disk, ``Indexing``; the rest is decided per question. So recipes that differ only
in scoring or selection share one index.
"""

import hashlib
import json
from dataclasses import asdict, dataclass, field
from enum import StrEnum

from treatise.core.errors import RecipeError


class Units(StrEnum):
    """What the leaves are."""

    SENTENCE = "sentence"
    CHUNK = "chunk"


class TreeShape(StrEnum):
    """How leaves are gathered."""

    FLAT = "flat"  # not at all: a forest of leaves
    BALANCED = "balanced"  # halves within each paragraph, then over the paragraphs of a section, then over sections
    BISECTION = "bisection"  # halves over the whole text, paragraphs ignored
    RANDOM = "random"  # paragraph first, seeded random splits: the control
    RIGHT_BRANCHING = "right-branching"  # paragraph first, each unit joined to all that follow it
    DISCOURSE = "discourse"  # the parser's two-phase tree


@dataclass(frozen=True, slots=True)
class Indexing:
    """What is made once per document.

    Attributes:
        units: Sentences, or chunks of whole sentences.
        chunk_words: Longest chunk in words; only for chunks.
        tree: The tree's shape.
        context_weight: Share of the contextual vector in a leaf's vector, 0 to 1; the rest is the leaf's own text.
            0 encodes no contexts, 1 encodes no leaf on its own.
        nucleus_weight: How much more a nucleus counts than its satellite when an inner node's vector is pooled
            from its children's: 1 counts every leaf the same.
    """

    units: Units = Units.SENTENCE
    chunk_words: int = 100
    tree: TreeShape = TreeShape.BALANCED
    context_weight: float = 0.0
    nucleus_weight: float = 1.0

    def __post_init__(self) -> None:
        if not 0 <= self.context_weight <= 1:
            raise RecipeError(f"context_weight is a share, 0 to 1, not {self.context_weight}")
        if self.chunk_words < 1 or self.nucleus_weight <= 0:
            raise RecipeError("chunk_words and nucleus_weight must be positive")
        if self.units is Units.CHUNK and (
            self.context_weight or self.tree not in (TreeShape.FLAT, TreeShape.BISECTION)
        ):
            raise RecipeError("chunks cross paragraphs: they take no context, and no tree that looks at paragraphs")

    def key(self, *models: str) -> str:
        """Names an index: equal for equal settings and equal model names, and only then."""
        made_from = json.dumps([asdict(self), models], sort_keys=True)
        return hashlib.sha256(made_from.encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Scoring:
    """How a node's score comes from what is known of it.

    Cosine and BM25 are each scaled by the mean and deviation that they have over the leaves.

    Attributes:
        dense: Weight of the cosine between question and node.
        bm25: Weight of BM25 over the node's words.
        neighbours: What a leaf gains of the mean score of the leaves on its two sides.
        headings: What leaves and nodes gain of the score of the heading above them, where that is positive.
    """

    dense: float = 1.0
    bm25: float = 0.0
    neighbours: float = 0.0
    headings: float = 0.0

    def __post_init__(self) -> None:
        if min(self.dense, self.bm25, self.neighbours, self.headings) < 0 or self.dense + self.bm25 == 0:
            raise RecipeError("scoring weights are not negative, and dense or bm25 is above 0")


class GroupOrder(StrEnum):
    """How the leaves taken from one inner node are ordered."""

    DOCUMENT = "document"
    RANK = "rank"


@dataclass(frozen=True, slots=True)
class Selection:
    """Algorithm 1 of DISRetrieval: down the ranking, a leaf is taken, an inner node gives its best leaves.

    Attributes:
        expand: Whether inner nodes are ranked too; False ranks leaves alone.
        leaf_top_k: How many unused leaves an inner node gives at most; 0 gives all.
        group_order: Order of the leaves from one node. Groups stay in rank order.
    """

    expand: bool = True
    leaf_top_k: int = 5
    group_order: GroupOrder = GroupOrder.DOCUMENT

    def __post_init__(self) -> None:
        if self.leaf_top_k < 0:
            raise RecipeError(f"leaf_top_k is 0 (all) or more, not {self.leaf_top_k}")


@dataclass(frozen=True, slots=True)
class Recipe:
    """A whole system.

    Attributes:
        name: Upper case with underscores in Python; ``slug`` is its name on the command line.
        indexing, scoring, selection: Its parts.
    """

    name: str
    indexing: Indexing = field(default_factory=Indexing)
    scoring: Scoring = field(default_factory=Scoring)
    selection: Selection = field(default_factory=Selection)

    @property
    def slug(self) -> str:
        """The name on the command line: lower case with hyphens."""
        return self.name.lower().replace("_", "-")
