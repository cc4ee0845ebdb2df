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
class DocumentStatistics:
    """Statistics over documents as wholes.

    Attributes:
        n_documents: Number of documents that a question is asked of.
        mean_length: Their mean number of terms, with repeats.
        n_with: Number of documents that contain each term of the question.
        bm25: The scale of the documents' BM25.
    """

    n_documents: int
    mean_length: float
    n_with: Mapping[str, int]
    bm25: Scale


@dataclass(frozen=True, slots=True)
class OpeningCosines:
    """The question's cosines with the openings of documents, by an encoder that reads each opening as one text.

    Attributes:
        cosines: By the id of the document; -1 to 1.
        scale: The mean and deviation that such cosines have over documents.
    """

    cosines: Mapping[str, float]
    scale: Scale


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
        documents: Statistics over the documents as wholes; None if none of them is preferred.
        priors: What every node gains, by the id of its document, where that is known already.
        openings: The cosines that replace those of the documents' first leaves in the prior; None for these.
    """

    n_units: int
    mean_length: float
    n_with: Mapping[str, int]
    cosines: Scale
    bm25: Scale
    vector: npt.NDArray[np.float32] = field(compare=False)
    documents: DocumentStatistics | None = None
    priors: Mapping[str, float] = field(default_factory=dict)
    openings: OpeningCosines | None = None
