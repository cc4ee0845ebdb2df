"""Which rows a question names, by cells that look like other words, by codes or by ranges."""

from tests.generate.tabular.test_answered import answered, document_of


def test_a_sum_of_one_row_says_how_many_rows_have_no_value() -> None:
    units = "Quarter,Manager,Units\nQ1,Raj Patel,98\nQ2,Raj Patel,\nQ1,Eva Stone,120\n"
    answer = answered("Total units of Raj Patel?", document_of(units, "units.csv"))
    assert answer is not None
    assert answer.text == "Units: 98, of 2 rows with Manager Raj Patel (1 without a value)"
