"""The protocols of encoders."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from treatise.core.document import Span
from treatise.core.ports.progress import Progress
from treatise.core.vectors import Floats


class Encoder(Protocol):
    """Encodes texts as vectors.

    Attributes:
        name: Identifies model and settings; vectors of two encoders are comparable only if their names are equal.
        dim: Length of a vector.
        reads_context: Whether ``encode_in_context`` uses the text around a span. If False, it encodes each span's own
            text.
    """

    @property
    def name(self) -> str:
        """See the attributes above."""
        ...

    @property
    def dim(self) -> int:
        """See the attributes above."""
        ...

    @property
    def reads_context(self) -> bool:
        """See the attributes above."""
        ...

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Floats:
        """One L2-normalised row per text, in order. Shape ``(len(texts), dim)``, float32; no texts give zero rows.

        A text longer than the model's window is encoded whole, in pieces whose vectors are averaged by their
        number of tokens: nothing is cut silently. An empty text gives a valid vector or a zero row, never NaN.
        A text's row does not depend on its neighbours in the batch beyond rounding (1e-2 in cosine).

        Raises:
            EngineError: If the model failed.
        """
        ...

    def encode_questions(self, questions: Sequence[str]) -> Floats:
        """One L2-normalised row per question, in order, comparable with rows of ``encode``; otherwise as ``encode``.

        If the model does not distinguish questions from texts, the rows are those of ``encode``.
        """
        ...

    def encode_in_context(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]], progress: Progress | None = None
    ) -> Floats:
        """One L2-normalised row per span, in order over all texts: the mean of its token vectors in the text around it.

        ``spans[i]`` are half-open, ascending, and do not overlap within ``texts[i]``. Shape ``(total spans, dim)``,
        float32. A text longer than the window is read in windows that end at span boundaries.
        """
        ...


@runtime_checkable
class TokenCounter(Protocol):
    """An encoder that counts the tokens of a text with its own tokenizer."""

    def n_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, special ones not counted."""
        ...
