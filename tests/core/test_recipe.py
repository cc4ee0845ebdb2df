"""Recipes that cannot be are refused; equal settings have equal keys."""

from dataclasses import replace

import pytest

from treatise.core.errors import RecipeError
from treatise.core.recipe import (
    Balanced,
    ClauseChunks,
    Clusters,
    EncodedNotes,
    Indexing,
    Notes,
    Pooled,
    Scoring,
    Selection,
    Summaries,
    Tau,
)
from treatise.recipes import RAPTOR, recipe_named

NUCLEI = Notes(Summaries.NUCLEUS)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Tau(words=-1), "not negative"),
        (lambda: Notes(max_words=0), "at least 1"),
        (lambda: Notes(Summaries.NUCLEUS, batch_words=100), "llm only"),
        (lambda: Indexing(node_vectors=EncodedNotes()), "inner nodes have no notes"),
        (lambda: Indexing(units=ClauseChunks(), tree=Balanced()), "cross paragraphs"),
        (lambda: Indexing(tree=Clusters(), notes=NUCLEI), "encode them"),
        (lambda: Indexing(node_vectors=Pooled(satellite_weights=(("causal", -1.0),))), "not below 0"),
        (lambda: replace(RAPTOR, scoring=Scoring(bm25=1.0)), "cosine only"),
        (lambda: Selection(max_nodes=-1), "0 .all. or more"),
    ],
)
def test_what_cannot_be_is_refused(make: object, says: str) -> None:
    with pytest.raises(RecipeError, match=says):
        make()  # type: ignore[operator]


def test_an_index_key_is_equal_for_equal_settings_and_only_then() -> None:
    one = Indexing(notes=NUCLEI)
    changes = (
        replace(one, notes=replace(NUCLEI, nucleus_words=59)),
        replace(one, notes=replace(NUCLEI, tau=Tau(1))),
        replace(one, notes=replace(NUCLEI, prompt_version=2)),
        replace(one, node_vectors=EncodedNotes()),
    )
    assert one.key("m") == Indexing(notes=Notes(Summaries.NUCLEUS)).key("m")
    assert len({one.key("m"), one.key("n"), *(changed.key("m") for changed in changes)}) == 6


@pytest.mark.parametrize("slug", ["disretrieval-tau-100", "bisection-tau-0", "disretrieval-code-tau-7"])
def test_a_tau_is_set_by_name(slug: str) -> None:
    recipe = recipe_named(slug)
    base, _, words = slug.rpartition("-tau-")
    assert recipe.slug == slug
    assert recipe == recipe_named(base).with_tau(int(words))
    assert recipe.indexing.notes.tau.words == int(words)
    assert recipe.with_tau(3).slug == f"{base}-tau-3"
    assert recipe.indexing.notes.tau.length_of is recipe_named(base).indexing.notes.tau.length_of


@pytest.mark.parametrize(
    ("slug", "says"),
    [("treatise-tau-5", "merges no notes"), ("raptor-tau-5", "merges no notes"), ("nothing-tau-5", "no recipe")],
)
def test_a_recipe_without_merged_notes_has_no_tau(slug: str, says: str) -> None:
    with pytest.raises(RecipeError, match=says):
        recipe_named(slug)
