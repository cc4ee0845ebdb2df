"""The programs that a question may mean."""

import pytest

from tests.programs.builders import STAFF, Alike, programs, results
from treatise.programs import Op, Question, Sheet, programs_of

TEAMS = Sheet(
    ["Club", "W", "GF", "GA"],
    [["Ajax", "12", "40", "20"], ["Bree", "9", "31", "33"], ["Cork", "9", "18", "25"], ["Dale", "3", "15", "41"]],
)


@pytest.mark.parametrize(
    ("question", "op", "columns", "result"),
    [
        ("In which team is Ben Okoro?", Op.CELL, {"column": "Team"}, ["Sales"]),
        ("In which team is Ben?", Op.CELL, {"column": "Team"}, ["Sales"]),
        ("Who is in sales?", Op.VALUES, {"column": "Name"}, ["Ana Reyes", "Ben Okoro"]),
        ("Who earns most?", Op.HIGHEST, {"column": "Name", "key": "Salary (£)"}, ["Cara Lund"]),
        ("Who earns least?", Op.LOWEST, {"column": "Name", "key": "Salary (£)"}, ["Ben Okoro", "Dev Patel"]),
        ("Who earns the third most?", Op.NTH_HIGHEST, {"column": "Name", "key": "Salary (£)"}, ["Ben Okoro"]),
        ("Who started first?", Op.LOWEST, {"column": "Name", "key": "Start"}, ["Cara Lund"]),
        ("What is the highest salary?", Op.MAXIMUM, {"key": "Salary (£)"}, ["35,250"]),
        ("What do the sales people earn together?", Op.TOTAL, {"key": "Salary (£)"}, [59500.0]),
        ("What do the sales people earn on average?", Op.AVERAGE, {"key": "Salary (£)"}, [29750.0]),
        ("Which team has most people?", Op.COMMONEST, {"column": "Team"}, ["Sales"]),
        ("Which team costs most in salaries?", Op.HIGHEST_GROUP, {"column": "Team", "key": "Salary (£)"}, ["Sales"]),
        ("How many teams are there?", Op.DISTINCT, {"column": "Team"}, [3.0]),
        ("Who comes after Ben Okoro?", Op.NEXT, {"column": "Name"}, ["Cara Lund"]),
        ("Who comes before Ben Okoro?", Op.PREVIOUS, {"column": "Name"}, ["Ana Reyes"]),
        ("Who is last on the list?", Op.LAST, {"column": "Name"}, ["Dev Patel"]),
        ("How much more does Ana Reyes earn than Ben Okoro?", Op.DIFFERENCE, {"key": "Salary (£)"}, [2500.0]),
        ("Who are the two highest paid?", Op.TOP, {"column": "Name", "key": "Salary (£)"}, ["Cara Lund", "Ana Reyes"]),
    ],
)
def test_an_operation_has_its_result(question: str, op: Op, columns: dict[str, str], result: list[str | float]) -> None:
    assert result in results(question, op, **columns)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who earns more than 30,000?", ["Ana Reyes", "Cara Lund"]),
        ("Who earns less than 31000?", ["Ben Okoro", "Dev Patel"]),
        ("Who started after 2019?", ["Ben Okoro", "Dev Patel"]),
        ("Who started between 2018 and 2020?", ["Ana Reyes", "Dev Patel"]),
        ("Who started in March?", ["Ana Reyes"]),
        ("Who started on 14 June 2021?", ["Ben Okoro"]),
        ("Who started before 1 March 2019?", ["Cara Lund"]),
        ("Who is no driver?", ["Ben Okoro", "Dev Patel"]),
        ("Which drivers are in sales?", ["Ana Reyes"]),
        ("Who is in the same team as Ana?", ["Ben Okoro"]),
        ("Who is not in sales?", ["Cara Lund", "Dev Patel"]),
    ],
)
def test_rows_are_those_that_hold_the_condition(question: str, names: list[str]) -> None:
    found = results(question, Op.VALUES, column="Name") + results(question, Op.CELL, column="Name")
    assert names in found


def test_words_of_like_meaning_name_cells() -> None:
    asked = Question("Who is in the garage?")
    found, _ = programs_of(asked, STAFF, Alike("garage", "workshop"))
    assert ("Cara Lund",) in [one.result for one in found if one.op is Op.CELL]
    assert ("Cara Lund",) not in [one.result for one in programs(asked.text) if one.op is Op.CELL]


def test_columns_of_a_row_are_compared() -> None:
    question = "Did Bree score more goals, GF, than it got, GA?"
    assert results(question, Op.LARGER_COLUMN, TEAMS) == [["GA"]]
    assert [2.0] in results(question, Op.COLUMN_DIFFERENCE, TEAMS)
    assert results("Which clubs have more GF than GA?", Op.EXCEEDING, TEAMS, key="GF") == [["Ajax"]]
    assert [3.0] in results("How many clubs have more GA than GF?", Op.N_EXCEEDING, TEAMS, column="GA", key="GF")


def test_two_values_are_compared_by_their_rows() -> None:
    question = "Are more people in sales or in the office, and how many more?"
    assert results(question, Op.MORE_ROWS) == [["Sales"]]
    assert results(question, Op.ROWS_DIFFERENCE) == [[1.0]]


def test_a_table_without_rows_has_the_count_of_none() -> None:
    assert programs("How many?", Sheet(["a"], [])) == []


def test_a_short_row_ends_in_blanks() -> None:
    assert results("What is b of x?", Op.CELL, Sheet(["a", "b"], [["x", "1"], ["y"]]), column="b") == [["1"]]
