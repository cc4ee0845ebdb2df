"""Separate encoding of questions and passages, by two encoders or by prefixes: DPR, E5 and similar models."""

from collections.abc import Sequence

from treatise.core.document import Span
from treatise.core.errors import SettingsError
from treatise.core.ports import Encoder, Progress
from treatise.core.vectors import Floats


class PairedEncoder:
    """An ``Encoder`` of two encoders that were trained together, or of one used for both.

    Args:
        passages: Encodes documents.
        questions: Encodes questions, into the same space.
        passage_prefix, question_prefix: Prefixes of each text, such as ``"passage: "`` and ``"query: "``. With a
            passage prefix, context is not used: a span within its context cannot have a prefix.

    Raises:
        SettingsError: If their vectors differ in length.
    """

    def __init__(
        self, passages: Encoder, questions: Encoder, *, passage_prefix: str = "", question_prefix: str = ""
    ) -> None:
        if passages.dim != questions.dim:
            raise SettingsError(
                f"the question encoder {questions.name} gives vectors of length {questions.dim}, the encoder of "
                f"passages {passages.name} of length {passages.dim}: name two that were trained together"
            )
        self._passages, self._questions = passages, questions
        self._passage_prefix, self._question_prefix = passage_prefix, question_prefix

    @property
    def name(self) -> str:
        """Both encoders with their prefixes."""
        return f"{self._passages.name} {self._passage_prefix!r} / {self._questions.name} {self._question_prefix!r}"

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._passages.dim

    @property
    def reads_context(self) -> bool:
        """As the encoder of passages; False if these have a prefix."""
        return self._passages.reads_context and not self._passage_prefix

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Floats:
        """See ``Encoder.encode``: the texts are passages."""
        return self._passages.encode([self._passage_prefix + text for text in texts], progress)

    def encode_in_context(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]], progress: Progress | None = None
    ) -> Floats:
        """See ``Encoder.encode_in_context``."""
        if not self._passage_prefix:
            return self._passages.encode_in_context(texts, spans, progress)
        pieces = [text[s.start : s.end] for text, within in zip(texts, spans, strict=True) for s in within]
        return self.encode(pieces, progress)

    def encode_questions(self, questions: Sequence[str]) -> Floats:
        """See ``Encoder.encode_questions``."""
        return self._questions.encode_questions([self._question_prefix + question for question in questions])
