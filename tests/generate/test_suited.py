"""How well texts suit a question."""

from treatise.generate.suited import suitability

ROWS = ["Kettle number 63 boils at 83 degrees.", "Kettle number 69 boils at 89 degrees."]


def test_a_text_without_the_number_in_the_question_loses_if_another_has_it() -> None:
    has, lacks = suitability("At how many degrees does kettle number 63 boil?", ROWS)
    assert has > lacks


def test_a_number_that_no_text_has_decides_nothing() -> None:
    one, other = suitability("At how many degrees does kettle number 70 boil?", ROWS)
    assert one == other
