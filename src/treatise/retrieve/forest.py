"""The scores of all nodes of many documents at once, from their leaves alone, and who contributes to the evidence.

The vector of an inner node is the mean of its leaves' vectors, scaled to length 1: its cosine is the mean of their
cosines, divided by the length of the mean. So a side file with ranges and lengths needs no vectors of inner nodes.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.corpus import CorpusStatistics
from treatise.core.recipe import Scoring, Selection, Take, WordsOf
from treatise.core.vectors import Floats, standardise_on
from treatise.retrieve.lexical import K1, B
from treatise.retrieve.segments import Place

Counts = npt.NDArray[np.int64]

_SLACK: Final = 1.25
"""Evidence is foretold for so many times its words: scores and lengths are known nearly, not exactly."""

_FIRST: Final = 2_000
"""Nodes that are ranked first; more only if they do not fill the evidence."""


@dataclass(frozen=True, slots=True)
class Contributors:
    """The documents whose passages are evidence.

    Attributes:
        documents: Their numbers, the first contributor first.
        worst: The score of the last node that contributed; minus infinity if there is room for more.
    """

    documents: tuple[int, ...]
    worst: float


@dataclass(frozen=True)
class Forest:
    """The trees of several documents, at least one, in turn. A row is a leaf.

    Attributes:
        ranges: First rows of the nodes, and the ends of their rows; nodes of a document are in post-order. Shape
            ``(2, n_nodes)``.
        lengths: Length of the mean of the vectors of its rows, above 0. Shape ``(n_nodes,)``.
        sizes: Rows of each document. Shape ``(n_documents,)``.
        headings: Row of each row's heading, -1 if absent. Shape ``(n_rows,)``.
        is_guide: Whether a row is a heading or a head of a table, which is no evidence. Shape ``(n_rows,)``.
        n_terms: Terms of each row, with repeats. Shape ``(n_rows,)``.
        n_words: Words of each row. Shape ``(n_rows,)``.
        texts: Hash of each row's text; 0 of a text that may be repeated by chance. Shape ``(n_rows,)``.
    """

    ranges: Counts
    lengths: Floats
    sizes: Counts
    headings: Counts
    is_guide: npt.NDArray[np.bool_]
    n_terms: npt.NDArray[np.integer]
    n_words: npt.NDArray[np.integer]
    texts: npt.NDArray[np.uint64]

    @cached_property
    def document_of_rows(self) -> Counts:
        """The number of each row's document."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @cached_property
    def document_of_nodes(self) -> Counts:
        """The number of each node's document."""
        found: Counts = self.document_of_rows[self.ranges[0]]
        return found

    @cached_property
    def n_rows(self) -> Floats:
        """The number of each node's rows, as a float to divide by."""
        found: Floats = (self.ranges[1] - self.ranges[0]).astype(np.float32)
        return found

    @cached_property
    def leaf_nodes(self) -> Counts:
        """The node of each row: in post-order, the first that reaches it."""
        found: Counts = np.flatnonzero(np.diff(self.ranges[1], prepend=0))
        return found

    def scores(
        self,
        cosines: Floats,
        frequencies: Iterable[tuple[float, npt.NDArray[np.integer]]],
        statistics: CorpusStatistics,
        scoring: Scoring,
    ) -> Floats:
        """The score of every node, without statements and priors; see ``fusion.node_scores``. Shape ``(n_nodes,)``.

        ``cosines`` are those of the rows, ``frequencies`` the rarity of each term of the question with its occurrences
        in each row.
        """
        lengths = self._sums(self.n_terms)
        near = self._sums(cosines) / (self.n_rows * self.lengths)
        total = standardise_on(statistics.cosines, near, weight=scoring.dense)
        norm = (K1 * (1 - B)) + (K1 * B / statistics.mean_length) * lengths
        words = np.zeros(len(total), dtype=np.float32)
        for idf, counts in frequencies:
            tf = self._sums(counts)
            words += idf * (K1 + 1) * tf / (tf + norm)
        total += standardise_on(statistics.bm25, words, weight=scoring.bm25)
        leaves = self.leaf_nodes
        of_leaves = total[leaves]
        follows = np.diff(self.document_of_rows) == 0
        total[leaves[1:]] += scoring.neighbours / 2 * np.where(follows, of_leaves[:-1], 0)
        total[leaves[:-1]] += scoring.neighbours / 2 * np.where(follows, of_leaves[1:], 0)
        if scoring.headings:
            gains = np.where(self.headings >= 0, np.maximum(0, total[leaves][self.headings]), 0)
            total += scoring.headings * self._sums(gains) / self.n_rows
        if scoring.path:
            total += np.float32(scoring.path) * self._means_above(total, leaves)
        return total

    def contributors(self, scores: Floats, selection: Selection, max_words: int) -> "Contributors":
        """The documents whose passages are evidence; see ``select``."""
        document_of = self.document_of_rows
        is_used, shown = self._guides(document_of), dict[int, int]()
        n_passages: Counter[int] = Counter()
        leaves, left, n_nodes, worst = self.leaf_nodes, max_words * _SLACK, 0, np.inf
        for node in self._ranked(scores, selection):
            if left <= 0 or (selection.max_nodes and n_nodes >= selection.max_nodes):
                return Contributors(tuple(n_passages), worst)
            n_nodes += 1
            start, end = self.ranges[:, node].tolist()
            rows = start + np.flatnonzero(~is_used[start:end])
            if end - start > 1:
                rows = self._taken(rows, scores[leaves[rows]], selection)
            is_used[rows] = True
            number = int(document_of[start])
            for row in rows.tolist():
                text = int(self.texts[row])
                is_repeat = not selection.repeats and text and shown.setdefault(text, number) != number
                if is_repeat or (selection.max_per_document and n_passages[number] >= selection.max_per_document):
                    continue
                n_passages[number] += 1
                left -= int(self.n_words[row])
                worst = float(scores[node])
        return Contributors(tuple(n_passages), -np.inf)

    def best(self, scores: Floats) -> Floats:
        """The best score of each document's leaves. Shape ``(n_documents,)``."""
        found: Floats = np.maximum.reduceat(scores[self.leaf_nodes], np.cumsum(self.sizes) - self.sizes)
        return found

    def _guides(self, document_of: Counts) -> npt.NDArray[np.bool_]:
        """The rows that are no evidence: headings, unless their document has nothing else."""
        n_guides = np.bincount(document_of, weights=self.is_guide, minlength=len(self.sizes))
        guides: npt.NDArray[np.bool_] = self.is_guide & (n_guides < self.sizes)[document_of]
        return guides

    def _ranked(self, scores: Floats, selection: Selection) -> Iterator[int]:
        """The nodes that may be selected, best first."""
        nodes = self.leaf_nodes
        if selection.expand:
            most = np.minimum(selection.max_leaves or self.sizes, selection.max_share * self.sizes)
            nodes = np.flatnonzero(self.n_rows <= np.maximum(1, most).astype(np.float32)[self.document_of_nodes])
        of_nodes = -scores[nodes]
        if len(nodes) > _FIRST:
            split = np.argpartition(of_nodes, _FIRST)
            parts = [split[:_FIRST], split[_FIRST:]]
        else:
            parts = [np.arange(len(nodes))]
        for part in parts:
            ordered = np.sort(part)
            yield from nodes[ordered][np.argsort(of_nodes[ordered], kind="stable")].tolist()

    def _taken(self, rows: Counts, scores: Floats, selection: Selection) -> Counts:
        """The rows that an inner node contributes; see ``selection.expand_node``."""
        kept = rows[np.argsort(-scores, kind="stable")][: selection.leaf_top_k or None]
        if selection.node_words:
            n_within = int((np.cumsum(self.n_words[kept]) <= selection.node_words).sum())
            kept = kept[: max(1, n_within)]
        return kept

    def _sums(self, of_rows: npt.NDArray[np.generic]) -> Floats:
        """The sum over the rows of each node."""
        is_count = np.issubdtype(of_rows.dtype, np.integer)
        running = np.zeros(len(of_rows) + 1, dtype=np.int32 if is_count else np.float64)
        np.cumsum(of_rows, dtype=running.dtype, out=running[1:])
        found: Floats = (running.take(self.ranges[1]) - running.take(self.ranges[0])).astype(np.float32)
        return found

    def _means_above(self, scores: Floats, leaves: Counts) -> Floats:
        """The mean score of each node's ancestors, 0 for a root.

        A subtree is a run of nodes from its first leaf: its root adds to all of them but itself.
        """
        first = leaves[self.ranges[0]]
        sums = np.cumsum(np.bincount(first, weights=scores, minlength=len(scores)) - scores)
        n_above = np.cumsum(np.bincount(first, minlength=len(scores)) - 1)
        found: Floats = np.where(n_above > 0, sums / np.maximum(n_above, 1), 0).astype(np.float32)
        return found


