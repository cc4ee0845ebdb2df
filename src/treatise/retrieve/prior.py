"""A prior of documents: what their opening and all of their words together say for a question.

A passage tells where an answer is; which of many documents is meant is told better by what a document says it is about.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.corpus import DocumentStatistics, OpeningCosines, Scale
from treatise.core.indexed import IndexedDocument
from treatise.core.recipe import Scoring
from treatise.core.vectors import Floats, standardise_on, unit_rows
from treatise.retrieve.lexical import K1, B, distinct_terms, postings_of

N_OPENING: Final = 12
"""Leaves from which a document's opening is made: a title, often links to other pages, and what follows them."""

OPENING_WORDS: Final = 5
"""A word counts so many times in the opening, which tells what a document is about."""

MIN_DOCUMENTS: Final = 10
"""Among fewer documents there is no prior: their scores have no scale, and a user who names two means both."""


def has_prior(scoring: Scoring, n_documents: int) -> bool:
    """Whether documents are preferred to others."""
    return n_documents >= MIN_DOCUMENTS and bool(scoring.opening or scoring.whole)


def opening(indexed: IndexedDocument) -> Floats:
    """The direction of the mean of the document's first leaves. Shape ``(dim,)``, length 1."""
    leaves = indexed.tree.leaf_nodes[:N_OPENING]
    found: Floats = unit_rows(indexed.vectors[leaves].astype(np.float32).mean(axis=0, keepdims=True))[0]
    return found


def opening_cosine(indexed: IndexedDocument, nearness: Floats) -> float:
    """The cosine of the question with the opening; ``nearness`` has those of the nodes."""
    leaves = indexed.tree.leaf_nodes[:N_OPENING]
    length = float(np.linalg.norm(indexed.vectors[leaves].astype(np.float32).mean(axis=0)))
    return float(nearness[leaves].mean()) / max(length, 1e-12)


def cosines_read(ids: Sequence[str], read: OpeningCosines | None) -> tuple[npt.NDArray[np.floating], Scale] | None:
    """The cosines of these documents' openings by the encoder that reads them as texts, and their scale.

    None without that encoder, or if it has not read one of them.
    """
    if read is None or any(id_ not in read.cosines for id_ in ids):
        return None
    return np.array([read.cosines[id_] for id_ in ids], dtype=np.float64), read.scale


def in_whole(leaves: npt.NDArray[np.integer], counts: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """What occurrences of a term in leaves of a document, by their position, count for it as a whole."""
    return np.where(leaves < N_OPENING, OPENING_WORDS, 1) * counts.astype(np.int64)


def of_whole(
    frequencies: Mapping[str, npt.NDArray[np.float64]],
    n_with: Mapping[str, int],
    lengths: npt.NDArray[np.float64],
    among: npt.NDArray[np.bool_],
) -> tuple[npt.NDArray[np.float64], DocumentStatistics]:
    """BM25 of documents as wholes, one score per document, and the statistics of those ``among`` which is searched.

    ``frequencies`` has, per term of the question, its occurrences in each document as ``in_whole`` counts them,
    ``n_with`` the number of documents with it, and ``lengths`` the number of terms of each document.
    """
    n_documents = int(among.sum())
    mean_length = max(1.0, float(lengths[among].sum()) / max(1, n_documents))
    statistics = DocumentStatistics(n_documents, mean_length, n_with, Scale(0, 0))
    scores = np.zeros(len(lengths))
    for term in sorted(frequencies):
        scores += _bm25(term, frequencies[term], lengths, statistics)
    scale = Scale(float(scores[among].mean()), float(scores[among].std())) if n_documents else Scale(0, 0)
    return scores, DocumentStatistics(n_documents, mean_length, n_with, scale)


def statistics_of(indexed: Sequence[IndexedDocument], question: str) -> DocumentStatistics:
    """The statistics of these documents, all of which are searched."""
    wanted = {one.document.language: {*distinct_terms(question, one.document.language)} for one in indexed}
    frequencies, n_with = {}, {}
    for term in sorted(set().union(*wanted.values())):
        counts = np.array([_occurrences(one, term) for one in indexed], dtype=np.float64)
        n_with[term] = int((counts > 0).sum())
        frequencies[term] = counts * np.array([term in wanted[one.document.language] for one in indexed])
    lengths = np.array([one.lexicon.lengths.sum() for one in indexed], dtype=np.float64)
    return of_whole(frequencies, n_with, lengths, np.ones(len(indexed), dtype=bool))[1]


def priors(
    indexed: Sequence[IndexedDocument],
    openings: Sequence[float],
    question: str,
    scoring: Scoring,
    cosines: Scale,
    documents: DocumentStatistics,
) -> npt.NDArray[np.float64]:
    """What every node of a document gains, per document; ``openings`` are the cosines of their openings."""
    wholes = [_whole_score(one, question, documents) for one in indexed]
    return combined(np.array(openings), np.array(wholes), scoring, cosines, documents.bm25)


def combined(
    openings: npt.NDArray[np.floating],
    wholes: npt.NDArray[np.floating],
    scoring: Scoring,
    cosines: Scale,
    bm25: Scale,
) -> npt.NDArray[np.float64]:
    """The priors of documents, from the cosines of their openings and their BM25 as wholes, and the scales of both.

    Openings are on the scale of the leaves, or of the encoder that reads them as texts, so that a prior does not depend
    on how alike the documents are.
    """
    of_openings = standardise_on(cosines, openings.astype(np.float64), weight=scoring.opening)
    return of_openings + standardise_on(bm25, wholes.astype(np.float64), weight=scoring.whole)


def _whole_score(one: IndexedDocument, question: str, documents: DocumentStatistics) -> float:
    length = np.array([one.lexicon.lengths.sum()], dtype=np.float64)
    total = 0.0
    for term in distinct_terms(question, one.document.language):
        tf = np.array([_occurrences(one, term)], dtype=np.float64)
        total += float(_bm25(term, tf, length, documents)[0])
    return total


def _occurrences(one: IndexedDocument, term: str) -> int:
    return int(in_whole(*postings_of(one.lexicon, term)).sum())


def _bm25(
    term: str, tf: npt.NDArray[np.float64], lengths: npt.NDArray[np.float64], documents: DocumentStatistics
) -> npt.NDArray[np.float64]:
    n_with = documents.n_with.get(term, 0)
    idf = np.log1p((documents.n_documents - n_with + 0.5) / (n_with + 0.5))
    norm = K1 * (1 - B + B * lengths / documents.mean_length)
    scores: npt.NDArray[np.float64] = idf * tf * (K1 + 1) / (tf + norm)
    return scores
