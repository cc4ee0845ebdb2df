"""Which rows a question names, by cells that look like other words, by codes or by ranges."""

import pytest

from tests.generate.tabular.test_answered import answered, document_of, found, refused


def test_a_sum_of_one_row_says_how_many_rows_have_no_value() -> None:
    units = "Quarter,Manager,Units\nQ1,Raj Patel,98\nQ2,Raj Patel,\nQ1,Eva Stone,120\n"
    answer = answered("Total units of Raj Patel?", document_of(units, "units.csv"))
    assert answer is not None
    assert answer.text == "Units: 98, of 2 rows with Manager Raj Patel (1 without a value)"


@pytest.mark.parametrize("head", ["Extension", "phone_no", "Fax", "Durchwahl", "Telefon", "PLZ", "Start year", "Zip"])
@pytest.mark.parametrize("op", ["Total", "Average"])
def test_numbers_of_telephones_and_the_like_are_not_added(head: str, op: str) -> None:
    content = f"Name,Team,{head}\nAnna Berg,Red,4411\nTom Ortiz,Red,4412\nAda Finn,Blue,4710\nBo Kent,Blue,4709\n"
    assert "ranks, codes or years" in refused(f"{op} {head} of Red?", content)
    assert "ask for the total" not in refused(f"{head} of Red?", content)


def test_an_amount_of_a_year_is_added() -> None:
    assert found("Total revenue this year?", "Town,Revenue this year\nAu,10\nBo,25\nCy,20\n") == "55"
