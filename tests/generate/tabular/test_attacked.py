"""Tables that made whole-table answers false when they were attacked."""

import pytest

from treatise.generate.tabular.numbers import read_values


@pytest.mark.parametrize("cells", [("126.329", "331.885"), ("3.677.472", "111.191")])
def test_points_of_thousands_or_decimals_are_not_computed_with(cells: tuple[str, ...]) -> None:
    assert "may be of thousands" in read_values(dict(enumerate(cells))).problem


def test_decimals_of_other_lengths_are_numbers() -> None:
    assert read_values({0: "1.25", 1: "3.125"}).by_row == {0: 1.25, 1: 3.125}
