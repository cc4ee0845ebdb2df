"""One recipe with fields varied."""

from pathlib import Path
from typing import Any

import pytest

from tests.evaluate.specs import make_spec
from treatise.core.errors import RecipeError
from treatise.core.recipe import Bisection, Layer, RandomSplits, Sectioning
from treatise.evaluate.report.summary import Summary
from treatise.evaluate.run import retrieval
from treatise.evaluate.run.sweep import as_csv, as_markdown, read_axis, varied
from treatise.recipes import HTSIR, TREATISE
from treatise.testing import HashingEncoder

DATA = Path(__file__).parent / "data" / "qasper-excerpt.json"


def run(*parts: Any, **rest: Any) -> Summary:
    return retrieval.run(make_spec(*parts, **rest))


def test_every_combination_is_a_recipe_of_its_own() -> None:
    axes = [read_axis(HTSIR, "leaf_words=50,100"), read_axis(HTSIR, "selection.layers=leaf,leaf+section,all")]
    points = varied(HTSIR, axes)
    assert len({point.recipe.slug for point in points}) == len(points) == 6
    assert [point.recipe.indexing.tree.leaf_words for point in points] == [50, 50, 50, 100, 100, 100]
    assert points[1].recipe.selection.layers == (Layer.LEAF, Layer.SECTION)
    assert points[2].recipe.selection.layers == ()
    assert points[1].texts == ("50", "leaf+section")
    assert points[0].recipe.scoring == HTSIR.scoring


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("indexing.sections.group_leaves=3", 3),
        ("path=0.5", 0.5),
        ("expand=false", False),
        ("sectioning=even", Sectioning.EVEN),
        ("notes.tau.words=100", 100),
    ],
)
def test_a_value_is_read_as_its_field_s_type(text: str, value: object) -> None:
    axis = read_axis(HTSIR, text)
    assert axis.values == (value,)
    assert type(axis.values[0]) is type(value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("leafwords=1", "did you mean indexing.sections.leaf_words"),
        ("max_words", "write FIELD=VALUE"),
        ("leaf_words=", "write FIELD=VALUE"),
        ("leaf_words=50,50", "different values"),
        ("leaf_words=many", "expected a whole number"),
        ("layers=leaf+top", "expected sentence, leaf, group, section"),
        ("expand=1", "expected true or false"),
        ("name=X", "no field of a recipe is named 'name'"),
    ],
)
def test_what_cannot_be_varied_is_refused(text: str, says: str) -> None:
    with pytest.raises(RecipeError, match=says):
        read_axis(TREATISE, text)


def test_a_combination_that_cannot_be_is_refused() -> None:
    with pytest.raises(RecipeError, match="at least 2"):
        varied(HTSIR, [read_axis(HTSIR, "group_leaves=1,2")])


def test_units_and_shapes_are_varied_by_their_names() -> None:
    points = varied(TREATISE, [read_axis(TREATISE, "tree=random,bisection"), read_axis(TREATISE, "context_weight=0,1")])
    assert [point.recipe.indexing.tree for point in points] == [
        RandomSplits(),
        RandomSplits(),
        Bisection(),
        Bisection(),
    ]
    assert [point.recipe.indexing.context_weight for point in points] == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("axis", "says"),
    [
        ("leaf_words=50,60", "sections has no effect: .* the tree is balanced"),
        ("chunk_words=50,60", "chunk_words has no"),
    ],
)
def test_an_option_that_the_recipe_does_not_use_is_refused(axis: str, says: str) -> None:
    with pytest.raises(RecipeError, match=says):
        varied(TREATISE, [read_axis(TREATISE, axis)])


def test_the_table_has_a_line_a_combination_and_the_best_in_bold(tmp_path: Path) -> None:
    axes = [read_axis(HTSIR, "leaf_words=20,40"), read_axis(HTSIR, "layers=leaf,all")]
    points = varied(HTSIR, axes)
    summary = run("qasper", DATA, [point.recipe for point in points], [30], tmp_path, encoder=HashingEncoder(16))
    head, _, *lines = as_markdown(axes, points, summary.rows).splitlines()
    assert head == "| leaf_words | layers | words | f1 | recall |"
    assert [line.split(" | ")[:3] for line in lines] == [
        ["| 20", "leaf", "30"],
        ["| 20", "all", "30"],
        ["| 40", "leaf", "30"],
        ["| 40", "all", "30"],
    ]
    assert any("**" in line for line in lines)
    assert as_csv(axes, points, summary.rows).count("\n") == 1 + 4 * 2
