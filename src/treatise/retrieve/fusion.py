"""Fusion of scores: cosine, BM25, neighbours, headings, ancestors and statements become one score per node."""

from collections.abc import Sequence

import numpy as np

from treatise.core.corpus import CorpusStatistics, OpeningCosines, Scale
from treatise.core.indexed import IndexedDocument
from treatise.core.note import PASSAGES
from treatise.core.recipe import Scoring, WordsOf
from treatise.core.tree import DiscourseTree
from treatise.core.vectors import Floats, standardise, standardise_on
from treatise.retrieve.lexical import Collection, bm25, bm25_of_texts
from treatise.retrieve.outline import Outline
from treatise.retrieve.prior import cosines_read, has_prior, opening_cosine, priors, statistics_of
from treatise.retrieve.statements import add_statements, asked_statements
from treatise.retrieve.table_heads import lists_of_leaves
from treatise.retrieve.wording import telling_words


def node_scores(  # noqa: PLR0913  (one document set, and what is known of its question)
    indexed: Sequence[IndexedDocument],
    outlines: Sequence[Outline],
    nearness: Sequence[Floats],
    *,
    question: str,
    scoring: Scoring,
    corpus: CorpusStatistics | None = None,
    openings: OpeningCosines | None = None,
) -> list[Floats]:
    """One array per document, with one score per node; higher is better, comparable across the documents.

    ``outlines`` and ``nearness`` (the question's cosines) have one entry per document. With ``corpus``, scores are
    those that the documents have among all documents of the library. ``openings`` replace the encoder's in the prior.
    """
    totals: list[Floats] = [np.zeros(one.n_nodes, dtype=np.float32) for one in indexed]
    if scoring.dense:
        _add(totals, indexed, nearness, scoring.dense, corpus.cosines if corpus else None)
    if scoring.bm25:
        is_reworded = scoring.rewords and corpus is None
        asked_words = telling_words(question, [one.document for one in indexed]) if is_reworded else question
        words = _words(indexed, asked_words, scoring.words_of, corpus)
        _add(totals, indexed, words, scoring.bm25, corpus.bm25 if corpus else None)
    if scoring.neighbours:
        for one, scores in zip(indexed, totals, strict=True):
            _add_neighbours(scores, one, scoring.neighbours)
    if scoring.headings:
        for one, at, scores in zip(indexed, outlines, totals, strict=True):
            _add_headings(scores, one, at, scoring.headings)
    if scoring.path:
        for one, scores in zip(indexed, totals, strict=True):
            _add_path(scores, one.tree, scoring.path)
    if scoring.statements and (asked := asked_statements(question)):
        for one, scores in zip(indexed, totals, strict=True):
            add_statements(scores, one, asked, scoring.statements)
    _add_priors(totals, indexed, nearness, question, scoring, corpus, openings)
    return totals


def cosines(indexed: IndexedDocument, vector: Floats) -> Floats:
    """Cosine of the question with each node. Shape ``(n_nodes,)``, -1 to 1."""
    scores: Floats = indexed.vectors.astype(np.float32, copy=False) @ vector
    return scores


def _words(
    indexed: Sequence[IndexedDocument], question: str, words_of: WordsOf, corpus: CorpusStatistics | None
) -> list[Floats]:
    """BM25 of every node, with rarities over all documents; notes are scored by their own words if so configured."""
    languages = {one.document.language for one in indexed}
    lexicons = [one.lexicon for one in indexed]
    together = Collection.of_corpus(corpus) if corpus else Collection.of(lexicons, question, languages)
    found = [bm25(one.lexicon, question, one.tree.ranges, one.document.language, together) for one in indexed]
    for one, scores in zip(indexed, found, strict=True):
        if words_of is WordsOf.NOTE:
            noted = [i for i, note in enumerate(one.notes) if note.origin not in PASSAGES and i < len(scores)]
            texts = [one.notes[i].text for i in noted]
            scores[noted] = bm25_of_texts(together, question, texts, one.document.language)
    return found


