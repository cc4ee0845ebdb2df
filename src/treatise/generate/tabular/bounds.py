"""Limits that a question sets to values: "over 500", "between 100 and 500", "since March 2024"."""

import re
from dataclasses import dataclass, field
from typing import Final

from treatise.core.dates import first_date
from treatise.core.patterns import lazy_pattern
from treatise.generate.currencies import CODES, SIGNS
from treatise.generate.tabular.languages import ALL
from treatise.generate.tabular.numbers import read_values
from treatise.generate.tabular.scales import SCALE, SCALE_OF_MONEY, scale_named

_BEFORE: Final = rf"[{SIGNS}]|(?:{CODES})(?=[ \d])"
_AFTER: Final = rf"%|(?:percent|per cent|prozent|{CODES}|euros?|dollars?)\b|[{SIGNS}]"
_BOUND: Final = lazy_pattern(
    rf"\b(?:(?P<above>(?:{ALL.more}) (?:{ALL.than})|{ALL.over})|(?P<least>{ALL.at_least})|"
    rf"(?P<below>(?:{ALL.fewer}) (?:{ALL.than})|{ALL.under})|(?P<most>{ALL.at_most})|(?P<exactly>{ALL.exactly}))\s+"
    rf"(?P<before>{_BEFORE})?\s?(?P<number>\d[\d.,]*(?<![.,]))(?!\d)(?!\s+(?:{ALL.months})\b)\s*"
    rf"(?P<scale>(?(before)(?:{SCALE_OF_MONEY})|(?:{SCALE})))?\s*(?P<after>{_AFTER})?",
    re.I,
)
_SIGNS: Final = {"above": ">", "least": ">=", "below": "<", "most": "<=", "exactly": "="}
_ZERO: Final = lazy_pattern(rf"\b(?:{ALL.zero})", re.I)
_ORDINALS: Final = ("first", "second", "third", "fourth")
_DAY: Final = r"\d{1,2}(?:st|nd|rd|th|\.)?"
_DATE: Final = (
    rf"{_DAY}\s+(?:{ALL.months})\b\.?,?\s+\d{{4}}|(?:{ALL.months})\b\.?\s+(?:{_DAY},?\s+)?\d{{4}}|"
    r"\d{4}-\d\d(?:-\d\d)?|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2}/\d{1,2}/\d{4}"
)
_YEAR: Final = r"(?:1[5-9]|20)\d\d"
_MONTH: Final = rf"(?:{_DAY}\s+)?(?:{ALL.months})\b|(?:{ALL.months})\s+{_DAY}"
_END: Final = rf"(?:{_DATE}|{_MONTH}|(?:(?:{_BEFORE})\s?)?\d[\d.,]*(?<![.,])(?:\s?(?:{_AFTER}))?)(?![\w/-])"
_THE: Final = rf"(?:(?:{ALL.articles})\s+)?"
_RANGE: Final = lazy_pattern(
    rf"\b(?:(?:{ALL.between})\s+{_THE}(?P<low>{_END})\s+(?:{ALL.and_})|"
    rf"(?:{ALL.from_})\s+{_THE}(?P<first>{_END})\s+(?:{ALL.to}))\s+{_THE}(?P<high>{_END})",
    re.I,
)
_OPEN_RANGE: Final = lazy_pattern(
    rf"\b(?:(?P<since>{ALL.since})|(?P<after>{ALL.later})|(?P<until>{ALL.until})|(?P<before>{ALL.earlier})|"
    rf"(?P<within>{ALL.within}))\s+{_THE}(?P<end>{_DATE}|{_MONTH}|{_YEAR})(?![\w/-]|[.,]\d)",
    re.I,
)
_QUARTER: Final = lazy_pattern(
    rf"\b(?:{ALL.within})\s+{_THE}(?:(?P<ordinal>{'|'.join(_ORDINALS)})\s+quarter|q(?P<number>[1-4]))\b"
    rf"(?:\s+(?:of\s+)?(?P<year>{_YEAR})(?![\w/-]|[.,]\d))?",
    re.I,
)
_QUARTERS: Final = (("January", "March"), ("April", "June"), ("July", "September"), ("October", "December"))
_ONLY_YEAR: Final = lazy_pattern(_YEAR)
_DAY_OF_MONTH: Final = lazy_pattern(rf"{_DAY}\s+")
_NUMBER: Final = lazy_pattern(rf"(?P<before>{_BEFORE})?\s?(?P<number>\d[\d.,]*)\s?(?P<after>{_AFTER})?", re.I)


_UNITS: Final = {
    "percent": "%",
    "per cent": "%",
    "prozent": "%",
    "euro": "EUR",
    "euros": "EUR",
    "dollar": "$",
    "dollars": "$",
}


