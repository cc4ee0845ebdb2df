"""Cells that look like function words, named only as the table writes them: "IT" is no "it", and "May" no "may"."""

import re
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.generate.tabular.languages import ALL
from treatise.generate.tabular.words import Wording

_OPENERS: Final = frozenset(ALL.openers.split("|"))
"""Words that begin a question, with a capital letter in any meaning."""
_BEFORE: Final = frozenset(ALL.before_names.split("|"))
_ARTICLES: Final = frozenset(ALL.articles.split("|"))
_NUMBER: Final = lazy_pattern(r"\.?\s*\w*[-/]?\d")
_JOINED: Final = "-–&'’/."
_GRADES: Final = ("+", "-", "−")
_MOST_CAPITALS: Final = 2


def is_as_written(wording: Wording, first: int, last: int, cell: str) -> bool:
    """Whether a run of light words, ``[first, last)``, is written like a cell that it may name."""
    written = _written(wording, first, last)
    if len(written) == 1:
        mark = wording.text[wording.tokens[first].end :][:1]
        return _is_letter_of(written + (mark if mark in _GRADES else ""), wording, first, cell)
    if re.search(rf"(?<!\w){re.escape(written)}(?!\w)", cell) is None:
        return False
    if written == "No" and _NUMBER.match(wording.text, wording.tokens[last - 1].end):
        return False
    if written.isupper():
        return not wording.text.isupper()
    if written[0].isupper():
        return not (_opens(wording, first, last) or _is_in_capitals(wording))
    return stands_alone(wording, first, last) and wording.tokens[first - 1].text not in _ARTICLES


def stands_alone(wording: Wording, first: int, last: int) -> bool:
    """Whether a run of words is all that follows a preposition: "in it?"."""
    before = [one.text for one in wording.tokens[:first]]
    if before and before[-1] in _ARTICLES:
        before.pop()
    return bool(before) and before[-1] in _BEFORE and may_end(wording, last)


def may_end(wording: Wording, last: int) -> bool:
    """Whether a name may end before a word: it is a preposition, or none."""
    return last == len(wording.tokens) or wording.tokens[last].text in _BEFORE


def _written(wording: Wording, first: int, last: int) -> str:
    return wording.text[wording.tokens[first].start : wording.tokens[last - 1].end]


def _opens(wording: Wording, first: int, last: int) -> bool:
    return first == 0 and wording.tokens[0].text in _OPENERS and last == 1


def _is_letter_of(written: str, wording: Wording, at: int, cell: str) -> bool:
    """Whether a letter is a cell, such as the grade A, and neither a word nor a part of one: the R of "R-2024"."""
    start, end = wording.tokens[at].start, wording.tokens[at].start + len(written)
    before, after = wording.text[:start][-1:], wording.text[end : end + 2]
    is_joined = (before and before in _JOINED) or (after and after[0] in _JOINED and after[1:].isalnum())
    return at > 0 and written[0].isupper() and written == cell != "I" and not is_joined


def _is_in_capitals(wording: Wording) -> bool:
    """Whether a question Writes All Words Like This."""
    light = (wording.text[one.start : one.end] for one in wording.tokens[1:] if one.text in wording.light)
    return sum(one[0].isupper() and not one.isupper() for one in light) > _MOST_CAPITALS
