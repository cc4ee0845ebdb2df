"""Times in agendas, by the entry that the question names."""

import pytest

from treatise.core.evidence import Evidence
from treatise.generate.timetable import answer_by_timetable
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
        ("When does lunch end at the Northern Workshop on Thursday?", None),
        ("When is the end of session 6?", None),
        ("When is registration?", None),
        ("When is there no lunch?", None),
        ("When is the train from the workshop dinner?", None),
    ],
)
def test_the_time_is_that_of_the_entry_which_has_all_words(question: str, time: str | None) -> None:
    assert time_of(question) == time


def test_words_of_the_files_name_are_not_looked_for_in_entries() -> None:
    assert time_of("When is the workshop dinner of NWPT?", AGENDA, "nwpt-2025.md") == "18:00"
    assert time_of("When is the workshop dinner of NWPT?", AGENDA, "a.md") is None


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


@pytest.mark.parametrize(
    ("entry", "question"),
    [
        ("17:00 Registration closes", "When does registration start?"),
        ("16:00 Tour ends", "When does the tour start?"),
        ("12:00 Insulin not given", "When was insulin given?"),
        ("14:00 No lunch", "When is lunch?"),
        ("10:00 Yoga class (cancelled)", "When is the yoga class?"),
        ("11:00 Workshop A (moved to 16:00)", "At what time is Workshop A?"),
        ("16:00 Workshop B", "When is Workshop A?"),
        ("17:00 Group II", "When is group I?"),
        ("17:45 Sign up for yoga", "When is yoga?"),
        ("18:00 Pool closes", "When does the pool open?"),
        ("09:00 Breakfast until 10:30", "When is breakfast until?"),
    ],
)
def test_what_an_entry_says_less_or_more_than_the_question_is_left_to_the_reader(entry: str, question: str) -> None:
    others = "08:00 Bell\n\n20:00 Music\n\n21:00 Prayer\n\n22:00 Sleep\n"
    assert time_of(question, f"# Opening hours\n\n{entry}\n\n{others}") is None
    assert time_of("When is music?", f"# Day\n\n07:00 Run\n\n{others}") == "20:00"


@pytest.mark.parametrize(
    "text",
    [
        "Bell\n09:00\nTea\n10:00\nVote\n12:00\nMusic\n18:00\nRest\n",
        "- 09:00 Bell\n- 10:00\n- 11:00 Vote\n- 12:00 Rest\n- 13:00 Fees\n",
        "# Results of the race\n\n12:30 Vote\n\n12:45 Tea\n\n13:00 Bell\n\n13:10 Hill\n",
        "12:00 Vote\n\n13:00 Tea\n\n14:00 Bell\n\n15:00 Hill\n\nThe vote was moved to 16:00, tea was cancelled.\n",
    ],
)
def test_times_on_lines_of_their_own_lengths_of_time_and_changed_plans_say_nothing(text: str) -> None:
    assert time_of("When is the vote?", text) in (None, "11:00")
    assert time_of("When is tea?", text) is None


def test_days_on_lines_under_a_heading_of_several_days_are_not_known() -> None:
    text = "# Monday to Friday\n\nMonday\n\n09:00 Yoga\n\n10:00 Tea\n\nTuesday\n\n11:00 Chess\n\n12:00 Go\n"
    assert time_of("When is yoga on Tuesday?", text) is None
    assert time_of("When is yoga?", text) == "09:00"
