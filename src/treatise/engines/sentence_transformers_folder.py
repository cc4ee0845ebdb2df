"""An encoder from a local sentence-transformers folder; nothing is downloaded."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from treatise.core.document import Span
from treatise.core.errors import EngineError
from treatise.core.ports import Progress
from treatise.core.vectors import Floats, unit_rows
from treatise.engines.sentence_transformers_model import load_model, pieces_within

BATCH_SIZE: Final = 32
"""Pieces of text per batch."""


class SentenceTransformersFolder:
    """An ``Encoder`` of a local sentence-transformers model; it does not read context.

    Args:
        folder: Written by ``SentenceTransformer.save``.
        threads: Processor threads for torch, in this process.

    Raises:
        EngineUnavailableError: If the folder does not exist or contains no such model.
        MissingExtraError: If sentence-transformers is not installed.
    """

    def __init__(self, folder: Path | str, threads: int = 2) -> None:
        self._folder = Path(folder).absolute()
        self._model = load_model("SentenceTransformer", self._folder, threads)
        self._dim: int = self._rows(["dimension"]).shape[1]

    @property
    def name(self) -> str:
        """Kind and folder."""
        return f"sentence-transformers {self._folder}"

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._dim

    @property
    def reads_context(self) -> bool:
        """False: pooling is internal to the model."""
        return False

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Floats:
        """One L2-normalised row per text; see ``Encoder.encode``."""
        pieces = [(i, piece, weight) for i, text in enumerate(texts) for piece, weight in self._pieces(text)]
        sums = np.zeros((len(texts), self._dim), dtype=np.float32)
        for start in range(0, len(pieces), BATCH_SIZE):
            owners, batch, weights = zip(*pieces[start : start + BATCH_SIZE], strict=True)
            np.add.at(sums, list(owners), self._rows(batch) * np.array(weights, dtype=np.float32)[:, None])
            if progress is not None:
                last = start + BATCH_SIZE >= len(pieces)
                progress(len(texts) if last else owners[-1], len(texts))
        return unit_rows(sums)

    def encode_questions(self, questions: Sequence[str]) -> Floats:
        """As ``encode``: the model applies its own prompts."""
        return self.encode(questions)

    def encode_in_context(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]], progress: Progress | None = None
    ) -> Floats:
        """One L2-normalised row per span, of its own text; see ``Encoder.encode_in_context``."""
        pieces = [text[s.start : s.end] for text, within in zip(texts, spans, strict=True) for s in within]
        return self.encode(pieces, progress)

    def _pieces(self, text: str) -> Iterator[tuple[str, int]]:
        """The text in pieces that fit the model's window, with their numbers of tokens."""
        return pieces_within(text, self._n_tokens, self._model.max_seq_length)

    def _n_tokens(self, text: str) -> int:
        return len(self._model.tokenizer(text, truncation=False, verbose=False)["input_ids"])

    def _rows(self, pieces: Iterable[str]) -> Floats:
        try:
            rows = self._model.encode(
                list(pieces), batch_size=BATCH_SIZE, convert_to_numpy=True, show_progress_bar=False
            )
        except (RuntimeError, ValueError) as error:
            raise EngineError(f"the model in {self._folder} failed: {error}") from error
        return unit_rows(np.asarray(rows, dtype=np.float32))
