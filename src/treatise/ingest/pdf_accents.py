"""Letters with accents in PDFs whose fonts draw both apart, as those of LaTeX's old font encoding do."""

import unicodedata
from collections.abc import Container, Iterator
from ctypes import c_double
from typing import Final

import pypdfium2.raw as pdfium_c

JOINER: Final = "\u034f"
"""Stands in a page's text, which keeps its length, for what is no character of a word; words leave it out."""

_ABOVE: Final = {
    "`": "\u0300", "´": "\u0301", "ˆ": "\u0302", "˜": "\u0303", "¯": "\u0304", "˘": "\u0306", "˙": "\u0307",
    "¨": "\u0308", "˚": "\u030a", "˝": "\u030b", "ˇ": "\u030c",
}  # fmt: skip
_BELOW: Final = {"¸": "\u0327", "˛": "\u0328"}
_COMBINING: Final = _ABOVE | _BELOW
_DOTLESS: Final = {"ı": "i", "ȷ": "j"}
_FARTHEST: Final = 200  # characters between a letter and its accent, which may stand at the end of the line
_REACH: Final = 0.6  # of the letter's size, between it and its accent
_CLOSE: Final = 0.15  # of the size of the font, between letters of a word

_Box = tuple[float, float, float, float]


def composed(raw: object, text: str) -> str:
    """A page's text, as long as it is, with accents composed with the letters over which they are drawn.

    Args:
        raw: pdfium's text page.
        text: Its characters, one per index.
    """
    places = [at for at, character in enumerate(text) if character in _COMBINING]
    if not places:
        return text
    characters = list(text)
    bases: dict[int, int] = {}
    for at in places:
        if (base := _base(raw, characters, at)) is not None:
            characters[base] = _composed(characters[base], characters[at])
            bases[at] = base
    for at in bases:
        around = [characters[i] for i in (at - 1, at + 1) if 0 <= i < len(characters)]
        characters[at] = " " if all(one.isspace() for one in around) else JOINER
    for base in bases.values():
        for step in (-1, 1):
            _rejoin(raw, characters, base, step, bases)
    return "".join(characters)


def _base(raw: object, characters: list[str], at: int) -> int | None:
    """The letter over or under which the accent at an index is drawn."""
    left, bottom, right, top = _box(raw, at)
    centre, is_below = (left + right) / 2, characters[at] in _BELOW
    for other in _nearest(at, len(characters)):
        if not (characters[other].isalpha() and len(_composed(characters[other], characters[at])) == 1):
            continue
        x0, y0, x1, y1 = _box(raw, other)
        gap = y0 - top if is_below else bottom - y1
        if x0 <= centre <= x1 and -(y1 - y0) <= gap <= _REACH * (y1 - y0):
            return other
    return None


def _nearest(at: int, n_characters: int) -> Iterator[int]:
    """The indices around one, the nearest first."""
    for distance in range(1, _FARTHEST):
        yield from (other for other in (at + distance, at - distance) if 0 <= other < n_characters)


def _composed(letter: str, accent: str) -> str:
    return unicodedata.normalize("NFC", _DOTLESS.get(letter, letter) + _COMBINING[accent])


def _rejoin(raw: object, characters: list[str], base: int, step: int, accents: Container[int]) -> None:
    """Takes out the spaces that pdfium adds before or after a letter with an accent, if it stands close to the next."""
    blanks = []
    other = base + step
    while 0 <= other < len(characters) and characters[other] in (" ", JOINER):
        if characters[other] == " " and other not in accents and pdfium_c.FPDFText_IsGenerated(raw, other) != 1:
            return
        blanks.append(other)
        other += step
    if not (blanks and 0 <= other < len(characters) and characters[other].isalpha()):
        return
    left, right = sorted((base, other))
    gap = _box(raw, right)[0] - _box(raw, left)[2]
    if abs(gap) < _CLOSE * pdfium_c.FPDFText_GetFontSize(raw, base):
        for at in blanks:
            characters[at] = JOINER


def _box(raw: object, index: int) -> _Box:
    """Left, bottom, right and top of a character, in points."""
    left, right, bottom, top = c_double(), c_double(), c_double(), c_double()
    pdfium_c.FPDFText_GetCharBox(raw, index, left, right, bottom, top)
    return left.value, bottom.value, right.value, top.value