@dataclass(frozen=True, slots=True)
class Bound:
    """A limit of the values.

    Attributes:
        sign: ``">"``, ``">="``, ``"<"``, ``"<="`` or ``"="``.
        number: The limit.
        unit: ``"%"``, or a currency's sign or code; empty if not said.
        scale: What the number counts: 1,000,000 for "2 million"; 1 if not said.
        written: The number as the question has it; empty for "no" and "without".
    """

    sign: str
    number: float
    unit: str = ""
    written: str = field(default="", repr=False, compare=False)
    scale: float = field(default=1.0, repr=False)

    def holds(self, value: float) -> bool:
        """Whether a value is within it."""
        return {
            ">": value > self.number,
            ">=": value >= self.number,
            "<": value < self.number,
            "<=": value <= self.number,
            "=": value == self.number,
        }[self.sign]


@dataclass(frozen=True, slots=True)
class Ends:
    """The ends of a range as the question has them.

    Attributes:
        span: Place of the range in the question.
        low, high: Numbers or dates; empty if the range is open there.
        is_strict: Whether the only end is outside of the range.
        is_of_time: Whether it can only be of dates: "since 2019".
        is_quarter: Whether it is a quarter of a year: "in the first quarter of 2024".
    """

    span: tuple[int, int]
    low: str
    high: str
    is_strict: bool = False
    is_of_time: bool = False
    is_quarter: bool = False

    @property
    def is_period(self) -> bool:
        """Whether it is one year, quarter, month or day: "in March 2024"."""
        return self.low == self.high or self.is_quarter


def ends_in(question: str) -> Ends | None:
    """The only range that a question names; None if it names none, or several.

    >>> ends = ends_in("Which bills are between 100 and 500 €?")
    >>> ends.low, ends.high, ends_in("Sales since March 2024?").low, ends_in("Sales from March to May 2024?").low
    ('100', '500 €', 'March 2024', 'March 2024')
    """
    if quarter := _QUARTER.search(question):
        return _of_quarter(quarter)
    closed = list(_RANGE.finditer(question))
    opened = [
        one
        for one in _OPEN_RANGE.finditer(question)
        if not any(other.start() <= one.start() < other.end() for other in closed)
    ]
    if len(closed) + len(opened) != 1:
        return None
    if closed:
        low, high = closed[0]["low"] or closed[0]["first"], closed[0]["high"]
        return Ends(closed[0].span(), _completed(low, high), high)
    match = opened[0]
    low = "" if match["until"] or match["before"] else match["end"]
    high = "" if match["since"] or match["after"] else match["end"]
    return Ends(match.span(), low, high, is_strict=bool(match["after"] or match["before"]), is_of_time=True)


def _of_quarter(match: re.Match[str]) -> Ends:
    n = int(match["number"]) if match["number"] else _ORDINALS.index(match["ordinal"].casefold()) + 1
    low, high = (f"{month} {match['year'] or ''}".strip() for month in _QUARTERS[n - 1])
    return Ends(match.span(), low, high, is_of_time=True, is_quarter=True)


def _completed(low: str, high: str) -> str:
    """The first date of a range with the month and year of the second: "1 to 15 March 2024".

    >>> _completed("1", "15 March 2024"), _completed("March", "May 2024"), _completed("100", "500")
    ('1 March 2024', 'March 2024', '100')
    """
    last = first_date(high)
    if not last or first_date(low) or _ONLY_YEAR.fullmatch(high):
        return low
    month = _DAY_OF_MONTH.match(high) if low.isdigit() else None
    return f"{low} {high[month.end() :]}" if month else f"{low} {last[:4]}"


def bound_of_end(end: str, sign: str) -> Bound | None:
    """The limit that an end of a range is; None if it is no number."""
    match = _NUMBER.fullmatch(end)
    return _bound(match, sign) if match else None


def bound_in(question: str) -> tuple[Bound | None, tuple[tuple[int, int], ...]]:
    """The only limit that a question names, and the places of its words."""
    found = list(_BOUND.finditer(question))
    zeros = [one for one in _ZERO.finditer(question) if not any(b.start() <= one.start() < b.end() for b in found)]
    if len(found) + len(zeros) != 1:
        return None, ()
    if zeros:
        start = zeros[0].start()
        return Bound("=", 0.0), ((start, start + len(zeros[0][0].split()[0])), *_at_all(question))
    sign = next(sign for name, sign in _SIGNS.items() if found[0][name])
    bound = _bound(found[0], sign)
    return bound, (found[0].span(),) if bound else ()


def without_zeros(question: str) -> str:
    """The question without "no" and "without" as limits."""
    return _ZERO.sub(" ", question)


def _bound(match: re.Match[str], sign: str) -> Bound | None:
    number = read_values({0: match["number"]}).by_row.get(0)
    if number is None:
        return None
    unit = match["before"] or match["after"] or ""
    unit = _UNITS.get(unit.casefold(), unit)
    scale = match.groupdict().get("scale") or ""
    return Bound(sign, number, unit, match["number"], scale_named(scale))


def _at_all(question: str) -> tuple[tuple[int, int], ...]:
    return tuple(one.span() for one in re.finditer(r"\bat all\b", question, re.I))
