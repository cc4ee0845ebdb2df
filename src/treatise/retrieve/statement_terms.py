"""The vocabulary of financial statements: their names, the kinds of rows that they have, the items that questions name.

Terms of English reports under US GAAP and IFRS.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Statement(StrEnum):
    """A primary financial statement."""

    BALANCE = "balance"
    INCOME = "income"
    CASH = "cash"


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a statement.

    Attributes:
        statement: The statement that states it, or what it is computed from.
        words: Finds it in a question.
        label: Finds its row by the label, or the rows that it is computed from.
    """

    statement: Statement
    words: re.Pattern[str]
    label: re.Pattern[str]


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern})(?!\w)", re.IGNORECASE)


def _labels(*patterns: str) -> list[re.Pattern[str]]:
    return [re.compile(pattern, re.IGNORECASE | re.MULTILINE) for pattern in patterns]


NAMES: Final[Mapping[Statement, re.Pattern[str]]] = {
    Statement.BALANCE: _words(r"balance sheets?|statements? of financial (?:position|condition)"),
    Statement.INCOME: _words(
        r"income statements?|statements? of (?:\w+ )?(?:income|operations|earnings)|earnings statements?|"
        r"profit (?:and|&|or) loss|p\s?&\s?l"
    ),
    Statement.CASH: _words(r"cash[ -]?flows? statements?|statements? of cash[ -]?flows?"),
}
"""Names of the statements in questions."""

_OPERATING: Final = r"operating \(?(?:income|profit|loss|earnings)|(?:income|loss|earnings)\)? from operations"
_REVENUE: Final = r"^(?:total )?(?:net )?(?:revenues?|sales)|net sales|total (?:net )?revenues?|turnover"
_CAPEX: Final = (
    r"capital expenditures|capital spending|(?:purchases?|additions?|acquisitions?|payments?|expenditures) "
    r"(?:of|to|for) [^\n]{0,30}(?:property|plant|equipment)"
)

ROW_KINDS: Final[Mapping[Statement, Sequence[re.Pattern[str]]]] = {
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
        _REVENUE,
        _OPERATING,
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
        _CAPEX,
        r"dividends? paid|payments? of dividends|cash dividends|repurchases? of",
        r"(?:beginning|start) of (?:the )?(?:year|period)",
        r"end of (?:the )?(?:year|period)",
    ),
}
"""Kinds of rows by which a statement is recognised, whatever its title."""

MIN_KINDS: Final[Mapping[Statement, int]] = {Statement.BALANCE: 4, Statement.INCOME: 5, Statement.CASH: 4}
"""Number of kinds of rows by which a table is taken for a statement."""

_ITEMS: Final[Sequence[tuple[Statement, str, str]]] = (
    (
        Statement.BALANCE,
        r"working capital|current ratio|quick ratio|current (?:assets|liabilities)",
        r"total current (?:assets|liabilities)",
    ),
    (Statement.BALANCE, r"quick ratio", r"^cash|receivable"),
    (Statement.BALANCE, r"inventor(?:y|ies)|dio|cash conversion cycle", r"inventor"),
    (Statement.BALANCE, r"payables?|dpo|cash conversion cycle", r"payable"),
    (Statement.BALANCE, r"receivables?|dso|cash conversion cycle", r"receivable"),
    (Statement.BALANCE, r"pp&?n?e|property|fixed assets?", r"property|plant"),
    (Statement.BALANCE, r"total assets|asset turnover|return on assets|roa", r"total assets"),
    (
        Statement.BALANCE,
        r"(?:share|stock)holders['’]? equity|return on equity|roe|book value",
        r"total [^\n]{0,40}equity",
    ),
    (Statement.BALANCE, r"debt|leverage", r"debt|borrowings"),
    (Statement.BALANCE, r"goodwill", r"goodwill"),
    (Statement.BALANCE, r"total liabilities", r"total liabilities"),
    (Statement.INCOME, r"revenues?|net sales|sales growth|top ?line|margins?|turnover", _REVENUE),
    (
        Statement.INCOME,
        r"cogs|costs? of (?:goods|sales|revenues?|products)|gross (?:profit )?margins?|gross profit|dpo|dio|"
        r"inventory turnover",
        r"costs? of|gross",
    ),
    (Statement.INCOME, r"operating (?:profit |income )?(?:income|profit|loss|margins?)|ebit(?:da)?", _OPERATING),
    (
        Statement.INCOME,
        r"net (?:income|earnings|loss|profit)|retention ratio|payout ratio|return on (?:assets|equity)|"
        r"cash[ -]?flow conversion",
        r"^net \(?(?:income|earnings|loss)",
    ),
    (Statement.INCOME, r"eps|earnings per share", r"per (?:common )?share|basic|diluted"),
    (Statement.INCOME, r"sg&a|selling, general", r"administrative"),
    (Statement.INCOME, r"income tax(?:es)?|effective tax|tax rate", r"income tax|before[^\n]{0,30}tax"),
    (Statement.INCOME, r"interest (?:expense|coverage)", rf"interest expense|{_OPERATING}"),
    (Statement.CASH, r"capex|capital (?:expenditures?|spending)|free cash[ -]?flows?", _CAPEX),
    (Statement.CASH, r"dividends?|payout ratio|retention ratio", r"dividend"),
    (Statement.CASH, r"(?:share|stock) (?:repurchases?|buybacks?)|repurchases? of", r"repurchase|treasury"),
    (
        Statement.CASH,
        r"(?:free|operating) cash[ -]?flows?|cash[ -]?flows? (?:from|provided)|cash (?:from|provided by|used in) "
        r"operat\w+|cash[ -]?flow conversion",
        r"net cash [^\n]{0,40}operat",
    ),
    (Statement.CASH, r"depreciation|amorti[sz]ation|d&a|ebitda", r"depreciation|amorti[sz]ation"),
)
ITEMS: Final = tuple(Item(one, _words(words), _labels(label)[0]) for one, words, label in _ITEMS)
"""Items that questions name, with the rows that state them."""
