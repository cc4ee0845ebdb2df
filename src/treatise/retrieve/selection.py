"""From scores to passages: Algorithm 1 of DISRetrieval, and ranking the leaves alone."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice, takewhile
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.document import Span
from treatise.core.evidence import Passage
from treatise.core.indexed import IndexedDocument
from treatise.core.note import EXTRACTS
from treatise.core.recipe import GroupOrder, Selection, Take
from treatise.core.vectors import Floats
from treatise.core.words import n_words
from treatise.retrieve.heads import table_heads
from treatise.retrieve.layers import nodes_of, traverse_top_down
from treatise.retrieve.outline import Outline

_WORD: Final = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class _Pick:
    """A unit, or a note that a model wrote on several.

    Attributes:
        document: Its place among the documents asked.
        units: The unit, or those that the note stands for.
        node: Whose score counts.
        group: See ``Passage.group``.
        note: The text, where it is a note.
    """

    document: int
    units: Sequence[int]
    node: int
    group: int
    note: str | None = None


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
    A table's column heads come before the first of its rows.
    ``scores`` has one array a document, one score per node.
    """
    passages: list[Passage] = []
    left = max_words
    for pick in _picks(indexed, outlines, scores, selection):
        if left <= 0:
            break
        passage, n_words = _cut(indexed[pick.document], pick, float(scores[pick.document][pick.node]), left)
        if n_words:
            passages.append(passage)
        left -= n_words
    return passages


def _picks(
    indexed: Sequence[IndexedDocument], outlines: Sequence[Outline], scores: Sequence[Floats], selection: Selection
) -> Iterator[_Pick]:
    """What is taken, in order; no unit twice."""
    heads = [table_heads(one) for one in indexed]
    guides = [outline.is_heading | head.is_head for outline, head in zip(outlines, heads, strict=True)]
    used = [is_guide & ~is_guide.all() for is_guide in guides]
    shown: set[tuple[int, int]] = set()
    group = 0
    for document, node in islice(_ranking(indexed, scores, selection), selection.max_nodes or None):
        one = indexed[document]
        units = one.units_under(node)
        note = one.notes[node] if selection.take is Take.NOTE and one.notes else None
        if note and note.origin not in EXTRACTS:
            yield _Pick(document, note.units, node, group, note.text)
            group += 1
            continue
        unused = np.array(note.units if note else units, dtype=np.int64)
        unused = unused[~used[document][unused]]
        if not len(unused):
            continue
        if len(units) > 1 and note is None:
            unused = expand_node(one, unused, scores[document], selection)
        used[document][unused] = True
        for unit in unused.tolist():
            above = [head for head in heads[document].of_row.get(unit, ()) if (document, head) not in shown]
            shown.update((document, head) for head in above)
            yield from (_Pick(document, (leaf,), int(one.tree.leaf_nodes[leaf]), group) for leaf in (*above, unit))
        group += 1


def expand_node(
    one: IndexedDocument, units: npt.NDArray[np.int64], scores: Floats, selection: Selection
) -> npt.NDArray[np.int64]:
    """Those of the units that an inner node gives; ``scores`` has one score per node of the document."""
    best_first = units[np.argsort(-scores[one.tree.leaf_nodes[units]], kind="stable")]
    kept = best_first[: selection.leaf_top_k or None]
    if selection.node_words:
        texts = (one.document.quote(*_bounds(one.units[unit])) for unit in kept)
        lengths = accumulate(map(n_words, texts))
        n_within = sum(1 for _ in takewhile(lambda n: n <= selection.node_words, lengths))
        kept = kept[: max(1, n_within)]
    return np.sort(kept) if selection.group_order is GroupOrder.DOCUMENT else kept


def candidate_nodes(one: IndexedDocument, selection: Selection) -> npt.NDArray[np.int64]:
    """The nodes that are ranked, ascending: of the layers asked for, or all, or the leaves alone."""
    if selection.layers:
        nodes = nodes_of(one.tree, selection.layers)
    else:
        nodes = np.arange(one.n_nodes) if selection.expand else one.tree.leaf_nodes.astype(np.int64)
    if not selection.max_leaves and selection.max_share == 1:
        return nodes
    sizes = one.sizes[nodes]
    most = min(selection.max_leaves or len(one.units), selection.max_share * len(one.units))
    small: npt.NDArray[np.int64] = nodes[(sizes == 1) | (sizes <= most)]
    return small


def _ranking(
    indexed: Sequence[IndexedDocument], scores: Sequence[Floats], selection: Selection
) -> Iterator[tuple[int, int]]:
    """(document, node) from the best score down; equal scores in document order, leaves before what is above them."""
    nodes = [candidate_nodes(one, selection) for one in indexed]
    if selection.traverse:
        nodes = traverse_top_down(indexed, scores, nodes, selection.traverse)
    documents = np.concatenate([np.full(len(of_one), i) for i, of_one in enumerate(nodes)])
    all_nodes = np.concatenate(nodes)
    all_scores = np.concatenate([of_one[chosen] for of_one, chosen in zip(scores, nodes, strict=True)])
    for i in np.argsort(-all_scores, kind="stable"):
        yield int(documents[i]), int(all_nodes[i])


def _cut(one: IndexedDocument, pick: _Pick, score: float, max_words: int) -> tuple[Passage, int]:
    """The passage of a pick up to this many words, and how many it has."""
    spans = tuple(one.units[unit] for unit in pick.units)
    whole = one.document.quote(*_bounds(spans[0])) if pick.note is None else pick.note
    text, n_words = _first_words(whole, max_words)
    if pick.note is not None:
        return Passage(one.document.id, spans[0], text, score, pick.group, noted=spans), n_words
    span = Span(spans[0].start, spans[0].start + len(text))
    return Passage(one.document.id, span, text, score, pick.group), n_words


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
