"""Tables with a language model: estimates, ceilings, kills, failures, and what a second run repeats."""

import json
import signal
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.evaluate.interrupted import TABLE
from tests.evaluate.paper_data import write_all
from tests.evaluate.scripted_engines import RandomChunkParser, speak
from treatise.compose import library, open_store
from treatise.core.errors import EngineUnavailableError
from treatise.core.ports import Message
from treatise.evaluate.metrics.judges import Judges
from treatise.evaluate.papers.catalogue import items_named
from treatise.evaluate.run.estimate_experiments import as_markdown, estimate_experiments, total_of
from treatise.evaluate.run.experiment import Experiment, Task
from treatise.evaluate.run.run_experiments import ExperimentOptions, Outcome, run_experiments
from treatise.testing import HashingEncoder, ScriptedModel

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_all(tmp_path_factory.mktemp("sets"))


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> ScriptedModel:
    """The model that every name opens."""
    scripted = ScriptedModel(speak)
    monkeypatch.setattr(library, "open_encoder", lambda *_: HashingEncoder(16))
    monkeypatch.setattr(library, "open_language_model", lambda *_: scripted)
    monkeypatch.setattr(library, "open_chunk_parser", lambda *_: RandomChunkParser())
    return scripted


def options(data: Path, **changes: object) -> ExperimentOptions:
    return replace(ExperimentOptions(data, models=("scripted",)), **changes)  # type: ignore[arg-type]


def run(data: Path, out: Path, **changes: object) -> Outcome:
    return run_experiments([TABLE], options(data, **changes), out)


def results(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(out.rglob("*.jsonl"))}


@pytest.mark.parametrize("recipes", [("flat-sentence", "bisection"), ("disco-rag", "retrieve-and-plan")])
def test_an_estimate_counts_the_calls_of_the_run(
    recipes: tuple[str, ...], data: Path, model: ScriptedModel, tmp_path: Path
) -> None:
    table = replace(TABLE, recipes=recipes)
    estimates, skipped = estimate_experiments([table], options(data, is_estimate=True))
    assert model.prompts == []
    assert not skipped
    run_experiments([table], options(data), tmp_path / "out")
    (estimate,) = estimates
    assert estimate.n_calls == len(model.prompts)
    n_words = sum(len(message.content.split()) for prompt in model.prompts for message in prompt)
    assert estimate.prompt_tokens > n_words / 2
    assert f"| {estimate.n_calls:,} |" in as_markdown(estimates)
    assert total_of(estimates).n_calls == estimate.n_calls


