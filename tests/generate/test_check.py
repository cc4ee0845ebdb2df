"""A quotation is whole words of the cited text."""

import pytest

from treatise.core.answer import Support
from treatise.generate.check import Checker
from treatise.testing import HashingEncoder


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ("No.", "We know what was measured."),
        ("9", "It was built in 1998."),
        ("art", "The party was held."),
        ("ätze", "Die Sätze sind kurz."),
    ],
)
def test_a_part_of_a_word_is_no_quotation(statement: str, text: str) -> None:
    assert Checker(HashingEncoder()).check(statement, [text]).support is not Support.QUOTED


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ("No.", "Is it so? No, it is not."),
        ("1998", "It was built in 1998."),
        ("“the party”", "The  party\nwas held."),
        ("-5 °C", "At -5 °C it froze."),
        ("三十天", "期限为三十天以内。"),
        ("C++", "It is written in C++."),
    ],
)
def test_whole_words_are_a_quotation_in_any_spacing_and_case(statement: str, text: str) -> None:
    assert Checker(HashingEncoder()).check(statement, [text]).support is Support.QUOTED
