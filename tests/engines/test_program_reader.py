"""The reader of tables: the shipped one, and what it refuses."""

from importlib.resources import files
from pathlib import Path
from shutil import copytree

import pytest

from treatise.core.errors import EngineUnavailableError
from treatise.engines.program_reader import ProgramReader
from treatise.engines.word_vectors import EmbeddedWords

SHIPPED = Path(str(files("treatise") / "models" / "tables-en"))
HEADS = ["Employee", "Dept", "Pay (£)", "Joined"]
ROWS = [
    ["Ana Reyes", "Sales", "31,000", "2019"],
    ["Ben Okoro", "Sales", "28,500", "2021"],
    ["Cara Lund", "Workshop", "35,250", "2017"],
    ["Dev Patel", "Office", "27,900", "2020"],
]


@pytest.fixture(scope="module")
def reader() -> ProgramReader:
    return ProgramReader(SHIPPED)


@pytest.mark.parametrize(
    ("question", "values", "rows"),
    [
        ("Who has the highest salary?", ("Cara Lund",), (2,)),
        ("How many people joined after 2018?", ("3",), (0, 1, 3)),
        ("Which department is Dev Patel in?", ("Office",), (3,)),
        ("How many people are in Sales?", ("2",), (0, 1)),
    ],
)
def test_a_likely_answer_is_found(
    reader: ProgramReader, question: str, values: tuple[str, ...], rows: tuple[int, ...]
) -> None:
    found = reader.read(question, HEADS, ROWS)
    assert found is not None
    assert (found.values, found.rows) == (values, rows)
    assert found.probability > 0.4


def test_a_question_of_something_else_is_unlikely_to_be_answered(reader: ProgramReader) -> None:
    found = reader.read("What is the boiling point of nitrogen?", HEADS, ROWS)
    assert found is None or found.probability < 0.3


def test_an_empty_table_or_question_has_no_answer(reader: ProgramReader) -> None:
    assert reader.read("How many?", [], []) is None
    assert reader.read("How many?", ["a"], []) is None
    empty = reader.read("", HEADS, ROWS)
    assert empty is None or empty.probability < 0.5


def test_blank_and_ragged_tables_are_read(reader: ProgramReader) -> None:
    for rows in ([[""]], [["", ""], ["x"]], [["1"] * 9]):
        reader.read("How many rows have a x?", ["a", ""], rows)


def test_the_same_question_has_the_same_answer(reader: ProgramReader) -> None:
    again = ProgramReader(SHIPPED)
    question = "Who earns the least?"
    assert reader.read(question, HEADS, ROWS) == again.read(question, HEADS, ROWS)


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    folder = Path(copytree(SHIPPED, tmp_path / "tables"))
    weights = folder / "weights.safetensors"
    weights.write_bytes(weights.read_bytes()[:-4])
    with pytest.raises(EngineUnavailableError, match="weights"):
        ProgramReader(folder)


def test_words_of_like_meaning_have_like_vectors() -> None:
    vectors = EmbeddedWords()
    assert vectors.vector("film") @ vectors.vector("movie") > 0.5 > vectors.vector("banana") @ vectors.vector("salary")
    assert vectors.vector("").tolist() == [0.0] * 384
