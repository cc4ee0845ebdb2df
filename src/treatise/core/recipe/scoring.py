"""How nodes are scored."""

from dataclasses import dataclass
from enum import StrEnum

from treatise.core.errors import RecipeError


class WordsOf(StrEnum):
    """The words of an inner node that BM25 counts."""

    LEAVES = "leaves"  # all below it
    NOTE = "note"  # those of its note, if that is an extract or was written: the HTSIR paper


@dataclass(frozen=True, slots=True)
class Scoring:
    """The weights of a node's score.

    Cosine and BM25 are each scaled by the mean and deviation that they have over the leaves.

    Attributes:
        dense: Weight of the cosine between question and node.
        bm25: Weight of BM25 over the node's words.
        neighbours: Weight, for a leaf, of the mean score of the leaves on its two sides; rows of a long table have
            no neighbours.
        headings: Weight of the score of the heading above a leaf or node, if that is positive.
        words_of: The words of an inner node that BM25 counts.
        path: Weight of the mean score of the nodes above a node, up to its root.
        statements: Share of the distance to the best leaf that the rows of a financial statement gain if the question
            names the statement or the rows; 0 to 1.
        opening: Weight, for every node of a document, of the cosine between question and the document's first leaves,
            on the scale of the leaves. It and the next one count only if a question is asked of ten documents or more.
        whole: Weight, for every node of a document, of BM25 over all of its words, scaled by mean and deviation over
            the documents.
        rewords: Whether the question is searched in the words of the documents: with abbreviations written out, and
            for BM25 without the name of the company whose report the only document is.
    """

    dense: float = 1.0
    bm25: float = 0.0
    neighbours: float = 0.0
    headings: float = 0.0
    words_of: WordsOf = WordsOf.LEAVES
    path: float = 0.0
    statements: float = 0.0
    opening: float = 0.0
    whole: float = 0.0
    rewords: bool = False

    def __post_init__(self) -> None:
        weights = (self.dense, self.bm25, self.neighbours, self.headings, self.path, self.opening, self.whole)
        if min(weights) < 0 or self.dense + self.bm25 == 0:
            raise RecipeError("scoring weights are not negative, and dense or bm25 is above 0")
        if not 0 <= self.statements <= 1:
            raise RecipeError(f"scoring needs 0 <= statements <= 1, got {self.statements}")
