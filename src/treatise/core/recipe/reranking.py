"""The second stage of retrieval."""

from dataclasses import dataclass

from treatise.core.errors import RecipeError


@dataclass(frozen=True, slots=True)
class Reranking:
    """The second stage: a reranker scores the best nodes of the first stage, each together with the question.

    A candidate's score becomes the weighted mean of both stages' scores, on the scale of the first: a poor candidate
    may fall behind nodes that were not reranked. A node's text is its note; without notes it is the text that
    ``Selection`` would take from it.

    Attributes:
        n_candidates: Number of nodes reranked; it decides the cost of a question.
        keep: Number of nodes kept after that, HTSIR's k; 0 keeps as many as the budget allows.
        weight: The reranker's share of the score, above 0 to 1; the rest is the first stage's.
    """

    n_candidates: int = 40
    keep: int = 10
    weight: float = 1.0

    def __post_init__(self) -> None:
        if self.n_candidates < 1 or not 0 <= self.keep <= self.n_candidates or not 0 < self.weight <= 1:
            raise RecipeError(
                "reranking needs n_candidates of at least 1, keep from 0 (all) to n_candidates, and weight above 0 to "
                f"1, not {self.n_candidates}, {self.keep}, {self.weight}"
            )
