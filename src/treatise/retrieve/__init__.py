"""Retrieval: scores of all nodes for a question, then a selection within a word budget."""

from collections.abc import Sequence
from dataclasses import replace

from treatise.core.evidence import Evidence
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import Reranker
from treatise.core.recipe import Recipe, Selection
from treatise.core.vectors import Floats
from treatise.retrieve.confidence import calibration_of, confidence, measure
from treatise.retrieve.fusion import cosines, node_scores
from treatise.retrieve.lexical import build_lexicon
from treatise.retrieve.outline import outline
from treatise.retrieve.profile import RetrievalProfile, anatomy
from treatise.retrieve.reader_text import marked, reader_text
from treatise.retrieve.reranking import rerank
from treatise.retrieve.selection import select
from treatise.retrieve.sentences import in_sentences, sentences_in

__all__ = [
    "RetrievalProfile",
    "anatomy",
    "build_lexicon",
    "find_evidence",
    "in_sentences",
    "marked",
    "scores_of",
    "sentences_in",
]


def find_evidence(
    indexed: Sequence[IndexedDocument],
    question: str,
    vector: Floats,
    recipe: Recipe,
    *,
    max_words: int,
    reranker: Reranker | None = None,
) -> Evidence:
    """The best passages of the documents for a question, within exactly ``max_words`` whitespace words.

    ``vector`` is the question's, shape ``(dim,)``, by the encoder of the index. ``reranker`` is used if the recipe
    has a second stage.
    """
    outlines = [outline(one) for one in indexed]
    nearness = [cosines(one, vector) for one in indexed]
    first = node_scores(indexed, outlines, nearness, question=question, scoring=recipe.scoring)
    scores, notes = rerank(indexed, outlines, first, question=question, recipe=recipe, reranker=reranker)
    passages = select(indexed, outlines, scores, max_words=max_words, selection=_kept(recipe))
    return Evidence(
        question=question,
        passages=tuple(passages),
        context=reader_text([one.document for one in indexed], passages, recipe.reader_text),
        max_words=max_words,
        confidence=confidence(measure(indexed, nearness, question, passages), calibration_of(recipe.indexing)),
        notes=notes,
    )


def scores_of(indexed: IndexedDocument, question: str, vector: Floats, recipe: Recipe) -> Floats:
    """The scores of the nodes of one document, by which its evidence is selected."""
    nearness = [cosines(indexed, vector)]
    (scores,) = node_scores([indexed], [outline(indexed)], nearness, question=question, scoring=recipe.scoring)
    return scores


def _kept(recipe: Recipe) -> Selection:
    """The recipe's selection, limited to the nodes that its second stage keeps."""
    limits = [n for n in (recipe.selection.max_nodes, recipe.reranking.keep if recipe.reranking else 0) if n]
    return replace(recipe.selection, max_nodes=min(limits, default=0))
