"""``treatise eval sweep`` and ``segmentation``."""

import json
from pathlib import Path

import pytest


def test_a_sweep_writes_a_table_of_its_values(run, data: Path, home: Path) -> None:
    options = ("--recipe", "htsir", "--vary", "leaf_words=5,50", "--budgets", "9", "--out", "out")
    result = run("eval", "sweep", "--dataset", "qasper", "--data", data, *options)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("| leaf_words | words | f1 |")
    assert (home / "out" / "sweep.csv").read_text().startswith("leaf_words,words,metric")
    assert (home / "out" / "htsir-leaf-words-5-9.jsonl").exists()


def test_a_field_that_cannot_be_varied_is_named(run, data: Path) -> None:
    result = run("eval", "sweep", "--dataset", "qasper", "--data", data, "--vary", "leaf_wrds=5", "--out", "out")
    assert result.exit_code == 2
    assert "leaf_words" in result.stderr


def test_segmentation_is_measured(run_json, run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    turns = [{"speaker": "A", "content": f"Turn {i} is on {'tides' if i < 4 else 'bread'}."} for i in range(9)]
    topics = [{"topic": "x", "relevant_text_span": [["0", "3"]]}, {"topic": "y", "relevant_text_span": [["4", "8"]]}]
    (home / "qmsum").mkdir()
    (home / "qmsum" / "val.jsonl").write_text(json.dumps({"meeting_transcripts": turns, "topic_list": topics}))
    monkeypatch.setenv("TREATISE_DATA", str(home))
    options = ("--dataset", "qmsum", "--out", "out", "--sectioners", "even,random,cohesion")
    found = run_json("eval", "segmentation", *options)
    assert {score["sectioner"] for score in found["scores"]} == {"even", "random", "cohesion-0.5-3"}
    assert (home / "out" / "segmentation.md").exists()
    for wrong, says in (("themes", "even"), ("llm", "--llm")):
        result = run("eval", "segmentation", *options[:-1], wrong)
        assert result.exit_code == 2
        assert says in result.stderr
