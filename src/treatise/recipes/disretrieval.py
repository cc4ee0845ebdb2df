"""DISRetrieval, its variants and its ablations."""

from dataclasses import replace
from typing import Final

from treatise.core.recipe import (
    Bisection,
    Discourse,
    EncodedNotes,
    GroupOrder,
    Indexing,
    LengthOf,
    Notes,
    ParsedBy,
    Pooled,
    ReaderText,
    Recipe,
    Selection,
    Summaries,
    Take,
    Tau,
)

DISRETRIEVAL: Final = Recipe(
    "DISRETRIEVAL",
    Indexing(tree=Discourse(), notes=Notes(Summaries.LLM), node_vectors=EncodedNotes()),
)
"""DISRetrieval as in the paper: two-phase discourse trees, every inner node summarised (tau 0, its setting for
papers), each node's own text encoded, Algorithm 1 with 5 leaves per node.
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
"""The same as in the official code: tau is compared with the leaves as they stand in the text."""

DISRETRIEVAL_NUCLEI: Final = replace(
    DISRETRIEVAL,
    name="DISRETRIEVAL_NUCLEI",
    indexing=replace(DISRETRIEVAL.indexing, notes=Notes(Summaries.NUCLEUS)),
)
"""Without a model: the text of a node is the most nuclear sentences below it."""

DISRETRIEVAL_HYBRID: Final = replace(
    DISRETRIEVAL,
    name="DISRETRIEVAL_HYBRID",
    indexing=replace(DISRETRIEVAL.indexing, notes=Notes(Summaries.HYBRID, max_words=100, nucleus_words=150)),
)
"""Nuclei, rewritten by the model if a subtree has 200 words or more."""

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
"""Summaries with few calls: short nodes are merged, and one call writes all notes of a subtree of up to 1,200 words."""

DISRETRIEVAL_POOLED: Final = Recipe("DISRETRIEVAL_POOLED", Indexing(tree=Discourse()))
"""Discourse trees without notes."""

DISRETRIEVAL_PAPER: Final = replace(
    DISRETRIEVAL,
    name="DISRETRIEVAL_PAPER",
    indexing=replace(DISRETRIEVAL.indexing, tree=Discourse(ParsedBy.TRANSITION)),
)
"""DISRetrieval with the paper's own parser (appendix A.1) instead of Treatise's: shift and reduce by a linear scorer,
over the mean vectors of a tree's two children (equation 5 as printed).
"""

DISRETRIEVAL_PAPER_LEAVES: Final = replace(
    DISRETRIEVAL,
    name="DISRETRIEVAL_PAPER_LEAVES",
    indexing=replace(DISRETRIEVAL.indexing, tree=Discourse(ParsedBy.TRANSITION_LEAVES)),
)
"""The same as in the authors' code: over the mean vectors of a tree's leaves."""

DISRETRIEVAL_PAPER_POOLED: Final = replace(
    DISRETRIEVAL_POOLED, name="DISRETRIEVAL_PAPER_POOLED", indexing=Indexing(tree=Discourse(ParsedBy.TRANSITION))
)
"""The paper's parser by equation 5, without notes."""

DISRETRIEVAL_PAPER_LEAVES_POOLED: Final = replace(
    DISRETRIEVAL_POOLED,
    name="DISRETRIEVAL_PAPER_LEAVES_POOLED",
    indexing=Indexing(tree=Discourse(ParsedBy.TRANSITION_LEAVES)),
)
"""The paper's parser as in the authors' code, without notes."""

DISRETRIEVAL_LEARNED: Final = Recipe(
    "DISRETRIEVAL_LEARNED",
    Indexing(
        tree=Discourse(),
        node_vectors=Pooled(satellite_weights=(("evaluation", 0.25), ("organization", 2.0), ("topic", 1.5))),
    ),
)
"""Discourse trees without notes, vectors pooled by weights learned on papers (``benchmarks/pooling.py``): a heading
counts twice as much as the text below it, an evaluation a quarter of what it evaluates. Other relations count 1. The
measurements are in ``docs/log/retrieval.md``.
"""

BISECTION: Final = replace(DISRETRIEVAL, name="BISECTION", indexing=replace(DISRETRIEVAL.indexing, tree=Bisection()))
"""The paper's control: notes, vectors and retrieval of DISRetrieval over halves of the whole text."""


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
)
"""Leaves only; summary text; all filtered leaves; the best leaves by rank, or in text order (the default); evidence
marked in the full document.
"""

RECIPES: Final = (
    DISRETRIEVAL,
    DISRETRIEVAL_STORIES,
    DISRETRIEVAL_CODE,
    DISRETRIEVAL_NUCLEI,
    DISRETRIEVAL_HYBRID,
    DISRETRIEVAL_THRIFTY,
    DISRETRIEVAL_POOLED,
    DISRETRIEVAL_PAPER,
    DISRETRIEVAL_PAPER_LEAVES,
    DISRETRIEVAL_PAPER_POOLED,
    DISRETRIEVAL_PAPER_LEAVES_POOLED,
    DISRETRIEVAL_LEARNED,
    BISECTION,
    *VARIANTS,
)
