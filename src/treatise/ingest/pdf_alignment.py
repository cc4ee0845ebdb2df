"""Aligns the text of a document with the words on its page.

Both hold the same words in about the same order. They differ where the reader joined hyphenated words, removed running
heads, moved floats, or put the lines of a table's cell together.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

Piece = tuple[str, int]
"""A character, and its place: an offset in a text, or an index on a page."""

Token = list[Piece]

_TOKEN: Final = re.compile(r"\S+")
_MAX_ROUNDS: Final = 4  # each finds what the one before passed over because it was moved
_MIN_RUN: Final = 3  # characters; shorter runs inside a word align by chance
_MAX_PRODUCT: Final = 4_000_000  # of two lengths in characters; above it, a comparison takes seconds


def align(text: str, words: Sequence[Token]) -> dict[int, int]:
    """For the offset of each character in ``text``, its index on the page; characters not found are left out.

    ``words`` are the words of the page in reading order. White space is not aligned.

    >>> page = [[("a", 7), ("n", 8)], [("i", 0), ("n", 1), ("c", 2), ("-", 3)], [("h", 4), ("e", 5), ("s", 6)]]
    >>> align("an inches", page)
    {0: 7, 1: 8, 3: 0, 4: 1, 5: 2, 6: 4, 7: 5, 8: 6}
    """
    placed: dict[int, int] = {}
    left = [[(c, m.start() + at) for at, c in enumerate(m.group())] for m in _TOKEN.finditer(text)]
    right = list(words)
    for _ in range(_MAX_ROUNDS):
        found = _round(left, right)
        if not found:
            break
        placed |= found
        left, right = _without(left, set(found)), _without(right, set(found.values()))
    return dict(sorted(placed.items()))


def _round(left: Sequence[Token], right: Sequence[Token]) -> dict[int, int]:
    """Equal words in equal order; between them, equal runs of characters."""
    found: dict[int, int] = {}
    for tag, a, b, c, d in SequenceMatcher(None, _texts(left), _texts(right), autojunk=False).get_opcodes():
        if tag == "equal":
            found |= _pairs(_flat(left[a:b]), _flat(right[c:d]))
        elif tag == "replace":
            found |= _runs(_flat(left[a:b]), _flat(right[c:d]))
    return found


def _runs(left: Token, right: Token) -> dict[int, int]:
    if len(left) * len(right) > _MAX_PRODUCT:
        return {}
    (before,), (after,) = _texts([left]), _texts([right])
    least = 1 if before == after else _MIN_RUN
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    found: dict[int, int] = {}
    for a, b, size in blocks:
        if size >= least:
            found |= _pairs(left[a : a + size], right[b : b + size])
    return found


def _pairs(left: Token, right: Token) -> dict[int, int]:
    return {offset: index for (_, offset), (_, index) in zip(left, right, strict=True)}


def _flat(tokens: Sequence[Token]) -> Token:
    return [piece for token in tokens for piece in token]


def _texts(tokens: Sequence[Token]) -> list[str]:
    return ["".join(character for character, _ in token) for token in tokens]


def _without(tokens: Sequence[Token], places: set[int]) -> list[Token]:
    kept = ([piece for piece in token if piece[1] not in places] for token in tokens)
    return [token for token in kept if token]
