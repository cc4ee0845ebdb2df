"""What questions name of financial statements: the statements and their items.

Terms of English reports under US GAAP and IFRS.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.core.statements import CAPEX, OPERATING, REVENUE, Statement


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
    return lazy_pattern(rf"\b(?:{pattern})(?!\w)", re.IGNORECASE)


NAMES: Final[Mapping[Statement, re.Pattern[str]]] = {
    Statement.BALANCE: _words(r"balance sheets?|statements? of financial (?:position|condition)"),
    Statement.INCOME: _words(
        r"income statements?|statements? of (?:\w+ )?(?:income|operations|earnings)|earnings statements?|"
        r"profit (?:and|&|or) loss|p\s?&\s?l"
    ),
    Statement.CASH: _words(r"cash[ -]?flows? statements?|statements? of cash[ -]?flows?"),
}
"""Names of the statements in questions."""

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
    (Statement.INCOME, r"revenues?|net sales|sales growth|top ?line|margins?|turnover", REVENUE),
    (
        Statement.INCOME,
        r"cogs|costs? of (?:goods|sales|revenues?|products)|gross (?:profit )?margins?|gross profit|dpo|dio|"
        r"inventory turnover",
        r"costs? of|gross",
    ),
    (Statement.INCOME, r"operating (?:profit |income )?(?:income|profit|loss|margins?)|ebit(?:da)?", OPERATING),
    (
        Statement.INCOME,
        r"net (?:income|earnings|loss|profit)|retention ratio|payout ratio|return on (?:assets|equity)|"
        r"cash[ -]?flow conversion",
        r"^net \(?(?:income|earnings|loss)",
    ),
    (Statement.INCOME, r"eps|earnings per share", r"per (?:common )?share|basic|diluted"),
    (Statement.INCOME, r"sg&a|selling, general", r"administrative"),
    (Statement.INCOME, r"income tax(?:es)?|effective tax|tax rate", r"income tax|before[^\n]{0,30}tax"),
    (Statement.INCOME, r"interest (?:expense|coverage)", rf"interest expense|{OPERATING}"),
    (Statement.CASH, r"capex|capital (?:expenditures?|spending)|free cash[ -]?flows?", CAPEX),
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
ITEMS: Final = tuple(Item(one, _words(words), lazy_pattern(label, re.IGNORECASE)) for one, words, label in _ITEMS)
"""Items that questions name, with the rows that state them."""
