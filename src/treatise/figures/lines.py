"""Lines of financial statements: the words for them in questions, and the labels of their rows, preferred first.

Terms of English reports under US GAAP and IFRS.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.core.statements import Statement

_NET: Final = (
    r"(?:net (?:income|earnings|profit|loss)|net \(?loss\)? income|net income \(loss\)|net \(loss\)? ?earnings)"
)
_PARENT: Final = rf"{_NET}(?: \(loss\))? (?:attributable|available) to (?!.*(?:non-?controlling|redeemable|common)).*"
_OPERATING: Final = r"(?:operating|trading) (?:\(?loss\)? )?(?:income|profit|earnings|loss)(?: \(loss\))?"

_PER_SHARE: Final = (
    r"(?:eps|per-share earnings|"
    r"(?:net )?(?:earnings|income|loss)(?: \(loss\))? per (?:common |ordinary |diluted |basic )?share)"
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a statement.

    Attributes:
        statement: The statement that has it.
        words: Finds it in a question.
        labels: Each finds its row by the whole label; an earlier one is preferred.
        is_amount: Whether its sign says nothing: what is paid is printed with and without brackets.
    """

    statement: Statement
    words: re.Pattern[str]
    labels: tuple[re.Pattern[str], ...]
    is_amount: bool


def _line(statement: Statement, words: str, *labels: str, is_amount: bool = False) -> Line:
    patterns = tuple(lazy_pattern(label, re.IGNORECASE) for label in labels)
    return Line(statement, lazy_pattern(words, re.IGNORECASE), patterns, is_amount)


_INCOME, _BALANCE, _CASH = Statement.INCOME, Statement.BALANCE, Statement.CASH

