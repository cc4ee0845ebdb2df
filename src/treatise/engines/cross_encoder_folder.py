"""A cross-encoder out of a folder that sentence-transformers wrote. Nothing is fetched."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from treatise.core.errors import EngineError, EngineUnavailableError, MissingExtraError
from treatise.engines.pieces import halves

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

BATCH_SIZE: Final = 16
"""Pairs a batch."""


class CrossEncoderFolder:
    """A ``Reranker`` of a local sentence-transformers cross-encoder. Of a text in pieces the best piece counts.

    Args:
        folder: What ``CrossEncoder.save`` wrote.
        threads: Processor threads for torch, in this process.

    Raises:
        EngineUnavailableError: Where the folder is none, or holds no such model.
        MissingExtraError: Where sentence-transformers is not installed.
    """

    def __init__(self, folder: Path | str, threads: int = 2) -> None:
        self._folder = Path(folder).absolute()
        self._model = _loaded(self._folder, threads)

    @property
    def name(self) -> str:
        """Kind and folder."""
        return f"cross-encoder {self._folder}"

    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """One score a text; see ``Reranker.score``."""
        pieces = [(row, piece) for row, text in enumerate(texts) for piece in self._pieces(question, text)]
        if not pieces:
            return []
        pairs = [(question, piece) for _, piece in pieces]
        try:
            found = np.asarray(self._model.predict(pairs, batch_size=BATCH_SIZE, show_progress_bar=False), dtype=float)
        except (RuntimeError, ValueError) as error:
            raise EngineError(f"the model in {self._folder} failed: {error}") from error
        if found.shape != (len(pieces),):
            raise EngineError(f"{self._folder} gives scores of shape {found.shape}, a reranker gives one a pair")
        best = np.full(len(texts), -np.inf)
        np.maximum.at(best, [row for row, _ in pieces], found)
        return [float(score) for score in best]

    def _pieces(self, question: str, text: str) -> list[str]:
        """The text in pieces that the model reads whole beside the question."""
        done, pending = [], [text.strip()]
        window = self._model.max_length
        while pending:
            piece = pending.pop()
            n_tokens = len(self._model.tokenizer(question, piece, truncation=False, verbose=False)["input_ids"])
            if not window or n_tokens <= window or len(piece) < 2:
                done.append(piece)
            else:
                pending += reversed(halves(piece))
        return done


def _loaded(folder: Path, threads: int) -> "CrossEncoder":
    if not (folder / "config.json").is_file():
        raise EngineUnavailableError(
            f"{folder} is not the folder of a cross-encoder (it has no config.json). Models are not fetched by name: "
            "save one with CrossEncoder.save, and give that folder"
        )
    try:
        import torch
        from sentence_transformers import CrossEncoder
    except ImportError as error:
        raise MissingExtraError("a sentence-transformers cross-encoder", "sentence-transformers") from error
    torch.set_num_threads(threads)
    try:
        return CrossEncoder(str(folder), device="cpu", local_files_only=True)
    except (OSError, ValueError, KeyError) as error:
        raise EngineUnavailableError(f"the model in {folder} could not be loaded: {error}") from error
