"""Periods of questions and of the heads of columns: years, fiscal years and quarters."""

import re
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from treatise.core.document import Document
from treatise.core.patterns import lazy_pattern

MONTHS: Final = "January|February|March|April|May|June|July|August|September|October|November|December"
_YEAR: Final = lazy_pattern(r"(?<![\d.,$€£])(?:FY\s?)?((?:19|20)\d\d)(?![\d%]|[.,]\d)")
_SHORT_YEAR: Final = lazy_pattern(r"\bFY\s?['’]?(\d\d)\b")
_FISCAL: Final = lazy_pattern(r"\b(?:fiscal|FY)\b|\bFY\s?['’]?\d", re.IGNORECASE)
_QUARTER: Final = lazy_pattern(
    r"\b(?:first|second|third|fourth|last|1st|2nd|3rd|4th)[ -](?:fiscal[ -])?quarter|\bquarterly\b|\bquarter ended\b|"
    r"\b[1-4]?Q[1-4]?(?:['’]?\d\d)?\b|\b(?:three|3) months\b|\b(?:thirteen|fourteen|13|14) weeks\b",
    re.IGNORECASE,
)
_WHOLE: Final = lazy_pattern(
    r"\bfull[ -]year\b|\b(?:fiscal )?years? (?:ended|ending)\b|\bfor the (?:fiscal )?year\b|"
    r"\b(?:twelve|12) months\b|\b(?:52|53|fifty-two|fifty-three) weeks\b|\bannual\b",
    re.IGNORECASE,
)
_FISCAL_YEAR: Final = lazy_pattern(r"\bfiscal (?:year )?\d{4}\b|\bFY\s?['’]?\d", re.IGNORECASE)
_IN_YEAR: Final = lazy_pattern(r"\b(?:in|for|during) (?:19|20)\d\d\b", re.IGNORECASE)
_OPENING: Final = 3_000  # characters in which a report names its fiscal year and the day on which it ended
_NAMED_YEAR: Final = lazy_pattern(r"\bfiscal (?:year )?(20\d\d)\b", re.IGNORECASE)
_LAST_DAY: Final = lazy_pattern(rf"\bended (?:{MONTHS}) \d{{1,2}}, (20\d\d)\b", re.IGNORECASE)


class Length(StrEnum):
    """How long a period is."""

    QUARTER = "quarter"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class Period:
    """A period, as far as words tell it.

    Attributes:
        years: The calendar years in which it may end; empty if unknown.
        length: A quarter or a year; None if unknown.
        offset: What was added to fiscal years, so that heads of columns are read alike.
    """

    years: frozenset[int] = frozenset()
    length: Length | None = None
    offset: int = field(default=0, repr=False, compare=False)

    def __bool__(self) -> bool:
        return bool(self.years or self.length)

    def differs(self, other: "Period") -> bool:
        """Whether both are known to be of different years or lengths."""
        of_years = bool(self.years and other.years) and self.years.isdisjoint(other.years)
        return of_years or bool(self.length and other.length and self.length != other.length)

    def agreement(self, other: "Period") -> int:
        """How much of it another period has: its year counts most."""
        if self.differs(other):
            return -1
        return 2 * bool(self.years & other.years) + bool(self.length and self.length == other.length)


def period_of(text: str, offset: int = 0) -> Period:
    """The period that a question or a column head names; ``offset`` is added to fiscal years.

    >>> period_of("13 Weeks Ended January 28, 2023")
    Period(years=frozenset({2023}), length=<Length.QUARTER: 'quarter'>)
    >>> bool(period_of("Operating margin"))
    False
    """
    years = {int(year) for year in _YEAR.findall(text)} | {2000 + int(year) for year in _SHORT_YEAR.findall(text)}
    if _FISCAL.search(text):
        years = {year + offset for year in years}
    return Period(frozenset(years), length_of(text), offset)


def length_of(text: str) -> Length | None:
    """The length of the period that a text speaks of; None if it names none, or both.

    >>> length_of("the fourth quarter of fiscal 2022").value
    'quarter'
    """
    is_quarter, is_year = bool(_QUARTER.search(text)), bool(_WHOLE.search(text))
    if is_quarter or is_year:
        return None if is_quarter and is_year else Length.QUARTER if is_quarter else Length.YEAR
    return Length.YEAR if _FISCAL_YEAR.search(text) else None


def asked_period(question: str, document: Document) -> Period:
    """The period that a question asks for; "in 2017" asks for the whole year."""
    period = period_of(question, fiscal_offset(document))
    is_year = period.length is None and _IN_YEAR.search(question) and not _QUARTER.search(question)
    return replace(period, length=Length.YEAR) if is_year else period


def fiscal_offset(document: Document) -> int:
    """1 if the document's fiscal years end in the next calendar year, as "fiscal 2022", "ended January 28, 2023"."""
    beginning = f"{document.title}\n{document.text[:_OPENING]}"
    named, last = _NAMED_YEAR.search(beginning), _LAST_DAY.search(beginning)
    return int(int(last[1]) == int(named[1]) + 1) if named and last else 0
