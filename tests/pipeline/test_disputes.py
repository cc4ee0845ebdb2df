"""Contradictions that are shown beside quoted answers."""

from pathlib import Path

from treatise import open_library
from treatise.core.answer import Answer
from treatise.generate.conflicts import MAX_DISPUTES


def ask(store: Path, question: str, *texts: str, suffix: str = ".txt") -> Answer:
    with open_library(store=store) as library:
        for i, text in enumerate(texts):
            library.add(text, f"{i}{suffix}")
        return library.ask(question)


def test_sentences_about_different_things_dispute_nothing(tmp_path: Path) -> None:
    texts = [f"The committee agreed to ship release {n} on day {n}." for n in range(10, 30)]
    answer = ask(tmp_path / "a.db", "On which day do we ship release 23?", *texts)
    assert "release 23" in answer.text
    assert not answer.conflicts


def test_no_more_contradictions_are_shown_than_can_be_read(tmp_path: Path) -> None:
    texts = [f"The lease of the old mill ends on {n} June." for n in range(1, 20)]
    answer = ask(tmp_path / "b.db", "When does the lease of the old mill end?", *texts)
    assert 1 <= len(answer.conflicts) <= MAX_DISPUTES


def test_rows_of_a_table_dispute_nothing(tmp_path: Path) -> None:
    rows = "town,families\nOslo harbour quarter,12\nOslo harbour quarter,15\nBergen,17\n"
    answer = ask(tmp_path / "c.db", "How many families in the Oslo harbour quarter?", rows, suffix=".csv")
    assert not answer.conflicts


def test_entries_of_a_timetable_dispute_nothing(tmp_path: Path) -> None:
    thursday = "# Thursday\n\n* 08:30 Registration opens (with coffee)\n* 09:30 Coffee\n\n"
    days = f"{thursday}# Friday\n\n* 08:30 Day opens (with coffee)\n* 09:30 Tea\n"
    answer = ask(tmp_path / "d.db", "At what time does registration open?", days, suffix=".md")
    assert "08:30" in answer.text
    assert not answer.conflicts
