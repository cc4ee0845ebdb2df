"""Measures of a company that are computed from lines of its statements, defined as analysts define them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from treatise.core.patterns import lazy_pattern


class Unit(StrEnum):
    """What a figure is measured in."""

    MONEY = "money"
    SHARE = "money per share"
    RATIO = "ratio"
    PERCENT = "percent"
    DAYS = "days"


@dataclass(frozen=True, slots=True)
class Metric:
    """A measure.

    Attributes:
        words: Finds it in a question.
        definition: Its formula, in the words of `figures.lines` and other measures.
        unit: What it is measured in.
    """

    words: re.Pattern[str]
    definition: str
    unit: Unit


def _metric(words: str, definition: str, unit: Unit) -> Metric:
    return Metric(lazy_pattern(words, re.IGNORECASE), definition, unit)


_MARGIN: Final = r" ?(?:%|percent(?:age)?)? margins?"

METRICS: Final[Mapping[str, Metric]] = {
    "fixed asset turnover ratio": _metric(
        r"fixed assets? turnover(?: ratio)?", "revenue / average net property, plant and equipment", Unit.RATIO
    ),
    "asset turnover ratio": _metric(
        r"(?:total )?assets? turnover(?: ratio)?", "revenue / average total assets", Unit.RATIO
    ),
    "inventory turnover ratio": _metric(
        r"inventory turnover(?: ratio)?", "cost of sales / average inventory", Unit.RATIO
    ),
    "receivables turnover ratio": _metric(
        r"(?:accounts )?receivables? turnover(?: ratio)?", "revenue / average accounts receivable", Unit.RATIO
    ),
    "days payable outstanding": _metric(
        r"days? payables? outstanding|dpo", "365 * average accounts payable / cost of sales", Unit.DAYS
    ),
    "days inventory outstanding": _metric(
        r"days? inventory outstanding|dio|days? (?:sales )?in inventory",
        "365 * average inventory / cost of sales",
        Unit.DAYS,
    ),
    "days sales outstanding": _metric(
        r"days? sales outstanding|dso", "365 * average accounts receivable / revenue", Unit.DAYS
    ),
    "cash conversion cycle": _metric(r"cash conversion cycle|ccc", "DIO + DSO - DPO", Unit.DAYS),
    "operating cash flow ratio": _metric(
        r"operating cash ?flow ratio", "operating cash flow / total current liabilities", Unit.RATIO
    ),
    "working capital ratio": _metric(
        r"working capital ratio|current ratio", "total current assets / total current liabilities", Unit.RATIO
    ),
    "quick ratio": _metric(
        r"quick ratio|acid[ -]test(?: ratio)?",
        "(total current assets - inventory) / total current liabilities",
        Unit.RATIO,
    ),
    "working capital": _metric(
        r"(?:net )?working capital", "total current assets - total current liabilities", Unit.MONEY
    ),
    "gross profit": _metric(r"gross (?:profit|income)", "revenue - cost of sales", Unit.MONEY),
    "gross margin": _metric(rf"gross(?: profit)?{_MARGIN}", "gross profit / revenue", Unit.PERCENT),
    "operating margin": _metric(
        rf"operating(?: income| profit)?{_MARGIN}|ebit{_MARGIN}", "operating income / revenue", Unit.PERCENT
    ),
    "net profit margin": _metric(
        rf"net(?: income| profit| earnings)?{_MARGIN}|profit{_MARGIN}", "net income / revenue", Unit.PERCENT
    ),
    "depreciation and amortization": _metric(
        r"d ?& ?a|depreciation (?:and|&) amorti[sz]ation", "depreciation + amortization", Unit.MONEY
    ),
    "EBITDA": _metric(r"ebitda", "operating income + depreciation and amortization", Unit.MONEY),
    "EBITDA margin": _metric(rf"ebitda{_MARGIN}", "EBITDA / revenue", Unit.PERCENT),
    "effective tax rate": _metric(r"effective (?:income )?tax rate", "income tax / income before tax", Unit.PERCENT),
    "free cash flow": _metric(r"free cash ?flows?|fcf", "operating cash flow - capital expenditures", Unit.MONEY),
    "free cash flow conversion": _metric(
        r"(?:free cash ?flow|fcf) conversion(?: rate| ratio)?", "free cash flow / net income", Unit.PERCENT
    ),
    "retention ratio": _metric(r"(?:earnings )?retention (?:ratio|rate)", "1 - dividends / net income", Unit.RATIO),
    "payout ratio": _metric(r"(?:dividend )?payout ratio", "dividends / net income", Unit.RATIO),
    "return on assets": _metric(r"return on (?:total )?assets|roa", "net income / average total assets", Unit.RATIO),
    "return on equity": _metric(
        r"return on (?:shareholders['’]? |stockholders['’]? )?equity|roe",
        "net income / average shareholders' equity",
        Unit.RATIO,
    ),
    "interest coverage ratio": _metric(
        r"interest coverage(?: ratio)?", "operating income / interest expense", Unit.RATIO
    ),
    "debt-to-equity ratio": _metric(
        r"(?:long[ -]term )?debt[ -]to[ -]equity(?: ratio)?", "long-term debt / shareholders' equity", Unit.RATIO
    ),
}
"""By name. A line of the same name is read where the statements have it."""
