"""A reader without a model."""

from collections.abc import Sequence

from treatise.core.span_answer import AnswerSpan, SpanAnswer, SpanAnswerKind


class ScriptedReader:
    """A ``PassageReader`` that finds given words, one span per passage that contains them.

    Args:
        words: The words to find; a passage without them has no span.
        kind: The kind of every answer.
        p_no_answer: The probability of no answer if a passage contains the words; 1 if none does.
        score: The score of the span in the first such passage; the others have a half, a third, … of it.

    Attributes:
        calls: Question and passages of each call.
    """

    def __init__(
        self, words: str, kind: SpanAnswerKind = SpanAnswerKind.SPAN, *, p_no_answer: float = 0.05, score: float = 1.0
    ) -> None:
        self._words, self._kind, self._p_no_answer, self._score = words, kind, p_no_answer, score
        self.calls: list[tuple[str, tuple[str, ...]]] = []

    @property
    def name(self) -> str:
        """The same for all words."""
        return "scripted-reader"

    def read(self, question: str, passages: Sequence[str]) -> SpanAnswer:
        """See ``PassageReader.read``."""
        self.calls.append((question, tuple(passages)))
        starts = ((i, passage.find(self._words)) for i, passage in enumerate(passages))
        found = [(i, start) for i, start in starts if self._words and start >= 0]
        spans = [
            AnswerSpan(i, at, at + len(self._words), self._score / (1 + rank)) for rank, (i, at) in enumerate(found)
        ]
        return SpanAnswer(tuple(spans), self._kind, self._p_no_answer if spans else 1.0, 0.5)

    def read_each(self, question: str, groups: Sequence[Sequence[str]]) -> list[SpanAnswer]:
        """See ``PassageReader.read_each``."""
        return [self.read(question, passages) for passages in groups]
