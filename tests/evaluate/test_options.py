"""Which option of a multiple-choice question a reply names."""

import pytest

from treatise.evaluate.metrics.options import chosen_option, nearest_option


@pytest.mark.parametrize(
    ("reply", "expected"),
    [("(B)", 1), ("The correct answer is (a).", 0), ("B", None), ("(Z) then (b)", 1), ("", None)],
)
def test_the_first_letter_in_brackets_counts(reply: str, expected: int | None) -> None:
    assert chosen_option(reply, ["tea", "coffee"]) == expected


def test_the_nearest_option_is_found_by_edit_distance() -> None:
    assert nearest_option("The green tea", ["the black coffee", "green tea", "water"]) == 1
