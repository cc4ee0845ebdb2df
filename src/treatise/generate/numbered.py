"""Questions for a number that names something, as "the account number": an answer has digits, and is no other's."""

import re
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.generate.fitting import ANY_MONTH

_ASKS: Final = lazy_pattern(
    r"^(?:(?:to|on|at|under|from|with) )?(?:which|what)(?: (?:is|was|are))?"
    r"(?: (?:the|my|our|your|its|their|his|her|an?))?"
    r"(?: (?!of\b|kinds?\b|sorts?\b)[\w-]+){0,2}? (?P<of>[\w-]+) number\b"
    r"(?! (?:\d|(?:of|for (?!the)|format|one|mean)\b))",
    re.IGNORECASE,
)
_NOT_OF: Final = frozenset(("the", "what", "which", "a", "any", "total", "maximum", "minimum", "largest", "smallest"))
_DIGIT: Final = re.compile(r"\d")
_OTHER_DIGITS: Final = lazy_pattern(
    rf"\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {ANY_MONTH}|{ANY_MONTH} \d{{1,2}}|[$€£¥₹]\s?\d[\d.,]*", re.IGNORECASE
)
"""Numbers of days and of money."""
_IN_WORDS: Final = lazy_pattern(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b(?! of\b)|\b[A-Z]\b$", re.IGNORECASE
)
"""A number in words, and a letter that stands for one: "platform seven", "room B"."""
_FEW: Final = 3
_OTHER: Final = lazy_pattern(
    r"\b(?P<of>[A-Za-z][\w-]+) (?:number|no\.|nr\.?|code)(?: is| was|:)? (?P<value>(?=[\w -]*\d)[A-Z\d][\w-]*)"
)


def lacks_number(question: str, text: str) -> bool:
    """Whether a text has no digit but those of dates and amounts, if the question asks for a number of something.

    A few words may have the number in letters.

    >>> lacks_number("Which account number do I pay to?", "by transfer on 1 May"), lacks_number("What number?", "none")
    (True, False)
    >>> lacks_number("What is the platform number?", "platform seven")
    False
    """
    is_in_words = len(text.split()) <= _FEW and _IN_WORDS.search(text) is not None
    return _noun(question) != "" and not is_in_words and not _DIGIT.search(_OTHER_DIGITS.sub(" ", text))


def is_of_other_number(question: str, text: str) -> str | None:
    """What the only number of a text is said to be, if the question asks for that of something else that it lacks.

    >>> is_of_other_number("What is the account number?", "It is registered charity number 1187733.")
    'charity number'
    >>> is_of_other_number("What is the account number?", "Account number 12, sort code 3")
    """
    noun = _noun(question)
    found = list(_OTHER.finditer(text)) if noun and noun.rstrip("s") not in text.casefold() else []
    return f"{found[0]['of']} number" if len(found) == 1 else None


def _noun(question: str) -> str:
    """What the number is of that a question asks for; empty if it asks for none."""
    found = _ASKS.match(question.strip())
    noun = found["of"].casefold() if found else ""
    return "" if noun in _NOT_OF else noun
