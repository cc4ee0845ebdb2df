"""Stored indexes and run records of recipes stay as they are, whatever the classes look like."""

import json
from pathlib import Path

import pytest

from treatise.core.errors import RecipeError
from treatise.core.recipe import FlatIndexing, Indexing, TreeKind, UnitKind
from treatise.recipes import RECIPES, recipe_named

FROZEN = json.loads((Path(__file__).parent / "records.json").read_text(encoding="utf-8"))
"""Per recipe the key of its index and its run record, made before units, trees and vectors became classes."""


@pytest.mark.parametrize("slug", sorted(FROZEN))
def test_a_stored_index_and_a_run_record_keep_their_form(slug: str) -> None:
    recipe = recipe_named(slug)
    assert recipe.indexing.key("encoder", "parser", "reader 1") == FROZEN[slug]["key"]
    assert json.dumps(recipe.record()) == json.dumps(FROZEN[slug]["record"])


@pytest.mark.parametrize("slug", sorted(RECIPES))
def test_an_indexing_comes_back_from_its_flat_table(slug: str) -> None:
    indexing = RECIPES[slug].indexing
    assert Indexing.from_flat(indexing.flat()) == indexing


def test_an_option_that_nothing_uses_is_refused() -> None:
    with pytest.raises(RecipeError, match="chunk_words has no effect: units are sentence"):
        Indexing.from_flat(FlatIndexing(chunk_words=50))
    with pytest.raises(RecipeError, match="context_weight"):
        Indexing.from_flat(FlatIndexing(units=UnitKind.CHUNK, tree=TreeKind.FLAT, context_weight=1.0))
