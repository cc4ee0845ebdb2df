"""A company's report with three statements, for tests."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from treatise.core.document import Document, ParagraphKind
from treatise.ingest.assemble import assemble
from treatise.ingest.reading import Block, Reading
from treatise.ingest.tables import Grid, plain_rows, table_block

YEARS = ("2019", "2018", "2017")
INCOME = {
    "Total net sales": ("$1,200", "$1,000", "$800"),
    "Cost of sales": ("700", "600", "500"),
    "Selling, general and administrative": ("100", "90", "80"),
    "Product development": ("30", "25", "20"),
    "Operating income": ("400", "310", "220"),
    "Interest expense": ("(20)", "(10)", "(10)"),
    "Income before income taxes": ("380", "300", "210"),
    "Provision for income taxes (Note 7)": ("(95)", "(60)", "(42)"),
    "Net income": ("$285", "$240", "$168"),
    "Diluted earnings per share": ("$2.85", "$2.40", "$1.68"),
}
BALANCE = {
    "Cash and cash equivalents": ("$150", "$130"),
    "Inventories": ("80", "60"),
    "Total current assets": ("500", "450"),
    "Goodwill": ("40", "40"),
    "Total assets": ("$1,500", "$1,300"),
    "Accounts payable": ("90", "70"),
    "Deferred revenue": ("20", "15"),
    "Total current liabilities": ("250", "300"),
    "Lease liabilities": ("8", "7"),
    "Lease liabilities, net of current": ("80", "70"),
    "Retained earnings": ("600", "500"),
    "Total stockholders’ equity": ("800", "700"),
}
CASH = {
    "Net cash provided by operating activities": ("$330", "$290", "$200"),
    "Depreciation and amortization": ("60", "50", "40"),
    "Purchases of property, plant and equipment": ("(110)", "(100)", "(90)"),
    "Net cash used in investing activities": ("(120)", "(110)", "(90)"),
    "Dividends paid": ("(57)", "—", "(42)"),
    "Net cash used in financing activities": ("(190)", "(150)", "(90)"),
    "Cash, beginning of year": ("130", "100", "80"),
    "Cash, end of year": ("$150", "$130", "$100"),
}


SEGMENTS = (
    (-1, ["Tools"]),
    (0, ["Net sales", "$700", "$650", "$600"]),
    (0, ["Operating income", "300", "250", "200"]),
    (-1, ["Toys"]),
    (3, ["Net sales", "$500", "$350", "$200"]),
    (-1, ["Net sales"]),
    (5, ["North America", "$900", "$800", "$700"]),
    (5, ["Asia", "$90", "$80", "$70"]),
)
Rows = Sequence[tuple[int, Sequence[str]]]
OTHERS: Rows = ((-1, ["Net sales"]), (0, ["Asia", "$95", "$80", "$70"]))


def statement(title: str, rows: Mapping[str, Sequence[str]], heads: Sequence[str]) -> list[Block]:
    """A title and its table, with years or periods over the columns."""
    block = table_block(Grid(plain_rows([[label, *row] for label, row in rows.items()]), plain_rows([["", *heads]])))
    assert block is not None
    return [Block(ParagraphKind.PROSE, f"{title}\n\n"), block]


def grouped(rows: Rows, heads: Sequence[str]) -> Block:
    """A table whose rows have the number of the row that groups them, -1 for none."""
    plain = plain_rows([row for _, row in rows])
    body = [replace(row, parent=parent) for row, (parent, _) in zip(plain, rows, strict=True)]
    block = table_block(Grid(body, plain_rows([["", *heads]])))
    assert block is not None
    return block


def report(
    *,
    years: Sequence[str] = ("2019", "2018", "2017"),
    scale: str = "in millions",
    opening: str = "",
    others: Rows = OTHERS,
) -> Document:
    """The report of a company called Acme."""
    beginning = "Acme Corporation. Annual report of Acme Corporation, as Acme files it with the Commission. "
    blocks = [
        Block(ParagraphKind.PROSE, f"{beginning}{opening}\n\n"),
        *statement(f"Consolidated Balance Sheets ({scale})", BALANCE, years[:2]),
        *statement(f"Consolidated Statements of Income ({scale})", INCOME, years),
        *statement(f"Consolidated Statements of Cash Flows ({scale})", CASH, years),
        Block(ParagraphKind.PROSE, "Acme reports on two segments.\n\n"),
        grouped(SEGMENTS, years),
        Block(ParagraphKind.PROSE, "Asia with its islands.\n\n"),
        grouped(others, years),
    ]
    return assemble(Reading(blocks, "pdf"), source="acme.pdf", title="Acme Corporation", language="en")
