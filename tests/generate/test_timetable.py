"""Times in agendas, by the entry that the question names."""

import pytest

from treatise.core.evidence import Evidence
from treatise.generate import answer_by_timetable
from treatise.ingest import read_bytes

AGENDA = """# Northern Workshop

## Thursday November 7

* 08:30 Registration opens (with coffee in the foyer)
* 09:30 Keynote 1
* 12:00 - 13:30 Lunch
* 15:30 Session 6
* 18:00 Workshop dinner, Hall B

## Friday November 8

* 10:00 Keynote 2
* 12:00 Lunch
* 14:30 Closing session
"""
CHAT = "10:01 Ann: the vote is on Monday\n10:02 Bo: vote?\n10:03 Ann: yes, the vote\n10:04 Bo: fine\n10:05 Ann: vote\n"


def time_of(question: str, text: str = AGENDA, name: str = "a.md") -> str | None:
    answer = answer_by_timetable(Evidence(question, (), "", 99, 0.9), [read_bytes(text.encode(), name=name)])
    return answer.direct.text if answer and answer.direct else None


@pytest.mark.parametrize(
    ("question", "time"),
    [
        ("At what time does Session 6 start?", "15:30"),
        ("When does session 6 begin?", "15:30"),
        ("When does registration open?", "08:30"),
        ("At what time is the dinner of the Northern Workshop?", "18:00"),
        ("When is the closing session?", "14:30"),
        ("At what time is lunch on Friday?", "12:00"),
        ("When is lunch?", "12:00"),
        ("When does lunch end on Thursday?", "13:30"),
        ("At what time does lunch end on Friday?", None),
        ("At what time is the keynote?", None),
        ("At what time is Keynote 1 on Friday?", None),
        ("At what time does Session 7 start?", None),
        ("When was the workshop founded?", None),
        ("Who opens registration?", None),
        ("How long is lunch?", None),
    ],
)
def test_the_time_is_that_of_the_entry_which_has_all_words(question: str, time: str | None) -> None:
    assert time_of(question) == time


def test_words_of_the_files_name_are_not_looked_for_in_entries() -> None:
    assert time_of("When is the dinner at NWPT?", AGENDA, "nwpt-2025.md") == "18:00"
    assert time_of("When is the dinner at NWPT?", AGENDA, "a.md") is None


def test_the_entry_is_quoted_with_its_day() -> None:
    document = read_bytes(AGENDA.encode(), name="a.md")
    answer = answer_by_timetable(Evidence("When is the closing session?", (), "", 99, 0.9), [document])
    assert answer is not None
    assert [(one.quote, one.section) for one in answer.citations] == [
        ("* 14:30 Closing session", "Northern Workshop > Friday November 8")
    ]


@pytest.mark.parametrize(
    "text",
    [
        CHAT,
        "9:30 Tea\n",
        "| 09:00 | Tea |\n| --- | --- |\n" + "| 10:00 | Vote |\n" * 5,
        "".join(
            f"10.{n} {title}\n\n" for n, title in zip((10, 15, 20, 25), ("Tea", "Vote", "Fees", "Term"), strict=True)
        ),
        "".join(
            f"3:{n} {title}\n\n" for n, title in zip((16, 17, 18, 19), ("Tea", "Vote", "Fees", "Term"), strict=True)
        ),
    ],
)
def test_chats_single_lines_tables_clauses_and_verses_are_no_timetables(text: str) -> None:
    assert time_of("When is the vote?", text, "a.md") is None
    assert time_of("When is tea?", text, "a.md") is None


def test_times_in_halves_of_a_day_are_times() -> None:
    hours = "1.00pm Tea\n\n2.00pm Vote\n\n3.00pm Fees\n\n4 pm Term\n"
    assert time_of("When is the vote?", hours, "a.txt") == "2.00pm"
