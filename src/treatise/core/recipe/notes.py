"""The text of inner nodes."""

from dataclasses import dataclass, field
from enum import StrEnum

from treatise.core.errors import RecipeError
from treatise.core.recipe.refinement import Refinement


class Summaries(StrEnum):
    """The source of the note of a node too long to be merged."""

    NONE = "none"  # no notes at all: inner nodes have vectors pooled from their leaves, and no text
    LLM = "llm"  # a language model, from the children's notes: the paper
    NUCLEUS = "nucleus"  # the most nuclear sentences below the node
    HYBRID = "hybrid"  # as nucleus; if the subtree is long, a language model rewrites them


class LengthOf(StrEnum):
    """The text whose length is compared with tau."""

    CHILDREN = "children"  # the notes of the children together: equation 1 of the paper
    LEAVES = "leaves"  # the leaves below, as in the document: the official code


@dataclass(frozen=True, slots=True)
class Tau:
    """The threshold, in words, from which a node's text is summarised; shorter texts are merged.

    The threshold of a node is ``words``, plus an addition for texts of short sentences if ``full_sentence`` is set,
    plus ``per_level`` for each level of the node above the leaves.

    The paper (appendix C.4) found 0 best on papers, whose sentences have 22.8 words on average, and 50 best on
    stories, with 14.6; it does not say how to choose between texts. ``full_sentence=22.8, per_missing_word=6.1`` draws
    the line through its two points; see docs/design/node-texts.md for the measurements.

    Attributes:
        words: The fixed part; 0 summarises every inner node.
        full_sentence: Mean sentence length, in words, from which nothing is added; 0 never adds.
        per_missing_word: Words added for each word by which the mean sentence is shorter than that.
        per_level: Words added for each level above the leaves.
        at_most: Highest threshold.
        length_of: The text that is measured; by default as in the paper, whose code differs.
    """

    words: int = 0
    full_sentence: float = 0.0
    per_missing_word: float = 0.0
    per_level: float = 0.0
    at_most: int = 300
    length_of: LengthOf = LengthOf.CHILDREN

    def __post_init__(self) -> None:
        if min(self.words, self.full_sentence, self.per_missing_word, self.per_level, self.at_most) < 0:
            raise RecipeError("the numbers of a threshold (tau) are not negative")


@dataclass(frozen=True, slots=True)
class Notes:
    """Options of the texts of inner nodes.

    A node whose text is strictly shorter than tau has the joined notes of its children; others are summarised. Without
    a language model, nucleus text replaces its summaries and is marked so.

    Attributes:
        summaries: The source of summaries.
        tau: The length from which a node is summarised.
        max_words: Longest summary. (The official code asks its model for 200 words.)
        nucleus_words: Longest extract; its first sentence stays whole even if it is longer.
        rewrite_words: Minimum words of the leaves below for a hybrid note to be rewritten.
        batch_words: If not 0, one call writes all notes of a subtree of up to this many words, such as a paragraph.
        prompt_version: Version of the prompts; the texts are files in ``treatise/enhance/prompts``.
        refinement: How each written summary is judged and revised before nodes above it are summarised (HTSIR); None
            keeps the first draft. Its ``max_calls`` is per summary.
    """

    summaries: Summaries = Summaries.NONE
    tau: Tau = field(default_factory=Tau)
    max_words: int = 200
    nucleus_words: int = 60
    rewrite_words: int = 200
    batch_words: int = 0
    prompt_version: int = 1
    refinement: Refinement | None = None

    def __post_init__(self) -> None:
        if min(self.max_words, self.nucleus_words) < 1 or min(self.rewrite_words, self.batch_words) < 0:
            raise RecipeError("max_words and nucleus_words are at least 1, rewrite_words and batch_words at least 0")
        if self.batch_words and self.summaries is not Summaries.LLM:
            raise RecipeError("batch_words batches calls that summarise children: it goes with summaries by llm only")
        if self.refinement and (self.batch_words or self.summaries is not Summaries.LLM):
            raise RecipeError("refinement revises one summary at a time: it goes with summaries by llm, not batched")
