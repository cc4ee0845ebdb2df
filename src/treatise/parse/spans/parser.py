"""The trained parser as a parser of texts and a segmenter of sentences."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.errors import TreeError
from treatise.core.tree import DiscourseTree, Unit, build_tree
from treatise.core.vectors import Floats
from treatise.parse.blas import one_blas_thread
from treatise.parse.rows import Text
from treatise.parse.spans.chart import best_tree, inside_outside
from treatise.parse.spans.model import SpanModel, TextState
from treatise.parse.spans.places import Edges, edges, places, unit_flags
from treatise.parse.spans.tokens import TokenReader, TokenRun, token_run, window_vectors

MAX_CHART: Final = 300
"""Units of the largest exact chart; a longer text is parsed block by block, then over the blocks."""

_BLOCK: Final = 128


class SpanParser:
    """``TextParser`` and ``Segmenter`` by scores of spans.

    The tree is the one with the greatest expected number of correct spans. Exact up to ``MAX_CHART`` units; beyond,
    blocks of up to 128 units end at a paragraph's edge (else a sentence's) where there is one, so that time and
    memory are linear in the text's length.

    Args:
        model: The trained network.
        reader: Its encoder.
    """

    def __init__(self, model: SpanModel, reader: TokenReader) -> None:
        self._model = model
        self._reader = reader
        self.name = f"spans/{model.config.name}"

    def parse_texts(self, texts: Sequence[Text]) -> list[DiscourseTree]:
        """One tree a text; see :class:`treatise.parse.parser.TextParser`."""
        with one_blas_thread():
            return [self._parse(text) for text in texts]

    def segment(self, sentences: Sequence[str], lang: str) -> list[list[str]]:  # noqa: ARG002  (the seam's)
        """The EDUs of each sentence; see :class:`treatise.parse.segment.Segmenter`."""
        if not sentences:
            return []
        run = token_run(self._reader, sentences)
        with one_blas_thread():
            begins = self._boundaries(run)
        result = []
        for sentence, (start, end) in zip(sentences, pairwise(run.units.tolist()), strict=True):
            inside = np.flatnonzero(begins[start + 1 : end]) + start + 1
            cuts = [0, *run.characters[inside].tolist(), len(sentence)]
            pieces = [sentence[a:b].strip() for a, b in pairwise(cuts)]
            result.append([piece for piece in pieces if piece] or [sentence.strip()])
        return result

    def _boundaries(self, run: TokenRun) -> npt.NDArray[np.bool_]:
        """Whether an EDU begins at each token. Sentences are read as one paragraph, as in training."""
        n_units = len(run.units) - 1
        of_paragraphs = np.zeros(n_units + 1, dtype=bool)
        of_paragraphs[[0, -1]] = True
        of_sentences = np.ones(n_units + 1, dtype=bool)
        scores = np.empty(len(run.ids), np.float32)
        last = np.zeros((1, self._model.config.hidden), np.float32)
        size = self._model.config.window
        for start, end, vectors in window_vectors(self._reader, run, of_paragraphs, of_sentences, size):
            scores[start:end] = self._model.boundary_scores(np.concatenate([last, vectors[:-1]]), vectors)
            last = vectors[-1:]
        return run.begins_word & (scores > 0)

    def _parse(self, text: Text) -> DiscourseTree:
        units = text.units
        if not units:
            raise TreeError(f"{text.id}: a tree needs at least one unit, found none")
        if len(units) == 1:
            return DiscourseTree(1, (Unit(0),))
        of_paragraphs, of_sentences = edges(text.paragraphs, text.level)
        state = self._state(text, of_paragraphs, of_sentences)
        nodes = self._shape(state, of_paragraphs, of_sentences)
        labels = self._model.labels(state, np.array(nodes, dtype=np.int64))
        return build_tree(len(units), ((*node, *label) for node, label in zip(nodes, labels, strict=True)))

    def _state(self, text: Text, of_paragraphs: Edges, of_sentences: Edges) -> TextState:
        run = token_run(self._reader, text.units)
        flags = unit_flags(run.units, of_paragraphs, of_sentences, text.level)
        pooled = self._pooled(run, of_paragraphs, of_sentences)
        return self._model.state(pooled, flags, places(of_paragraphs, of_sentences, text.level))

    def _pooled(self, run: TokenRun, of_paragraphs: Edges, of_sentences: Edges) -> Floats:
        """Each unit's pooled vector, window by window: the tokens of the whole text are never held together."""
        config = self._model.config
        pooled = np.empty((len(run.units) - 1, config.unit), np.float32)
        carried = np.zeros((2, config.hidden), np.float32)  # sum and first vector of a unit that a window's end cut
        for start, end, vectors in window_vectors(self._reader, run, of_paragraphs, of_sentences, config.window):
            first = int(np.searchsorted(run.units, start, side="right")) - 1
            last = int(np.searchsorted(run.units, end, side="left")) - 1
            cuts = np.clip(run.units[first : last + 2], start, end) - start
            sums = np.add.reduceat(vectors, cuts[:-1], axis=0)
            firsts = vectors[cuts[:-1]]
            if run.units[first] < start:
                sums[0] += carried[0]
                firsts[0] = carried[1]
            carried[0], carried[1] = sums[-1], firsts[-1]
            lengths = np.diff(run.units[first : last + 2])[:, None]
            means = (sums / lengths).astype(np.float32)
            pooled[first : last + 1] = self._model.pooled(means, firsts, vectors[cuts[1:] - 1])
        return pooled

    def _shape(self, state: TextState, of_paragraphs: Edges, of_sentences: Edges) -> list[tuple[int, int, int]]:
        """``(start, split, end)`` of every node, in any order."""
        fenceposts, nodes = np.arange(len(of_paragraphs)), []
        while len(fenceposts) - 1 > MAX_CHART:
            cuts = _blocks(of_paragraphs[fenceposts], of_sentences[fenceposts])
            for start, end in pairwise(cuts):
                nodes += self._chart(state, fenceposts[start : end + 1])
            fenceposts = fenceposts[cuts]
        return nodes + self._chart(state, fenceposts)

    def _chart(self, state: TextState, fenceposts: npt.NDArray[np.integer]) -> list[tuple[int, int, int]]:
        if len(fenceposts) < 3:
            return []
        _, marginals = inside_outside(self._model.span_scores(state, fenceposts))
        return [
            (int(fenceposts[start]), int(fenceposts[split]), int(fenceposts[end]))
            for start, split, end in best_tree(marginals.sum(axis=0))
        ]


def _blocks(of_paragraphs: Edges, of_sentences: Edges) -> list[int]:
    """Where to cut a long text: at the last paragraph's edge in the second half of a block, else a sentence's."""
    n, cuts = len(of_paragraphs) - 1, [0]
    while n - cuts[-1] > _BLOCK:
        low, high = cuts[-1] + _BLOCK // 2, cuts[-1] + _BLOCK
        for edge in (of_paragraphs, of_sentences):
            found = np.flatnonzero(edge[low : high + 1])
            if len(found):
                high = low + int(found[-1])
                break
        cuts.append(high)
    return [*cuts, n]
