"""The words that limit a number and that a reader leaves out: "nearly ten months", "at least 5"."""

import re
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.generate.asked import Asked
from treatise.generate.fitting import can_answer

_WORDS: Final = (
    r"(?i:at least|at most|up to|(?:no|not) (?:more|less|fewer|later) than|nearly|almost|about|around|approximately|"
    r"roughly|over|under|(?:more|less|fewer) than|a (?:maximum|minimum) of)"
)
_BEFORE: Final = lazy_pattern(rf"\b{_WORDS} $")
_FIRST: Final = lazy_pattern(rf"{_WORDS} ")
_HOW: Final = lazy_pattern(r"(?:for )?how (?:long|many|much|old|far|big|large)\b", re.IGNORECASE)
_HOW_LONG: Final = lazy_pattern(r"(?:for )?how long\b", re.IGNORECASE)
_IN_BRACKETS: Final = lazy_pattern(r" \((?=[^()]*\d)[^()]{1,40}\)")
"""A number that says the one before it in other words: "a quarter (12 weeks)"."""
_UNIT: Final = r"(?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?)"
_PART: Final = lazy_pattern(rf"(?i:(?P<part>(?:[\w-]+ ){{1,5}}?{_UNIT}) of (?:an?|the|his|her|its|their|my|our) )")
"""A length of time that is a part of another one: "ten months of a four year sentence"."""


def with_limits(question: str, text: str, start: int, end: int) -> tuple[int, int]:
    """The span with the words before it that limit its number.

    If the question asks how much, also with a number in brackets after it; if it asks how long, without the whole of
    which it is a part.

    >>> text = "He had served nearly ten months of a four year sentence."
    >>> text[slice(*with_limits("How long had he been there?", text, 21, 46))]
    'nearly ten months'
    >>> text[slice(*with_limits("Which sentence was it?", text, 35, 55))]
    'a four year sentence'
    """
    again = _IN_BRACKETS.match(text, end) if _HOW.match(question) else None
    end = again.end() if again else end
    limit = _FIRST.match(text, start, end)
    number = limit.end() if limit else start
    if not can_answer(Asked.NUMBER, text[number:end].partition(" ")[0]):
        return start, end
    before = _BEFORE.search(text, 0, start)
    part = _PART.match(text, number, end) if _HOW_LONG.match(question) else None
    return before.start() if before else start, part.end("part") if part else end
