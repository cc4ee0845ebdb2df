"""A tiny data set and an encoder that counts what it is asked."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from treatise.core.document import Span
from treatise.core.ports import Progress
from treatise.core.vectors import Floats
from treatise.testing import HashingEncoder

EXCERPT = Path(__file__).parent / "data" / "qasper-excerpt.json"


class CountingEncoder:
    """A hashing encoder that counts the texts that it encodes, on their own and in context."""

    reads_context = True

    def __init__(self) -> None:
        self._encoder = HashingEncoder(reads_context=True)
        self.name = self._encoder.name
        self.dim = self._encoder.dim
        self.n_texts = 0
        self.n_contexts = 0

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Floats:
        self.n_texts += len(texts)
        return self._encoder.encode(texts, progress)

    def encode_questions(self, questions: Sequence[str]) -> Floats:
        return self.encode(questions)

    def encode_in_context(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]], progress: Progress | None = None
    ) -> Floats:
        self.n_contexts += len(texts)
        return self._encoder.encode_in_context(texts, spans, progress)


@pytest.fixture
def encoder() -> CountingEncoder:
    return CountingEncoder()


@pytest.fixture
def question_ids() -> list[str]:
    papers = json.loads(EXCERPT.read_text(encoding="utf-8")).values()
    return [qa["question_id"] for paper in papers for qa in paper["qas"]]
