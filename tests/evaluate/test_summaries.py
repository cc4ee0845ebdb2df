"""Summaries measured: files, scores, baselines, and a run that goes on."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.builders import make_document, make_indexed
from tests.evaluate.specs import make_spec
from tests.pipeline.test_index import ChainParser
from treatise.core.errors import DataError, EngineError, EngineUnavailableError, RecipeError
from treatise.evaluate.data.registry import DATASETS
from treatise.evaluate.report.summary import Summary
from treatise.evaluate.run import retrieval, summaries
from treatise.evaluate.run.summary_baselines import BASELINES, chance, lead, lexrank
from treatise.pipeline.index import index_document
from treatise.recipes import FLAT_SENTENCE, SUMMARY, TREATISE, TREATISE_RERANKED
from treatise.testing import FailingReranker, HashingEncoder, ScriptedModel

DATA = Path(__file__).parent / "data"
MEETINGS = DATA / "qmsum-excerpt.jsonl"
ENGINES = {"encoder": HashingEncoder(16), "parser": ChainParser()}


def run(*parts: Any, **rest: Any) -> Summary:
    return summaries.run(make_spec(*parts, **rest))


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_run_writes_a_summary_for_every_question_and_scores_them(tmp_path: Path) -> None:
    pytest.importorskip("rouge_score")
    summary = run("qmsum", MEETINGS, [SUMMARY, TREATISE], [30, 60], tmp_path, **ENGINES)
    questions = [question.id for one in DATASETS["qmsum"].load(MEETINGS) for question in one.questions]
    slugs = [*BASELINES, "summary", "treatise"]
    assert [(row.recipe, row.budget) for row in summary.rows] == [(slug, n) for slug in slugs for n in (30, 60)]
    for slug in slugs:
        rows = lines(tmp_path / f"{slug}-30.jsonl")
        assert [row["question_id"] for row in rows] == questions
        assert all(0 < len(row["context"].split()) <= 30 for row in rows)
    assert list(summary.rows[0].scores) == ["rougeL", "rouge1", "rouge2"]
    assert not summary.rows[0].differences
    assert set(summary.rows[-1].differences) == {"rougeL", "rouge1", "rouge2"}
    assert json.loads((tmp_path / "summary.json").read_text())["record"]["dataset"] == "qmsum summaries"
    assert (tmp_path / "summary.md").exists()


def test_a_run_that_was_stopped_goes_on_and_whole_files_are_kept(tmp_path: Path) -> None:
    pytest.importorskip("rouge_score")

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run("qmsum", MEETINGS, [TREATISE], [30], tmp_path, progress=stop, **ENGINES)
    assert (tmp_path / "treatise-30.jsonl.part").exists()
    first = run("qmsum", MEETINGS, [TREATISE], [30], tmp_path, **ENGINES)
    model = ScriptedModel(["never asked"])
    assert run("qmsum", MEETINGS, [TREATISE], [30], tmp_path, **ENGINES).rows == first.rows
    other = run(
        "qmsum", MEETINGS, [TREATISE], [30], tmp_path, model=ScriptedModel(lambda _: "It said so. [1]"), **ENGINES
    )
    assert other.rows[-1].n_words == 3, "a model's summaries are not those that were quoted"
    assert not model.prompts


def test_unknown_names_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("rouge_score")
    with pytest.raises(DataError, match="lead, random, lexrank"):
        summaries.run(make_spec("qmsum", MEETINGS, [TREATISE], [30], tmp_path, **ENGINES), baselines=["last"])


def test_baselines_are_whole_sentences_in_text_order() -> None:
    texts = [
        "Title here",
        "The tea is hot.",
        "The tea is hot and green.",
        "Tea and milk are hot.",
        "Birds sing at dawn.",
    ]
    indexed = index_document(
        make_document([[text] for text in texts], headings=(0,)), FLAT_SENTENCE.indexing, encoder=ENGINES["encoder"]
    )
    assert lead(indexed, "", 9) == "The tea is hot. The tea is hot and green."[:15] + " Tea and milk are hot."
    assert chance(indexed, "a", 9) == chance(indexed, "a", 9)
    assert "Birds" not in lexrank(indexed, "", 9)
    for summarize in BASELINES.values():
        assert len(summarize(indexed, "Why is tea hot?", 9).split()) <= 9
        assert summarize(make_indexed([["One."]]), "Why?", 9) == "One."


def test_retrieval_is_not_measured_without_the_stage_that_it_is_measured_for(tmp_path: Path) -> None:
    data = DATA / "qasper-excerpt.json"
    with pytest.raises(RecipeError, match="treatise-reranked: there is no reranker"):
        retrieval.run(make_spec("qasper", data, [TREATISE_RERANKED], [30], tmp_path, **ENGINES))
    failing = FailingReranker(EngineUnavailableError("down"))
    with pytest.raises(EngineError, match=r"not reranked, .* down"):
        retrieval.run(make_spec("qasper", data, [TREATISE_RERANKED], [30], tmp_path, reranker=failing, **ENGINES))
