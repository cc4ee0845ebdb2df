"""Vectors of single words, from the word embeddings that the English models share."""

from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from treatise.engines.graph_file import SHIPPED, words_of
from treatise.engines.loading import loading

_MODEL: Final = SHIPPED / "treatise-en"
_TOKENIZER: Final = "tokenizer.json"


class EmbeddedWords:
    """The mean of the embeddings of a word's pieces, less the mean of all embeddings: a ``programs.WordVectors``.

    Args:
        mean: That of the whole table, of which the angles between words depend. Shape ``(dim,)``; by default computed.
        folder: Of the model whose tokenizer and table are used.

    Raises:
        EngineUnavailableError: If a file is missing or differs from its hash.
    """

    def __init__(self, mean: npt.NDArray[np.float32] | None = None, folder: Path = _MODEL) -> None:
        table = words_of(folder)
        assert table is not None  # the shipped model's graph lacks its words
        self._table = table
        with loading(path := folder / _TOKENIZER):
            self._tokenizer = Tokenizer.from_file(str(path))
        self.mean = table.mean(axis=0, dtype=np.float32) if mean is None else mean
        self.vector = lru_cache(maxsize=1 << 14)(self._vector)

    def _vector(self, word: str) -> npt.NDArray[np.float32]:
        pieces = self._tokenizer.encode(word, add_special_tokens=False).ids
        if not pieces:
            return np.zeros(len(self.mean), dtype=np.float32)
        vector = self._table[pieces].astype(np.float32).mean(axis=0) - self.mean
        length = float(np.linalg.norm(vector))
        return np.asarray(vector / length if length else vector, dtype=np.float32)
