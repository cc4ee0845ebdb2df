"""``treatise eval``: the files and numbers of PROMISES."""

import json
from pathlib import Path

import pytest

from tests.engines.conftest import Answer, serve  # noqa: F401  (a fixture)


@pytest.fixture
def data(home: Path) -> Path:
    """One paper with one question, in the official form of QASPER."""
    evidence = "Water boils at 100 degrees."
    answer = {"unanswerable": False, "extractive_spans": [], "yes_no": None, "free_form_answer": "100"}
    paper = {
        "title": "Tea",
        "abstract": "On tea.",
        "full_text": [{"section_name": "Making", "paragraphs": [evidence, "Keep the leaves in a tin."]}],
        "qas": [
            {
                "question": "When does water boil?",
                "question_id": "q1",
                "answers": [{"answer": answer | {"evidence": [evidence], "highlighted_evidence": [evidence]}}],
            }
        ],
    }
    path = home / "qasper.json"
    path.write_text(json.dumps({"1": paper}), encoding="utf-8")
    return path


def test_a_run_writes_what_is_promised(run_json, data: Path, home: Path) -> None:
    options = ("--recipes", "flat-sentence,treatise", "--budgets", "5,9", "--out", "out")
    summary = run_json("eval", "retrieval", "--dataset", "qasper", "--data", data, *options)
    assert {row["recipe"] for row in summary["rows"]} == {"flat-sentence", "treatise"}
    for name in ("flat-sentence-5", "flat-sentence-9", "treatise-5", "treatise-9"):
        (line,) = (home / "out" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        row = json.loads(line)
        assert row["question_id"] == "q1"
        assert len(row["context"].split()) <= int(name.rpartition("-")[2])
        assert all(len(span) == 2 for span in row["spans"])
    assert json.loads((home / "out" / "summary.json").read_text(encoding="utf-8"))["rows"] == summary["rows"]


def test_without_json_the_table_is_printed(run, data: Path) -> None:
    result = run("eval", "retrieval", "--dataset", "qasper", "--data", data, "--out", "out", "--budgets", "5")
    assert result.stdout.startswith("| recipe |")


@pytest.mark.parametrize(
    ("option", "value", "status"),
    [
        ("--budgets", "200,many", 2),
        ("--budgets", "0", 2),
        ("--recipes", "treatsie", 1),
        ("--dataset", "quasper", 1),
        ("--data", "gone.json", 1),
    ],
)
def test_a_wrong_value_is_named(run, data: Path, option: str, value: str, status: int) -> None:
    given = {"--dataset": "qasper", "--data": str(data), "--out": "out", option: value}
    result = run("eval", "retrieval", *(part for pair in given.items() for part in pair))
    assert result.exit_code == status
    assert value in result.stderr


def test_answers_are_measured_with_and_without_a_model(run_json, data: Path, home: Path, serve) -> None:  # noqa: F811
    reply = {"choices": [{"message": {"content": "100 degrees"}, "finish_reason": "stop"}]}
    server = serve(lambda _, request: Answer(reply))
    options = ("--dataset", "qasper", "--data", data, "--recipes", "flat-sentence", "--budgets", "20")
    written = run_json("eval", "generation", *options, "--out", "a", "--llm", server.url, "--llm-model", "m")
    assert written["model"] == "openai-chat m seed 0"
    assert written["rows"][0]["scores"]["answer_f1"]["mean"] == pytest.approx(200 / 3)
    (line,) = (home / "a" / "flat-sentence-20.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["answer"] == "100 degrees"
    quoted = run_json("eval", "generation", *options, "--out", "b")
    assert quoted["model"] == ""
    assert (home / "b" / "summary.md").exists()


def test_the_anatomy_of_recipes_is_told(run, run_json, data: Path) -> None:
    options = ("--dataset", "qasper", "--data", data, "--recipes", "flat-sentence,disretrieval-nuclei", "--top-k", 6)
    flat, nuclei = run_json("eval", "anatomy", *options)["anatomies"]
    assert (flat["recipe"], flat["inner_share"]) == ("flat-sentence", 0)
    assert 0 < nuclei["inner_share"] < 1
    assert nuclei["relations_all"]
    assert "of those found" in run("eval", "anatomy", *options).stdout