def is_foretold(scoring: Scoring, selection: Selection) -> bool:
    """Whether selection depends on nothing but leaves, ranges and scores, so that contributors can be foretold."""
    by_leaves = selection.take is Take.LEAVES and scoring.words_of is not WordsOf.NOTE
    return by_leaves and not (selection.layers or selection.traverse or selection.count_characters)


def forest_of(places: Sequence[Place]) -> Forest:
    """The trees of documents, by their segments and their rows in these."""
    sizes = np.array([here.stop - here.start for _, here, _ in places], dtype=np.int64)
    first_rows = np.cumsum(sizes) - sizes
    ranges, lengths = [], []
    for one, here, _ in places:
        number = int(np.searchsorted(one.starts, here.start, side="right")) - 1
        nodes = slice(int(one.node_starts[number]), int(one.node_starts[number + 1]))
        ranges.append(one.ranges[nodes])
        lengths.append(one.lengths_of_means[nodes])
    moved = np.repeat(first_rows, [len(of_one) for of_one in ranges])
    headings = np.concatenate([one.headings[here] for one, here, _ in places])
    return Forest(
        ranges=np.ascontiguousarray(np.concatenate(ranges).T).astype(np.int64) + moved,
        lengths=np.concatenate(lengths),
        sizes=sizes,
        headings=np.where(headings >= 0, headings + np.repeat(first_rows, sizes), -1),
        is_guide=np.concatenate([one.is_guide[here] for one, here, _ in places]),
        n_terms=np.concatenate([one.lengths[here] for one, here, _ in places]),
        n_words=np.concatenate([one.n_words[here] for one, here, _ in places]),
        texts=np.concatenate([one.texts[here] for one, here, _ in places]),
    )
