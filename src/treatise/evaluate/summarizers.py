"""What summaries are compared with: the beginning, chance, and the sentences that are like many others."""

from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Final

import numpy as np

from treatise.core.document import ParagraphKind
from treatise.core.indexed import IndexedDocument
from treatise.retrieve.lexical import terms

DAMPING: Final = 0.85
MIN_COSINE: Final = 0.1
"""Threshold of the graph, as in Erkan & Radev (2004)."""
MAX_REPEAT: Final = 0.5
"""Cosine with a chosen sentence from which on one is left out: their cross-sentence subsumption, by a threshold."""
MAX_UNITS: Final = 4_000
"""More sentences than these are not compared with each other."""

Summarizer = Callable[[IndexedDocument, str, int], str]
"""An indexed document, a question and a limit of words to a summary: whole sentences, in text order."""


def lead(indexed: IndexedDocument, question: str, max_words: int) -> str:  # noqa: ARG001  (it looks at no question)
    """The sentences that the document begins with, headings left out."""
    return _filled(indexed, _readable(indexed), max_words)


def chance(indexed: IndexedDocument, question: str, max_words: int) -> str:
    """Sentences at random, the same for the same document and question."""
    seed = int.from_bytes(blake2b(f"{indexed.document.id}\0{question}".encode(), digest_size=8).digest())
    return _filled(indexed, np.random.default_rng(seed).permutation(_readable(indexed)).tolist(), max_words)


def lexrank(indexed: IndexedDocument, question: str, max_words: int) -> str:  # noqa: ARG001  (the same)
    """LexRank (Erkan & Radev 2004): PageRank over sentences whose TF-IDF cosine is at least ``MIN_COSINE``."""
    units, weighted = _weighted(indexed)
    return _central(indexed, units, weighted, np.full(len(units), 1 / max(1, len(units))), max_words)


def biased_lexrank(indexed: IndexedDocument, question: str, max_words: int) -> str:
    """LexRank that jumps to sentences by what they share with the question (Otterbacher et al. 2005)."""
    units, weighted = _weighted(indexed)
    asked = set(terms(question, indexed.document.language))
    shared = [len(asked & set(terms(_text(indexed, unit), indexed.document.language))) for unit in units]
    likeness = np.array(shared, dtype=np.float64) + 1e-6
    return _central(indexed, units, weighted, likeness / likeness.sum(), max_words)


BASELINES: Final[dict[str, Summarizer]] = {
    "lead": lead,
    "random": chance,
    "lexrank": lexrank,
    "biased-lexrank": biased_lexrank,
}


def _central(
    indexed: IndexedDocument, units: Sequence[int], weighted: np.ndarray, jump: np.ndarray, max_words: int
) -> str:
    cosines = weighted @ weighted.T
    ranking = np.argsort(-_page_rank(np.where(cosines >= MIN_COSINE, cosines, 0), jump), kind="stable")
    kept: list[int] = []
    n_words = 0
    for i in ranking:
        n = len(_text(indexed, units[i]).split())
        if n_words + n <= max_words and not (kept and cosines[i, kept].max() > MAX_REPEAT):
            kept.append(int(i))
            n_words += n
    return " ".join(_text(indexed, units[i]) for i in sorted(kept))


def _page_rank(graph: np.ndarray, jump: np.ndarray) -> np.ndarray:
    out = graph.sum(axis=1, keepdims=True)
    steps = np.where(out > 0, graph / np.maximum(out, 1e-12), jump)
    rank = jump.copy()
    for _ in range(200):
        following = (1 - DAMPING) * jump + DAMPING * (rank @ steps)
        if np.abs(following - rank).sum() < 1e-8:
            break
        rank = following
    return rank


def _weighted(indexed: IndexedDocument) -> tuple[list[int], np.ndarray]:
    """The readable units and their TF-IDF vectors, unit rows; terms of one sentence alone join nothing."""
    units = _readable(indexed)[:MAX_UNITS]
    counts = [Counter(terms(_text(indexed, unit), indexed.document.language)) for unit in units]
    n_sentences = Counter(term for of_unit in counts for term in of_unit)
    column = {term: i for i, term in enumerate(t for t, n in n_sentences.items() if n > 1)}
    weighted = np.zeros((len(units), max(1, len(column))), dtype=np.float32)
    lengths = np.zeros(len(units))
    for row, of_unit in enumerate(counts):
        for term, n in of_unit.items():
            weight = n * np.log(len(units) / n_sentences[term])
            lengths[row] += weight**2
            if term in column:
                weighted[row, column[term]] = weight
    return units, weighted / np.maximum(np.sqrt(lengths), 1e-9)[:, None].astype(np.float32)


def _readable(indexed: IndexedDocument) -> list[int]:
    document = indexed.document
    kinds = [document.paragraph_at(unit.start).kind for unit in indexed.units]
    return [i for i, kind in enumerate(kinds) if kind is not ParagraphKind.HEADING] or list(range(len(kinds)))


def _filled(indexed: IndexedDocument, order: Sequence[int], max_words: int) -> str:
    """Sentences in this order while they fit, put into the order of the text."""
    kept: list[int] = []
    left = max_words
    for unit in order:
        n = len(_text(indexed, unit).split())
        if n <= left:
            kept.append(unit)
            left -= n
        if not left:
            break
    return " ".join(_text(indexed, unit) for unit in sorted(kept))


def _text(indexed: IndexedDocument, unit: int) -> str:
    span = indexed.units[unit]
    return " ".join(indexed.document.quote(span.start, span.end).split())
