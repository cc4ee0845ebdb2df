"""The scale of a table is said beside its numbers."""

from dataclasses import replace

import pytest

from treatise.core.answer import Answer, DirectAnswer
from treatise.core.document import Document, Span
from treatise.core.evidence import Evidence, Passage
from treatise.generate.quoted import quoting
from treatise.generate.scaled import with_scale
from treatise.generate.tabular.answered import answer_from_tables
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


@pytest.mark.parametrize("question", ["How many countries are there?", "When was Peru founded?"])
def test_numbers_of_rows_and_years_are_not_of_the_scale(question: str) -> None:
    document = read_bytes(b"Country,Founded,Sales in thousands\nPeru,1990,5000\nChile,2005,7000\n", name="sales.csv")
    rows = [Span(one.start, one.end) for one in document.tables[0].rows]
    passages = tuple(Passage(document.id, one, document.quote(one.start, one.end), 1.0) for one in rows)
    answer = answer_from_tables(Evidence(question, passages, "", max_words=100, confidence=0.9), [document])
    assert answer is not None
    assert answer.found
    assert with_scale(answer, [document]) == answer


def test_other_answers_and_tables_have_no_such_note() -> None:
    assert not answered("Item", "352").notes
    assert not answered("€ in thousands", "12%").notes
    assert not answered("€ in thousands", "Staff").notes


COMPANIES = read_bytes(
    b"# Firms\n\n| Firm | Revenue ($m) | People (thousands) | Sites |\n|---|--:|--:|--:|\n| Bolt | 3 | 40 | 7 |\n",
    name="f.md",
)


@pytest.mark.parametrize(("value", "scale"), [("3", "$m"), ("40", "thousands"), ("7", "")])
def test_the_head_of_a_column_states_the_scale_of_its_own_numbers(value: str, scale: str) -> None:
    notes = with_scale(_quoting(COMPANIES, value), [COMPANIES]).notes
    assert notes == ((f"the table's numbers are “{scale}”",) if scale else ())


@pytest.mark.parametrize(
    ("text", "has_scale"),
    [
        ("Revenue ($m): 3, the sum of 1 row", True),
        ("Sites: 3, the sum of 1 row with Revenue ($m) above 2", False),
        ("3 rows", False),
    ],
)
def test_a_computed_number_has_the_scale_of_the_column_that_it_names(text: str, has_scale: bool) -> None:
    answer = _quoting(COMPANIES, "3")
    assert answer.direct is not None
    computed = replace(answer, text=text, direct=replace(answer.direct, kind="computed"))
    assert bool(with_scale(computed, [COMPANIES]).notes) == has_scale


def test_a_number_below_several_heads_has_no_scale_that_only_one_of_them_states() -> None:
    text = "# Firms\n\n| Firm | Revenue ($m) | Sites |\n|---|--:|--:|\n| Bolt | 7 | 7 |\n"
    document = read_bytes(text.encode(), name="f.md")
    assert not with_scale(_quoting(document, "7"), [document]).notes
