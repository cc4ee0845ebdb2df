"""Weekdays that an English text names, alone, in ranges ("Mon-Fri") and together ("weekdays", "daily")."""

import re
from typing import Final

from treatise.core.patterns import lazy_pattern

_DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NAME: Final = (
    r"(?:(?i:monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?|"
    r"(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun|MON|TUES?|WED|THU(?:RS?)?|FRI|SAT|SUN)\b\.?)"
)
_NAMED: Final = lazy_pattern(
    rf"\b({_NAME})(?:,? \d{{1,2}} \w+)?(?:\s*(?:[-–—‑]|to|and including|through(?: to)?|thru|till|until)\s*({_NAME}))?"
)
_SHORT: Final = lazy_pattern(r"\b(Mo|Tu|We|Th|Fr|Sa)\s*[-–—‑]\s*(Tu|We|Th|Fr|Sa|Su)\b|\b(M)\s?[-–—‑]\s?(F)\b")
_BETWEEN: Final = lazy_pattern(rf"\b(?i:between|from) ({_NAME}) and ({_NAME})")
_TOGETHER: Final = {
    r"\bweekdays?\b|\b(?:working|business) days?\b": range(5),
    r"\bweekends?\b": range(5, 7),
    r"\bdaily\b|\b(?:every|each|all|any|seven|7) days?\b|\ball week\b|\b24/7\b": range(7),
}


def weekdays(text: str) -> frozenset[int]:
    """The weekdays that a text names; Monday is 0.

    >>> sorted(weekdays("Mon-Wed and Saturday 9-17")), sorted(weekdays("the sun sat on weekends"))
    ([0, 1, 2, 5], [5, 6])
    """
    found: set[int] = set()
    short = (tuple(filter(None, pair)) for pair in _SHORT.findall(text))
    for first, last in (*_NAMED.findall(text), *_BETWEEN.findall(text), *short):
        start = _number(first)
        n_days = (_number(last) - start) % len(_DAYS) if last else 0
        found |= {(start + i) % len(_DAYS) for i in range(n_days + 1)}
    for pattern, days in _TOGETHER.items():
        found |= set(days) if re.search(pattern, text, re.IGNORECASE) else set()
    return frozenset(found)


def _number(name: str) -> int:
    """The first day whose name begins as this one does."""
    return next(i for i, day in enumerate(_DAYS) if day.startswith(name[:3].lower()))
