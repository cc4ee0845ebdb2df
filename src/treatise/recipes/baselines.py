"""Baselines without a paper of their own."""

from dataclasses import replace
from typing import Final

from treatise.core.recipe import (
    Balanced,
    Bisection,
    Chunks,
    Flat,
    Indexing,
    RandomSplits,
    ReaderText,
    Recipe,
    Scoring,
    Selection,
)

BALANCED: Final = Recipe("BALANCED", Indexing(tree=Balanced()))
"""Halves within paragraphs, then over those of a section, then over sections; vectors pooled, Algorithm 1."""

RANDOM: Final = Recipe("RANDOM", Indexing(tree=RandomSplits()))
"""Random splits within paragraphs, sections and text: the control for any claim about shape."""

BISECTION_POOLED: Final = Recipe("BISECTION_POOLED", Indexing(tree=Bisection()))
"""Halves over the whole text, vectors pooled, Algorithm 1."""

FLAT_SENTENCE: Final = Recipe("FLAT_SENTENCE", Indexing(tree=Flat()), selection=Selection(expand=False))
"""Sentences ranked by cosine, no tree: the baseline of every table."""

FLAT_CHUNK: Final = Recipe("FLAT_CHUNK", Indexing(Chunks(100), Flat()), selection=Selection(expand=False))
"""Chunks of at most 100 words at sentence boundaries, ranked by cosine."""

FLAT_CHUNK_BM25: Final = replace(FLAT_CHUNK, name="FLAT_CHUNK_BM25", scoring=Scoring(dense=0, bm25=1))
"""Chunks of at most 100 words at sentence boundaries, sections ignored, by BM25."""

BM25: Final = Recipe("BM25", Indexing(tree=Flat()), Scoring(dense=0, bm25=1), Selection(expand=False))
"""Sentences ranked by BM25."""

FULL_CONTEXT: Final = replace(FLAT_SENTENCE, name="FULL_CONTEXT", reader_text=ReaderText.DOCUMENT)
"""The full document instead of evidence."""

RECIPES: Final = (
    BALANCED,
    RANDOM,
    BISECTION_POOLED,
    FLAT_SENTENCE,
    FLAT_CHUNK,
    FLAT_CHUNK_BM25,
    BM25,
    FULL_CONTEXT,
)