def _add(
    totals: list[Floats],
    indexed: Sequence[IndexedDocument],
    parts: Sequence[Floats],
    weight: float,
    scale: Scale | None,
) -> None:
    """Adds a part, scaled by what the leaves of all documents have of it: inner nodes are read on the leaves' scale."""
    if scale is not None:
        for total, part in zip(totals, parts, strict=True):
            total += standardise_on(scale, part, weight=weight)
        return
    leaves = np.concatenate([part[one.tree.leaf_nodes] for one, part in zip(indexed, parts, strict=True)])
    for total, part in zip(totals, parts, strict=True):
        total += standardise(part, leaves, weight=weight)


def _add_neighbours(scores: Floats, indexed: IndexedDocument, weight: float) -> None:
    """Adds to a leaf its share of the scores beside it.

    A row of a long list neither gives nor gets any: the row or the paragraph beside it is about something else.
    """
    leaves = indexed.tree.leaf_nodes
    of_leaves = scores[leaves]
    is_free = lists_of_leaves(indexed) < 0
    acts = is_free[1:] & is_free[:-1]
    scores[leaves[1:]] += weight / 2 * np.where(acts, of_leaves[:-1], 0)
    scores[leaves[:-1]] += weight / 2 * np.where(acts, of_leaves[1:], 0)


def _add_headings(scores: Floats, indexed: IndexedDocument, outline: Outline, weight: float) -> None:
    """Adds to a node the mean of what its leaves gain."""
    of_leaves = scores[indexed.tree.leaf_nodes]
    gains = np.where(outline.heading >= 0, np.maximum(0, of_leaves[outline.heading]), 0)
    running = np.concatenate([[0], np.cumsum(gains, dtype=np.float64)])
    start, end = indexed.tree.ranges.T
    scores += (weight * (running[end] - running[start]) / (end - start)).astype(np.float32)


def _add_path(scores: Floats, tree: DiscourseTree, weight: float) -> None:
    """Adds the mean score of a node's ancestors; roots, and clusters outside the tree, gain nothing."""
    n_nodes = len(tree.nodes)
    above = np.append(tree.parents, -1)  # -1 is the last row, a dummy above all roots
    held = np.zeros((n_nodes + 1, 2))  # sum and number: after k rounds, of 2**k nodes from this one upwards
    held[:n_nodes, 0], held[:n_nodes, 1] = scores[:n_nodes], 1
    while (above >= 0).any():
        held += held[above]
        above = above[above]
    sums, depths = held[:n_nodes, 0] - scores[:n_nodes], held[:n_nodes, 1] - 1
    scores[:n_nodes] += (weight * sums / np.maximum(depths, 1)).astype(np.float32)


def _add_priors(  # noqa: PLR0913  (see ``node_scores``)
    totals: list[Floats],
    indexed: Sequence[IndexedDocument],
    nearness: Sequence[Floats],
    question: str,
    scoring: Scoring,
    corpus: CorpusStatistics | None,
    read: OpeningCosines | None,
) -> None:
    """Adds to the nodes of each document what it gains over the other documents, if they are many."""
    if corpus is None and not has_prior(scoring, len(indexed)):
        return
    documents = corpus.documents if corpus else statistics_of(indexed, question)
    if documents is None:
        return
    if corpus and all(one.document.id in corpus.priors for one in indexed):
        for total, one in zip(totals, indexed, strict=True):
            total += np.float32(corpus.priors[one.document.id])
        return
    openings, scale = _openings(indexed, nearness, corpus, read)
    for total, prior in zip(totals, priors(indexed, openings, question, scoring, scale, documents), strict=True):
        total += np.float32(prior)


def _openings(
    indexed: Sequence[IndexedDocument],
    nearness: Sequence[Floats],
    corpus: CorpusStatistics | None,
    read: OpeningCosines | None,
) -> tuple[Sequence[float], Scale]:
    """The cosines of the documents' openings, and their scale."""
    read = corpus.openings if corpus else read
    if found := cosines_read([one.document.id for one in indexed], read):
        return found[0].tolist(), found[1]
    openings = [opening_cosine(one, near) for one, near in zip(indexed, nearness, strict=True)]
    if corpus is not None:
        return openings, corpus.cosines
    leaves = np.concatenate([near[one.tree.leaf_nodes] for one, near in zip(indexed, nearness, strict=True)])
    return openings, Scale(float(leaves.mean()), float(leaves.std()))
