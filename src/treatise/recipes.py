"""Every system as one value. A recipe of your own is ``dataclasses.replace`` of one of these.

Where notes are written by a language model and none is at hand, nucleus text stands for them: so every recipe runs
offline. ``*_POOLED`` recipes have no notes at all: the vectors of inner nodes are pooled from those of the leaves.
"""

import re
from dataclasses import replace
from difflib import get_close_matches
from typing import Final

from treatise.core.errors import RecipeError
from treatise.core.recipe import (
    GroupOrder,
    Indexing,
    LengthOf,
    NodeVectors,
    Notes,
    ReaderText,
    Recipe,
    Reranking,
    Scoring,
    Selection,
    Summaries,
    Take,
    Tau,
    TreeShape,
    Units,
)

FLAT_SENTENCE: Final = Recipe("FLAT_SENTENCE", Indexing(tree=TreeShape.FLAT), selection=Selection(expand=False))
"""Sentences ranked by cosine, no tree: the baseline of every table."""

FLAT_CHUNK: Final = Recipe(
    "FLAT_CHUNK", Indexing(units=Units.CHUNK, tree=TreeShape.FLAT), selection=Selection(expand=False)
)
"""Chunks of at most 100 words at sentence boundaries, ranked by cosine."""

BM25: Final = Recipe("BM25", Indexing(tree=TreeShape.FLAT), Scoring(dense=0, bm25=1), Selection(expand=False))
"""Sentences ranked by BM25."""

BISECTION_POOLED: Final = Recipe("BISECTION_POOLED", Indexing(tree=TreeShape.BISECTION))
"""Halves over the whole text, vectors pooled, Algorithm 1."""

BALANCED: Final = Recipe("BALANCED", Indexing(tree=TreeShape.BALANCED))
"""Halves within paragraphs, then over those of a section, then over sections; vectors pooled, Algorithm 1."""

RANDOM: Final = Recipe("RANDOM", Indexing(tree=TreeShape.RANDOM))
"""Random splits within paragraphs, sections and text: the control for any claim about shape."""

TREATISE: Final = Recipe(
    "TREATISE",
    Indexing(tree=TreeShape.BALANCED, context_weight=1.0),
    Scoring(bm25=0.3, neighbours=0.5, headings=0.2),
    Selection(leaf_top_k=4),
)
"""The default: what measured best on papers, stories, meetings and policies alike (RESULTS.md)."""

TREATISE_RERANKED: Final = replace(TREATISE, name="TREATISE_RERANKED", reranking=Reranking(keep=0))
"""The default with a second stage, by whichever reranker is at hand."""

SUMMARY: Final = replace(TREATISE, name="SUMMARY", indexing=replace(TREATISE.indexing, tree=TreeShape.DISCOURSE))
"""What `treatise summarize` goes by: the default's vectors and scores over discourse trees, which tell nuclei from
satellites.
"""

DISRETRIEVAL: Final = Recipe(
    "DISRETRIEVAL",
    Indexing(tree=TreeShape.DISCOURSE, notes=Notes(Summaries.LLM), node_vectors=NodeVectors.ENCODED),
)
"""DISRetrieval as in the paper: two-phase discourse trees, every inner node summarised (tau 0, its setting for
papers), each node's own text encoded, Algorithm 1 with 5 leaves a node.
"""

DISRETRIEVAL_STORIES: Final = replace(
    DISRETRIEVAL,
    name="DISRETRIEVAL_STORIES",
    indexing=replace(DISRETRIEVAL.indexing, notes=Notes(Summaries.LLM, Tau(50))),
)
"""The paper's setting for QuALITY and NarrativeQA: children of fewer than 50 words together are merged."""

DISRETRIEVAL_CODE: Final = replace(
    DISRETRIEVAL_STORIES,
    name="DISRETRIEVAL_CODE",
    indexing=replace(DISRETRIEVAL.indexing, notes=Notes(Summaries.LLM, Tau(50, length_of=LengthOf.LEAVES))),
)
"""The same as the official code has it: tau is compared with the leaves as they stand in the text."""

DISRETRIEVAL_NUCLEI: Final = replace(
    DISRETRIEVAL,
    name="DISRETRIEVAL_NUCLEI",
    indexing=replace(DISRETRIEVAL.indexing, notes=Notes(Summaries.NUCLEUS)),
)
"""No model: the most nuclear sentences below stand for a node."""

DISRETRIEVAL_HYBRID: Final = replace(
    DISRETRIEVAL,
    name="DISRETRIEVAL_HYBRID",
    indexing=replace(DISRETRIEVAL.indexing, notes=Notes(Summaries.HYBRID, max_words=100, nucleus_words=150)),
)
"""Nuclei, rewritten by the model where a subtree has 200 words or more."""

