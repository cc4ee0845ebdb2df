"""Files of answers and contexts, scored and compared."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from tests.evaluate.specs import make_spec
from treatise.core.errors import DataError
from treatise.evaluate.data.registry import DATASETS
from treatise.evaluate.metrics.answers import answer_f1
from treatise.evaluate.run.external_answers import Judges, score_answers, score_ranks
from treatise.evaluate.run.retrieval import run
from treatise.evaluate.run.spec import RunSpec
from treatise.recipes import BALANCED, BM25
from treatise.testing import ScriptedModel

EXCERPT = Path(__file__).parent / "data" / "qasper-excerpt.json"
QUESTIONS = [question for labelled in DATASETS["qasper"].load(EXCERPT) for question in labelled.questions]


def spec(folder: Path) -> RunSpec:
    return make_spec("qasper", EXCERPT, (), (), folder / "out")


def written(path: Path, answers: list[str]) -> Path:
    rows = [{"question_id": q.id, "answer": answer} for q, answer in zip(QUESTIONS, answers, strict=True)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def systems(tmp_path) -> dict[str, Path]:
    """One that says nothing, and one that is always right."""
    return {
        "silent": written(tmp_path / "silent.jsonl", [""] * len(QUESTIONS)),
        "right": written(tmp_path / "right.jsonl", [q.references[0].answer for q in QUESTIONS]),
    }


def test_answers_are_scored_by_what_the_set_is_reported_with(systems, tmp_path):
    summary = score_answers(spec(tmp_path), systems)
    silent, right = summary.rows
    assert right.scores["answer_f1"].mean == 100
    expected = [answer_f1(question, "")[0] for question in QUESTIONS]
    assert silent.scores["answer_f1"].mean == pytest.approx(100 * sum(expected) / len(expected))
    assert right.differences["answer_f1"].mean == pytest.approx(100 - silent.scores["answer_f1"].mean)
    kinds = {name: mean.n for name, mean in right.scores.items() if name != "answer_f1"}
    assert sum(kinds.values()) == len(QUESTIONS)
    table = (tmp_path / "out" / "summary.md").read_text(encoding="utf-8")
    assert "| right |" in table
    record = json.loads((tmp_path / "out" / "summary.json").read_text(encoding="utf-8"))["record"]
    assert record["recipes"]["right"]["file"] == "right.jsonl"


def test_results_of_summaries_are_answers_too(systems, tmp_path):
    rows = [{"question_id": q.id, "context": q.references[0].answer, "spans": []} for q in QUESTIONS]
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (row,) = score_answers(spec(tmp_path), {"s": path}, metrics=["answer_f1"]).rows
    assert row.scores["answer_f1"].mean == 100


def test_named_metrics_and_models_that_judge_are_added(systems, tmp_path):
    pytest.importorskip("rouge_score")
    judge = ScriptedModel(lambda messages: "[[100]]" if len(messages[1].content) % 2 else "no number")

    def entailed(pairs):
        return np.tile([1.0, 0.25], (len(pairs), 1))

    judges = Judges(judge=judge, entailment=entailed, reader=lambda pairs: ["" for _ in pairs])
    only = {"right": systems["right"]}
    (row,) = score_answers(spec(tmp_path), only, metrics=["rougeL"], judges=judges).rows
    assert set(row.scores) == {"rougeL", "judge", "judge_full", "consistency", "disambiguation_f1"}
    assert row.scores["rougeL"].mean == 100
    assert row.scores["judge"].mean == row.scores["judge_full"].mean == 100
    assert 0 < row.scores["judge"].n < len(QUESTIONS)  # what held no number is not scored
    assert row.scores["consistency"].mean == pytest.approx(75)


@pytest.mark.parametrize(
    ("content", "metrics", "expected"),
    [
        ('{"question_id": "x", "answer": "y"}\n', [], "has no line for question"),
        ('{"question_id": "x"}\n', [], "'answer' is missing"),
        ("", ["poetry"], "no metric is named 'poetry'"),
    ],
)
def test_what_is_wrong_with_answers_is_named(tmp_path, content, metrics, expected):
    path = tmp_path / "a.jsonl"
    path.write_text(content)
    with pytest.raises(DataError, match=expected):
        score_answers(spec(tmp_path), {"a": path}, metrics=metrics)


def test_ranks_of_results_are_compared(tmp_path, encoder):
    pytest.importorskip("ir_measures")
    run(make_spec("qasper", EXCERPT, [BM25, BALANCED], [200], tmp_path / "run", encoder=encoder))
    files = {name: tmp_path / "run" / f"{name}-200.jsonl" for name in ("bm25", "balanced")}
    summary = score_ranks(spec(tmp_path), files, measures=["R@5", "RR"])
    marked = [q for q in QUESTIONS if any(reference.spans for reference in q.references)]
    for row in summary.rows:
        assert set(row.scores) == {"R@5", "RR"}
        assert {mean.n for mean in row.scores.values()} == {len(marked)}
        assert all(0 < mean.mean <= 100 for mean in row.scores.values())
    assert not math.isnan(summary.rows[1].differences["RR"].p)


def test_a_set_that_marks_nothing_has_no_ranks(tmp_path, encoder):
    pytest.importorskip("ir_measures")
    asked = {"_id": "1", "input": "How is tea?", "context": "Tea is hot.", "answers": ["hot"], "language": "en"}
    data = tmp_path / "m.jsonl"
    data.write_text(json.dumps(asked))
    run(make_spec("multifieldqa_zh", data, [BM25], [5], tmp_path / "run", encoder=encoder))
    with pytest.raises(DataError, match="nothing can be ranked"):
        score_ranks(
            make_spec("multifieldqa_zh", data, (), (), tmp_path / "out"), {"bm25": tmp_path / "run" / "bm25-5.jsonl"}
        )
