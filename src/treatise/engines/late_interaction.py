"""Late interaction (Khattab & Zaharia 2020) over the token vectors of the shipped encoder, without further weights."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from treatise.core.vectors import Floats, unit_rows
from treatise.engines.onnx_tokens import OnnxTokens

_MAX_QUESTION_TOKENS: Final = 128


class LateInteraction:
    """A ``Reranker``: the mean over the question's tokens of the highest cosine with a token of the text (MaxSim).

    The encoder was trained for means of token vectors, not for this: see docs/design/summaries.md for measurements.

    Args:
        folder: See :class:`OnnxTokens`.
        threads: Concurrent runs.

    Raises:
        EngineUnavailableError: If a file is missing or the runtime refuses it.
    """

    def __init__(self, folder: Path, *, threads: int = 2) -> None:
        self._tokens = OnnxTokens(folder, threads=threads)

    @property
    def name(self) -> str:
        """Kind and weights."""
        return f"late-interaction {self._tokens.name}"

    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """One score per text; see ``Reranker.score``. A long text is read in windows, which all count."""
        (asked,) = self._tokens.token_ids([question])
        (query,) = self._vectors([asked[:_MAX_QUESTION_TOKENS]])
        windows = [
            (row, piece) for row, ids in enumerate(self._tokens.token_ids(texts)) for piece in self._windows(ids)
        ]
        windows.sort(key=lambda window: len(window[1]))
        nearest = np.full((len(texts), len(query)), -1, dtype=np.float32)
        for (row, _), vectors in zip(windows, self._vectors([ids for _, ids in windows]), strict=True):
            if len(vectors):
                np.maximum(nearest[row], (query @ vectors.T).max(axis=1), out=nearest[row])
        return [float(score) for score in nearest.mean(axis=1)] if len(query) else [0.0] * len(texts)

    def _windows(self, ids: list[int]) -> Iterator[list[int]]:
        room = self._tokens.config.window_tokens - 2
        for at in range(0, max(1, len(ids)), room):
            yield ids[at : at + room]

    def _vectors(self, rows: Sequence[list[int]]) -> Iterator[Floats]:
        """L2-normalised vectors of each row's tokens, without special tokens."""
        config = self._tokens.config
        for vectors in self._tokens.read([config.start_id, *ids, config.end_id] for ids in rows):
            yield unit_rows(vectors[1:-1])
