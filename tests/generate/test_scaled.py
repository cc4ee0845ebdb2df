"""The scale of a table is said beside its numbers."""

import pytest

from treatise.core.answer import Answer, DirectAnswer
from treatise.core.document import Document, Span
from treatise.core.evidence import Evidence, Passage
from treatise.generate.quoted import quoting
from treatise.generate.scaled import with_scale
from treatise.ingest import read_bytes


def answered(head: str, value: str) -> Answer:
    document = read_bytes(f"# Accounts\n\n| {head} | Actual |\n|---|--:|\n| Staff | 352 |\n".encode(), name="a.md")
    return with_scale(_quoting(document, value), [document])


def _quoting(document: Document, value: str) -> Answer:
    row = document.tables[0].rows[0]
    span = Span(row.start, row.end)
    passage = Passage(document.id, span, document.quote(span.start, span.end), 1.0)
    evidence = Evidence("How much was spent on staff?", (passage,), passage.text, max_words=100, confidence=0.9)
    return quoting(evidence, [(document, span)], DirectAnswer(value, "span", 0.9, (0,)))


@pytest.mark.parametrize(
    ("head", "scale"),
    [
        ("€ in thousands", "€ in thousands"),
        ("(In millions, except per share data)", "In millions, except per share data"),
        ("Item, £'000", "£'000"),
    ],
)
def test_a_number_is_given_with_the_scale_of_its_table(head: str, scale: str) -> None:
    assert answered(head, "352").notes == (f"the table's numbers are “{scale}”",)


def test_other_answers_and_tables_have_no_such_note() -> None:
    assert not answered("Item", "352").notes
    assert not answered("€ in thousands", "12%").notes
    assert not answered("€ in thousands", "Staff").notes
