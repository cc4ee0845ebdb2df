"""Dates as sources write them, in seven languages, as ``YYYY-MM-DD``, ``YYYY-MM`` or ``YYYY``."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from treatise.core.patterns import lazy_pattern

_MONTHS: Final = (
    "january|jan|januar|jänner|janvier|enero|gennaio|janeiro|januari",
    "february|feb|februar|février|fevrier|febrero|febbraio|fevereiro|februari",
    "march|mar|märz|maerz|mars|marzo|março|maart",
    "april|apr|avril|abril|aprile",
    "may|mai|mayo|maggio|maio|mei",
    "june|jun|juni|juin|junio|giugno|junho",
    "july|jul|juli|juillet|julio|luglio|julho",
    "august|aug|août|aout|agosto|augustus",
    "september|sept|sep|septembre|septiembre|settembre|setembro",
    "october|oct|oktober|okt|octobre|octubre|ottobre|outubro",
    "november|nov|novembre|noviembre|novembro",
    "december|dec|dezember|dez|décembre|decembre|diciembre|dicembre|dezembro",
)
_NUMBER_OF: Final = {name: at for at, names in enumerate(_MONTHS, 1) for name in names.split("|")}
_NAME: Final = rf"(?P<name>{'|'.join(sorted(_NUMBER_OF, key=len, reverse=True))})\b\.?"
_YEAR: Final = r"(?P<year>(?:1[5-9]|20)\d\d)(?!\d)"
_OF: Final = r"(?:\s+(?:de|del|d'))?"
_SLASHES: Final = r"(?<!\d)(?P<first>\d{1,2})/(?P<second>\d{1,2})/(?P<year>(?:19|20)\d\d)(?!\d)"
_SLASHED: Final = lazy_pattern(_SLASHES)
_FORMS: Final = tuple(
    lazy_pattern(form, re.IGNORECASE)
    for form in (
        rf"(?<!\d){_YEAR}\s?(?P<sign>[-/.])\s?(?P<month>\d{{1,2}})(?P=sign)\s?(?P<day>\d{{1,2}})(?!\d)",
        rf"(?<!\d){_YEAR}\s*年\s*(?P<month>\d{{1,2}})\s*月(?:\s*(?P<day>\d{{1,2}})\s*日)?",
        rf"(?<!\d)(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|\.|º)?{_OF}\s+{_NAME}{_OF},?\s+{_YEAR}",
        rf"\b{_NAME}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+{_YEAR}",
        rf"\b{_NAME}{_OF},?\s+{_YEAR}",
        rf"(?<!\d)(?P<day>\d{{1,2}})\.\s?(?P<month>\d{{1,2}})\.\s?{_YEAR}",
        rf"(?<!\d)(?P<day>\d{{1,2}})[- ]{_NAME}[- ]{_YEAR}",
        r"(?:D:|\b)(?P<year>(?:19|20)\d\d)(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])",
        rf"(?<!\d){_YEAR}-(?P<month>0[1-9]|1[0-2])(?![\d-])",
        _SLASHES,
    )
)
_ONLY_YEAR: Final = re.compile(_YEAR)
_HAS_YEAR: Final = re.compile(r"(?:1[5-9]|20)\d\d")
"""What each form of a date has."""
_MAX_MONTH: Final = 12


def first_date(text: str) -> str:
    """The first date with a month in a text, or the year that is all of the text; ``""`` if absent.

    >>> first_date("Printed 6th December, 2017"), first_date("le 3 mars 2020"), first_date("2011"), first_date("Q3")
    ('2017-12-06', '2020-03-03', '2011', '')
    """
    found = next(dates_in(text), None)
    if found:
        return found[1]
    year = _ONLY_YEAR.fullmatch(text.strip())
    return year["year"] if year else ""


def first_dates(texts: Sequence[str]) -> list[str]:
    """The first date of each text; those such as 5/1/2024 have the order of day and month of the clear ones among them.

    >>> first_dates(["17/02/2024", "05/01/2024", "3 May 2024"]), first_dates(["05/01/2024"])
    (['2024-02-17', '2024-01-05', '2024-05-03'], ['2024'])
    """
    pairs = [(int(one["first"]), int(one["second"])) for text in texts for one in _SLASHED.finditer(text)]
    is_day_first = any(first > _MAX_MONTH for first, _ in pairs)
    if is_day_first == any(second > _MAX_MONTH for _, second in pairs):
        return [first_date(text) for text in texts]
    order = r"\g<second>" if is_day_first else r"\g<first>", r"\g<first>" if is_day_first else r"\g<second>"
    return [first_date(_SLASHED.sub(rf"\g<year>-{order[0]}-{order[1]}", text)) for text in texts]


def month_number(text: str) -> int:
    """The number of a month by its name or abbreviation; 0 if the text is anything else.

    >>> month_number("Sept."), month_number("March"), month_number("March 2024")
    (9, 3, 0)
    """
    return _NUMBER_OF.get(text.strip().rstrip(".").lower(), 0)


def last_date(text: str) -> str:
    """The latest of the dates in a text: of a line of revisions the last; ``""`` if absent."""
    return max((iso for _, iso in dates_in(text)), default=first_date(text))


def dates_in(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    """Place and ISO form of every date with a month in order; of overlapping ones the first and longest.

    >>> list(dates_in("from 5 March 2025 to May 2025"))
    [((5, 17), '2025-03-05'), ((21, 29), '2025-05')]
    """
    forms = _FORMS if _HAS_YEAR.search(text) else ()  # these patterns are slow to compile
    found = sorted(
        (match.start(), -match.end(), iso) for form in forms for match in form.finditer(text) if (iso := _iso(match))
    )
    at = 0
    for start, end, iso in found:
        if start >= at:
            yield (start, -end), iso
            at = -end


def without_dates(text: str) -> str:
    """The text without its dates: what else a line says.

    >>> without_dates("Version 2, 3 May 2010")
    'Version 2, '
    """
    for (start, end), _ in reversed(list(dates_in(text))):
        text = text[:start] + text[end:]
    return text


def _iso(match: re.Match[str]) -> str:
    """The date of a match; ``""`` if there is no such day."""
    parts = match.groupdict()
    year = int(parts["year"])
    if "first" in parts:
        return _of_slashes(year, int(parts["first"]), int(parts["second"]))
    month = _NUMBER_OF[parts["name"].lower()] if parts.get("name") else int(parts["month"])
    day = int(parts["day"]) if parts.get("day") else 0
    if not 1 <= month <= _MAX_MONTH:
        return ""
    return _checked(year, month, day) if day else f"{year}-{month:02}"


def _of_slashes(year: int, first: int, second: int) -> str:
    """The day of ``first/second/year``; the year alone if day and month cannot be told apart."""
    if first > _MAX_MONTH or first == second:
        return _checked(year, second, first)
    return _checked(year, first, second) if second > _MAX_MONTH else str(year)


def _checked(year: int, month: int, day: int) -> str:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""
