"""Periods of questions and rows: the value of the year, or of the quarter, that is asked for."""

import pytest

from treatise.core.document import Document, Span
from treatise.core.evidence import Evidence, Passage
from treatise.core.periods import asked_period
from treatise.generate.row_answer import answering_cell, of_period
from treatise.ingest import read_bytes

REPORT = (
    "<title>Tea Shops Announce Fiscal 2022 Results</title><p>Results for the year ended January 28, 2023.</p>"
    "<table><tr><th>Millions</th><th>13 Weeks Ended January 28, 2023</th>"
    "<th>52 Weeks Ended January 28, 2023</th>"
    "<th>52 Weeks Ended January 29, 2022</th></tr><tr><td>Net sales</td><td>3</td><td>10</td><td>8</td></tr></table>"
    "<table><tr><th>Millions</th><th>13 Weeks Ended January 28, 2023</th></tr>"
    "<tr><td>Net sales</td><td>3</td></tr></table>"
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What were net sales for fiscal 2022?", "10"),
        ("What were net sales in the fourth quarter of fiscal 2022?", "3"),
        ("What were net sales for the full year of fiscal 2021?", "8"),
        ("What were net sales?", "8"),
    ],
)
def test_the_value_of_the_period_is_taken_whatever_the_reader_read(question: str, expected: str) -> None:
    document = read_bytes(REPORT.encode(), name="report.html")
    heads = ("13 Weeks Ended January 28, 2023", "52 Weeks Ended January 28, 2023", "52 Weeks Ended January 29, 2022")
    values = list(zip(heads, ("3", "10", "8"), strict=True))
    text = "Net sales: " + "; ".join(f"{head}: {value}" for head, value in values)
    start, end = answering_cell(question, text, len(text) - 1, len(text), values, asked_period(question, document))
    assert text[start:end] == expected


def test_fiscal_years_end_in_the_year_after_only_where_the_report_says_so() -> None:
    document = read_bytes(REPORT.encode(), name="report.html")
    assert asked_period("What were sales in fiscal 2022?", document).years == {2023}
    other = read_bytes(b"Results for fiscal 2022, ended September 24, 2022.", name="report.txt")
    assert asked_period("What were sales in fiscal 2022?", other).years == {2022}


def test_heads_that_name_fiscal_years_are_read_as_the_question_is() -> None:
    document = read_bytes(REPORT.encode(), name="report.html")
    values = [("Fiscal 2022", "10"), ("Fiscal 2021", "8")]
    text = "Net sales: Fiscal 2022: 10; Fiscal 2021: 8"
    start = text.index("10")
    asked = asked_period("What were net sales for fiscal 2021?", document)
    a, b = answering_cell("What were net sales for fiscal 2021?", text, start, start + 2, values, asked)
    assert text[a:b] == "8"


def test_rows_of_another_period_are_not_read() -> None:
    document = read_bytes(REPORT.encode(), name="report.html")
    assert len(_rows(document, "What were net sales for fiscal 2022?")) == 1
    assert len(_rows(document, "What were net sales in the fourth quarter?")) == 2
    assert len(_rows(document, "What were net sales?")) == 2


def _rows(document: Document, question: str) -> list[str]:
    spans = [(row.start, row.end) for table in document.tables for row in table.rows]
    passages = tuple(Passage(document.id, Span(*one), document.quote(*one), 1.0) for one in spans)
    return [one.text for one in of_period(Evidence(question, passages, "", 300, 0.9), [document]).passages]
