"""Retrieval: scores of all nodes for a question, then a selection within a word budget."""

from collections.abc import Sequence
from dataclasses import replace

from treatise.core.corpus import CorpusStatistics, OpeningCosines
from treatise.core.evidence import Evidence
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import Reranker
from treatise.core.recipe import Recipe, Selection
from treatise.core.scripts import UNSPACED
from treatise.core.vectors import Floats
from treatise.retrieve.confidence import calibration_of, confidence, measure, recalibrated
from treatise.retrieve.fusion import cosines, node_scores
from treatise.retrieve.lexical import build_lexicon, unknown_share
from treatise.retrieve.outline import outline
from treatise.retrieve.profile import RetrievalProfile, anatomy
from treatise.retrieve.reader_text import marked, reader_text
from treatise.retrieve.repeats import Repeats, repeat_notes
from treatise.retrieve.reranking import rerank
from treatise.retrieve.selection import candidate_nodes, select
from treatise.retrieve.sentences import in_sentences, sentences_in
from treatise.retrieve.wording import in_words_of

__all__ = [
    "RetrievalProfile",
    "anatomy",
    "best_score",
    "build_lexicon",
    "find_evidence",
    "for_language",
    "in_sentences",
    "in_words_of",
    "marked",
    "repeat_notes",
    "scores_of",
    "sentences_in",
]


def find_evidence(  # noqa: PLR0913  (engines and statistics of one question)
    indexed: Sequence[IndexedDocument],
    question: str,
    vector: Floats,
    recipe: Recipe,
    *,
    max_words: int,
    reranker: Reranker | None = None,
    corpus: CorpusStatistics | None = None,
    openings: OpeningCosines | None = None,
) -> Evidence:
    """The best passages of the documents for a question, within exactly ``max_words`` whitespace words.

    ``vector`` is the question's, shape ``(dim,)``, by the encoder of the index. ``reranker`` is used if the recipe
    has a second stage. With ``corpus``, the documents are scored as they would be among all documents of the library.
    ``openings`` replace the encoder's in the prior of documents.
    """
    outlines = [outline(one) for one in indexed]
    nearness = [cosines(one, vector) for one in indexed]
    first = node_scores(
        indexed, outlines, nearness, question=question, scoring=recipe.scoring, corpus=corpus, openings=openings
    )
    scores, notes = rerank(indexed, outlines, first, question=question, recipe=recipe, reranker=reranker)
    kept = _kept(recipe)
    documents = [one.document for one in indexed]
    repeats = None if kept.repeats else Repeats(documents)
    passages = select(indexed, outlines, scores, max_words=max_words, selection=kept, repeats=repeats)
    return Evidence(
        question=question,
        passages=tuple(passages),
        context=reader_text(documents, passages, recipe.reader_text),
        max_words=max_words,
        confidence=confidence(measure(indexed, nearness, question, passages, corpus), calibration_of(recipe.indexing)),
        notes=(*notes, *repeat_notes(passages, documents)),
    )


def for_language(
    evidence: Evidence, indexed: Sequence[IndexedDocument], language: str, *, multilingual: bool
) -> Evidence:
    """The evidence with its confidence for documents and a question in another language than English."""
    unknown = unknown_share([one.lexicon for one in indexed], evidence.question, language)
    unspaced = bool(UNSPACED.search(evidence.question))
    sure = recalibrated(evidence.confidence, unknown, unspaced=unspaced, multilingual=multilingual)
    return replace(evidence, confidence=sure)


def scores_of(
    indexed: IndexedDocument, question: str, vector: Floats, recipe: Recipe, corpus: CorpusStatistics | None = None
) -> Floats:
    """The scores of the nodes of one document, by which its evidence is selected."""
    nearness = [cosines(indexed, vector)]
    (scores,) = node_scores(
        [indexed], [outline(indexed)], nearness, question=question, scoring=recipe.scoring, corpus=corpus
    )
    return scores


def best_score(indexed: IndexedDocument, question: str, recipe: Recipe, corpus: CorpusStatistics) -> float:
    """The score of the document's best node among all documents of a library."""
    scores = scores_of(indexed, question, corpus.vector, recipe, corpus)
    return float(scores[candidate_nodes(indexed, recipe.selection)].max())


def _kept(recipe: Recipe) -> Selection:
    """The recipe's selection, limited to the nodes that its second stage keeps."""
    limits = [n for n in (recipe.selection.max_nodes, recipe.reranking.keep if recipe.reranking else 0) if n]
    return replace(recipe.selection, max_nodes=min(limits, default=0))
