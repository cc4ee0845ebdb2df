"""A system as a value: its units, tree and vectors, and how it scores, selects, plans and answers.

``Indexing`` determines the index on disk; everything else applies per question. So recipes that differ only in scoring
or selection share one index.
"""

from treatise.core.recipe.decoding import DEFAULT_DECODING, Decoding
from treatise.core.recipe.flat import FlatIndexing, TreeKind, UnitKind, VectorKind
from treatise.core.recipe.indexing import Indexing
from treatise.core.recipe.notes import LengthOf, Notes, Summaries, Tau
from treatise.core.recipe.planning import Format, GraphBy, Perturbation, PerturbationKind, PlanBy, Planning, TreesBy
from treatise.core.recipe.recipe import ReaderText, Recipe
from treatise.core.recipe.refinement import GOALS, Refinement
from treatise.core.recipe.reranking import Reranking
from treatise.core.recipe.scoring import Scoring, WordsOf
from treatise.core.recipe.selection import GroupOrder, Layer, Selection, Take
from treatise.core.recipe.shapes import (
    Balanced,
    Bisection,
    Clusters,
    Discourse,
    Flat,
    ParsedBy,
    RandomSplits,
    RightBranching,
    Sectioning,
    Sections,
    TreeShape,
)
from treatise.core.recipe.units import Chunks, ClauseChunks, Sentences, TokenChunks, Units
from treatise.core.recipe.vectors import EncodedNotes, NodeVectors, Pooled, QuotedLeaves

__all__ = [
    "DEFAULT_DECODING",
    "GOALS",
    "Balanced",
    "Bisection",
    "Chunks",
    "ClauseChunks",
    "Clusters",
    "Decoding",
    "Discourse",
    "EncodedNotes",
    "Flat",
    "FlatIndexing",
    "Format",
    "GraphBy",
    "GroupOrder",
    "Indexing",
    "Layer",
    "LengthOf",
    "NodeVectors",
    "Notes",
    "ParsedBy",
    "Perturbation",
    "PerturbationKind",
    "PlanBy",
    "Planning",
    "Pooled",
    "QuotedLeaves",
    "RandomSplits",
    "ReaderText",
    "Recipe",
    "Refinement",
    "Reranking",
    "RightBranching",
    "Scoring",
    "Sectioning",
    "Sections",
    "Selection",
    "Sentences",
    "Summaries",
    "Take",
    "Tau",
    "TokenChunks",
    "TreeKind",
    "TreeShape",
    "TreesBy",
    "UnitKind",
    "Units",
    "VectorKind",
    "WordsOf",
]
