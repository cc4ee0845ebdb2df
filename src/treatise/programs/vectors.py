"""How alike two words are in meaning."""

from typing import Protocol

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float32]


class WordVectors(Protocol):
    """Vectors of single words."""

    def vector(self, word: str) -> Vector:
        """A vector of length 1, or of zeros for a word without one; the product of two is their likeness, -1 to 1."""
        ...
