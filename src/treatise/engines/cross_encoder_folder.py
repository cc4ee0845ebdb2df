"""A cross-encoder from a local sentence-transformers folder; nothing is downloaded."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from treatise.core.errors import EngineError
from treatise.engines.sentence_transformers_model import load_model, pieces_within

BATCH_SIZE: Final = 16
"""Pairs per batch."""


class CrossEncoderFolder:
    """A ``Reranker`` with a local sentence-transformers cross-encoder. A long text has the score of its best piece.

    Args:
        folder: Written by ``CrossEncoder.save``.
        threads: Processor threads for torch, in this process.

    Raises:
        EngineUnavailableError: If the folder does not exist or contains no such model.
        MissingExtraError: If sentence-transformers is not installed.
    """

    def __init__(self, folder: Path | str, threads: int = 2) -> None:
        self._folder = Path(folder).absolute()
        self._model = load_model("CrossEncoder", self._folder, threads)

    @property
    def name(self) -> str:
        """Kind and folder."""
        return f"cross-encoder {self._folder}"

    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """One score per text; see ``Reranker.score``."""
        pieces = [(row, piece) for row, text in enumerate(texts) for piece in self._pieces(question, text)]
        if not pieces:
            return []
        pairs = [(question, piece) for _, piece in pieces]
        try:
            found = np.asarray(self._model.predict(pairs, batch_size=BATCH_SIZE, show_progress_bar=False), dtype=float)
        except (RuntimeError, ValueError) as error:
            raise EngineError(f"the model in {self._folder} failed: {error}") from error
        if found.shape != (len(pieces),):
            raise EngineError(f"{self._folder} returns scores of shape {found.shape}, expected one per pair")
        best = np.full(len(texts), -np.inf)
        np.maximum.at(best, [row for row, _ in pieces], found)
        return [float(score) for score in best]

    def _pieces(self, question: str, text: str) -> Iterator[str]:
        """The text in pieces that fit the model's window together with the question."""

        def n_tokens(piece: str) -> int:
            return len(self._model.tokenizer(question, piece, truncation=False, verbose=False)["input_ids"])

        return (piece for piece, _ in pieces_within(text, n_tokens, self._model.max_length))
