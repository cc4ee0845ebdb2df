"""The primary financial statements of a report, recognised by the rows that they have, not by their titles.

Terms of English reports under US GAAP and IFRS.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import groupby
from typing import Final

from treatise.core.document import Document
from treatise.core.patterns import lazy_pattern
from treatise.core.table import Row, Table, caption_text


class Statement(StrEnum):
    """A primary financial statement."""

    BALANCE = "balance"
    INCOME = "income"
    CASH = "cash"


def _labels(*patterns: str) -> list[re.Pattern[str]]:
    return [lazy_pattern(pattern, re.IGNORECASE | re.MULTILINE) for pattern in patterns]


OPERATING: Final = r"operating \(?(?:income|profit|loss|earnings)|(?:income|loss|earnings)\)? from operations"
REVENUE: Final = r"^(?:total )?(?:net )?(?:revenues?|sales)|net sales|total (?:net )?revenues?|turnover"
CAPEX: Final = (
    r"capital expenditures|capital spending|(?:purchases?|additions?|acquisitions?|payments?|expenditures) "
    r"(?:of|to|for) [^\n]{0,30}(?:property|plant|equipment)"
)

_ROW_KINDS: Final[Mapping[Statement, Sequence[re.Pattern[str]]]] = {
    Statement.BALANCE: _labels(
        r"total assets",
        r"total liabilities(?! and)",
        r"total current assets",
        r"total current liabilities",
        r"total [^\n]{0,40}(?:equity|deficit)|^equity$",
        r"(?:retained|reinvested) (?:earnings|deficit)|accumulated (?:deficit|other comprehensive)",
        r"paid[- ]in capital|capital surplus|share premium",
        r"total liabilities(?: and|,)[^\n]{0,60}(?:equity|deficit)",
        r"goodwill",
        r"payables?$|^(?:accounts|trade) payable",
        r"inventor(?:y|ies)|receivables?",
    ),
    Statement.INCOME: _labels(
        r"^(?:consolidated )?net \(?(?:income|earnings|loss)|profit for the",
        r"income tax|taxes on income|provision for (?:income )?tax",
        REVENUE,
        OPERATING,
        r"per (?:common )?share|^basic|^diluted",
        r"costs? of ",
        r"administrative",
        r"interest (?:expense|income)|(?:income|earnings)[^\n]{0,40} before[^\n]{0,30}tax",
    ),
    Statement.CASH: _labels(
        r"operating activities",
        r"investing activities",
        r"financing activities",
        r"depreciation|amorti[sz]ation",
        CAPEX,
        r"dividends? paid|payments? of dividends|cash dividends|repurchases? of",
        r"(?:beginning|start) of (?:the )?(?:year|period)",
        r"end of (?:the )?(?:year|period)",
    ),
}
"""Kinds of rows by which a statement is recognised, whatever its title."""

_MIN_KINDS: Final[Mapping[Statement, int]] = {Statement.BALANCE: 4, Statement.INCOME: 5, Statement.CASH: 4}
"""Number of kinds of rows by which a table is taken for a statement."""
_MIN_ROWS: Final = 8
_MAX_ROWS: Final = 200


def statements_of(document: Document, wanted: Iterable[Statement] = Statement) -> dict[Statement, list[Table]]:
    """The parts of each statement in the document; a statement that it lacks is absent.

    Summaries and statements of quarters and subsidiaries have many of the rows too. The statements of the report itself
    stand together, so of the tables with the most kinds of rows, the nearest to the others is taken.
    """
    candidates = {one: found for one, found in _candidates(document).items() if found}
    return {one: _nearest(candidates, one) for one in sorted(wanted) if one in candidates}


def _candidates(document: Document) -> dict[Statement, list[list[Table]]]:
    """By statement, the tables with the most kinds of its rows, or one less."""
    counted: dict[Statement, list[tuple[int, list[Table]]]] = {one: [] for one in Statement}
    for parts in _whole_tables(document):
        if _MIN_ROWS <= sum(len(table.rows) for table in parts) <= _MAX_ROWS:
            labels = "\n".join(row_label(document.text, table, row) for table in parts for row in table.rows)
            for one, kinds in _ROW_KINDS.items():
                n_kinds = sum(kind.search(labels) is not None for kind in kinds)
                counted[one] += [(n_kinds, parts)] if n_kinds >= _MIN_KINDS[one] else []
    most = {one: max((n for n, _ in found), default=0) for one, found in counted.items()}
    return {one: [parts for n, parts in found if n >= most[one] - 1] for one, found in counted.items()}


def _whole_tables(document: Document) -> Iterator[list[Table]]:
    """Each table with its continuations: without heads of their own, or directly after it with the same caption."""
    numbers: list[int] = []
    before = ""
    for table in document.tables:
        caption = caption_text(document.text, table)
        goes_on = bool(numbers) and (table.is_continued or (caption != "" and caption == before))
        numbers.append((numbers[-1] if numbers else 0) + (not goes_on))
        before = caption
    for _, parts in groupby(zip(numbers, document.tables, strict=True), key=lambda pair: pair[0]):
        yield [table for _, table in parts]


def _nearest(candidates: Mapping[Statement, Sequence[Sequence[Table]]], one: Statement) -> list[Table]:
    """The candidate nearest to those of the other statements; the first, if there are no others."""
    others = [[parts[0].start for parts in found] for other, found in candidates.items() if other is not one]

    def distance(parts: Sequence[Table]) -> int:
        return sum(min(abs(parts[0].start - start) for start in starts) for starts in others)

    nearest = min(candidates[one], key=distance)
    return list(nearest)


def row_label(text: str, table: Table, row: Row) -> str:
    """The text of a row's own labels, on one line; ``""`` if it has none."""
    return " ".join(" ".join(text[cell.start : cell.end].split()) for cell in row.cells if cell.column < table.n_labels)
