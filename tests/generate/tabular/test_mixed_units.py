"""Numbers of one column in several currencies, scales or units, percent in a head, and what is free of charge."""

import pytest

from tests.generate.tabular.test_answered import found, refused
from tests.generate.test_read_table import Reader
from treatise.core.document import Document, Span
from treatise.core.evidence import Evidence, Passage
from treatise.core.table_answer import TableAnswer
from treatise.generate.read_table import TableReading, read_tables
from treatise.generate.tabular.answered import answer_from_tables
from treatise.ingest import read_bytes

FIRMS = b"Firm,Revenue,Staff\nAsh,$1.9B,12\nElm,753M,8\nOak,$2.1B,9\n"
SHARES = "Region,Share (%)\nNorth,25\nSouth,30\nEast,15\n"
BERTHS = "Berth,Monthly fee (£)\nA1,210\nA2,265\nB1,Free\n"


def reading(statement: str) -> TableReading:
    document: Document = read_bytes(FIRMS, name="firms.csv")
    answer = TableAnswer(("Elm",), statement, (0, 1), False, 0.9)
    passage = Passage(document.id, Span(0, 4), document.text[:4], 1.0)
    evidence = Evidence("Which firm leads?", (passage,), passage.text, max_words=300, confidence=0.5)
    read = read_tables(evidence, [document], Reader(answer))
    assert read is not None
    return read


@pytest.mark.parametrize(
    ("statement", "is_sure"),
    [
        ("Firm: Elm, by the highest Revenue, 753M, of all 3 rows", False),
        ("Revenue: 252.33, the average of all 3 rows", False),
        ("Firm: Elm, of 1 row with Revenue above 2", False),
        ("Revenue: 0.2 between $1.9B and 753M, of 2 rows with Firm: Ash, Elm", False),
        ("Firm: Elm, by the lowest Staff, 8, of all 3 rows", True),
        ("Firm: Elm, of 1 row with Revenue: 753M", True),
    ],
)
def test_numbers_in_several_scales_are_not_compared_by_their_digits(statement: str, is_sure: bool) -> None:
    assert reading(statement).is_sure is is_sure


def test_a_limit_in_percent_is_compared_with_a_column_whose_head_says_percent() -> None:
    assert found("Which regions have a share over 20%?", SHARES) == "North, South"
    assert "are not in %" in refused("Which regions have a share over 20%?", SHARES.replace(" (%)", ""))
    fractions = "Region,Share (%)\nNorth,0.25\nSouth,0.3\nEast,0.15\n"
    assert "are not in %" in refused("Which regions have a share over 20%?", fractions)


def test_what_is_free_costs_nothing_below_a_head_with_a_currency() -> None:
    assert found("Which berth is the cheapest?", BERTHS) == "B1"


def test_a_sheet_without_prices_does_not_speak_for_one_that_has_them() -> None:
    tables = "Item,Planned (EUR),Actual (EUR)\nTent,2400,2650\nBand,1800,\n", "Runner,Age\nAda,31\nBen,27\n"
    document = read_bytes("\n\n".join(map(_markdown, tables)).encode(), name="fete.md")
    passage = Passage(document.id, Span(0, 4), document.text[:4], 1.0)
    evidence = Evidence("What is the most expensive item?", (passage,), passage.text, max_words=300, confidence=0.5)
    answer = answer_from_tables(evidence, [document])
    assert answer is None or not answer.notes[0].startswith("the table has no column")


def _markdown(content: str) -> str:
    head, *rows = (f"| {line.replace(',', ' | ')} |" for line in content.splitlines())
    return "\n".join([head, "|---" * head.count(" | ") + "|---|", *rows])
