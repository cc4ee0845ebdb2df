"""The seam of readers."""

from collections.abc import Sequence
from typing import Protocol

from treatise.core.span_answer import SpanAnswer


class PassageReader(Protocol):
    """Reads a question and passages together.

    The same input gives the same result. Every passage is read to its end, however long it is; a question longer than
    the reader can take is cut at its end.
    """

    @property
    def name(self) -> str:
        """Identifies the weights."""
        ...

    def read(self, question: str, passages: Sequence[str]) -> SpanAnswer:
        """What the passages, best first, say in answer to the question.

        Without passages, or where none holds a word, there are no spans and ``p_no_answer`` is 1.

        Raises:
            EngineError: Where the model failed.
        """
        ...
