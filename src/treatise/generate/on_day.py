"""Opening hours and timetables: a question about Sunday is not answered by what stands under "Saturday"."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from treatise.core.document import Document
from treatise.core.evidence import Passage
from treatise.core.patterns import lazy_pattern
from treatise.core.weekdays import weekdays
from treatise.generate.asked import Asked, asked

_EXCEPTED: Final = lazy_pattern(r"\b(?:except|but|other than|besides|unless)\b", re.IGNORECASE)
_DIGIT: Final = lazy_pattern(r"\d")
_OTHER_DAY: Final = 9.0  # standard deviations, as retrieval counts them


def on_other_days(
    question: str, texts: Sequence[str], passages: Sequence[Passage], documents: Mapping[str, Document]
) -> list[float]:
    """What each passage loses that is about other weekdays than a question for a time of day, if one is about these.

    Of a passage that names no weekday the nearest heading above it that does says which one it is about.
    """
    wanted = _wanted(question)
    if not wanted:
        return [0.0] * len(texts)
    found = [
        weekdays(text) or days_above(documents[one.document], one.span.start)
        for text, one in zip(texts, passages, strict=True)
    ]
    has_same = any(days & wanted for days in found)
    return [-_OTHER_DAY * (has_same and bool(days) and not days & wanted) for days in found]


def is_on_other_day(question: str, text: str) -> bool:
    """Whether a text names weekdays before its first time, and none of those on which a question for a time asks.

    >>> is_on_other_day("At what time does it open on Sunday?", "Mon-Fri: 9:00 to 17:00")
    True
    >>> is_on_other_day("At what time does it open on Sunday?", "It opens at 9:00, on Mondays at 10:00.")
    False
    """
    time = _DIGIT.search(text)
    wanted, days = _wanted(question), weekdays(text[: time.start()] if time else text)
    return bool(wanted and days and not days & wanted) and not _EXCEPTED.search(text)


def _wanted(question: str) -> frozenset[int]:
    """The weekdays of a question for a time of day; none of another one, whose answer may be on another day."""
    return weekdays(question) if asked(question) is Asked.CLOCK else frozenset()


def days_above(document: Document, start: int) -> frozenset[int]:
    """The weekdays of the nearest heading above a character that names any."""
    above = reversed(document.section_path(start))
    return next(filter(None, map(weekdays, above)), frozenset())
