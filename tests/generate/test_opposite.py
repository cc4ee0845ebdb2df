"""Beginnings are not the ends that are asked for."""

import pytest

from treatise.generate.opposite import is_opposite


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("When does the lease end?", "The lease begins on 1 July 2024.", True),
        ("When does the lease end?", "The lease begins on 1 July 2024 and ends on 30 June 2026.", False),
        ("When did the meeting start?", "The meeting was adjourned at 9:25 pm.", True),
        ("What time does it close on Monday?", "Monday: open 10:00 am – 5:00 pm", False),
        ("What time does it close?", "Doors open at 10:00 am.", True),
        ("When does registration start and end?", "Registration starts on 1 May.", False),
        ("How does it end?", "It begins with a storm.", False),
        ("When was it built?", "It begins in May.", False),
    ],
)
def test_what_begins_is_no_end(question: str, text: str, *, expected: bool) -> None:
    assert is_opposite(question, text) is expected
