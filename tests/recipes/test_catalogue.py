"""The catalogue holds every recipe of every file; a paper of one's own is one file and one place."""

import pkgutil
from dataclasses import replace
from importlib import import_module

import pytest

import treatise.recipes
from treatise.core.errors import RecipeError
from treatise.core.recipe import Bisection, Indexing, Recipe
from treatise.recipes import RECIPES, TREATISE, catalogue

FILES = [name for _, name, _ in pkgutil.iter_modules(treatise.recipes.__path__)]


@pytest.mark.parametrize("file", FILES)
def test_every_recipe_of_a_file_is_in_the_catalogue(file: str) -> None:
    module = import_module(f"treatise.recipes.{file}")
    defined = [value for value in vars(module).values() if isinstance(value, Recipe)]
    assert {recipe.slug for recipe in (*defined, *module.RECIPES)} <= set(RECIPES)
    assert all(RECIPES[recipe.slug] is recipe for recipe in module.RECIPES)


def test_a_paper_of_ones_own_is_one_file_and_one_place() -> None:
    mine = Recipe("HALVES", Indexing(tree=Bisection()))
    assert catalogue(treatise.recipes.treatise.RECIPES, (mine,))["halves"] is mine


def test_two_recipes_of_one_name_are_refused() -> None:
    other = replace(TREATISE, selection=replace(TREATISE.selection, leaf_top_k=1))
    with pytest.raises(RecipeError, match="two recipes are named treatise"):
        catalogue((TREATISE, other))
