"""What replaces missing engines is named for every recipe that needs them."""

from dataclasses import replace
from pathlib import Path

from tests.evaluate.scripted_engines import RandomChunkParser
from treatise.core.recipe import Summaries
from treatise.evaluate.run import generation, node_profile, retrieval
from treatise.evaluate.run.spec import RunSpec
from treatise.evaluate.run.stand_ins import stand_ins
from treatise.parse.by_language import is_right_branching
from treatise.pipeline.engines import Engines
from treatise.recipes import RECIPES, recipe_named
from treatise.testing import HashingEncoder, ScriptedModel, ScriptedReader, ScriptedReranker

BARE = Engines(HashingEncoder(8))
DRCD = (
    '{"data": [{"title": "t", "id": "1", "paragraphs": [{"id": "1", "context": "山水在東方。日月在天上。", "qas": '
    '[{"id": "q", "question": "山水在哪？", "answers": [{"text": "東方", "answer_start": 3}]}]}]}]}'
)
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
    reading = replace(BARE, reader=ScriptedReader("tea"))
    assert "answers quoted by the trained reader" in [*stand_ins(recipe_named("bm25"), reading, ["en"], answers=True)]
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
    data.write_text(DRCD, encoding="utf-8")
    retrieval.run(spec)
    table = (tmp_path / "out" / "summary.md").read_text(encoding="utf-8")
    assert "stands in" in table.splitlines()[0]
    assert table.count("a budget of whitespace words (zh)") == 2
    characters = replace(recipes[0], selection=replace(recipes[0].selection, count_characters=True))
    (row,) = retrieval.run(replace(spec, recipes=[characters], out=tmp_path / "characters")).rows
    assert row.stand_ins == ()
    assert "nucleus text for notes, no reranker: the order of the first stage, a budget" in table


def test_rejected_replies_are_shown_beside_the_row(tmp_path: Path) -> None:
    data = tmp_path / "drcd.json"
    data.write_text(DRCD, encoding="utf-8")
    recipes = [recipe_named(name) for name in ("flat-sentence", "bisection", "disco-rag")]
    engines = Engines(HashingEncoder(8), model=ScriptedModel(lambda _: "?"), chunk_parser=RandomChunkParser())
    spec = RunSpec(
        dataset="drcd", data=data, out=tmp_path / "out", engines=engines, recipes=recipes, budgets=[5], calls=None
    )
    for _ in range(2):  # also if every call was made in an earlier run
        generation.run(replace(spec, out=tmp_path / "again", calls=tmp_path / "calls.db"))
        for row in (tmp_path / "again").glob("*.jsonl"):
            row.unlink()
    summary = generation.run(replace(spec, out=tmp_path / "last", calls=tmp_path / "calls.db"))
    found = {row.recipe: row.stand_ins for row in summary.rows}
    assert not [one for one in found["flat-sentence"] if "notes" in one or "request" in one]
    assert "nucleus text for 100 % of the notes (replies rejected)" in found["bisection"]
    assert {"1 request for trees without a usable reply", "1 request for plans without a usable reply"} <= {
        *found["disco-rag"]
    }


def test_a_profile_of_nodes_says_what_stands_in(tmp_path: Path) -> None:
    data = tmp_path / "drcd.json"
    data.write_text(DRCD, encoding="utf-8")
    recipes = [recipe_named("bisection")]
    spec = RunSpec(dataset="drcd", data=data, out=tmp_path / "out", engines=BARE, recipes=recipes)
    (row,) = node_profile.run(spec)
    assert "nucleus text for notes" in row.stand_ins
    assert "- stands in: nucleus text for notes" in (tmp_path / "out" / "summary.md").read_text(encoding="utf-8")


def test_a_text_that_exceeds_the_window_is_named(tmp_path: Path) -> None:
    data = tmp_path / "drcd.json"
    data.write_text(DRCD.replace("日月在天上。", "日月在天上。" * 400), encoding="utf-8")
    recipes = [recipe_named("full-context"), recipe_named("flat-sentence")]
    engines = Engines(HashingEncoder(8), model=ScriptedModel(lambda _: "東方", context_tokens=1_200))
    spec = RunSpec(dataset="drcd", data=data, out=tmp_path / "out", engines=engines, recipes=recipes, budgets=[5])
    whole, sentences = generation.run(spec).rows
    assert "the text cut to the model's window in 1 of 1 questions" in whole.stand_ins
    assert not [one for one in sentences.stand_ins if "window" in one]
