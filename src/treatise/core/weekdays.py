"""Weekdays that an English text names, alone, in ranges ("Mon-Fri") and together ("weekdays", "daily")."""

import re
from typing import Final

from treatise.core.patterns import lazy_pattern

_DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NAME: Final = (
    r"(?:(?i:monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?|"
    r"(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun|MON|TUES?|WED|THU(?:RS?)?|FRI|SAT|SUN)\b\.?)"
)
_NAMED: Final = lazy_pattern(rf"\b({_NAME})(?:\s?(?:[-–—]|to|through|thru|till|until)\s?({_NAME}))?")
_TOGETHER: Final = {
    r"\bweekdays?\b|\bworking days?\b|\bbusiness days?\b": (0, 1, 2, 3, 4),
    r"\bweekends?\b": (5, 6),
    r"\bdaily\b|\b(?:every|each) day\b|\b(?:seven|7) days\b|\ball week\b|\b24/7\b": (0, 1, 2, 3, 4, 5, 6),
}


def weekdays(text: str) -> frozenset[int]:
    """The weekdays that a text names; Monday is 0.

    >>> sorted(weekdays("Mon-Wed and Saturday 9-17")), sorted(weekdays("the sun sat on weekends"))
    ([0, 1, 2, 5], [5, 6])
    """
    found: set[int] = set()
    for first, last in _NAMED.findall(text):
        start = _DAYS.index(first[:3].lower())
        n_days = (_DAYS.index(last[:3].lower()) - start) % len(_DAYS) if last else 0
        found |= {(start + i) % len(_DAYS) for i in range(n_days + 1)}
    for pattern, days in _TOGETHER.items():
        found |= set(days) if re.search(pattern, text, re.IGNORECASE) else set()
    return frozenset(found)
