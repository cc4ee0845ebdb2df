"""A weekday in the question, in opening hours and timetables."""

import pytest

from treatise.core.evidence import Passage
from treatise.core.weekdays import weekdays
from treatise.generate.on_day import is_on_other_day, on_other_days
from treatise.ingest import read_bytes

HOURS = """# Library

Sunday: Closed

Mon-Thu: 8:00 am to 10:00 pm

Friday & Saturday: 10:00 am to 5:00 pm

Copies cost 10p.

# Saturday (2 December)

The hall opens at 9:00.
"""


def lost(question: str, text: str = HOURS) -> list[bool]:
    document = read_bytes(text.encode(), name="a.md")
    spans = [span for span in document.sentences() if document.quote(span.start, span.end).strip("# \n")]
    passages = [Passage(document.id, span, document.quote(span.start, span.end), 1.0) for span in spans]
    found = on_other_days(question, [one.text for one in passages], passages, {document.id: document})
    return [one < 0 for one in found]


@pytest.mark.parametrize(
    ("question", "loses"),
    [
        ("At what time does it open on Sunday?", [False, False, True, True, False, True, True]),
        ("When does it open on Wednesday?", [False, True, False, True, False, True, True]),
        ("When does it open on Saturday?", [False, True, True, False, False, False, False]),
        ("At what time does it open at weekends?", [False, False, True, False, False, False, False]),
        ("At what time does it open?", [False] * 7),
        ("When does the class of Monday meet?", [False] * 7),
    ],
)
def test_passages_about_other_days_lose(question: str, loses: list[bool]) -> None:
    assert lost(question) == loses


def test_nothing_is_lost_if_no_passage_is_about_the_day() -> None:
    assert not any(lost("When does it open on Friday?", "# Hall\n\nMonday: 9:00\n\nTuesday: 10:00\n"))


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Fri to Mon", {4, 5, 6, 0}),
        ("open daily", set(range(7))),
        ("Monday through to Friday", set(range(5))),
        ("Mon‑Wed, Mo-Th and M-F", set(range(5))),
        ("between Monday and Thursday", set(range(4))),
        ("From Monday, 3 June to Friday, 7 June", set(range(5))),
        ("all days except Sunday", set(range(7))),
        ("weekdays and SUN.", {0, 1, 2, 3, 4, 6}),
        ("The sun sat on the wed of marble, monotone", set()),
    ],
)
def test_weekdays_are_named_alone_in_ranges_and_together(text: str, days: set[int]) -> None:
    assert weekdays(text) == days


@pytest.mark.parametrize(
    ("text", "is_other"),
    [
        ("Sundays from 10:00", True),
        ("It opens at 10:00 (closed on Mondays).", False),
        ("It opens at 9:00, on Saturdays at 10:00.", False),
        ("Every Friday but the first: 9:00", False),
        ("Monday to Friday: 9:00", False),
    ],
)
def test_another_day_is_one_before_the_time(text: str, is_other: bool) -> None:
    assert is_on_other_day("At what time does the museum open on Tuesday?", text) is is_other
