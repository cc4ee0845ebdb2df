"""A metric and a data set are added as ``docs/evaluation.md`` says: a function and a row each."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.evaluate.specs import make_spec
from treatise.evaluate.data.dataset import AnswerKind, Dataset, LabelledDocument, Question, Reference
from treatise.evaluate.data.loaders.fields import read_records
from treatise.evaluate.data.loaders.layout import text_document
from treatise.evaluate.data.registry import DATASETS
from treatise.evaluate.metrics.evidence import answers_in_context
from treatise.evaluate.metrics.registry import ANSWER_METRICS, REPORTED
from treatise.evaluate.run import generation, retrieval
from treatise.recipes import BALANCED
from treatise.testing import HashingEncoder


def load_riddles(path: Path) -> Iterator[LabelledDocument]:
    for number, row in enumerate(read_records(path)):
        reference = Reference(row.text("answer"), AnswerKind.EXTRACTIVE)
        question = Question(f"riddle/{number}", row.text("riddle"), (reference,))
        yield LabelledDocument(text_document(row.text("text"), source=str(path)), (question,))


def brevity(_question: Question, answer: str, source: str) -> float | None:
    return 1 - len(answer) / len(source) if source else None


@pytest.fixture
def riddles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    dataset = Dataset("riddles", load_riddles, ("answers_in_context",), answers_in_context)
    monkeypatch.setitem(DATASETS, "riddles", dataset)
    monkeypatch.setitem(ANSWER_METRICS, "brevity", brevity)
    monkeypatch.setitem(REPORTED, "riddles", ("brevity",))
    path = tmp_path / "riddles.jsonl"
    path.write_text('{"riddle": "What is hot?", "answer": "tea", "text": "The tea is hot. Rain is cold."}\n')
    return path


def test_a_new_data_set_is_retrieved_from(riddles: Path, tmp_path: Path) -> None:
    spec = make_spec("riddles", riddles, [BALANCED], [8], tmp_path / "out", encoder=HashingEncoder(16))
    assert retrieval.run(spec).rows[0].scores["answers_in_context"].mean == 100


def test_a_new_metric_scores_answers(riddles: Path, tmp_path: Path) -> None:
    spec = make_spec("riddles", riddles, [BALANCED], [8], tmp_path / "out", encoder=HashingEncoder(16))
    assert 0 < generation.run(spec).rows[0].scores["brevity"].mean < 100
