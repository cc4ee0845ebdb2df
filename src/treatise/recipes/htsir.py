"""HTSIR, its variants without a language model, and its leaves alone."""

from dataclasses import replace
from typing import Final

from treatise.core.recipe import (
    GOALS,
    EncodedNotes,
    Indexing,
    Layer,
    LengthOf,
    Notes,
    ReaderText,
    Recipe,
    Refinement,
    Reranking,
    Scoring,
    Sectioning,
    Sections,
    Selection,
    Summaries,
    Take,
    Tau,
    WordsOf,
)
from treatise.recipes.treatise import IN_CONTEXT

HTSIR: Final = Recipe(
    "HTSIR",
    Indexing(
        IN_CONTEXT,
        Sections(),
        notes=Notes(Summaries.LLM, Tau(50, length_of=LengthOf.LEAVES), max_words=100),
        node_vectors=EncodedNotes(),
    ),
    Scoring(bm25=0.3, words_of=WordsOf.NOTE),
    Selection(take=Take.NOTE, max_nodes=10, layers=(Layer.LEAF, Layer.GROUP, Layer.SECTION)),
    reranking=Reranking(n_candidates=40, keep=10),
)
"""HTSIR as in the paper (its setting for QASPER: leaves of 100 words, 2 to a group): leaves, summaries of groups and
summaries of sections are searched as one set, a reranker reads the 40 best with the question, and the text of the 10
best is the evidence; here by both retrievers together. Without a language model the first sentences replace a summary;
without a reranker the order of the first stage is kept.
"""

HTSIR_DENSE: Final = replace(HTSIR, name="HTSIR_DENSE", scoring=Scoring())
"""The same by vectors alone: SBERT in the paper, or DPR if the settings name a separate encoder for questions."""

HTSIR_BM25: Final = replace(HTSIR, name="HTSIR_BM25", scoring=Scoring(dense=0, bm25=1, words_of=WordsOf.NOTE))
"""The same by BM25 over leaves and summaries."""

HTSIR_TRAVERSAL: Final = replace(HTSIR, name="HTSIR_TRAVERSAL", selection=replace(HTSIR.selection, traverse=10))
"""The same from the sections down, the 10 best of each layer, instead of the collapsed tree."""

HTSIR_FULL_TEXT: Final = replace(HTSIR_DENSE, name="HTSIR_FULL_TEXT", reader_text=ReaderText.EVIDENCE_AND_DOCUMENT)
"""The evidence, then the whole text: "HTSIR + GPT-4o mini" of the paper's table 6."""

HTSIR_THEMES: Final = replace(
    HTSIR_DENSE,
    name="HTSIR_THEMES",
    indexing=replace(HTSIR.indexing, tree=Sections(sectioning=Sectioning.LLM)),
)
"""By vectors, with the sections of a text without headings named by the language model, as in the paper."""

HTSIR_LEAVES_FIRST: Final = replace(
    HTSIR_DENSE,
    name="HTSIR_LEAVES_FIRST",
    indexing=replace(HTSIR.indexing, tree=Sections(leaves_first=True)),
)
"""By vectors, with the leaves of a text without headings cut before its themes are found, as in the paper: a theme
begins at the nearest leaf, and cuts none.
"""

HTSIR_REFINED: Final = replace(
    HTSIR_DENSE,
    name="HTSIR_REFINED",
    indexing=replace(
        HTSIR.indexing, notes=replace(HTSIR.indexing.notes, refinement=Refinement(GOALS["summary"], max_rounds=1))
    ),
    refinement=Refinement(GOALS["meeting"]),
)
"""By vectors, with both uses of the paper's refinement: each summary of a node is judged and revised while the tree is
built, and so is the answer, with the goal for meetings.
"""

HTSIR_OFFLINE: Final = Recipe(
    "HTSIR_OFFLINE",
    replace(HTSIR.indexing, notes=replace(HTSIR.indexing.notes, summaries=Summaries.NUCLEUS)),
    Scoring(bm25=0.3, neighbours=0.5, headings=0.2, path=1.0),
    Selection(leaf_top_k=6),
)
"""Section trees without a language model: the sentences are a fourth layer, the scores of a node's group, section and
heading count for the node, and the best sentences of an inner node are taken (Algorithm 1 of DISRetrieval).
"""

HTSIR_OFFLINE_DENSE: Final = replace(
    HTSIR_OFFLINE, name="HTSIR_OFFLINE_DENSE", scoring=replace(HTSIR_OFFLINE.scoring, bm25=0)
)
"""The same by vectors alone."""

HTSIR_OFFLINE_BM25: Final = replace(
    HTSIR_OFFLINE, name="HTSIR_OFFLINE_BM25", scoring=replace(HTSIR_OFFLINE.scoring, dense=0, bm25=1)
)
"""The same by BM25."""

HTSIR_POOLED: Final = replace(
    HTSIR_OFFLINE,
    name="HTSIR_POOLED",
    indexing=Indexing(IN_CONTEXT, Sections()),
    scoring=replace(HTSIR_OFFLINE.scoring, path=2.0),
)
"""The same without notes, the vectors of inner nodes pooled from their sentences, and with more weight on the nodes
above: for meetings and other conversations, whose first sentences say little.
"""

FLAT_LEAVES: Final = replace(
    HTSIR,
    name="FLAT_LEAVES",
    selection=replace(HTSIR.selection, layers=(Layer.LEAF,)),
    scoring=Scoring(bm25=0.3),
    reranking=None,
)
"""HTSIR's leaves alone, by both retrievers, without a second stage: the baseline of the tree."""

FLAT_LEAVES_DENSE: Final = replace(FLAT_LEAVES, name="FLAT_LEAVES_DENSE", scoring=Scoring())
"""The same by vectors alone."""

FLAT_LEAVES_BM25: Final = replace(FLAT_LEAVES, name="FLAT_LEAVES_BM25", scoring=Scoring(dense=0, bm25=1))
"""The same by BM25."""

RECIPES: Final = (
    HTSIR,
    HTSIR_DENSE,
    HTSIR_BM25,
    HTSIR_TRAVERSAL,
    HTSIR_FULL_TEXT,
    HTSIR_THEMES,
    HTSIR_LEAVES_FIRST,
    HTSIR_REFINED,
    HTSIR_OFFLINE,
    HTSIR_OFFLINE_DENSE,
    HTSIR_OFFLINE_BM25,
    HTSIR_POOLED,
    FLAT_LEAVES,
    FLAT_LEAVES_DENSE,
    FLAT_LEAVES_BM25,
)
