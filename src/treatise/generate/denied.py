"""Answers that say the opposite without the denial before them: "You must not open it *while the motor runs*"."""

import re
from typing import Final

from treatise.core.patterns import lazy_pattern

_ASKS_WHEN_OR_WHERE: Final = lazy_pattern(
    r"^(?:when|where|how (?:long|often|soon|early|late)|until when)\b", re.IGNORECASE
)
_ASKS_WHY: Final = lazy_pattern(r"^(?:why|what (?:is|are|was|were|do|does|did)\b.* for\b)", re.IGNORECASE)
_PURPOSE: Final = lazy_pattern(r"(?:in order )?to ", re.IGNORECASE)
_DENIES: Final = lazy_pattern(
    r"\b(?:not|never|cannot|no longer)\b|n['’]t\b|\bno (?=\w+ (?:is|are|may|can|must|shall|will|was|were)\b)",
    re.IGNORECASE,
)
_LIMIT: Final = lazy_pattern(
    r"\b(?:not|never) (?:more|less|later|fewer|earlier|sooner|only|just|exceed\w*|yet)\b|"
    r"\b(?:but|except|unless|only|instead|because|although|however|rather|which|who|that)\b|[,;:.()!?]\s",
    re.IGNORECASE,
)
"""What ends a denial, or makes it a limit."""
_WORDS: Final = 8  # that may stand between a denial and what it denies


def is_under_denial(question: str, before: str, answer: str) -> bool:
    """Whether the words before an answer deny it, in the same clause; not if the question denies too.

    >>> is_under_denial("When may I open the lid?", "You must not open the lid ", "at night")
    True
    >>> is_under_denial("Why go online?", "They don't want a service ", "to store their data")
    True
    >>> is_under_denial("When is it due?", "It is due not later than ", "May")
    False
    >>> is_under_denial("When is it not open?", "It does not open ", "at night")
    False
    """
    asked = question.strip()
    is_purpose = _ASKS_WHY.match(asked) and _PURPOSE.match(answer)
    if not (is_purpose or _ASKS_WHEN_OR_WHERE.match(asked)) or _DENIES.search(question):
        return False
    denial = max((found.start() for found in _DENIES.finditer(before)), default=-1)
    clause = before[denial:]
    return denial >= 0 and not _LIMIT.search(clause) and len(clause.split()) <= _WORDS
