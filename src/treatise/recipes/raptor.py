"""RAPTOR."""

from typing import Final

from treatise.core.recipe import (
    ClauseChunks,
    Clusters,
    EncodedNotes,
    Indexing,
    Notes,
    Recipe,
    Selection,
    Summaries,
    Take,
)

RAPTOR: Final = Recipe(
    "RAPTOR",
    Indexing(
        ClauseChunks(100),
        Clusters(),
        notes=Notes(Summaries.LLM, max_words=75),
        node_vectors=EncodedNotes(),
    ),
    selection=Selection(take=Take.NOTE, max_nodes=10),
)
"""RAPTOR with its official defaults: leaves of 100 tokens, soft clusters in at most 5 layers, summaries of 100 tokens,
a collapsed tree searched for the 10 best nodes. Needs ``treatise[raptor]``.
"""

RECIPES: Final = (RAPTOR,)
