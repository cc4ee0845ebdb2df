"""Sentences to EDUs by the tokens at which one begins."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from treatise.core.vectors import Floats
from treatise.parse.blas import one_blas_thread
from treatise.parse.spans.model import BoundaryModel
from treatise.parse.spans.places import Edges
from treatise.parse.spans.tokens import TokenReader, TokenRun, token_run, window_vectors


class TokenSegmenter:
    """``Segmenter`` by a score of each token.

    Args:
        name: Identifies the weights.
        model: Scores tokens.
        reader: Its encoder.
        window: Tokens that are read together.
    """

    def __init__(self, name: str, model: BoundaryModel, reader: TokenReader, window: int) -> None:
        self.name = name
        self._model, self._reader, self._window = model, reader, window

    def segment(self, sentences: Sequence[str], lang: str) -> list[list[str]]:  # noqa: ARG002  (the seam's)
        """The EDUs of each sentence; see :class:`treatise.parse.segment.Segmenter`.

        Sentences are read as one paragraph, as in training.
        """
        if not sentences:
            return []
        run = token_run(self._reader, sentences)
        of_sentences = np.ones(len(sentences) + 1, dtype=bool)
        of_paragraphs = of_sentences.copy()
        of_paragraphs[1:-1] = False
        with one_blas_thread():
            begins = self._begins(run, of_paragraphs, of_sentences)
        result = []
        for sentence, (start, end) in zip(sentences, pairwise(run.units.tolist()), strict=True):
            inside = np.flatnonzero(begins[start + 1 : end]) + start + 1
            cuts = [0, *run.characters[inside].tolist(), len(sentence)]
            pieces = [sentence[a:b].strip() for a, b in pairwise(cuts)]
            result.append([piece for piece in pieces if piece] or [sentence.strip()])
        return result

    def _begins(self, run: TokenRun, of_paragraphs: Edges, of_sentences: Edges) -> npt.NDArray[np.bool_]:
        """Whether an EDU begins at each token."""
        begins = np.zeros(len(run.ids), dtype=bool)
        last: Floats | None = None
        for start, end, vectors in window_vectors(self._reader, run, of_paragraphs, of_sentences, self._window):
            last = np.zeros_like(vectors[:1]) if last is None else last
            begins[start:end] = self._model.begins(last, vectors, run.begins_word[start:end])
            last = vectors[-1:]
        return begins
