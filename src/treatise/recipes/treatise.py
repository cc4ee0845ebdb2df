"""Our own recipes."""

from dataclasses import replace
from typing import Final

from treatise.core.recipe import Balanced, Discourse, Indexing, Recipe, Reranking, Scoring, Selection, Sentences

IN_CONTEXT: Final = Sentences(context_weight=1.0)
"""Sentences, each with the vector that it has in its context."""

TREATISE: Final = Recipe(
    "TREATISE",
    Indexing(IN_CONTEXT, Balanced()),
    Scoring(bm25=0.3, neighbours=0.5, headings=0.2, path=0.5, statements=1, opening=2, whole=1, rewords=True),
    Selection(leaf_top_k=0, node_words=100, max_share=1 / 8, repeats=False),
)
"""The default: what measured best on papers, stories, meetings and policies alike (RESULTS.md)."""

TREATISE_RERANKED: Final = replace(TREATISE, name="TREATISE_RERANKED", reranking=Reranking(keep=0))
"""The default with a second stage, by any reranker that is available."""

SUMMARY: Final = replace(
    TREATISE,
    name="SUMMARY",
    indexing=replace(TREATISE.indexing, tree=Discourse()),
    scoring=replace(TREATISE.scoring, path=0),
)
"""The recipe of `treatise summarize`: the default's vectors over discourse trees, which distinguish nuclei from
satellites, and its scores except for the path.
"""

RECIPES: Final = (
    TREATISE,
    TREATISE_RERANKED,
    SUMMARY,
)
