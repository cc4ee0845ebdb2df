"""How an answer of a table is worded."""

import pytest

from tests.programs.builders import STAFF, programs
from treatise.programs import Op, Sheet, worded
from treatise.programs.conditions import How

LAPS = Sheet(["Runner", "Time"], [["Ana", "1:30"], ["Ben", "2:45"]])


def said(question: str, op: Op, key: str = "", sheet: Sheet = STAFF, how: How = How.ALL) -> list[tuple[str, str]]:
    """The short answers and the statements of such programs."""
    found = [one for one in programs(question, sheet) if one.op is op and one.rows.how is how]
    answers = [worded(one, sheet, 0.9) for one in found if not key or (one.key and one.key.head == key)]
    return [(", ".join(one.values), one.statement) for one in answers]


@pytest.mark.parametrize(
    ("question", "op", "key", "how", "short", "statement"),
    [
        (
            "What do people in sales earn together?",
            Op.TOTAL,
            "Salary (£)",
            How.WHOLE,
            "59,500",
            "Salary (£): 59,500, the total of 2 rows with Team: Sales",
        ),
        ("How many earn at least 31,000?", Op.COUNT, "", How.BOUND, "2", "2 rows with Salary (£) at least 31,000"),
        ("How many started after 2019?", Op.COUNT, "", How.BOUND, "2", "2 rows with Start after 2019"),
        ("In which team is Ben Okoro?", Op.CELL, "", How.WHOLE, "Sales", ""),
    ],
)
def test_a_statement_says_how_the_answer_was_found(
    question: str, op: Op, key: str, how: How, short: str, statement: str
) -> None:
    assert (short, statement) in said(question, op, key, how=how)


def test_an_extreme_names_its_value() -> None:
    text, statement = next(one for one in said("Who earns most?", Op.HIGHEST, "Salary (£)") if "Cara" in one[0])
    assert "by the highest Salary (£), 35,250, of all 4 rows" in statement
    assert text in statement


def test_times_are_added_and_written_as_times() -> None:
    assert said("What is the total time?", Op.TOTAL, "Time", LAPS)[0][0] == "4:15"


def test_computed_amounts_keep_their_sign_and_decimals() -> None:
    prices = Sheet(["Item", "Price"], [["Tea", "£1.20"], ["Cake", "£2.65"]])
    assert said("What is the total price?", Op.TOTAL, "Price", prices)[0][0] == "£3.85"


def test_rows_without_a_number_are_counted_beside_an_average() -> None:
    prices = Sheet(["Item", "Price"], [["Tea", "1.20"], ["Cake", "2.60"], ["Bun", "3.10"], ["Oil", ""]])
    (_, statement), *_ = said("What is the average price?", Op.AVERAGE, "Price", prices)
    assert statement == "Price: 2.30, the average of all 4 rows (1 without a value)"


def test_the_highest_is_exceeded_where_a_cell_is_unlimited_and_rows_without_a_number_are_counted() -> None:
    sheet = Sheet(["Plan", "Users"], [["Nano", "1"], ["Team", "25"], ["Firm", "unlimited"], ["Club", "-"]])
    ops = {Op.HIGHEST: True, Op.LOWEST: False}
    for op, is_exceeded in ops.items():
        question = f"Which plan has the {'most' if is_exceeded else 'fewest'} users?"
        found = [
            worded(one, sheet, 0.9) for one in programs(question, sheet) if one.op is op and one.rows.how is How.ALL
        ]
        assert found
        assert {one.is_exceeded for one in found} == {is_exceeded}
        assert all(one.statement.endswith("of all 4 rows (2 without a value)") for one in found)
