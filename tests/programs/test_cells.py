"""What cells say."""

import pytest

from treatise.programs.cells import date_of, folded, month_of, number_of, slashed_dates, words_of


@pytest.mark.parametrize(
    ("text", "number"),
    [("12", 12), ("1,234.5 km", 1234.5), ("(200)", -200), ("€ 3", 3), ("2:09:41", 7781), (".5", 0.5), ("−3 %", -3)],
)
def test_the_number_at_the_beginning_of_a_cell(text: str, number: float) -> None:
    assert number_of(text) == number


@pytest.mark.parametrize("text", ["", "about 12", "n/a", "Route 66", "-"])
def test_other_cells_have_no_number(text: str) -> None:
    assert number_of(text) is None


def test_dates_are_ordered_however_they_are_written() -> None:
    written = ["1999", "2 February 1999", "1999-12-31", "January 2000"]
    years = [date_of(one) for one in written]
    assert None not in years
    assert years == sorted(years, key=lambda one: one or 0.0)
    assert [month_of(one) for one in years if one] == [0, 1, 11, 0]


def test_days_without_a_year_are_of_year_0() -> None:
    assert date_of("3 Feb") == date_of("Feb 3") == date_of("Sat 3 Feb")
    assert date_of("Tea 3") is None


def test_the_month_is_first_in_a_column_that_has_no_other_reading() -> None:
    american = slashed_dates({0: "3/14/2023", 1: "4/2/2023"})
    british = slashed_dates({0: "14/3/2023", 1: "2/4/2023"})
    assert american == british
    assert slashed_dates({0: "31/31/2023", 1: "x"}) == {}


def test_folding_keeps_the_length() -> None:
    for text in ("Straße", "İstanbul", "Mölndal", "ﬁn"):
        assert len(folded(text)) == len(text)
    assert words_of("Mölndal, Sept.") == ("molndal", "september")
