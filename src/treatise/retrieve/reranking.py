"""The second stage: a model that reads question and candidate together scores the best candidates again."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.errors import EngineError, ModelReplyError
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import Reranker
from treatise.core.recipe import Recipe, Reranking, Selection
from treatise.core.vectors import Floats, standardise
from treatise.core.words import joined
from treatise.retrieve.outline import Outline
from treatise.retrieve.selection import candidate_nodes, expand_node

NOT_RERANKED: Final = "not reranked, the first stage's order is kept"
"""How the note on a reranker that failed begins."""

_Node = tuple[int, int]
"""Index of a document, and a node of it."""


def rerank(
    indexed: Sequence[IndexedDocument],
    outlines: Sequence[Outline],
    scores: Sequence[Floats],
    *,
    question: str,
    recipe: Recipe,
    reranker: Reranker | None,
) -> tuple[Sequence[Floats], tuple[str, ...]]:
    """The scores with those of the best nodes replaced, and remarks for the user.

    Without a reranker, or if it fails, the first stage's scores remain and a note says why.
    """
    reranking = recipe.reranking
    if reranking is None:
        return scores, ()
    if reranker is None:
        return scores, (f"{recipe.slug} reranks, but no reranker is configured: the first stage's order is kept",)
    nodes = _candidates(indexed, outlines, scores, n=reranking.n_candidates, selection=recipe.selection)
    texts = [_text(indexed[document], node, scores[document], recipe.selection) for document, node in nodes]
    try:
        found = _scores_of(texts, question, reranker)
    except (EngineError, TimeoutError) as error:
        return scores, (f"{NOT_RERANKED}: {error}",)
    return _with(scores, nodes, found, reranking), ()


def _candidates(
    indexed: Sequence[IndexedDocument],
    outlines: Sequence[Outline],
    scores: Sequence[Floats],
    *,
    n: int,
    selection: Selection,
) -> list[_Node]:
    """The best nodes of all documents, without headings unless there is nothing else."""
    ranked: list[tuple[float, int, int]] = []
    for document, (one, outline, of_nodes) in enumerate(zip(indexed, outlines, scores, strict=True)):
        nodes = candidate_nodes(one, selection)
        if not outline.is_heading.all():
            nodes = np.setdiff1d(nodes, one.tree.leaf_nodes[outline.is_heading], assume_unique=True)
        best = nodes[np.argsort(-of_nodes[nodes], kind="stable")[:n]]
        ranked += [(-float(of_nodes[node]), document, int(node)) for node in best]
    return [(document, node) for _, document, node in sorted(ranked)[:n]]


def _text(one: IndexedDocument, node: int, scores: Floats, selection: Selection) -> str:
    """The node's note, or the leaves that it would contribute."""
    if one.notes:
        return one.notes[node].text
    units = np.sort(expand_node(one, one.units_under(node), scores, selection))
    return joined(one.document.quote(one.units[unit].start, one.units[unit].end) for unit in units)


def _scores_of(texts: Sequence[str], question: str, reranker: Reranker) -> npt.NDArray[np.float64]:
    """One score per text; equal texts of several nodes are scored once."""
    different = list(dict.fromkeys(texts))
    scores = dict(zip(different, _checked(reranker, question, different), strict=True))
    return np.array([scores[text] for text in texts], dtype=np.float64)


def _checked(reranker: Reranker, question: str, texts: Sequence[str]) -> npt.NDArray[np.float64]:
    """One finite score per text. A user's reranker may break its contract; that is an ordinary failure."""
    found = list(reranker.score(question, texts))
    if len(found) != len(texts):
        raise ModelReplyError(f"{reranker.name} gave {len(found)} scores for {len(texts)} passages")
    if n_bad := sum(not math.isfinite(score) for score in found):
        raise ModelReplyError(f"{reranker.name} gave {n_bad} of {len(texts)} scores that are not finite")
    return np.array(found, dtype=np.float64)


def _with(
    scores: Sequence[Floats], nodes: Sequence[_Node], found: npt.NDArray[np.float64], reranking: Reranking
) -> list[Floats]:
    """The scores with the candidates' mixed ones, which have the mean and the deviation that they had before."""
    changed = [of_nodes.copy() for of_nodes in scores]
    before = np.array([scores[document][node] for document, node in nodes], dtype=np.float64)
    mixed = standardise(reranking.weight * standardise(found) + (1 - reranking.weight) * standardise(before))
    for (document, node), score in zip(nodes, before.mean() + before.std() * mixed, strict=True):
        changed[document][node] = score
    return changed
