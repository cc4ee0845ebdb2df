"""``treatise eval``: the files and numbers of PROMISES."""

import json
from pathlib import Path

import pytest


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


def test_the_baseline_is_named_and_results_become_tables_and_a_page(run, run_json, data: Path, home: Path) -> None:
    options = ("--recipes", "flat-sentence,balanced", "--budgets", "5,9", "--out", "ours", "--baseline", "balanced")
    summary = run_json("eval", "retrieval", "--dataset", "qasper", "--data", data, *options)
    assert [bool(row["differences"]) for row in summary["rows"]] == [True, True, False, False]
    (home / "peer.jsonl").write_text('{"question_id": "q1", "passages": ["Water boils at 100 degrees."]}\n')
    options = ("--dataset", "qasper", "--data", data, "--budgets", "5,9", "--out", "theirs")
    scored = run_json("eval", "score", "peer.jsonl", "again=ours/balanced-9.jsonl", *options)
    assert [row["recipe"] for row in scored["rows"]] == ["peer", "peer", "again", "again"]
    assert scored["rows"][0]["scores"]["f1"]["mean"] == 100
    table = run_json("eval", "tables", "ours", "theirs", "--out", "tables")
    assert [row["recipe"] for row in table["rows"][::2]] == ["flat-sentence", "balanced", "peer", "again"]
    assert {path.name for path in (home / "tables").iterdir()} == {
        f"summary.{kind}" for kind in ("json", "csv", "md", "tex")
    }
    made = run_json("eval", "report", "ours", "theirs", "--out", "pages/report.html")
    assert (home / "pages" / "report.html").stat().st_size == made["bytes"]
    assert run("eval", "tables", "ours", "--out", "tables").stdout.startswith("| recipe |")


def test_answers_are_rated_blind_and_summed_up(run, run_json, data: Path, home: Path) -> None:
    (home / "a.jsonl").write_text('{"question_id": "q1", "answer": "At 100 degrees."}\n')
    (home / "b.jsonl").write_text('{"question_id": "q1", "answer": "Never."}\n')
    options = ("--dataset", "qasper", "--data", data, "--out", "sheet.html", "--seed", "3")
    made = run_json("eval", "rating-sheet", "good=a.jsonl", "bad=b.jsonl", *options)
    key = json.loads((home / made["key"]).read_text(encoding="utf-8"))
    letters = {name: letter for letter, name in key["items"][0]["answers"].items()}
    given = {"good": 3, "bad": 1}
    rows = [f"{made['sheet']},Anna,1,{letters[name]},relevance,{score}" for name, score in given.items()]
    (home / "anna.csv").write_text("\n".join(["sheet,rater,item,answer,criterion,score", *rows, ""]))
    summary = run_json("eval", "ratings", "sheet.key.json", "anna.csv", "--baseline", "bad")
    assert {row["system"]: row["mean"] for row in summary["systems"]} == given
    assert run("eval", "ratings", "sheet.key.json", "anna.csv").stdout.startswith("| system | relevance |")
    assert run("eval", "rating-sheet", "a.jsonl", "--dataset", "qasper", "--out", "s.html").exit_code == 2
    assert run("eval", "rating-sheet", "x=a.jsonl", "x=b.jsonl", "--out", "s.html").exit_code == 2
