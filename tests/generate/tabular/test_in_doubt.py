"""Questions that may be asked in other words, or that leave open which value is meant."""

import pytest

from tests.generate.tabular.test_answered import found

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
