"""Answers by a reader of tables, and what it denies of what was read in passages."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from treatise.core.answer import Answer, Citation, DirectAnswer
from treatise.core.document import Document, Span
from treatise.core.evidence import Evidence, Passage
from treatise.core.table_answer import TableAnswer
from treatise.generate.not_found import UNSURE, refusal_because
from treatise.generate.read_table import TableReading, is_open, read_tables
from treatise.ingest import read_bytes

SHEET = read_bytes(b"name,pay,start\nAna,31,2019\nBen,28,2021\nCara,35,2017\n", name="staff.csv")
REPORT = read_bytes(
    b"# Report\n\nThe year was good, and much was done by all of us who work here, as the following table shows.\n\n"
    b"| name | pay |\n|---|---|\n| Ana | 31 |\n| Ben | 28 |\n\nNext year will be better for everybody who stays.\n",
    name="report.md",
)


class Reader:
    """A reader that finds the same in every table."""

    name = "fake"

    def __init__(self, found: TableAnswer | None) -> None:
        self.found = found
        self.read_tables: list[tuple[list[str], list[list[str]]]] = []

    def read(self, question: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> TableAnswer | None:
        """The same."""
        self.read_tables.append((list(heads), [list(row) for row in rows]))
        return self.found


def found(probability: float = 0.8) -> TableAnswer:
    likely = frozenset(["Cara"] if probability >= 0.1 else [])
    return TableAnswer(("Cara",), "name: Cara, by the highest pay", (2,), False, probability, likely=likely)


def evidence(document: Document, at: int) -> Evidence:
    passage = Passage(document.id, Span(at, at + 3), document.text[at : at + 3], 1.0)
    return Evidence("Who earns most?", (passage,), passage.text, max_words=300, confidence=0.5)


def reading(answer: TableAnswer | None, document: Document = SHEET, word: str = "Ana") -> TableReading | None:
    return read_tables(evidence(document, document.text.index(word)), [document], Reader(answer))


def answered(text: str) -> Answer:
    direct = DirectAnswer(text, "span", 0.9, ())
    return Answer("Who?", text, (), (), evidence(SHEET, 0), found=True, direct=direct)


def test_the_reader_gets_heads_and_cells() -> None:
    reader = Reader(found())
    read_tables(evidence(SHEET, SHEET.text.index("Ana")), [SHEET], reader)
    rows = [["Ana", "31", "2019"], ["Ben", "28", "2021"], ["Cara", "35", "2017"]]
    assert reader.read_tables == [(["name", "pay", "start"], rows)]


def test_the_answer_cites_its_rows_and_says_how_sure_it_is() -> None:
    read = reading(found())
    assert read is not None
    assert read.is_sure
    answer = read.answer(evidence(SHEET, 0))
    assert answer.direct is not None
    assert (answer.direct.text, answer.direct.confidence) == ("Cara", 0.8)
    assert answer.text == "name: Cara, by the highest pay"
    assert "Cara" in answer.citations[0].quote


@pytest.mark.parametrize(("probability", "is_sure"), [(0.49, False), (0.5, True)])
def test_an_unlikely_answer_is_not_given(probability: float, is_sure: bool) -> None:
    read = reading(found(probability))
    assert read is not None
    assert read.is_sure is is_sure


def test_a_table_within_text_must_be_near_the_evidence_and_surer() -> None:
    assert reading(found(), REPORT, word="year was good") is None
    read = reading(found(0.55), REPORT)
    assert read is not None
    assert not read.is_sure


def test_an_answer_of_all_rows_keeps_no_limit() -> None:
    for text in ("What is the most for those over 30?", "Who without a car earns most?"):
        question = replace(evidence(SHEET, SHEET.text.index("Ana")), question=text)
        kept, left = found(), replace(found(), is_of_all=True)
        assert read_tables(question, [SHEET], Reader(kept)) is not None
        assert read_tables(question, [SHEET], Reader(left)) is None


def test_an_answer_of_the_highest_is_none_to_a_question_for_the_fewest() -> None:
    question = replace(evidence(SHEET, SHEET.text.index("Ana")), question="Who has the fewest starts?")
    assert read_tables(question, [SHEET], Reader(found())) is None


def test_an_answer_that_a_cell_exceeds_is_not_given_and_denies_what_was_read_in_the_rows() -> None:
    read = reading(replace(found(0.9), is_exceeded=True), REPORT)
    assert read is not None
    assert not read.is_sure
    start = REPORT.text.index("| Ben")
    assert not read.beside(quoting(start), evidence(REPORT, start), [REPORT]).found


def test_a_quotation_of_the_first_row_from_its_bar_on_is_of_the_table() -> None:
    read = reading(replace(found(0.95), rows=(1,)), REPORT)
    assert read is not None
    start = REPORT.text.index("| Ana")
    given = read.beside(quoting(start), evidence(REPORT, start), [REPORT])
    assert given.text == "name: Cara, by the highest pay"


def quoting(start: int) -> Answer:
    """An answer that quotes a line of the report."""
    span = Span(start, REPORT.text.index("\n", start))
    cited = Citation(REPORT.id, "report.md", span, REPORT.quote(span.start, span.end), None, "Report")
    return replace(answered("31"), citations=(cited,))


def beside(read: TableReading | None, answer: Answer) -> Answer:
    assert read is not None
    return read.beside(answer, evidence(SHEET, 0), [SHEET])


def test_what_a_reader_of_passages_saw_in_rows_must_agree() -> None:
    for text in ("Cara", "cara "):
        assert beside(reading(found(0.3)), answered(text)).found
    assert not beside(reading(found(0.3)), answered("Ben")).found
    assert not beside(reading(found(0.05)), answered("Cara")).found


def citing(row: int, text: str) -> Answer:
    """What was read in a row of the sheet."""
    found_there = reading(replace(found(), rows=(row,)))
    assert found_there is not None
    return replace(answered(text), citations=found_there.answer(evidence(SHEET, 0)).citations)


def test_a_denied_answer_is_named_as_nearest() -> None:
    read = citing(1, "Ben")
    denied = beside(reading(found(0.3)), read)
    assert (denied.found, denied.nearest) == (False, read.citations)
    assert "No sure answer" in denied.text


def test_in_the_same_row_the_more_confident_answer_stays() -> None:
    read = citing(2, "35")
    assert beside(reading(found(0.8)), read) is read
    assert beside(reading(found(0.95)), read).text == "name: Cara, by the highest pay"


def test_what_was_read_elsewhere_stays() -> None:
    elsewhere = replace(citing(1, "Ben"), citations=(replace(citing(1, "Ben").citations[0], document="other"),))
    assert beside(reading(found(0.3)), elsewhere) is elsewhere


def test_within_text_the_likelier_answer_is_given() -> None:
    of_row = replace(found(0.7), rows=(0,))
    read = reading(of_row, REPORT)
    assert read is not None
    assert not read.comes_first
    assert beside(read, answered("Ben")).direct == answered("Ben").direct
    doubtful = answered("Ben")
    assert doubtful.direct is not None
    doubtful = replace(doubtful, direct=replace(doubtful.direct, confidence=0.6))
    refused = replace(answered(""), found=False, direct=None, text=UNSURE)
    for answer in (doubtful, refused):
        assert beside(read, answer).text == "name: Cara, by the highest pay"
    unsure = reading(replace(of_row, probability=0.5), REPORT)
    assert beside(unsure, refused) is refused


def test_what_is_computed_from_a_table_within_text_comes_first() -> None:
    read = reading(replace(found(0.7), values=("59",), is_computed=True), REPORT)
    assert read is not None
    assert read.comes_first


def test_without_a_reading_there_is_none() -> None:
    assert reading(None) is None


def test_a_number_within_another_one_does_not_agree() -> None:
    few = replace(found(0.3), values=("4",), likely=frozenset(["4"]))
    assert not beside(reading(few), citing(1, "14 days")).found
    assert beside(reading(few), citing(1, "4 days")).found


@pytest.mark.parametrize(
    "reason",
    ["the column Rate is of shares or averages, whose sum says nothing", "Ash has 5 below Change, so it is no fall"],
)
def test_a_sum_that_says_nothing_and_a_change_the_other_way_are_decided(reason: str) -> None:
    assert not is_open(refusal_because(evidence(SHEET, 0), reason, several=False))
    assert is_open(refusal_because(evidence(SHEET, 0), "some rows have no pay", several=False))


def test_a_quarter_is_read_only_in_a_table_that_names_quarters() -> None:
    question = "How many bills were there in the first quarter of 2024?"
    days = b"bill,day\nA,01/02/2024\nB,15/03/2024\nC,13/04/2024\n"
    for content, is_read in ((days, False), (days.replace(b"C,", b"Q1,"), True)):
        bills = read_bytes(content, name="bills.csv")
        asked = replace(evidence(bills, bills.text.index("A")), question=question)
        assert (read_tables(asked, [bills], Reader(found())) is not None) == is_read
