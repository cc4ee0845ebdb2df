"""Questions that may be asked in other words, or that leave open which value is meant."""

import pytest

from tests.generate.tabular.test_answered import answered, document_of, found, refused

SHOP = "Artikel;Menge;Preis\nLampe;4;19,90 €\nTisch;2;149,00 €\nKerze;40;2,95 €\n"
STAFF = "Employee,Office,Salary\nAnna Berg,London,72000\nTom Ortiz,Leeds,51000\nMei Lin,London,\n"


@pytest.mark.parametrize(
    ("question", "content", "expected"),
    [
        ("Was ist der höchste Preis?", SHOP, "149,00 €"),
        ("Wie hoch ist der niedrigste Preis?", SHOP, "2,95 €"),
        ("Was ist die größte Menge?", SHOP, "40"),
        ("Was ist die niedrigste Salary?", STAFF, "51000"),
        ("Give me the highest salary", STAFF, "72000"),
        ("Was ist der teuerste Artikel?", SHOP, "Tisch"),
        ("Welcher Artikel hat den höchsten Preis?", SHOP, "Tisch"),
        ("Wer hat die höchste Salary?", STAFF, "Anna Berg"),
    ],
)
def test_the_highest_value_is_no_row(question: str, content: str, expected: str) -> None:
    assert found(question, content) == expected


SHEETS = """\
## Sales

| Region | Units | Revenue |
|---|---|---|
| North | 40 | 1200 |
| South | 31 | 980 |
| North | 52 | 1430 |

## Returns

| Region | Returned |
|---|---|
| North | 2 |
| South | 5 |
| North | 4 |
"""


def test_a_sum_of_no_column_is_not_that_of_the_only_table_with_one_amount() -> None:
    document = document_of(SHEETS, "sales.md")
    answer = answered("Total in North?", document)
    assert answer is not None
    assert not answer.found
    assert "Sales and Returns; name one or a column, such as Units and Revenue" in answer.notes[0]
    named = answered("Total returned in North?", document)
    assert named is not None
    assert named.direct is not None
    assert named.direct.text == "6"


GAMES = "Team,Games,Won,Lost,Points\nLions,10,7,3,21\nBears,10,5,5,15\nWolves,9,2,7,6\n"


@pytest.mark.parametrize(
    ("question", "columns"),
    [
        ("How many games did Bears lose?", "Games and Lost"),
        ("How many games have the Bears won?", "Games and Won"),
        ("How many games did the Bears win in total?", "Games and Won"),
    ],
)
def test_a_verb_that_is_another_column_leaves_open_which_is_meant(question: str, columns: str) -> None:
    assert refused(question, GAMES) == f"the question may mean several columns: {columns}"


def test_a_verb_that_is_no_column_leaves_nothing_open() -> None:
    assert found("How many points did Bears get?", GAMES) == "15"