DISRETRIEVAL_THRIFTY: Final = replace(
    DISRETRIEVAL,
    name="DISRETRIEVAL_THRIFTY",
    indexing=replace(
        DISRETRIEVAL.indexing,
        notes=Notes(
            Summaries.LLM,
            Tau(100, full_sentence=22.8, per_missing_word=6.1, per_level=5),
            max_words=60,
            batch_words=1_200,
        ),
    ),
)
"""Summaries at few calls: short nodes are merged, and one call writes all notes of a subtree of up to 1,200 words."""

DISRETRIEVAL_POOLED: Final = Recipe("DISRETRIEVAL_POOLED", Indexing(tree=TreeShape.DISCOURSE))
"""Discourse trees without notes."""

DISRETRIEVAL_LEARNED: Final = Recipe(
    "DISRETRIEVAL_LEARNED",
    Indexing(
        tree=TreeShape.DISCOURSE,
        satellite_weights=(("evaluation", 0.25), ("organization", 2.0), ("topic", 1.5)),
    ),
)
"""Discourse trees without notes, vectors pooled by weights that were learned on papers (``benchmarks/pooling.py``): a
heading counts twice as much as what it heads, an evaluation a quarter of what it evaluates. Relations left out count 1.
What it is worth stands in ``docs/log.md``.
"""

BISECTION: Final = replace(
    DISRETRIEVAL, name="BISECTION", indexing=replace(DISRETRIEVAL.indexing, tree=TreeShape.BISECTION)
)
"""The paper's control: notes, vectors and retrieval of DISRetrieval over halves of the whole text."""

RAPTOR: Final = Recipe(
    "RAPTOR",
    Indexing(
        units=Units.TOKENS,
        chunk_tokens=100,
        tree=TreeShape.CLUSTERS,
        notes=Notes(Summaries.LLM, max_words=75),
        node_vectors=NodeVectors.ENCODED,
    ),
    selection=Selection(take=Take.NOTE, max_nodes=10),
)
"""RAPTOR with its official defaults: leaves of 100 tokens, soft clusters in at most 5 layers, summaries of 100 tokens,
the collapsed tree searched for the 10 best nodes. Needs ``treatise[raptor]``.
"""


def _variant(name: str, selection: Selection) -> Recipe:
    """DISRetrieval with another selection, on the same index: the ablations of the paper."""
    return replace(DISRETRIEVAL, name=f"DISRETRIEVAL_{name}", selection=selection)


VARIANTS: Final = (
    _variant("LEAF_ONLY", Selection(expand=False)),
    _variant("SUMMARY_TEXT", Selection(take=Take.NOTE)),
    _variant("ALL_LEAVES", Selection(leaf_top_k=0)),
    _variant("RANK_ORDER", Selection(group_order=GroupOrder.RANK)),
    _variant("ORIGINAL_ORDER", Selection(group_order=GroupOrder.DOCUMENT)),
    replace(DISRETRIEVAL, name="DISRETRIEVAL_MARKED", reader_text=ReaderText.MARKED_DOCUMENT),
    replace(FLAT_SENTENCE, name="FULL_CONTEXT", reader_text=ReaderText.DOCUMENT),
)
"""Leaves only; summary text; all filtered leaves; the best leaves by rank, or in text order (the default); evidence
marked in the full document; the full document.
"""

RECIPES: Final = {
    recipe.slug: recipe
    for recipe in (
        TREATISE,
        TREATISE_RERANKED,
        SUMMARY,
        BALANCED,
        RANDOM,
        FLAT_SENTENCE,
        FLAT_CHUNK,
        BM25,
        DISRETRIEVAL,
        DISRETRIEVAL_STORIES,
        DISRETRIEVAL_CODE,
        DISRETRIEVAL_NUCLEI,
        DISRETRIEVAL_HYBRID,
        DISRETRIEVAL_THRIFTY,
        DISRETRIEVAL_POOLED,
        DISRETRIEVAL_LEARNED,
        BISECTION,
        BISECTION_POOLED,
        RAPTOR,
        *VARIANTS,
    )
}

_WITH_TAU: Final = re.compile(r"(.+)-tau-(\d{1,6})")


def recipe_named(slug: str) -> Recipe:
    """The recipe of that name in lower case with hyphens, as on the command line.

    ``-tau-WORDS`` after a name sets its tau: ``disretrieval-tau-100``.

    Raises:
        RecipeError: Where there is none; the message lists the names and the nearest one.
    """
    if slug in RECIPES:
        return RECIPES[slug]
    if (named := _WITH_TAU.fullmatch(slug)) and named[1] in RECIPES:
        return RECIPES[named[1]].with_tau(int(named[2]))
    near = get_close_matches(slug, RECIPES, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise RecipeError(f"no recipe is named {slug!r}{hint} (there are: {', '.join(sorted(RECIPES))})")
