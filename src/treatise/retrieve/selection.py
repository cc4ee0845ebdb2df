"""From scores to passages: Algorithm 1 of DISRetrieval, and ranking the leaves alone."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from treatise.core.document import Span
from treatise.core.evidence import Passage
from treatise.core.indexed import IndexedDocument
from treatise.core.recipe import GroupOrder, Selection
from treatise.core.vectors import Floats
from treatise.retrieve.outline import Outline

_WORD: Final = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class _Pick:
    document: int
    unit: int
    group: int


def select(
    indexed: Sequence[IndexedDocument],
    outlines: Sequence[Outline],
    scores: Sequence[Floats],
    *,
    max_words: int,
    selection: Selection,
) -> list[Passage]:
    """The best passages within exactly ``max_words`` whitespace words, or all there are.

    The last passage is cut after the budget's last word, mid-sentence where it must be (the paper's protocol; its
    text and span are those of the part that is kept). Headings guide but are no evidence, unless there is nothing else.
    ``scores`` has one array a document, one score a node.
    """
    passages: list[Passage] = []
    left = max_words
    for pick in _picks(indexed, outlines, scores, selection):
        if left <= 0:
            break
        one = indexed[pick.document]
        text, n_words = _first_words(one.document.quote(*_bounds(one.units[pick.unit])), left)
        if n_words:
            start = one.units[pick.unit].start
            score = float(scores[pick.document][one.tree.leaf_nodes[pick.unit]])
            passages.append(Passage(one.document.id, Span(start, start + len(text)), text, score, pick.group))
        left -= n_words
    return passages


def _picks(
    indexed: Sequence[IndexedDocument], outlines: Sequence[Outline], scores: Sequence[Floats], selection: Selection
) -> Iterator[_Pick]:
    """Units in the order in which they are taken, none twice."""
    used = [outline.is_heading & ~outline.is_heading.all() for outline in outlines]
    group = 0
    for document, node in _ranking(indexed, scores, selection):
        tree = indexed[document].tree
        start, end = tree.ranges[node]
        unused = start + np.flatnonzero(~used[document][start:end])
        if not len(unused):
            continue
        if end - start > 1:
            unused = _best(unused, scores[document][tree.leaf_nodes[unused]], selection)
        used[document][unused] = True
        for unit in unused:
            yield _Pick(document, int(unit), group)
        group += 1


def _ranking(
    indexed: Sequence[IndexedDocument], scores: Sequence[Floats], selection: Selection
) -> Iterator[tuple[int, int]]:
    """(document, node) from the best score down; equal scores in document order, leaves before what is above them."""
    nodes = [np.arange(len(one.tree.nodes)) if selection.expand else one.tree.leaf_nodes for one in indexed]
    documents = np.concatenate([np.full(len(of_one), i) for i, of_one in enumerate(nodes)])
    all_nodes = np.concatenate(nodes)
    all_scores = np.concatenate([of_one[chosen] for of_one, chosen in zip(scores, nodes, strict=True)])
    for i in np.argsort(-all_scores, kind="stable"):
        yield int(documents[i]), int(all_nodes[i])


def _best(units: np.ndarray, scores: Floats, selection: Selection) -> np.ndarray:
    order = np.argsort(-scores, kind="stable")
    kept = units[order[: selection.leaf_top_k]] if selection.leaf_top_k else units[order]
    return np.sort(kept) if selection.group_order is GroupOrder.DOCUMENT else kept


def _first_words(text: str, n: int) -> tuple[str, int]:
    """The text up to the end of its ``n``-th word, and how many words that is."""
    end = count = 0
    for word in _WORD.finditer(text):
        if count == n:
            return text[:end], count
        end, count = word.end(), count + 1
    return text, count


def _bounds(span: Span) -> tuple[int, int]:
    return span.start, span.end