LINES: Final[Mapping[str, Line]] = {
    "revenue": _line(
        _INCOME,
        r"(?:total )?(?:net |operating )?(?:revenues?|sales)|turnover|top ?line",
        r"total (?:net |operating )*(?:revenues?|sales)(?:,? net)?(?: and other income)?",
        r"(?:net |operating )*(?:revenues?|sales)(?: to customers)?(?:,? net)?",
    ),
    "cost of sales": _line(
        _INCOME,
        r"(?:total )?(?:cogs|costs? of (?:goods sold|sales|revenues?|products? sold))",
        r"total costs? of (?:revenues?|sales|goods sold|products? sold)",
        r"costs? of (?:revenues?|sales|goods sold|products? sold|merchandise sold)(?:,.*|\s*\(.*)?",
        is_amount=True,
    ),
    "gross profit": _line(_INCOME, r"gross (?:profit|income)", r"gross (?:profit|margin|income)"),
    "operating income": _line(
        _INCOME,
        r"(?:total )?operating (?:income|profit|earnings|loss)|income from operations|ebit",
        rf"(?:total )?{_OPERATING}",
        r"(?:income|earnings|profit|loss|\(loss\) income|income \(loss\)).{0,3} from operations",
    ),
    "net income": _line(
        _INCOME,
        r"net (?:income|earnings|profit|loss)(?: attributable to (?:share|stock)holders)?|bottom line",
        _PARENT,
        rf"(?:consolidated )?{_NET}",
        rf"{_NET}.*including.*",
        r"profit for the (?:year|period)",
    ),
    "diluted earnings per share": _line(
        _INCOME,
        rf"diluted {_PER_SHARE}|{_PER_SHARE},? \(?diluted\)?|{_PER_SHARE}",
        r"diluted.*(?:earnings|income|loss).* per .{0,8}share.*",
        r".*(?:earnings|income|loss).* per .{0,8}share.*diluted",
    ),
    "basic earnings per share": _line(
        _INCOME,
        rf"basic {_PER_SHARE}|{_PER_SHARE},? \(?basic\)?",
        r"basic.*(?:earnings|income|loss).* per .{0,8}share.*",
        r".*(?:earnings|income|loss).* per .{0,8}share.*basic",
    ),
    "income before tax": _line(
        _INCOME,
        r"(?:pre-?tax|before[ -]tax) (?:income|profit|earnings)|"
        r"(?:income|earnings|profit) before (?:income )?tax(?:es)?",
        r"(?:income|earnings|profit|\(?loss\)?).{0,40} before.{0,20}tax.*",
    ),
    "income tax": _line(
        _INCOME,
        r"income tax(?:es)?(?: expenses?| provision)?|(?:provision for|taxes on) income(?: taxes)?",
        r"(?:provision|benefit|\(?(?:provision|benefit)\)?).{0,30}tax.*",
        r"income tax(?:es)?(?: expense| provision)?.*|taxes on income.*",
        is_amount=True,
    ),
    "interest expense": _line(
        _INCOME, r"interest expenses?", r"(?:net )?interest expense.*", r"interest(?:, net)?", is_amount=True
    ),
    "selling, general and administrative": _line(
        _INCOME,
        r"sg&a(?: expenses?)?|selling, general,? (?:and|&) administrative(?: expenses?)?",
        r"selling,.{0,12} general,? and administrative.*",
        r"selling, marketing and administrative.*",
        is_amount=True,
    ),
    "research and development": _line(
        _INCOME,
        r"r&d(?: expenses?)?|research (?:and|&) development(?: expenses?| costs?)?",
        r"research(?:,| and).{0,3}development.*",
        is_amount=True,
    ),
    "cash and cash equivalents": _line(
        _BALANCE,
        r"cash(?: (?:and|&) (?:cash )?equivalents| balance| position)?",
        r"cash and (?:cash )?equivalents(?:,.*)?",
        r"cash",
    ),
    "accounts receivable": _line(
        _BALANCE,
        r"(?:total )?(?:net )?(?:accounts |trade )+receivables?(?:, net)?|receivables",
        r"(?:trade |accounts |customer )+receivables?.*",
        r"receivables?.*",
    ),
    "inventory": _line(
        _BALANCE, r"(?:total )?(?:merchandise )?inventor(?:y|ies)", r"(?:total )?(?:merchandise )?inventor(?:y|ies).*"
    ),
    "total current assets": _line(_BALANCE, r"(?:total )?current assets", r"total current assets"),
    "property, plant and equipment": _line(
        _BALANCE,
        r"(?:net )?(?:pp ?& ?n?e|ppn?e)|(?:net )?property,? (?:plant,? )?(?:and|&) equipment|fixed assets",
        r"(?:total |net )?(?:property|land|buildings).{0,20} (?:and )?equipment.{0,3} net.*",
        r"(?:total |net )?property,? (?:plant,? )?and equipment.*|property, plant.*|total property.*",
    ),
    "goodwill": _line(_BALANCE, r"goodwill", r"goodwill.*"),
    "total assets": _line(_BALANCE, r"total assets", r"total assets"),
    "accounts payable": _line(
        _BALANCE,
        r"(?:total )?(?:accounts |trade )+payables?",
        r"(?:trade |accounts )+payables?",
        r"(?:trade |accounts )+payables?.*",
    ),
    "total current liabilities": _line(_BALANCE, r"(?:total )?current liabilities", r"total current liabilities"),
    "long-term debt": _line(_BALANCE, r"long[ -]term debt", r"long-term debt.*"),
    "total liabilities": _line(_BALANCE, r"total liabilities", r"total liabilities"),
    "shareholders' equity": _line(
        _BALANCE,
        r"(?:total )?(?:share|stock)holders['’]? equity",
        r"total .{0,60}(?:share|stock)holders['’] .{0,10}(?:equity|deficit|investment).{0,12}",
        r"total equity.{0,12}",
    ),
    "total equity": _line(
        _BALANCE,
        r"total equity",
        r"total equity.{0,12}",
        r"total .{0,60}(?:share|stock)holders['’] .{0,10}(?:equity|deficit|investment).{0,12}",
    ),
    "operating cash flow": _line(
        _CASH,
        r"(?:net )?cash ?flows? (?:generated )?(?:from|provided by) operati(?:ng activities|ons)|"
        r"(?:net )?cash (?:generated |provided )?(?:from|by) operati(?:ng activities|ons)|operating cash ?flows?",
        r"(?:net )?cash.{0,30} operating activities.*",
        r"net cash.{0,20} operations",
    ),
    "capital expenditures": _line(
        _CASH,
        r"capex|capital (?:expenditures?|spending)",
        r"capital expenditures.*",
        r"(?:purchases?|additions?|acquisitions?|payments?|expenditures).{0,20} (?:property|plant|land|equipment).*",
        is_amount=True,
    ),
    "depreciation and amortization": _line(
        _CASH,
        r"d ?& ?a|depreciation (?:and|&) amorti[sz]ation(?: expenses?)?",
        r"depreciation(?:,| and).{0,3}amorti[sz]ation.*",
        is_amount=True,
    ),
    "depreciation": _line(_CASH, r"depreciation", r"depreciation(?: expense)?", is_amount=True),
    "amortization": _line(_CASH, r"amorti[sz]ation", r"amorti[sz]ation.{0,30}intangible.*", is_amount=True),
    "dividends": _line(
        _CASH,
        r"(?:total )?(?:cash )?dividends?(?: paid| payments?| payouts?)?",
        r"(?:cash |common stock )*dividends? paid(?! to non)(?!.*non-?controlling).*",
        r"payments? of (?:cash )?dividends?.*|(?:cash )?dividends(?: to (?:common )?(?:share|stock)holders)?",
        is_amount=True,
    ),
    "share repurchases": _line(
        _CASH,
        r"(?:share|stock) (?:repurchases?|buy ?backs?)|repurchases? of (?:\w+ )?(?:stock|shares)|"
        r"repurchased? (?:its )?(?:own )?(?:stock|shares)",
        r"(?:re)?purchases? of .{0,30}(?:stock|shares).*",
        r"(?:common |treasury )?(?:stock|share)s? (?:re)?purchase[sd]?.*",
        is_amount=True,
    ),
}
"""By name."""

PER_SHARE: Final = lazy_pattern(r"\bper (?:\w+ ){0,2}share\b", re.IGNORECASE)
"""In the names of lines whose values are of one share."""
