"""What replaces missing engines is named for every recipe that needs them."""

from pathlib import Path

from treatise.core.recipe import Summaries
from treatise.evaluate.run import retrieval
from treatise.evaluate.run.spec import RunSpec
from treatise.evaluate.run.stand_ins import stand_ins
from treatise.parse.by_language import is_right_branching
from treatise.pipeline.engines import Engines
from treatise.recipes import RECIPES, recipe_named
from treatise.testing import HashingEncoder, ScriptedModel, ScriptedReranker

BARE = Engines(HashingEncoder(8))
WHOLE = Engines(HashingEncoder(8), model=ScriptedModel([]), reranker=ScriptedReranker())


def test_nothing_stands_in_if_every_engine_is_there() -> None:
    assert not [slug for slug, one in RECIPES.items() if [*stand_ins(one, WHOLE, ["en"], answers=True)]]


def test_every_missing_part_of_a_recipe_is_named() -> None:
    for slug, recipe in RECIPES.items():
        found = [*stand_ins(recipe, BARE, ["en"], answers=False)]
        writes = recipe.indexing.notes.summaries in (Summaries.LLM, Summaries.HYBRID)
        assert ("nucleus text for notes" in found) == writes, slug
        assert ("no reranker: the order of the first stage" in found) == (recipe.reranking is not None), slug
        assert "quoted answers" in [*stand_ins(recipe, BARE, ["en"], answers=True)], slug
    assert "sections by cohesion" in [*stand_ins(recipe_named("htsir-themes"), BARE, ["en"], answers=False)]
    assert "no refinement" in [*stand_ins(recipe_named("htsir-refined"), BARE, ["en"], answers=True)]


def test_right_branching_trees_are_named_by_language() -> None:
    english_alone = "en=spans-2/parser-en-1,transition/null"
    assert is_right_branching(english_alone, "zh")
    assert not is_right_branching(english_alone, "en-GB")
    assert not is_right_branching("en=spans-2/parser-en-1,spans-2/parser-multi-1", "zh")


def test_a_table_has_a_column_of_what_stands_in(tmp_path: Path) -> None:
    data = tmp_path / "drcd.json"
    recipes = [recipe_named("flat-sentence"), recipe_named("htsir-dense")]
    spec = RunSpec(dataset="drcd", data=data, out=tmp_path / "out", engines=BARE, recipes=recipes, budgets=[5])
    data.write_text(
        '{"data": [{"title": "t", "id": "1", "paragraphs": [{"id": "1", "context": "山水在東方。日月在天上。", "qas": '
        '[{"id": "q", "question": "山水在哪？", "answers": [{"text": "東方", "answer_start": 3}]}]}]}]}',
        encoding="utf-8",
    )
    retrieval.run(spec)
    table = (tmp_path / "out" / "summary.md").read_text(encoding="utf-8")
    assert "stands in" in table.splitlines()[0]
    assert "nucleus text for notes, no reranker: the order of the first stage |" in table
