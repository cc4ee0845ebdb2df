"""A reranker without a model."""

from collections.abc import Callable, Sequence

from treatise.core.errors import EngineError


class ScriptedReranker:
    """A ``Reranker`` that scores with a function of question and text, by default the number of shared words.

    Args:
        score: The score of one text; it may raise an ``EngineError`` to fail.

    Attributes:
        asked: Question and texts of each call.
    """

    def __init__(self, score: Callable[[str, str], float] | None = None) -> None:
        self._score = score or _shared_words
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    @property
    def name(self) -> str:
        """The same for every function."""
        return "scripted-reranker"

    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """See ``Reranker.score``."""
        self.asked.append((question, tuple(texts)))
        return [self._score(question, text) for text in texts]


class FailingReranker:
    """A ``Reranker`` that always fails."""

    name = "failing-reranker"

    def __init__(self, error: EngineError) -> None:
        self._error = error

    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:  # noqa: ARG002  (names are part of the protocol)
        """Raises the constructor's error."""
        raise self._error


def _shared_words(question: str, text: str) -> float:
    return float(len(set(question.lower().split()) & set(text.lower().split())))
