"""Questions that may be asked in other words, or that leave open which value is meant."""

import pytest

from tests.generate.tabular.test_answered import answered, document_of, found, refused

SHOP = "Artikel;Menge;Preis\nLampe;4;19,90 €\nTisch;2;149,00 €\nKerze;40;2,95 €\n"
STAFF = "Employee,Office,Salary\nAnna Berg,London,72000\nTom Ortiz,Leeds,51000\nMei Lin,London,\n"

KINDS = "Artikel;Kategorie;Preis\nLampe;Licht;19,90 €\nTisch;Möbel;149,00 €\nStuhl;Möbel;49,00 €\nRegal;Möbel;79,50 €\n"
KINDS_OF_STAFF = "Employee,Office,Salary\nAnna Berg,London,72000\nTom Ortiz,Leeds,51000\nMei Lin,Leeds,39000\n"


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
        ("Was ist das teuerste Möbel?", KINDS, "Tisch"),
        ("What is the most expensive Möbel?", KINDS, "Tisch"),
        ("What is the lowest Leeds salary?", KINDS_OF_STAFF, "39000"),
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


ACCOUNTS = """\
Account,2021,2022,2023
Revenue,"4,210","4,985","5,310"
Cost of sales,"(2,100)","(2,480)","(2,705)"
Rent,(180),(195),(201)
Net result,(90),(40),12
Fees,-30,-20,5
"""
FROST = "Town,January,March\nBergen,-12 °C,-3 °C\nOslo,-5 °C,-2 °C\n"


@pytest.mark.parametrize(
    ("question", "content", "expected"),
    [
        ("By how much did cost of sales increase from 2021 to 2022?", ACCOUNTS, "380"),
        ("How much did rent fall from 2021 to 2023?", ACCOUNTS, "-21"),
        ("How much did rent rise from 2021 to 2023?", ACCOUNTS, "21"),
        ("How much did the net result rise from 2021 to 2022?", ACCOUNTS, "50"),
        ("How much did the net result rise from 2022 to 2023?", ACCOUNTS, "52"),
        ("What is the difference between cost of sales and rent in 2021?", ACCOUNTS, "1,920"),
        ("How much did Bergen rise from January to March?", FROST, "9 °C"),
    ],
)
def test_costs_in_parentheses_are_compared_by_their_amounts(question: str, content: str, expected: str) -> None:
    assert found(question, content) == expected


def test_other_negative_values_are_not_compared() -> None:
    assert "both values are negative" in refused("How much did fees fall from 2021 to 2022?", ACCOUNTS)
