"""Extracts the chosen option of a multiple-choice question from an answer."""

import re
from collections.abc import Sequence
from string import ascii_uppercase
from typing import Final

_LETTER: Final = re.compile(r"\(([a-z])\)", re.IGNORECASE)


def chosen_option(reply: str, options: Sequence[str]) -> int | None:
    """The first option named in a reply by its letter in brackets; None if absent (counted as wrong).

    >>> chosen_option("The correct answer is (B). The text says so, not (A).", ["tea", "coffee"])
    1
    """
    numbers = (ascii_uppercase.index(letter.upper()) for letter in _LETTER.findall(reply))
    return next((number for number in numbers if number < len(options)), None)


def nearest_option(reply: str, options: Sequence[str]) -> int:
    """The option with the least edit distance: for readers such as UnifiedQA, which answer with the option's words.

    >>> nearest_option("cofee", ["tea", "coffee"])
    1
    """
    return min(range(len(options)), key=lambda i: _edit_distance(reply.casefold(), options[i].casefold()))


def _edit_distance(left: str, right: str) -> int:
    """Levenshtein distance, computed row by row."""
    above = list(range(len(right) + 1))
    for i, a in enumerate(left, start=1):
        row = [i]
        for j, b in enumerate(right, start=1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (a != b)))
        above = row
    return above[-1]
