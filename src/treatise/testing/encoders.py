"""An encoder without a model."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np

from treatise.core.document import Span
from treatise.core.ports import Progress
from treatise.core.vectors import Floats, unit_rows


class HashingEncoder:
    """An ``Encoder`` that sums a fixed random vector per word: texts that share words are close.

    Args:
        dim: Length of a vector.
        reads_context: Whether a span's vector includes the surrounding text with weight 0.5.
    """

    def __init__(self, dim: int = 64, *, reads_context: bool = False) -> None:
        self._dim = dim
        self._reads_context = reads_context

    @property
    def name(self) -> str:
        """Kind and settings."""
        return f"hashing-{self._dim}{'-context' if self._reads_context else ''}"

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._dim

    @property
    def reads_context(self) -> bool:
        """The constructor's argument."""
        return self._reads_context

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Floats:
        """One L2-normalised row per text; a zero row for a text without words. See ``Encoder.encode``."""
        rows = np.zeros((len(texts), self._dim), dtype=np.float32)
        for i, text in enumerate(texts):
            rows[i] = self._sum(text)
            if progress is not None:
                progress(i + 1, len(texts))
        return unit_rows(rows)

    def encode_questions(self, questions: Sequence[str]) -> Floats:
        """As ``encode``."""
        return self.encode(questions)

    def encode_in_context(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]], progress: Progress | None = None
    ) -> Floats:
        """One L2-normalised row per span; see ``Encoder.encode_in_context``."""
        pieces = [text[s.start : s.end] for text, within in zip(texts, spans, strict=True) for s in within]
        own = self.encode(pieces, progress)
        if not self._reads_context:
            return own
        around = np.repeat(self.encode(texts), [len(within) for within in spans], axis=0)
        return unit_rows(own + 0.5 * around)

    def n_tokens(self, texts: Sequence[str]) -> list[int]:
        """Words. See ``TokenCounter``."""
        return [len(text.split()) for text in texts]

    def _sum(self, text: str) -> Floats:
        total = np.zeros(self._dim, dtype=np.float32)
        for word in text.lower().split():
            total += _vector(word, self._dim)
        return total


@lru_cache(maxsize=100_000)
def _vector(word: str, dim: int) -> Floats:
    """The fixed random vector of a word."""
    seed = int.from_bytes(blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest())
    return np.random.default_rng(seed).standard_normal(dim, dtype=np.float32)
