"""A table's row answers with one of its values."""

import pytest

from treatise.core.document import Span
from treatise.generate.row_answer import answering_cell, values_of_row
from treatise.ingest import read_bytes

VALUES = [("created", "2021-08-14"), ("release", "2023-06-10"), ("", "yes")]
TEXT = "version. 12, Bookworm: created: 2021-08-14; release: 2023-06-10; yes"


@pytest.mark.parametrize(
    ("question", "words", "expected"),
    [
        ("When was Bookworm released?", "2021-08-14; release: 2023-06-10", "2023-06-10"),
        ("When was Bookworm created?", "2021-08-14; release: 2023-06-10", "2021-08-14"),
        ("Which day?", "2021-08-14; release: 2023-06-10", "2021-08-14"),
        ("Which release?", "created: 2021-08-14", "2023-06-10"),
        ("Which day?", "created: 2021-08-14", "2021-08-14"),
        ("Which year was it released?", "2023", "2023"),
        ("Which codename?", "Bookworm", "Bookworm"),
    ],
)
def test_the_value_below_the_head_that_the_question_names_is_the_answer(
    question: str, words: str, expected: str
) -> None:
    start = TEXT.index(words)
    a, b = answering_cell(question, TEXT, start, start + len(words), VALUES)
    assert TEXT[a:b] == expected


def test_a_text_that_is_no_row_has_no_values() -> None:
    document = read_bytes(b"version,created,release\n12,2021-08-14,2023-06-10\n\n", name="a.csv")
    head, row = document.tables[0].heads[0], document.tables[0].rows[0]
    assert values_of_row(document, Span(head.start, head.end)) == []
    assert values_of_row(document, Span(row.start, row.end))[-1] == ("release", "2023-06-10")
