"""Statistics of a whole library for one question: what scores of a few of its documents are compared with."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Scale:
    """Mean and standard deviation of a score over all leaves of a library."""

    mean: float
    deviation: float


@dataclass(frozen=True, slots=True)
class CorpusStatistics:
    """Statistics over all leaves of the documents that a question is asked of, loaded or not.

    Attributes:
        n_units: Number of leaves.
        mean_length: Their mean number of terms.
        n_with: Number of leaves that contain each term of the question.
        cosines: The scale of the question's cosines with the leaves.
        bm25: The scale of their BM25.
        vector: The question's. Shape ``(dim,)``, float32.
    """

    n_units: int
    mean_length: float
    n_with: Mapping[str, int]
    cosines: Scale
    bm25: Scale
    vector: npt.NDArray[np.float32] = field(compare=False)
