"""The protocol of readers."""

from collections.abc import Sequence
from typing import Protocol

from treatise.core.span_answer import SpanAnswer


class PassageReader(Protocol):
    """Reads a question and passages together.

    The same input gives the same result. Every passage is read completely, however long; a question beyond the reader's
    limit is truncated.
    """

    @property
    def name(self) -> str:
        """Identifies the weights."""
        ...

    def read(self, question: str, passages: Sequence[str]) -> SpanAnswer:
        """The answer to the question in the passages, which are ordered best first.

        Without passages, or if all are blank, there are no spans and ``p_no_answer`` is 1.

        Raises:
            EngineError: If the model failed.
        """
        ...

    def read_each(self, question: str, groups: Sequence[Sequence[str]]) -> list[SpanAnswer]:
        """The answer to the question in each group of passages: that of :meth:`read`, for many groups in less time.

        Raises:
            EngineError: If the model failed.
        """
        ...
