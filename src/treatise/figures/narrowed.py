"""Questions on figures that ask for more or less than a line of the statements: what a computation would leave out."""

import re
from collections.abc import Iterable
from typing import Final

from treatise.core.patterns import lazy_pattern

_NARROWS: Final = lazy_pattern(
    r"\b(?:adjusted|non-gaap|pro[ -]?forma|core|organic|comparable|same-store|restated|constant currency|"
    r"class [a-z]|expected|forecast|guidance|budget\w*|"
    r"(?:first|second) half)\b",
    re.IGNORECASE,
)
_EXCLUDES: Final = lazy_pattern(
    r"\b(?:exclud\w+|exclusive of|excl|ex|without|ignor\w+|omit\w*|leav\w+ out|net of|except|other than)\b",
    re.IGNORECASE,
)
_COUNTED: Final = lazy_pattern(
    r"\b\d[ -]years?\b|\b\d decimals?\b|\b(?:10|8|20)-?[kqf]\b|"
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december) \d{1,2}\b",
    re.IGNORECASE,
)
_UNITS: Final = lazy_pattern(r"\b(?:ratio|rate|margin|percent(?:age)?|yield|multiple|turnover|days)\b|%", re.IGNORECASE)
_NAMED_UNIT: Final = lazy_pattern(r"\n ?(?:ratio|margin|yield|multiple)s?\b", re.IGNORECASE)
_QUOTIENT: Final = lazy_pattern(r"[/÷×*+=]|\bdivided by\b", re.IGNORECASE)


def is_narrowed(sentences: Iterable[str]) -> bool:
    """Whether a sentence asks for other than the whole: "excluding AWS", "adjusted".

    >>> is_narrowed(["What was adjusted net income?"]), is_narrowed(["What was unadjusted EBITDA?"])
    (True, False)
    """
    return any(_NARROWS.search(sentence) or _EXCLUDES.search(sentence) for sentence in sentences)


def excludes(sentences: Iterable[str]) -> bool:
    """Whether a sentence leaves something out: "excluding AWS"."""
    return any(_EXCLUDES.search(sentence) for sentence in sentences)


def has_number(rest: str) -> bool:
    """Whether words beside lines and years hold a number that is no count of years, decimals or days: "by 50%"."""
    return re.search(r"\d", _COUNTED.sub(" ", rest)) is not None


def has_unit(rest: str) -> bool:
    """Whether words beside lines may make another measure of them: "rate", "days"."""
    return _UNITS.search(rest) is not None


def names_unit(rest: str) -> bool:
    """Whether a line, which left a gap, is directly followed by what makes another measure of it: "cash ratio"."""
    return _NAMED_UNIT.search(rest) is not None


def has_quotient(brackets: str) -> bool:
    """Whether brackets hold a formula: "ROA (net income / total assets)"."""
    return _QUOTIENT.search(brackets) is not None
