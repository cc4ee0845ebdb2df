"""Training of the reader of tables."""

import json
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs the extra train")

from treatise.core.errors import DataError
from treatise.engines.program_reader import ProgramReader
from treatise.train.config import TrainingFiles
from treatise.train.run import MODEL, Run
from treatise.train.table_reader import (
    TableReaderRecipe,
    TableReaderTraining,
    fits,
    read_lines,
    train_table_reader,
)

TABLE = [["name", "pay"], ["Ana", "31"], ["Ben", "28"], ["Cara", "35"], ["Dev", "27"]]
QUESTIONS = [("Who earns most?", ["Cara"]), ("Who earns least?", ["Dev"]), ("How many are there?", ["4"])]


def written(path: Path, rows: list[dict[str, object]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path.name


@pytest.fixture
def recipe(tmp_path: Path) -> TableReaderRecipe:
    rows = [{"question": question, "table": TABLE, "answers": answers} for question, answers in QUESTIONS]
    name = written(tmp_path / "questions.jsonl", [*rows, {"question": "Who won?", "table": TABLE, "answers": []}])
    data = TrainingFiles((name,), (name,), "CC BY-SA 4.0", ("ours",))
    return TableReaderRecipe("tiny", TableReaderTraining(epochs=30), data)


def test_a_trained_reader_knows_its_questions_and_refuses_the_others(recipe: TableReaderRecipe, tmp_path: Path) -> None:
    figures = train_table_reader(recipe, Run(tmp_path, tmp_path / "run", "treatise train table-reader"))
    assert figures["right, all answered"] == 100
    reader = ProgramReader(tmp_path / "run" / MODEL)
    for question, answers in QUESTIONS:
        found = reader.read(question, TABLE[0], TABLE[1:])
        assert found is not None
        assert list(found.values) == answers
    refused = reader.read("Who won?", TABLE[0], TABLE[1:])
    assert refused is None or refused.probability < 0.5
    assert "tiny" in (tmp_path / "run" / MODEL / "README.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("result", "answers", "is_right"),
    [
        (["Paris"], ["paris."], True),
        ([39.6333], ["39.63"], True),
        ([39.7], ["39.63"], False),
        (["£1,200"], ["1200"], True),
        (["a"], ["a", "b"], False),
        ([2.0], ["two"], False),
    ],
)
def test_results_fit_answers(result: list[str | float], answers: list[str], is_right: bool) -> None:
    assert fits(result, answers) is is_right


def test_a_file_that_has_no_questions_is_named(tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"question": "Who?"}\n', encoding="utf-8")
    with pytest.raises(DataError, match=r"bad\.jsonl: .*table"):
        read_lines(bad)
    with pytest.raises(DataError, match=r"none\.jsonl"):
        read_lines(tmp_path / "none.jsonl")
