"""Every system as one value. A recipe of your own is ``dataclasses.replace`` of one of these."""

from difflib import get_close_matches
from typing import Final

from treatise.core.errors import RecipeError
from treatise.core.recipe import Indexing, Recipe, Scoring, Selection, TreeShape, Units

FLAT_SENTENCE: Final = Recipe("FLAT_SENTENCE", Indexing(tree=TreeShape.FLAT), selection=Selection(expand=False))
"""Sentences ranked by cosine, no tree: the baseline of every table."""

FLAT_CHUNK: Final = Recipe(
    "FLAT_CHUNK", Indexing(units=Units.CHUNK, tree=TreeShape.FLAT), selection=Selection(expand=False)
)
"""Chunks of at most 100 words at sentence boundaries, ranked by cosine."""

BM25: Final = Recipe("BM25", Indexing(tree=TreeShape.FLAT), Scoring(dense=0, bm25=1), Selection(expand=False))
"""Sentences ranked by BM25."""

BISECTION: Final = Recipe("BISECTION", Indexing(tree=TreeShape.BISECTION))
"""Halves over the whole text, vectors pooled, Algorithm 1."""

BALANCED: Final = Recipe("BALANCED", Indexing(tree=TreeShape.BALANCED))
"""Halves within paragraphs, then over those of a section, then over sections; vectors pooled, Algorithm 1."""

RANDOM: Final = Recipe("RANDOM", Indexing(tree=TreeShape.RANDOM))
"""Random splits within paragraphs, sections and text: the control for any claim about shape."""

TREATISE: Final = Recipe(
    "TREATISE",
    Indexing(tree=TreeShape.BALANCED, context_weight=0.5),
    Scoring(bm25=0.4, neighbours=0.3, headings=0.3),
)
"""The default: what measured best on papers, stories, meetings and policies alike (RESULTS.md)."""

RECIPES: Final = {
    recipe.slug: recipe for recipe in (TREATISE, BALANCED, BISECTION, RANDOM, FLAT_SENTENCE, FLAT_CHUNK, BM25)
}


def recipe_named(slug: str) -> Recipe:
    """The recipe of that name in lower case with hyphens, as on the command line.

    Raises:
        RecipeError: Where there is none; the message lists the names and the nearest one.
    """
    if slug in RECIPES:
        return RECIPES[slug]
    near = get_close_matches(slug, RECIPES, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise RecipeError(f"no recipe is named {slug!r}{hint} (there are: {', '.join(sorted(RECIPES))})")
