"""Scores of every node of every document for one question."""

from collections.abc import Sequence

import numpy as np

from treatise.core.indexed import IndexedDocument
from treatise.core.recipe import Scoring
from treatise.core.tree import DiscourseTree
from treatise.core.vectors import Floats
from treatise.retrieve.lexical import bm25


def node_scores(indexed: Sequence[IndexedDocument], question: str, vector: Floats, scoring: Scoring) -> list[Floats]:
    """One array a document, one score a node; higher is better, comparable over the documents given.

    Each part of the ``scoring`` is made comparable by a z-score over all nodes of all documents before it is weighted.
    ``vector`` is the question's, shape ``(dim,)``.
    """
    total = np.zeros(sum(len(one.tree.nodes) for one in indexed), dtype=np.float32)
    if scoring.dense:
        total += scoring.dense * _z(np.concatenate([cosines(one, vector) for one in indexed]))
    if scoring.bm25:
        words = [bm25(one.lexicon, question, one.tree.ranges) for one in indexed]
        total += scoring.bm25 * _z(np.concatenate(words))
    cuts = np.cumsum([len(one.tree.nodes) for one in indexed])[:-1]
    scores = np.split(total, cuts)
    if scoring.path:
        return [_with_path(one.tree, of_nodes, scoring.path) for one, of_nodes in zip(indexed, scores, strict=True)]
    return scores


def cosines(indexed: IndexedDocument, vector: Floats) -> Floats:
    """Cosine of the question with each node. Shape ``(n_nodes,)``, -1 to 1."""
    scores: Floats = indexed.vectors.astype(np.float32) @ vector
    return scores


def _with_path(tree: DiscourseTree, scores: Floats, weight: float) -> Floats:
    """Leaves gain ``weight`` times the mean score of their ancestors; inner nodes stay as they are."""
    n_above = np.zeros(len(scores), dtype=np.int32)
    above = np.zeros(len(scores), dtype=np.float32)
    parents = tree.parents
    for i in range(len(scores) - 1, -1, -1):  # parents come after their children
        if (parent := parents[i]) >= 0:
            above[i] = above[parent] + scores[parent]
            n_above[i] = n_above[parent] + 1
    result = scores.copy()
    leaves = tree.leaf_nodes
    result[leaves] += weight * above[leaves] / np.maximum(1, n_above[leaves])
    return result


def _z(values: Floats) -> Floats:
    """Zero mean, unit variance; all zero where the values are all alike."""
    deviation = float(values.std())
    if deviation < 1e-9:
        return np.zeros_like(values)
    scaled: Floats = ((values - values.mean()) / deviation).astype(np.float32)
    return scaled