def test_a_ceiling_ends_a_table_and_a_second_run_continues(data: Path, model: ScriptedModel, tmp_path: Path) -> None:
    whole = run(data, tmp_path / "whole")
    n_calls = len(model.prompts)
    model.prompts.clear()
    first = run(data, tmp_path / "parts", max_calls=n_calls // 2)
    assert (first.results, len(model.prompts)) == ([], n_calls // 2)
    assert "the ceiling of this run is reached" in first.skipped[0]
    second = run(data, tmp_path / "parts")
    assert len(model.prompts) == n_calls
    assert len(second.results) == len(whole.results) == 1
    assert results(tmp_path / "parts") == results(tmp_path / "whole")


def test_a_ceiling_in_the_last_call_of_a_refined_answer_leaves_the_question_open(
    data: Path, model: ScriptedModel, tmp_path: Path
) -> None:
    table = replace(TABLE, datasets=("qmsum",), recipes=("htsir-refined",), budgets=(100,))
    run_experiments([table], options(data), tmp_path / "whole")
    n_calls = len(model.prompts)
    first = run_experiments([table], options(data, max_calls=n_calls - 1), tmp_path / "parts")
    assert first.results == []
    run_experiments([table], options(data), tmp_path / "parts")
    assert results(tmp_path / "parts") == results(tmp_path / "whole")


def test_a_killed_table_continues_without_repeating_a_call(data: Path, model: ScriptedModel, tmp_path: Path) -> None:
    run(data, tmp_path / "whole")
    out, log = tmp_path / "killed", tmp_path / "prompts"
    for n_calls, status in (("25", -signal.SIGKILL), ("0", 0)):
        command = [sys.executable, "-m", "tests.evaluate.interrupted", str(data), str(out), str(log), n_calls]
        assert subprocess.run(command, cwd=ROOT, check=False).returncode == status
    prompts = log.read_text(encoding="utf-8").splitlines()
    assert len(prompts) == len(model.prompts) > 25
    assert results(out) == results(tmp_path / "whole")


def test_a_model_that_fails_ends_its_table_alone_and_a_second_run_continues(
    data: Path, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def failing(messages: tuple[Message, ...]) -> str:
        if len(broken.prompts) > 25:
            raise EngineUnavailableError("the server is gone")
        return speak(messages)

    broken = ScriptedModel(failing)
    monkeypatch.setattr(library, "open_language_model", lambda *_: broken)
    census = Experiment("census", Task.CENSUS, ("qasper",))
    outcome = run_experiments([TABLE, census], options(data), tmp_path / "out")
    assert [one.title for one in outcome.results] == ["census: qasper"]
    kept = "What is finished is kept: run the same command again"
    assert outcome.skipped == [f"table on qasper: the server is gone. {kept}"]
    assert any(path.read_bytes() for path in (tmp_path / "out" / "table").rglob("*.part"))  # what was answered stays
    monkeypatch.setattr(library, "open_language_model", lambda *_: model)
    assert len(run(data, tmp_path / "out").results) == 1
    assert len(model.prompts) + 25 == n_calls_of_whole(data, model, tmp_path)


def n_calls_of_whole(data: Path, model: ScriptedModel, folder: Path) -> int:
    before = len(model.prompts)
    run(data, folder / "whole")
    return len(model.prompts) - before


def test_a_missing_group_or_field_is_named_and_the_rest_is_run(
    data: Path, model: ScriptedModel, tmp_path: Path
) -> None:
    sets = tmp_path / "sets"
    for name, content in (("quality", '{"article_id": "1", "article": "It rained."}'), ("asqa", "{}")):
        (sets / name).mkdir(parents=True)
        (sets / name / {"quality": "articles.jsonl", "asqa": "ASQA.json"}[name]).write_text(content)
    (sets / "qasper").symlink_to(data / "qasper")
    table = replace(TABLE, datasets=("quality:odd", "quality", "asqa:dev", "qasper"), recipes=("flat-sentence",))
    outcome = run_experiments([table], options(sets), tmp_path / "out")
    assert [one.title for one in outcome.results] == ["table: qasper, scripted"]
    of_sets = {reason.partition(": ")[0]: reason for reason in outcome.skipped if " on " in reason}
    assert set(of_sets) == {"table on quality:odd", "table on quality", "table on asqa:dev"}
    assert all(str(sets) in reason or "odd" in reason for reason in of_sets.values())


def test_a_paper_is_all_of_its_tables_and_figures() -> None:
    assert len(items_named("htsir")) == 12
    assert list(items_named("htsir:table1")) == ["htsir:table1"]


def test_answers_are_judged_in_the_table(data: Path, model: ScriptedModel, tmp_path: Path) -> None:
    from treatise.evaluate.metrics.judges import Judges

    judge = ScriptedModel(lambda messages: f"Fine. [[{50 + len(messages[-1].content) % 2}]]")
    table = replace(TABLE, datasets=("loong:set1",), recipes=("standard-rag",), budgets=(0,))
    unjudged = run_experiments([table], options(data), tmp_path / "a")
    assert unjudged.skipped == ["table: judge not scored; name a model with --judge MODEL"]
    judged = run_experiments([table], options(data, judges=Judges(judge=judge)), tmp_path / "b")
    assert judged.skipped == []
    (row,) = json.loads((judged.results[0].folder / "summary.json").read_text(encoding="utf-8"))["rows"]
    assert 50 <= row["scores"]["judge"]["mean"] <= 51


def test_tokens_and_seconds_are_of_each_row_alone(data: Path, model: ScriptedModel, tmp_path: Path) -> None:
    table = replace(TABLE, datasets=("loong:set1",), budgets=(0,), with_cost=True)
    few, many = (
        run_experiments([replace(table, recipes=recipes)], options(data), tmp_path / str(len(recipes)))
        for recipes in (("disco-rag-c256-k20",), ("disco-rag", "disco-rag-c256-k20"))
    )
    (alone,) = costs_of(few)
    beside = costs_of(many)
    assert beside[1]["tokens"] == alone["tokens"] > beside[0]["tokens"] > 1_000
    assert "| disco-rag-c256-k20 | own | 1 |" in (many.results[0].folder / "summary.md").read_text(encoding="utf-8")


def costs_of(outcome: Outcome) -> list[dict[str, float]]:
    summary = json.loads((outcome.results[0].folder / "summary.json").read_text(encoding="utf-8"))
    return list(summary["costs"])


def test_a_plan_that_cannot_be_used_is_named(data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def notes(reply: str) -> list[list[str]]:
        scripted = ScriptedModel(lambda messages: reply if "queries" in messages[0].content else speak(messages))
        monkeypatch.setattr(library, "open_language_model", lambda *_: scripted)
        table = replace(TABLE, recipes=("plan-and-retrieve",), budgets=(100,))
        (result,) = run_experiments([table], options(data), tmp_path / str(len(reply))).results
        rows = (result.folder / "plan-and-retrieve-100.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(row).get("notes", []) for row in rows]

    monkeypatch.setattr(library, "open_encoder", lambda *_: HashingEncoder(16))
    no_plan = "the model gave no plan and queries that could be used: only the question was searched"
    assert all(no_plan in found for found in notes("?"))
    assert not any(no_plan in found for found in notes(json.dumps({"plan": "Name it.", "queries": ["copper"]})))


def test_a_judge_is_not_paid_twice(data: Path, model: ScriptedModel, tmp_path: Path) -> None:
    asked = ScriptedModel(lambda _: "Good. [[80]]")
    for _ in range(2):
        with closing(open_store(tmp_path / "judges.db")) as calls:
            judges = Judges(judge=asked, calls=calls)
            done = run(data, tmp_path / "out", judges=judges)
        assert (
            json.loads((done.results[0].folder / "summary.json").read_text())["rows"][0]["scores"]["judge"]["mean"]
            == 80
        )
    assert 0 < len(asked.prompts) == len(set(asked.prompts))
    n_calls = len(asked.prompts)
    with closing(open_store(tmp_path / "judges.db")) as calls:
        run(data, tmp_path / "elsewhere", judges=Judges(judge=asked, calls=calls))
    assert len(asked.prompts) == n_calls  # the same answers, in another folder
