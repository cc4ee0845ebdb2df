"""From what networks have read of a text to its tree: exact charts, block by block in a long text."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from treatise.core.tree import DiscourseTree, build_tree
from treatise.core.vectors import Floats
from treatise.parse.nary import Branch
from treatise.parse.spans.chart import Table, best_tree, inside_outside
from treatise.parse.spans.model import SpanModel, SpanState, best_labels
from treatise.parse.spans.places import Edges, Places

MAX_CHART: Final = 300
"""Units of the largest exact chart; a longer text is parsed block by block, then over the blocks."""

_BLOCK: Final = 128

_CROSSING: Final = 0.5
"""What a span that crosses a paragraph's edge costs, in correct spans (chosen on GUM dev: 0.3 and more do the same)."""

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as one network has read it, by one kind of units.

    Attributes:
        model: The network.
        in_context: Vectors of its units, or of smaller ones; see ``SpanModel.in_context``.
        places: Rows of the tables for spans of these.
        at: Where each fencepost of the text is among them.
    """

    model: SpanModel
    in_context: Floats
    places: Places
    at: npt.NDArray[np.integer]

    def state(self, fenceposts: npt.NDArray[np.integer]) -> "_State":
        """What the scores of spans between these fenceposts of the text rest on."""
        return self.model, self.model.state(self.in_context, self.places, self.at[fenceposts])


_State = tuple[SpanModel, SpanState]


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text with its readings, one or several.

    Attributes:
        of_paragraphs, of_sentences: Its edges between units.
        readings: Scores of spans and labels are the mean over them.
    """

    of_paragraphs: Edges
    of_sentences: Edges
    readings: Sequence[Reading]


@dataclass(frozen=True, slots=True)
class TreeDistribution:
    """The probabilities of a text's trees, and the best one.

    Attributes:
        spans: Probability of each span as a left and as a right child. Shape ``(2, n + 1, n + 1)``.
        nodes: ``(start, split, end)`` of the best tree's inner nodes, in post-order. Shape ``(n - 1, 3)``.
        labels: By reading: log probabilities of each node's pairs of nuclearity and relation.
    """

    spans: Table
    nodes: npt.NDArray[np.int64]
    labels: Sequence[Floats]


def distribution(text: ReadText) -> TreeDistribution:
    """The distribution over the trees of a text of two units or more, in one chart: time is cubic in its length."""
    fenceposts = np.arange(len(text.of_paragraphs))
    return _distribution(_states(text.readings, fenceposts), text.of_paragraphs)


def decode(text: ReadText) -> DiscourseTree:
    """The tree with the greatest expected number of correct spans, less what spans that cross a paragraph's edge cost.

    Exact up to ``MAX_CHART`` units; beyond, blocks of up to 128 units end at a paragraph's edge (else a sentence's)
    where there is one, so that time and memory are linear in the text's length.
    """
    n_units, fenceposts = len(text.of_paragraphs) - 1, np.arange(len(text.of_paragraphs))
    branches: list[Branch] = []
    states_of = partial(_states, text.readings)
    while len(fenceposts) - 1 > MAX_CHART:
        cuts = _blocks(text.of_paragraphs[fenceposts], text.of_sentences[fenceposts])
        blocks = [fenceposts[start : end + 1] for start, end in pairwise(cuts)]
        for block, states in zip(blocks, _one_ahead(states_of, blocks), strict=True):
            branches += _chart(states, text.of_paragraphs, block)
        fenceposts = fenceposts[cuts]
    branches += _chart(states_of(fenceposts), text.of_paragraphs, fenceposts)
    return build_tree(n_units, branches)


def crossing_spans(of_paragraphs: Edges) -> npt.NDArray[np.bool_]:
    """Which spans begin or end inside a paragraph and hold an edge of one. Shape ``(n + 1, n + 1)``."""
    count = np.cumsum(of_paragraphs)
    before = np.concatenate([[0], count[:-1]])
    inside = before[None, :] > count[:, None]
    crossing: npt.NDArray[np.bool_] = inside & ~(of_paragraphs[:, None] & of_paragraphs[None, :])
    return crossing


def _states(readings: Sequence[Reading], fenceposts: npt.NDArray[np.integer]) -> list[_State]:
    return [one.state(fenceposts) for one in readings]


def _chart(states: Sequence[_State], of_paragraphs: Edges, fenceposts: npt.NDArray[np.integer]) -> list[Branch]:
    """The nodes of the best tree between some fenceposts, with their labels."""
    if len(fenceposts) < 3:
        return []
    found = _distribution(states, of_paragraphs[fenceposts])
    labels = best_labels(found.labels)
    return [(*node, *label) for node, label in zip(fenceposts[found.nodes].tolist(), labels, strict=True)]


def _distribution(states: Sequence[_State], of_paragraphs: Edges) -> TreeDistribution:
    _, marginals = inside_outside(np.mean([model.span_scores(state) for model, state in states], axis=0))
    gain = marginals.sum(axis=0) - _CROSSING * crossing_spans(of_paragraphs)
    nodes = np.array(best_tree(gain), dtype=np.int64)
    return TreeDistribution(marginals, nodes, [model.label_log_probabilities(state, nodes) for model, state in states])


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


def _one_ahead(work: Callable[[_Item], _Result], items: Iterable[_Item]) -> Iterator[_Result]:
    """The result of the work on each item, which begins on another thread while the one before is used."""
    with ThreadPoolExecutor(1) as pool:
        before: deque[Future[_Result]] = deque()
        for item in items:
            before.append(pool.submit(work, item))
            if len(before) > 1:
                yield before.popleft().result()
        for last in before:
            yield last.result()
