"""Sentences to EDUs by the tokens at which one begins."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from treatise.core.vectors import Floats
from treatise.parse.blas import one_blas_thread
from treatise.parse.spans.model import BoundaryModel
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
        run, scores = self._scores(sentences)
        result = []
        for sentence, (start, end) in zip(sentences, pairwise(run.units.tolist()), strict=True):
            inside = np.flatnonzero(scores[start + 1 : end] > 0) + start + 1
            cuts = [0, *run.characters[inside].tolist(), len(sentence)]
            pieces = [sentence[a:b].strip() for a, b in pairwise(cuts)]
            result.append([piece for piece in pieces if piece] or [sentence.strip()])
        return result

    def scores(self, sentences: Sequence[str]) -> list[dict[int, float]]:
        """For each sentence, by the character that begins a word: how much it looks like the first of an EDU.

        Above 0 is more likely than not. The first word of a sentence is left out, since it always is.
        """
        if not sentences:
            return []
        run, scores = self._scores(sentences)
        found = []
        for start, end in pairwise(run.units.tolist()):
            inside = np.flatnonzero(np.isfinite(scores[start + 1 : end])) + start + 1
            found.append(dict(zip(run.characters[inside].tolist(), scores[inside].tolist(), strict=True)))
        return found

    def _scores(self, sentences: Sequence[str]) -> tuple[TokenRun, Floats]:
        """The tokens, and the score of each that begins a word."""
        run = token_run(self._reader, sentences)
        of_sentences = np.ones(len(sentences) + 1, dtype=bool)
        of_paragraphs = of_sentences.copy()
        of_paragraphs[1:-1] = False
        scores = np.full(len(run.ids), -np.inf, dtype=np.float32)
        last: Floats | None = None
        with one_blas_thread():
            for start, end, vectors in window_vectors(self._reader, run, of_paragraphs, of_sentences, self._window):
                last = np.zeros_like(vectors[:1]) if last is None else last
                scores[start:end] = self._model.word_scores(last, vectors, run.begins_word[start:end])
                last = vectors[-1:]
        return run, scores
