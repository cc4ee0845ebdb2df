"""Questions about financial statements: which statements and rows they name, and where those are in a report."""

from dataclasses import replace

import pytest

from treatise.core.document import Document, ParagraphKind
from treatise.core.indexed import IndexedDocument
from treatise.core.statements import Statement, statements_of
from treatise.ingest.assemble import assemble
from treatise.ingest.reading import Block, Reading
from treatise.ingest.tables import Grid, plain_rows, table_block
from treatise.pipeline.index import index_document
from treatise.pipeline.retrieve import retrieve
from treatise.recipes import TREATISE
from treatise.retrieve.statements import asked_statements
from treatise.testing import HashingEncoder

INCOME = (
    "Net sales",
    "Cost of sales",
    "Gross profit",
    "Marketing and administrative",
    "Operating income",
    "Interest expense",
    "Income before taxes",
    "Income tax",
    "Net income",
    "Diluted",
)
BALANCE = (
    "Cash",
    "Inventories",
    "Total current assets",
    "Goodwill",
    "Total assets",
    "Accounts payable",
    "Total current liabilities",
    "Retained earnings",
    "Total equity",
)
CASH = (
    "Net cash provided by operating activities",
    "Depreciation",
    "Purchases of property, plant and equipment",
    "Net cash used in investing activities",
    "Dividends paid",
    "Net cash used in financing activities",
    "Cash, beginning of year",
    "Cash, end of year",
)
SEGMENTS = ("Net sales", "Operating income", "Depreciation", "Capital expenditures", "Corporate", "Other", "Net", "All")


def table(title: str, labels: tuple[str, ...]) -> list[Block]:
    rows = plain_rows([[label, f"{1000 + at}", f"{900 + at}"] for at, label in enumerate(labels)])
    block = table_block(Grid(rows, plain_rows([["", "2019", "2018"]])))
    assert block is not None
    return [Block(ParagraphKind.PROSE, f"{title}\n\n"), block]


def prose(sentence: str, n: int) -> Block:
    return Block(ParagraphKind.PROSE, " ".join(f"{sentence} {at}." for at in range(n)) + "\n\n")


def report() -> Document:
    """A report that talks of capital expenditures and working capital everywhere, with a summary at its start."""
    blocks = [
        *table("Summary", (*INCOME[:5], "Income tax", "Net income", "Diluted")),
        prose("The ratio of working capital and capex to sales of the company in segment", 40),
        *table("Income", INCOME),
        *table("Position", BALANCE),
        *table("Flows", CASH),
        prose("We define capex and the working capital ratio of the company for note", 40),
        *table("Segments", SEGMENTS),
    ]
    return assemble(Reading(blocks, "pdf"), source="a.pdf", title="A", language="en")


@pytest.fixture(scope="module")
def indexed() -> IndexedDocument:
    return index_document(report(), TREATISE.indexing, encoder=HashingEncoder())


def labels_found(indexed: IndexedDocument, question: str, weight: float = 1.0, words: int = 30) -> str:
    recipe = replace(TREATISE, scoring=replace(TREATISE.scoring, statements=weight))
    evidence = retrieve([indexed], question, recipe, encoder=HashingEncoder(), max_words=words)
    return " ".join(passage.text for passage in evidence.passages)


def test_statements_are_found_by_their_rows_near_each_other() -> None:
    document = report()
    found = {one: document.text[tables[0].rows[0].start :] for one, tables in statements_of(document).items()}
    assert found[Statement.BALANCE].startswith("Cash\t1000")
    assert found[Statement.CASH].startswith("Net cash provided by operating")
    assert document.text.index(found[Statement.INCOME]) > document.text.index("We define") - len(document.text)
    assert found[Statement.INCOME].startswith("Net sales\t1000\t900\nCost of sales")
    assert "Position" in found[Statement.INCOME][:400], "the full statement, not the summary at the start"


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("What is the working capital of the company?", "Total current liabilities\t1006"),
        ("How much capex did the company have?", "Purchases of property, plant and equipment\t1002"),
        ("By the P&L, what is the net income of the company?", "Net income\t1008"),
    ],
)
def test_the_rows_that_a_question_is_about_come_first(indexed: IndexedDocument, question: str, row: str) -> None:
    assert row in labels_found(indexed, question)
    assert row not in labels_found(indexed, question, weight=0)


@pytest.mark.parametrize("question", ["Who is the chief executive?", "What does section 3 describe?", "When?"])
def test_other_questions_are_ranked_as_before(indexed: IndexedDocument, question: str) -> None:
    assert not asked_statements(question)
    assert labels_found(indexed, question) == labels_found(indexed, question, weight=0)


def test_a_named_statement_limits_the_rows_to_its_own() -> None:
    asked = asked_statements("Using the cash flow statement, what is capex as a share of revenue?")
    assert asked.named == {Statement.CASH}
    assert set(asked.rows) == {Statement.CASH}


def test_a_document_without_statements_is_ranked_as_before() -> None:
    document = assemble(
        Reading([prose("The working capital of the company is", 9), *table("T", SEGMENTS)], "pdf"),
        source="a",
        title="A",
        language="en",
    )
    one = index_document(document, TREATISE.indexing, encoder=HashingEncoder())
    question = "What is the working capital?"
    assert statements_of(document) == {}
    assert labels_found(one, question) == labels_found(one, question, weight=0)
