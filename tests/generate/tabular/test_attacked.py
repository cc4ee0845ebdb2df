"""Tables that made whole-table answers false when they were attacked."""

import pytest

from treatise.generate.tabular.grid import grid_of
from treatise.generate.tabular.numbers import read_values
from treatise.ingest import read_bytes


@pytest.mark.parametrize("cells", [("126.329", "331.885"), ("3.677.472", "111.191")])
def test_points_of_thousands_or_decimals_are_not_computed_with(cells: tuple[str, ...]) -> None:
    assert "may be of thousands" in read_values(dict(enumerate(cells))).problem


def test_decimals_of_other_lengths_are_numbers() -> None:
    assert read_values({0: "1.25", 1: "3.125"}).by_row == {0: 1.25, 1: 3.125}


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (("1,5", "12,25", "3,125"), [1.5, 12.25, 3.125]),
        (("0,5 kg", "2,750 kg", "10 kg"), [0.5, 2.75, 10.0]),
        (("1.250,50", "99,999", "1.100"), [1250.5, 99.999, 1100.0]),
        (("1,250", "12,400", "980"), [1250.0, 12400.0, 980.0]),
    ],
)
def test_three_digits_after_a_comma_are_decimals_if_others_of_the_column_are(
    cells: tuple[str, ...], values: list[float]
) -> None:
    assert list(read_values(dict(enumerate(cells))).by_row.values()) == values


def test_commas_of_thousands_and_of_decimals_in_a_column_are_not_computed_with() -> None:
    assert "comma in “1,250,000”" in read_values({0: "1,250,000", 1: "12,4", 2: "3,125"}).problem


def test_a_last_row_without_a_label_is_a_total_if_its_decimals_are() -> None:
    rows = "Au;1,5\nBo;2,25\nCy;3,125\n;6,875\n"
    document = read_bytes(f"town;rain\n{rows}".encode(), name="rain.csv")
    grid = grid_of(document, document.tables)
    assert grid is not None
    assert [grid.name(row) for row in range(len(grid.rows))] == ["Au", "Bo", "Cy"]
