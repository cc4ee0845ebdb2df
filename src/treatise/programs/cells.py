"""What the text of a cell says: its words, its number, its date."""

import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from treatise.claims.words import stem
from treatise.core.dates import first_date
from treatise.core.patterns import lazy_pattern

MONTHS: Final = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_IN_FULL: Final = {name[:3]: name for name in (*MONTHS, *_WEEKDAYS)} | {
    "sept": "september",
    "tues": "tuesday",
    "thur": "thursday",
    "thurs": "thursday",
}
MISSING: Final = frozenset(("", "-", "–", "—", "−", "n/a", "na", "?", "none", "tba", "tbd", "..."))
"""Cells without a value, in lower case."""
WORD: Final = lazy_pattern(r"\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|[^\W\d_]+|[%$€£#&]")
_NUMBER: Final = lazy_pattern(
    r"[-−–+]?\s?[$€£]?\s?"
    r"(\d{1,3}(?:[,\u00a0\u202f]\d{3})+(?:\.\d+)?|\d{1,3}(?: \d{3})+(?![\d.,:/])|\d+(?:\.\d+)?|\.\d+)"
    r"(?!\.?\d|[eExX]\d|[kK]\b)"
)
_SEPARATORS: Final = lazy_pattern(r"[,\s]")
_LARGEST: Final = 1e15
"""Beyond, numbers are codes, and sums of them not exact."""
_TIME: Final = lazy_pattern(r"(?:(\d{1,3}):)?(\d{1,3}):([0-5]\d(?:\.\d+)?)")
_YEAR: Final = lazy_pattern(r"(?:1\d|20)\d\d")
_DAY: Final = lazy_pattern(
    r"(?:\w{3,9},? )?(?:(\d{1,2})(?:st|nd|rd|th)?[ -]([a-z]{3,9})|([a-z]{3,9})[ .](\d{1,2})(?:st|nd|rd|th)?)\.?"
)
_SLASHED: Final = lazy_pattern(r"(\d{1,2})[/.](\d{1,2})[/.]((?:19|20)?\d\d)")
_LONGEST_DATE: Final = 60
_LONGEST_DAY: Final = 16
_MAX_MONTH: Final = 12
_MAX_DAY: Final = 31
_DAYS: Final = 372
"""Of a year of twelve months with as many days as the longest, so that a date is a number."""
_CENTURY: Final = 100
_NEXT_CENTURY: Final = 50
"""Years of two digits below are of the 2000s."""
_BEFORE_NUMBER: Final = 3
"""Characters that may stand before the digits of a cell."""


def folded(text: str) -> str:
    """In lower case without accents, as long as the text."""
    if text.isascii():
        return text.lower()
    return "".join(unicodedata.normalize("NFKD", one)[0].casefold()[0] for one in text)


def word(written: str) -> str:
    """A word or number as it is compared: months and days of the week in full, numbers without separators."""
    plain = written.replace(",", "")
    return _IN_FULL.get(plain, plain)


@lru_cache(maxsize=1 << 14)
def words_of(text: str) -> tuple[str, ...]:
    """The words and numbers of a cell or head in order.

    >>> words_of("Sat 2 Feb, 1,200 m")
    ('saturday', '2', 'february', '1200', 'm')
    """
    return tuple(word(match[0]) for match in WORD.finditer(folded(text)))


@lru_cache(maxsize=1 << 14)
def stem_of(one: str) -> str:
    """A word without its ending; a number as it is."""
    return stem(one) if one.isalpha() else one


@lru_cache(maxsize=1 << 14)
def number_of(text: str) -> float | None:
    """The number at the beginning of a cell, of a time its seconds; None if it begins with something else.

    >>> number_of("$1,200"), number_of("(3.5)"), number_of("1:30"), number_of("row 7"), number_of("−4 °C")
    (1200.0, -3.5, 90.0, None, -4.0)
    >>> number_of("68 000"), number_of("1.5e3"), number_of("10k"), number_of("9" * 20)
    (68000.0, None, None, None)
    """
    text = text.strip()
    if time := _TIME.fullmatch(text):
        return 3600 * float(time[1] or 0) + 60 * float(time[2]) + float(time[3])
    match = _NUMBER.search(text)
    if match is None or match.start(1) > _BEFORE_NUMBER:
        return None
    value = float(_SEPARATORS.sub("", match[1]))
    if value > _LARGEST:
        return None
    is_negative = match[0].lstrip()[0] in "-−–" or (text[0] == "(" and text[-1] == ")")
    return -value if is_negative else value


def is_time(text: str) -> bool:
    """Whether a cell is a duration or time of day, such as 1:30 or 2:09:41."""
    return _TIME.fullmatch(text.strip()) is not None


def is_year(text: str) -> bool:
    """Whether a cell is a year and nothing else."""
    return _YEAR.fullmatch(text.strip()) is not None


@lru_cache(maxsize=1 << 14)
def date_of(text: str) -> float | None:
    """A date as a number of years; of a day without a year, of a year 0; None if a cell is no date.

    >>> date_of("1999"), date_of("July 2001"), date_of("Sat 1 Feb") == 1 / 12, date_of("soon")
    (1999.0, 2001.5, True, None)
    """
    text = text.strip()
    if is_year(text):
        return float(text)
    if len(text) <= _LONGEST_DATE and (found := first_date(text)):
        return years_of(found)
    if len(text) <= _LONGEST_DAY and (match := _DAY.fullmatch(text.casefold())):
        month = _IN_FULL.get((match[2] or match[3])[:3])
        return _years(0, MONTHS.index(month) + 1, int(match[1] or match[4])) if month in MONTHS else None
    return None


def years_of(iso: str) -> float:
    """An ISO date, month or year as a number of years."""
    year, month, day = (*map(int, iso.split("-")), 1, 1)[:3]
    return _years(year, month, day)


def month_of(years: float) -> int:
    """The month of a date, from 0."""
    return round((years % 1) * _DAYS + 1e-6) // _MAX_DAY


def date_text(years: float) -> str:
    """A number of years as a year, or as a date in ISO 8601.

    >>> date_text(2019.0), date_text(years_of("2019-03-14"))
    ('2019', '2019-03-14')
    """
    if float(years).is_integer():
        return str(int(years))
    months, days = divmod(round((years % 1) * _DAYS), _MAX_DAY)
    return f"{int(years)}-{months + 1:02}-{days + 1:02}"


def _years(year: int, month: int, day: int) -> float:
    return year + ((month - 1) * _MAX_DAY + day - 1) / _DAYS


def slashed_dates(cells: Mapping[int, str]) -> dict[int, float]:
    """The dates of a column such as 3/14/2023 by row; the month is first if no first number is above 12."""
    found = {row: match for row, text in cells.items() if (match := _SLASHED.fullmatch(text.strip()))}
    firsts, seconds = ([int(match[group]) for match in found.values()] for group in (1, 2))
    month_first = max(seconds, default=0) > _MAX_MONTH >= max(firsts, default=0)
    dates = {}
    for row, match in found.items():
        day, month, year = map(int, match.groups())
        if month_first:
            day, month = month, day
        if year < _CENTURY:
            year += 2000 if year < _NEXT_CENTURY else 1900
        if month <= _MAX_MONTH and day <= _MAX_DAY:
            dates[row] = _years(year, month, day)
    return dates
