"""The protocol of rerankers."""

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    """Scores how well each candidate text answers a question: the second stage of retrieval (HTSIR, "Reranking").

    Attributes:
        name: Identifies model and settings.
    """

    @property
    def name(self) -> str:
        """See the attributes above."""
        ...

    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """One finite score per text, in order, higher is better; no texts give no scores.

        Scores are comparable only within one call. The result is deterministic. A text longer than the model's window
        is not truncated silently: it is read in pieces, or the engine reports the truncation. A blank text has a score
        too.

        Raises:
            EngineError: If the model failed, or did not return one score per text.
        """
        ...
