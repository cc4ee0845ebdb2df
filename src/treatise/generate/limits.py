"""Lengths of time whole: with the words that limit them and that a reader leaves out, as in "nearly ten months"."""

import re
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.generate.asked import Asked
from treatise.generate.fitting import can_answer

LIMITS: Final = (
    r"at least|at most|up to|(?:no|not) (?:more|less|fewer|later) than|nearly|almost|about|around|approximately|"
    r"roughly|over|under|(?:more|less|fewer) than|a (?:maximum|minimum) of"
)
"""Words before a number that limit it."""
UNITS: Final = r"(?:second|minute|hour|day|night|week|month|year)s?"
"""Units of time."""
_BEFORE: Final = lazy_pattern(rf"\b(?i:{LIMITS}) $")
_FIRST: Final = lazy_pattern(rf"(?i:{LIMITS}) ")
_HOW_LONG: Final = lazy_pattern(r"(?:for )?how long\b", re.IGNORECASE)
_IN_BRACKETS: Final = lazy_pattern(rf" \((?=[^()]*\d)[^()]{{1,40}}\b{UNITS}\)", re.IGNORECASE)
"""A length that says the one before it in other words: "a quarter (12 weeks)"."""
_PART: Final = lazy_pattern(rf"(?i:(?P<part>(?:[\w-]+ ){{1,5}}?{UNITS}) of (?:an?|the|his|her|its|their|my|our) )")
"""A length of time that is a part of another one: "ten months of a four year sentence"."""


def with_limits(question: str, text: str, start: int, end: int) -> tuple[int, int]:
    """If the question asks how long, the span with the words before it that limit its number and the length in brackets
    after it, but without the whole of which it is a part; else the span as it is.

    >>> text = "He had served nearly ten months of a four year sentence."
    >>> text[slice(*with_limits("How long had he been there?", text, 21, 46))]
    'nearly ten months'
    >>> text[slice(*with_limits("Which sentence was it?", text, 35, 55))]
    'a four year sentence'
    """
    if not _HOW_LONG.match(question):
        return start, end
    again = _IN_BRACKETS.match(text, end)
    end = again.end() if again else end
    limit = _FIRST.match(text, start, end)
    number = limit.end() if limit else start
    if not can_answer(Asked.NUMBER, text[number:end].partition(" ")[0]):
        return start, end
    before, part = _BEFORE.search(text, 0, start), _PART.match(text, number, end)
    return before.start() if before else start, part.end("part") if part else end
