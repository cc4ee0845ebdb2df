"""The shapes of a tree, each with its own options."""

from dataclasses import dataclass
from enum import StrEnum

from treatise.core.errors import RecipeError
from treatise.core.recipe.no_options import NoOptions


class Flat(NoOptions):
    """No inner nodes: a forest of leaves."""

    __slots__ = ()


class Balanced(NoOptions):
    """Halves within each paragraph, then over the paragraphs of a section, then over sections."""

    __slots__ = ()


class Bisection(NoOptions):
    """Halves over the whole text, paragraphs ignored."""

    __slots__ = ()


class RandomSplits(NoOptions):
    """Paragraph first, seeded random splits: the control for any claim about shape."""

    __slots__ = ()


class RightBranching(NoOptions):
    """Paragraph first, each unit joined to everything that follows it."""

    __slots__ = ()


class ParsedBy(StrEnum):
    """The parser of discourse trees."""

    SETTINGS = "settings"  # Treatise's own, or the one that the settings name
    TRANSITION = "transition"  # DISRetrieval's, by equation 5: a tree's vector is the mean over its two children
    TRANSITION_LEAVES = "transition-leaves"  # the same as in the authors' code: the mean over a tree's leaves


@dataclass(frozen=True, slots=True)
class Discourse:
    """The parser's two-phase tree.

    Attributes:
        parsed_by: Which parser.
    """

    parsed_by: ParsedBy = ParsedBy.SETTINGS


class Clusters(NoOptions):
    """Separate leaves, and RAPTOR's clusters above them, which are not a tree."""

    __slots__ = ()


class Sectioning(StrEnum):
    """The method that finds sections by theme in text without headings, or with too much text under one heading."""

    COHESION = "cohesion"  # where neighbouring sentence vectors are least similar
    DISCOURSE = "discourse"  # at the top cuts of the parser's tree over the paragraphs
    LLM = "llm"  # by a language model: the paper
    EVEN = "even"  # sections of equal length


@dataclass(frozen=True, slots=True)
class Sections:
    """HTSIR's section tree (Algorithm 1): sentences in leaves, leaves in groups, groups in sections.

    Attributes:
        leaf_words: Maximum words of a leaf, l in the paper. A sentence that does not fit starts the next leaf.
        group_leaves: Leaves of one section under an intermediate node, r in the paper.
        short_words: A section of fewer words has no intermediate nodes: it is summarised once.
        section_words: Average words of a section found by theme. The number of sections under one heading is its words
            divided by this, halves rounded up: up to one and a half times as many words stay together.
        sectioning: The method that finds themes.
        leaves_first: Whether sections by theme consist of whole leaves of the text under a heading, so that themes do
            not cut leaves; a theme begins at the nearest leaf.
    """

    leaf_words: int = 100
    group_leaves: int = 2
    short_words: int = 200
    section_words: int = 1_000
    sectioning: Sectioning = Sectioning.COHESION
    leaves_first: bool = False

    def __post_init__(self) -> None:
        if min(self.leaf_words, self.section_words) < 1 or self.group_leaves < 2 or self.short_words < 0:
            raise RecipeError(
                "leaf_words and section_words are at least 1, group_leaves at least 2, short_words at least 0: "
                f"{self.leaf_words}, {self.section_words}, {self.group_leaves}, {self.short_words}"
            )


TreeShape = Flat | Balanced | Bisection | RandomSplits | RightBranching | Discourse | Clusters | Sections
