"""What readers report while they read."""

import pytest

from tests.ingest.pdf_writer import Text, pdf
from tests.ingest.samples import SAMPLES
from treatise.ingest import listening, read_bytes

Heard = list[tuple[str, int, int]]


def heard_while_reading(data: bytes, name: str) -> Heard:
    heard: Heard = []
    with listening(lambda *found: heard.append(found)):
        read_bytes(data, name=name)
    return heard


def of_stage(heard: Heard, stage: str) -> list[tuple[int, int]]:
    return [(done, total) for name, done, total in heard if name == stage]


def test_a_table_reports_each_of_its_lines_also_within_cells() -> None:
    heard = heard_while_reading(b'name,note\na,"two\nlines"\nb,one\n', "a.csv")
    assert of_stage(heard, "read lines") == [(1, 4), (3, 4), (4, 4)]


def test_what_is_done_with_a_table_that_was_read_is_reported_too() -> None:
    heard = heard_while_reading(b"name,n\n" + b"tea,1\n" * 50, "a.csv")
    assert of_stage(heard, "find sentences") == of_stage(heard, "place tables") == [(0, 3), (1, 3), (2, 3)]


@pytest.mark.parametrize(
    ("format_name", "stage"),
    [
        ("xlsx", "read rows"),
        ("ods", "read rows"),
        ("epub", "read chapters"),
        ("mbox", "read messages"),
        ("jsonl", "read lines"),
        ("zip", "read files"),
    ],
)
def test_readers_report_what_is_done_and_the_total(format_name: str, stage: str) -> None:
    reports = of_stage(heard_while_reading(SAMPLES[format_name], f"a.{format_name}"), stage)
    assert reports
    assert all(done <= total for done, total in reports)


def test_pages_of_a_pdf_are_reported_by_the_process_that_reads_it() -> None:
    heard = heard_while_reading(pdf([[Text(50, 700, f"This is page {n}.")] for n in range(5)]), "a.pdf")
    assert (heard[0][0], heard[0][2]) == ("read pages", 5)


def test_nothing_is_heard_after_the_listener_has_gone() -> None:
    heard = heard_while_reading(b"name,n\ntea,1\n", "a.csv")
    n_heard = len(heard)
    read_bytes(b"name,n\ntea,1\n", name="a.csv")
    assert len(heard) == n_heard
