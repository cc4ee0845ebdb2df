"""Every system as one value. A recipe of your own is ``dataclasses.replace`` of one of these.

Each file holds the recipes of one paper, and lists them in its ``RECIPES``. If a language model is to write notes and
there is none, nucleus text replaces them: so every recipe runs offline. ``*_POOLED`` recipes have no notes at all: the
vectors of inner nodes are pooled from those of the leaves.
"""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

from treatise.core.errors import RecipeError
from treatise.core.recipe import Recipe
from treatise.recipes import baselines, disco_rag, disretrieval, htsir, raptor, treatise
from treatise.recipes.baselines import (
    BALANCED,
    BISECTION_POOLED,
    BM25,
    FLAT_CHUNK,
    FLAT_CHUNK_BM25,
    FLAT_SENTENCE,
    FULL_CONTEXT,
    RANDOM,
)
from treatise.recipes.disco_rag import (
    DISCO_RAG,
    DISCO_RAG_FAMILY,
    DISCO_RAG_LOCAL,
    DISCO_RAG_PLANNED,
    DISCO_RAG_SPARSE,
    DISCOURSE_MARKERS,
    PLAN_AND_RETRIEVE,
    RETRIEVE_AND_PLAN,
    STANDARD_RAG,
    perturbed,
    with_chunks,
    without,
)
from treatise.recipes.disretrieval import (
    BISECTION,
    DISRETRIEVAL,
    DISRETRIEVAL_CODE,
    DISRETRIEVAL_HYBRID,
    DISRETRIEVAL_LEARNED,
    DISRETRIEVAL_NUCLEI,
    DISRETRIEVAL_POOLED,
    DISRETRIEVAL_STORIES,
    DISRETRIEVAL_THRIFTY,
    VARIANTS,
)
from treatise.recipes.htsir import (
    FLAT_LEAVES,
    FLAT_LEAVES_BM25,
    FLAT_LEAVES_DENSE,
    HTSIR,
    HTSIR_BM25,
    HTSIR_DENSE,
    HTSIR_FULL_TEXT,
    HTSIR_OFFLINE,
    HTSIR_OFFLINE_BM25,
    HTSIR_OFFLINE_DENSE,
    HTSIR_POOLED,
    HTSIR_REFINED,
    HTSIR_THEMES,
    HTSIR_TRAVERSAL,
)
from treatise.recipes.raptor import RAPTOR
from treatise.recipes.treatise import SUMMARY, TREATISE, TREATISE_RERANKED

__all__ = [
    "BALANCED",
    "BISECTION",
    "BISECTION_POOLED",
    "BM25",
    "DISCOURSE_MARKERS",
    "DISCO_RAG",
    "DISCO_RAG_FAMILY",
    "DISCO_RAG_LOCAL",
    "DISCO_RAG_PLANNED",
    "DISCO_RAG_SPARSE",
    "DISRETRIEVAL",
    "DISRETRIEVAL_CODE",
    "DISRETRIEVAL_HYBRID",
    "DISRETRIEVAL_LEARNED",
    "DISRETRIEVAL_NUCLEI",
    "DISRETRIEVAL_POOLED",
    "DISRETRIEVAL_STORIES",
    "DISRETRIEVAL_THRIFTY",
    "FLAT_CHUNK",
    "FLAT_CHUNK_BM25",
    "FLAT_LEAVES",
    "FLAT_LEAVES_BM25",
    "FLAT_LEAVES_DENSE",
    "FLAT_SENTENCE",
    "FULL_CONTEXT",
    "HTSIR",
    "HTSIR_BM25",
    "HTSIR_DENSE",
    "HTSIR_FULL_TEXT",
    "HTSIR_OFFLINE",
    "HTSIR_OFFLINE_BM25",
    "HTSIR_OFFLINE_DENSE",
    "HTSIR_POOLED",
    "HTSIR_REFINED",
    "HTSIR_THEMES",
    "HTSIR_TRAVERSAL",
    "PLAN_AND_RETRIEVE",
    "RANDOM",
    "RAPTOR",
    "RECIPES",
    "RETRIEVE_AND_PLAN",
    "STANDARD_RAG",
    "SUMMARY",
    "TREATISE",
    "TREATISE_RERANKED",
    "VARIANTS",
    "catalogue",
    "perturbed",
    "recipe_named",
    "with_chunks",
    "without",
]


def catalogue(*papers: Sequence[Recipe]) -> dict[str, Recipe]:
    """The recipes of these papers by their names on the command line.

    Raises:
        RecipeError: If two recipes have one name.
    """
    found: dict[str, Recipe] = {}
    for recipe in (recipe for paper in papers for recipe in paper):
        if found.setdefault(recipe.slug, recipe) is not recipe:
            raise RecipeError(f"two recipes are named {recipe.slug}")
    return found


RECIPES: Final = catalogue(*(file.RECIPES for file in (treatise, baselines, disretrieval, raptor, htsir, disco_rag)))
"""Every recipe by its name on the command line."""

_WITH_TAU: Final = re.compile(r"(.+)-tau-(\d{1,6})")


def recipe_named(slug: str) -> Recipe:
    """The recipe of that name in lower case with hyphens, as on the command line.

    ``-tau-WORDS`` after a name sets its tau: ``disretrieval-tau-100``.

    Raises:
        RecipeError: If there is none; the message gives the nearest names.
    """
    if slug in RECIPES:
        return RECIPES[slug]
    if (named := _WITH_TAU.fullmatch(slug)) and named[1] in RECIPES:
        return RECIPES[named[1]].with_tau(int(named[2]))
    near = get_close_matches(slug, RECIPES)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise RecipeError(f"no recipe is named {slug!r}{hint} (all names: treatise list --recipes)")
