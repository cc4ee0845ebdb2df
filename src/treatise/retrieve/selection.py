"""Selection of passages by scores: Algorithm 1 of DISRetrieval, or a ranking of leaves."""

import re
from collections import Counter
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
from treatise.core.patterns import lazy_pattern
from treatise.core.recipe import GroupOrder, Selection, Take
from treatise.core.scripts import UNSPACED_CHARACTER
from treatise.core.vectors import Floats
from treatise.core.words import n_words
from treatise.retrieve.layers import nodes_of, traverse_top_down
from treatise.retrieve.outline import Outline
from treatise.retrieve.repeats import Repeats
from treatise.retrieve.table_heads import table_heads

_WORD: Final = lazy_pattern(r"\S+")
_WORD_OR_CHARACTER: Final = lazy_pattern(rf"{UNSPACED_CHARACTER}|(?:(?!{UNSPACED_CHARACTER})\S)+")


@dataclass(frozen=True, slots=True)
class _Pick:
    """A selected unit, or a note on several units.

    Attributes:
        document: Index of its document.
        units: The unit, or the units of the note.
        node: The node whose score counts.
        group: See ``Passage.group``.
        note: The text of the note; empty for a unit.
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
    repeats: Repeats | None = None,
) -> list[Passage]:
    """The best passages, exactly ``max_words`` whitespace words, or fewer if the documents are shorter.

    The last passage is cut after the budget's last word, even mid-sentence (the paper's protocol; its text and span are
    those of the remaining part). Headings are not evidence, unless there is nothing else. A table's column heads come
    before the first of its rows. ``scores`` has one array per document, with one score per node. Passages that
    ``repeats`` knows from another document are left out.
    """
    passages: list[Passage] = []
    of_document: Counter[int] = Counter()
    left = max_words
    for pick in _picks(indexed, outlines, scores, selection):
        if left <= 0:
            break
        if selection.max_per_document and of_document[pick.document] >= selection.max_per_document:
            continue
        if repeats and pick.note is None and repeats.is_repeat(pick.document, _text(indexed[pick.document], pick)):
            continue
        of_document[pick.document] += 1
        score = float(scores[pick.document][pick.node])
        passage, n_words = _cut(indexed[pick.document], pick, score, left, _counted(selection))
        if n_words:
            passages.append(passage)
        left -= n_words
    return repeats.marked(passages) if repeats else passages


def _picks(
    indexed: Sequence[IndexedDocument], outlines: Sequence[Outline], scores: Sequence[Floats], selection: Selection
) -> Iterator[_Pick]:
    """The selected units and notes in order, each unit once."""
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
            node = int(one.tree.leaf_nodes[unit])  # a head counts for what its row does
            yield from (_Pick(document, (leaf,), node, group) for leaf in (*above, unit))
        group += 1


def expand_node(
    one: IndexedDocument, units: npt.NDArray[np.int64], scores: Floats, selection: Selection
) -> npt.NDArray[np.int64]:
    """The units that an inner node contributes; ``scores`` has one score per node of the document."""
    best_first = units[np.argsort(-scores[one.tree.leaf_nodes[units]], kind="stable")]
    kept = best_first[: selection.leaf_top_k or None]
    if selection.node_words:
        texts = (one.document.quote(*_bounds(one.units[unit])) for unit in kept)
        lengths = accumulate(map(n_words, texts))
        n_within = sum(1 for _ in takewhile(lambda n: n <= selection.node_words, lengths))
        kept = kept[: max(1, n_within)]
    return np.sort(kept) if selection.group_order is GroupOrder.DOCUMENT else kept


def candidate_nodes(one: IndexedDocument, selection: Selection) -> npt.NDArray[np.int64]:
    """The nodes to rank, ascending: those of the selected layers, all, or the leaves."""
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
    """(document, node) by descending score; ties in document order, leaves before their ancestors."""
    nodes = [candidate_nodes(one, selection) for one in indexed]
    if selection.traverse:
        nodes = traverse_top_down(indexed, scores, nodes, selection.traverse)
    documents = np.concatenate([np.full(len(of_one), i) for i, of_one in enumerate(nodes)])
    all_nodes = np.concatenate(nodes)
    all_scores = np.concatenate([of_one[chosen] for of_one, chosen in zip(scores, nodes, strict=True)])
    for i in np.argsort(-all_scores, kind="stable"):
        yield int(documents[i]), int(all_nodes[i])


def _counted(selection: Selection) -> re.Pattern[str]:
    """What the budget counts."""
    return _WORD_OR_CHARACTER if selection.count_characters else _WORD


def _cut(one: IndexedDocument, pick: _Pick, score: float, max_words: int, word: re.Pattern[str]) -> tuple[Passage, int]:
    """The passage of a pick, cut at ``max_words``, and its number of words."""
    spans = tuple(one.units[unit] for unit in pick.units)
    text, n_words = _first_words(_text(one, pick), max_words, word)
    if pick.note is not None:
        return Passage(one.document.id, spans[0], text, score, pick.group, noted=spans), n_words
    span = Span(spans[0].start, spans[0].start + len(text))
    return Passage(one.document.id, span, text, score, pick.group), n_words


def _text(one: IndexedDocument, pick: _Pick) -> str:
    """The whole text of a pick."""
    return one.document.quote(*_bounds(one.units[pick.units[0]])) if pick.note is None else pick.note


def _first_words(text: str, n: int, word: re.Pattern[str]) -> tuple[str, int]:
    """The text up to the end of its ``n``-th word, and its number of words."""
    end = count = 0
    for found in word.finditer(text):
        if count == n:
            return text[:end], count
        end, count = found.end(), count + 1
    return text, count


def _bounds(span: Span) -> tuple[int, int]:
    return span.start, span.end
