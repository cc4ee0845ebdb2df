"""Extractive summary baselines: lead, random, and LexRank."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Final

import numpy as np

from treatise.core.document import ParagraphKind
from treatise.core.indexed import IndexedDocument
from treatise.core.vectors import Floats
from treatise.retrieve.lexical import terms

DAMPING: Final = 0.85
MIN_COSINE: Final = 0.1
"""Threshold of the graph, as in Erkan & Radev (2004)."""
MAX_REPEAT: Final = 0.5
"""Cosine to a chosen sentence at which a sentence is left out: cross-sentence subsumption by a threshold."""
MAX_UNITS: Final = 4_000
"""Maximum number of sentences compared with each other."""

Summarizer = Callable[[IndexedDocument, str, int], str]
"""Maps an indexed document, a question and a word limit to a summary: whole sentences, in text order."""


def lead(indexed: IndexedDocument, question: str, max_words: int) -> str:  # noqa: ARG001  (it looks at no question)
    """The first sentences of the document, without headings."""
    return _filled(indexed, _readable(indexed), max_words)


def chance(indexed: IndexedDocument, question: str, max_words: int) -> str:
    """Random sentences, deterministic per document and question."""
    seed = int.from_bytes(blake2b(f"{indexed.document.id}\0{question}".encode(), digest_size=8).digest())
    return _filled(indexed, np.random.default_rng(seed).permutation(_readable(indexed)).tolist(), max_words)


def lexrank(indexed: IndexedDocument, question: str, max_words: int) -> str:  # noqa: ARG001  (the same)
    """LexRank (Erkan & Radev 2004): PageRank over sentences whose TF-IDF cosine is at least ``MIN_COSINE``."""
    return _central(indexed, frozenset(), max_words)


def biased_lexrank(indexed: IndexedDocument, question: str, max_words: int) -> str:
    """LexRank with jumps weighted by similarity to the question (Otterbacher et al. 2005)."""
    return _central(indexed, frozenset(terms(question, indexed.document.language)), max_words)


BASELINES: Final[dict[str, Summarizer]] = {
    "lead": lead,
    "random": chance,
    "lexrank": lexrank,
    "biased-lexrank": biased_lexrank,
}


def _central(indexed: IndexedDocument, asked: frozenset[str], max_words: int) -> str:
    units = _readable(indexed)[:MAX_UNITS]
    texts = tuple(_text(indexed, unit) for unit in units)
    cosines = _cosines(texts, indexed.document.language)
    kept: list[int] = []
    n_words = 0
    for i in _ranking(texts, indexed.document.language, asked):
        n = len(texts[i].split())
        if n_words + n <= max_words and not (kept and cosines[i, kept].max() > MAX_REPEAT):
            kept.append(i)
            n_words += n
    return " ".join(texts[i] for i in sorted(kept))


@lru_cache(maxsize=8)
def _ranking(texts: tuple[str, ...], language: str, asked: frozenset[str]) -> tuple[int, ...]:
    """Sentences from most to least central; jumps go to those that share terms with the question, else to all."""
    shared = [len(asked & set(terms(text, language))) if asked else 1 for text in texts]
    jump = np.array(shared, dtype=np.float32) + 1e-6
    cosines = _cosines(texts, language)
    ranks = _page_rank(np.where(cosines >= MIN_COSINE, cosines, 0), jump / jump.sum())
    return tuple(np.argsort(-ranks, kind="stable").tolist())


def _page_rank(graph: Floats, jump: Floats) -> Floats:
    out = graph.sum(axis=1, keepdims=True)
    steps = np.where(out > 0, graph / np.maximum(out, 1e-9), jump)
    rank = jump
    for _ in range(100):
        following = (1 - DAMPING) * jump + DAMPING * (rank @ steps)
        if np.abs(following - rank).sum() < 1e-6:
            break
        rank = following
    return rank


@lru_cache(maxsize=1)
def _cosines(texts: tuple[str, ...], language: str) -> Floats:
    """Pairwise TF-IDF cosines, shape ``(n, n)``; terms of a single sentence connect nothing."""
    counts = [Counter(terms(text, language)) for text in texts]
    n_sentences = Counter(term for of_text in counts for term in of_text)
    column = {term: i for i, term in enumerate(t for t, n in n_sentences.items() if n > 1)}
    weighted = np.zeros((len(texts), max(1, len(column))), dtype=np.float32)
    lengths = np.zeros((len(texts), 1), dtype=np.float32)
    for row, of_text in enumerate(counts):
        for term, n in of_text.items():
            weight = n * np.log(len(texts) / n_sentences[term])
            lengths[row] += weight**2
            if term in column:
                weighted[row, column[term]] = weight
    weighted /= np.maximum(np.sqrt(lengths), 1e-9)
    cosines: Floats = weighted @ weighted.T
    return cosines


def _readable(indexed: IndexedDocument) -> list[int]:
    document = indexed.document
    kinds = [document.paragraph_at(unit.start).kind for unit in indexed.units]
    return [i for i, kind in enumerate(kinds) if kind is not ParagraphKind.HEADING] or list(range(len(kinds)))


def _filled(indexed: IndexedDocument, order: Sequence[int], max_words: int) -> str:
    """Selects sentences in this order while they fit, and returns them in text order."""
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
