"""``treatise eval discorag``: answers on documents that disagree, scored, counted, and resumed."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.evaluate.specs import make_spec
from treatise.cli import treatise
from treatise.core.errors import DataError
from treatise.core.ports import Message
from treatise.core.recipe import Recipe
from treatise.evaluate.run.discorag import Unconstrained, run_discorag
from treatise.evaluate.run.spec import RunSpec
from treatise.recipes import DISCO_RAG_SPARSE, STANDARD_RAG
from treatise.testing import HashingEncoder, ScriptedModel

ROW = {
    "question": "When was the bridge over the Arden built?",
    "documents": [
        {"text": "The bridge over the Arden was built in 1902 by Hill.", "type": "correct", "answer": "1902"},
        {"text": "The bridge over the Arden was built in 1885 by Hill.", "type": "misinfo", "answer": "1885"},
        {"text": "Bread needs flour, water and yeast.", "type": "noise", "answer": "unknown"},
    ],
    "gold_answers": ["1902"],
    "wrong_answers": ["1885"],
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "ramdocs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in (ROW, ROW)), encoding="utf-8")
    return path


def _spec(data: Path, recipe: Recipe, out: Path, model: ScriptedModel) -> RunSpec:
    engines = {"encoder": HashingEncoder(256), "model": Unconstrained(model)}
    return make_spec("ramdocs", data, [recipe], (), out, **engines)


def _says(answer: str, graph: str) -> Callable[[Sequence[Message]], str]:
    return lambda messages: graph if "what passages do" in messages[0].content else answer


def test_answers_are_scored_and_replies_counted(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    model = ScriptedModel(_says("It was built in 1902. [1] Another passage says 1885. [2]", "no JSON at all"))
    (figures,) = run_discorag(_spec(data, DISCO_RAG_SPARSE, out, model))
    assert figures.n == 2
    assert {name: score[0] for name, score in figures.scores.items()} == {
        "right": 1.0,
        "all_right": 1.0,
        "wrong": 1.0,
        "strict": 0.0,
        "found": 1.0,
        "conflict": 0.0,
        "verified": figures.scores["verified"][0],
    }
    assert (figures.replies, figures.fitted, figures.given_up) == (2, 0, 2)  # asked twice, then known to have failed
    assert figures.tokens > 0
    assert model.schemas == [None] * len(model.schemas)
    assert "| disco-rag-sparse | 2 |" in (out / "summary.md").read_text(encoding="utf-8")


def test_a_run_goes_on_after_its_last_whole_line(data: Path, tmp_path: Path) -> None:
    out, model = tmp_path / "out", ScriptedModel(lambda _: "It was built in 1902. [1]")
    run_discorag(_spec(data, STANDARD_RAG, out, model))
    path = out / "standard-rag.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[1][:20])
    (figures,) = run_discorag(_spec(data, STANDARD_RAG, out, model))
    assert figures.scores["strict"][0] == 1.0
    assert len(model.prompts) == 3


def test_a_file_of_something_else_is_refused(data: Path, tmp_path: Path) -> None:
    (tmp_path / "standard-rag.jsonl").write_text('{"no": 1}\n', encoding="utf-8")
    model = ScriptedModel([])
    with pytest.raises(DataError, match="no result file"):
        run_discorag(_spec(data, STANDARD_RAG, tmp_path, model))


def test_results_of_another_version_are_refused(data: Path, tmp_path: Path) -> None:
    row = {"question_id": "ramdocs/1", "answer": "1902", "usage": {"answer_s": 0.1}, "scores": {"right": 1.0}}
    (tmp_path / "standard-rag.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    with pytest.raises(DataError, match="another version of Treatise"):
        run_discorag(_spec(data, STANDARD_RAG, tmp_path, ScriptedModel([])))


def test_the_command_runs_offline(data: Path, tmp_path: Path) -> None:
    arguments = ["eval", "discorag", "--dataset", "ramdocs", "--data", str(data), "--out", str(tmp_path / "out")]
    result = CliRunner().invoke(treatise, [*arguments, "--recipes", "standard-rag,disco-rag", "--limit", "1", "--json"])
    assert result.exit_code == 0, result.stderr
    standard, disco = json.loads(result.stdout)["recipes"]
    assert standard["scores"]["conflict"][0] == 0
    assert disco["scores"]["conflict"][0] == 1
    assert disco["scores"]["right"][0] == 1
