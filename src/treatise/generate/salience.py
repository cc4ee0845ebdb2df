"""A salience score per sentence, and sentences for a model to read within a word limit."""

from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

import numpy as np

from treatise.core.document import Document, ParagraphKind, Span
from treatise.core.indexed import IndexedDocument
from treatise.core.standalone import asserts, in_back_matter, is_caption, is_fragment, is_whole
from treatise.core.tree import DiscourseTree, satellite_edges
from treatise.core.vectors import Floats, standardise
from treatise.core.words import n_words

_FULL_LENGTH: Final = 40  # longer sentences gain nothing by their length
_CANDIDATES: Final = 200  # candidates compared with each other, plus one per word of the summary
_KINDS: Final = (ParagraphKind.PROSE, ParagraphKind.LIST, ParagraphKind.VERSE)


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of the features of salience. Each feature is scaled to mean 0 and deviation 1 over the sentences of a
    document.

    Attributes:
        relevance: Relevance to the question, by the first stage of retrieval.
        centrality: Cosine with the mean of all sentences.
        promotion: Nuclearity: how few satellites are on the path to it in the discourse tree (Marcu 1997).
        title: Cosine with the document's title, if it has one.
        length: Logarithm of its words, up to 40: short ones say little.
        redundancy: Penalty for the highest cosine with a sentence already selected.
        min_words: Shorter sentences are not selected.
        whole: Whether complete sentences come before short ones and unfinished lines; a summary has only them.
        opens: Whether the summary begins with the sentence that says what the document is.
        coverage: Penalty for a sentence per share by which its part of the document would exceed its share of the
            summary, which is that of its words.
        max_likeness: No two sentences of a summary have a higher cosine.
    """

    relevance: float
    centrality: float
    promotion: float
    title: float
    length: float
    redundancy: float
    min_words: int = 4
    whole: bool = False
    opens: bool = False
    coverage: float = 0.0
    max_likeness: float = 0.95


FOR_QUESTION: Final = Weights(relevance=1.0, centrality=0.0, promotion=0.3, title=0.0, length=0.5, redundancy=1.0)
"""Tuned on QMSum train: docs/log/answers.md."""

FOR_DOCUMENT: Final = Weights(
    relevance=0.0,
    centrality=1.0,
    promotion=0.5,
    title=1.0,
    length=0.25,
    redundancy=1.0,
    whole=True,
    opens=True,
    coverage=0.25,
)
"""Tuned on papers of QASPER train without their abstracts: docs/log/answers.md."""


def salience(indexed: IndexedDocument, weights: Weights, relevance: Floats | None = None) -> Floats:
    """One score per unit, higher is better. Shape ``(n_units,)``, that of ``relevance``. Time and memory are linear."""
    vectors = _leaf_vectors(indexed)
    middle = vectors.mean(axis=0)
    lengths = [min(n_words(indexed.document.quote(unit.start, unit.end)), _FULL_LENGTH) for unit in indexed.units]
    parts = (
        (weights.relevance, relevance),
        (weights.centrality, vectors @ middle),
        (weights.promotion, -satellites_above(indexed.tree)),
        (weights.title, _nearness_to_title(indexed, vectors)),
        (weights.length, np.log1p(np.array(lengths, dtype=np.float32))),
    )
    total = np.zeros(len(indexed.units), dtype=np.float32)
    for weight, part in parts:
        if weight and part is not None:
            total += weight * standardise(part)
    return total


def _nearness_to_title(indexed: IndexedDocument, vectors: Floats) -> Floats | None:
    """Cosine of each unit with the document's title, shape ``(n_units,)``; None if no unit is its title."""
    unit = _title_unit(indexed)
    return None if unit is None else vectors @ vectors[unit]


def _title_unit(indexed: IndexedDocument) -> int | None:
    """The heading that names the whole document: the only one of its level above all others, or its stated title."""
    headings = [section for section in indexed.document.sections if section.title]
    if not headings:
        return None
    top = min(section.level for section in headings)
    highest = [section for section in headings if section.level == top]
    named = [section for section in headings if section.title == indexed.document.title]
    found = named or (highest if len(highest) == 1 and highest[0] is headings[0] else [])
    starts = [unit.start for unit in indexed.units]
    at = bisect_right(starts, found[0].start) - 1 if found else -1
    return at if at >= 0 else None


