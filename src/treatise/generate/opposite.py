"""Beginnings and ends: a question for when something ends is not answered by when it begins, nor one for when it begins
by when the paper was signed.
"""

import re
from typing import Final

from treatise.core.dates import first_date
from treatise.core.patterns import lazy_pattern
from treatise.generate.asked import Asked, asked

_BEGINS: Final = lazy_pattern(
    r"\b(?:beg[aiu]n\w*|start(?:s|ed|ing)?|open(?:s|ed|ing)?|commenc\w+|conven\w+|called to order)\b", re.IGNORECASE
)
_ENDS: Final = lazy_pattern(
    r"\b(?:end(?:s|ed|ing)?|finish\w*|clos(?:es?|ed|ing)|conclud\w+|stop(?:s|ped|ping)?|adjourn\w*|expir\w+|over|until|"
    r"till|through)\b",
    re.IGNORECASE,
)
_MAY: Final = lazy_pattern(r"\b(?:may|can|could|might)\b", re.IGNORECASE)
_POSSIBLE: Final = lazy_pattern(
    r"\b(?:may|can|could|might)(?: (?!not\b)\w+){0,2}? (?:begin|start|open|commence|be (?:\w+ed|begun)|end|finish|"
    r"close|terminate|stop|expire)\b",
    re.IGNORECASE,
)
"""What says only that something is possible: "may end the tenancy"."""
_RANGE: Final = lazy_pattern(r"\d(?: ?[ap]\.?m\b\.?)? ?(?:to|[-–—]) ?\d|\d{4}\W+to\b", re.IGNORECASE)


_SIGNED: Final = lazy_pattern(
    r"\b(?:made|dated|signed|executed|entered into)\b(?: (?:on|as of|this))?|^\W*dated?\b", re.IGNORECASE
)
"""What an agreement says of the day on which it was written."""


def says_when_signed(question: str, text: str) -> bool:
    """Whether the question asks when something begins, and the text says only when a paper was written.

    >>> says_when_signed("When does the lease start?", "This lease is made on 14 February 2024.")
    True
    >>> says_when_signed("When was the lease signed?", "This lease is made on 14 February 2024.")
    False
    """
    if asked(question) is not Asked.DATE or not _BEGINS.search(question):
        return False
    return _SIGNED.search(text) is not None and not _BEGINS.search(text)


def says_when_it_begins(text: str) -> bool:
    """Whether a text says when something begins.

    >>> says_when_it_begins("It is let for a year beginning on 1 March 2024."), says_when_it_begins("It has begun.")
    (True, False)
    """
    return _BEGINS.search(text) is not None and bool(first_date(text))


def is_opposite(question: str, text: str) -> bool:
    """Whether a question for a time asks for the end of something, and the text has a beginning only, or the reverse;
    or the text says only that it may begin or end.

    >>> is_opposite("What time did it finish?", "The meeting commenced at 7:55pm.")
    True
    >>> is_opposite("When does it close?", "Open 9:00 to 17:00."), is_opposite("When was it built?", "It ends in May.")
    (False, False)
    >>> text = "Either party may end it after twelve months."
    >>> is_opposite("When does it end?", text), is_opposite("When may it be ended?", text)
    (True, False)
    """
    if asked(question) not in (Asked.CLOCK, Asked.DATE) or _RANGE.search(text):
        return False
    (asks_begin, asks_end), (says_begin, says_end) = (
        [bool(words.search(one)) for words in (_BEGINS, _ENDS)] for one in (question, text)
    )
    if asks_begin == asks_end:
        return False
    if not _MAY.search(question):
        fact = _POSSIBLE.sub(" ", text)
        is_possible = (says_begin and not _BEGINS.search(fact)) if asks_begin else (says_end and not _ENDS.search(fact))
        if is_possible:
            return True
    return (says_end and not says_begin) if asks_begin else (says_begin and not says_end)