def satellites_above(tree: DiscourseTree) -> Floats:
    """Number of satellites on the path from the root to each unit. Shape ``(n_units,)``."""
    above = np.zeros(len(tree.nodes), dtype=np.float32)
    for i in range(len(tree.nodes) - 1, -1, -1):
        node = tree.nodes[i]
        for child, edge in satellite_edges(node):
            above[child] = above[i] + edge
    of_units: Floats = above[tree.leaf_nodes]
    return of_units


def choose(indexed: IndexedDocument, scores: Floats, weights: Weights, max_words: int) -> list[int]:
    """Units for a model to read, in text order: whole sentences within the word limit. ``selection`` makes summaries.

    Selection is greedy: the best unit that still fits, less a penalty for repeating selected ones. Headings, captions,
    references, questions, orders to a model and fragments are selected only if there is nothing else, and no sentence
    twice.
    """
    pool = np.array(_pool(indexed, scores, weights, max_words), dtype=np.int64)
    lengths = np.array([_length(indexed, unit) for unit in pool], dtype=np.int64)
    vectors, values = _leaf_vectors(indexed)[pool], scores[pool].astype(np.float64)
    repeats = np.zeros(len(pool))
    chosen: list[int] = []
    left, free = max_words, np.ones(len(pool), dtype=bool)
    while (fitting := free & (lengths <= left)).any():
        best = int(np.argmax(np.where(fitting, values - weights.redundancy * repeats, -np.inf)))
        chosen.append(int(pool[best]))
        free[best] = False
        left -= lengths[best]
        repeats = np.maximum(repeats, vectors @ vectors[best])
    return sorted(chosen)


def first_words(document: Document, span: Span, max_words: int) -> Span:
    """The span, truncated after its last word within the limit."""
    text = document.quote(span.start, span.end)
    if n_words(text) <= max_words:
        return span
    low, high = 0, len(text)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if n_words(text[:middle]) <= max_words else (low, middle)
    # A word split by the limit is dropped whole; unspaced scripts have no such words.
    whole = low if text[low : low + 1].isspace() or " " not in text[:low] else text.rindex(" ", 0, low)
    return Span(span.start, span.start + len(text[:whole].rstrip()))


def _pool(indexed: IndexedDocument, scores: Floats, weights: Weights, max_words: int) -> list[int]:
    """The most salient units that can stand alone; if none can, the most salient ones."""
    document, limit = indexed.document, _CANDIDATES + max_words
    ranking = _without_repeats(indexed, [int(unit) for unit in np.argsort(-scores, kind="stable")])
    standing = [unit for unit in ranking if _can_stand(document, indexed.units[unit], weights.min_words)]
    if weights.whole:
        whole = [unit for unit in standing if is_whole(_text(indexed, unit))]
        standing = whole if sum(_length(indexed, unit) for unit in whole) >= max_words else standing
    return (standing or ranking)[:limit]


def _without_repeats(indexed: IndexedDocument, ranking: list[int]) -> list[int]:
    """The ranking; among units with the same words, only the most salient."""
    first: dict[str, int] = {}
    for unit in ranking:
        span = indexed.units[unit]
        first.setdefault(" ".join(indexed.document.quote(span.start, span.end).casefold().split()), unit)
    return list(first.values())


def _can_stand(document: Document, span: Span, min_words: int) -> bool:
    text = document.quote(span.start, span.end)
    if document.paragraph_at(span.start).kind not in _KINDS or is_caption(text) or is_fragment(text, min_words):
        return False
    return asserts(text) and not in_back_matter(document, span)


def _leaf_vectors(indexed: IndexedDocument) -> Floats:
    return indexed.vectors[indexed.tree.leaf_nodes].astype(np.float32, copy=False)


def _length(indexed: IndexedDocument, unit: int) -> int:
    return n_words(_text(indexed, unit))


def _text(indexed: IndexedDocument, unit: int) -> str:
    span = indexed.units[unit]
    return indexed.document.quote(span.start, span.end)
