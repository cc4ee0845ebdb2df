"""Tells which character each glyph of a font is, if only the glyphs' numbers are known.

Some programs save a font without any map to characters. Most fonts that office programs use keep ASCII in its order
from glyph 3 (the space), as the standard Macintosh glyph set does; what follows differs. An order is believed only if
the shapes agree with it: "g" goes below the line, "a" is lower than "A", a quotation mark stands high, and "é" is as
wide as "e".
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from statistics import median
from typing import Final

from treatise.ingest.truetype import MACINTOSH, Outline, TrueType

UNKNOWN: Final = "\ufffd"

_ASCII: Final = range(3, 98)
_LATIN_1: Final = "".join(map(chr, range(0xA1, 0x100)))
_APPLE: Final = "\uf8ff"
_REST: Final = (  # from glyph 98 on
    MACINTOSH[98:],
    MACINTOSH[98:].replace(_APPLE, ""),
    MACINTOSH[98:].replace("\xa0", "").replace(_APPLE, ""),  # Times New Roman, Arial, Courier New
    "\xa0" + _LATIN_1,
    _LATIN_1,
    _LATIN_1.replace("\xad", ""),
)
_UNSURE: Final = frozenset("\uf8ff¤")  # the mark of a company, and the place of the euro in later fonts
_LOW: Final = frozenset("acemnorsuvwxzæœı")
_TALL: Final = frozenset("ABCDEFGHIKLMNOPRSTUVWXYZ0123456789bdfhklßÆŒÐÞŁł")
_DEEP: Final = frozenset("gpqy")
_HIGH: Final = frozenset("'\"*^°´¨ˆ˜¯˘˙˚˝ˇ“”‘’ªº²³¹")
_FLAT: Final = frozenset("-–—−¬")
_DOTS: Final = frozenset(".…")
_COMMAS: Final = frozenset(",‚„")
_BLANKS: Final = frozenset(" \xa0")
_MIN_TESTED: Final = 6
_MIN_LOWER: Final = 2
_MIN_SHARE: Final = 0.85
_LOW_HEIGHT: Final = 0.7  # of small letters, in heights of capitals
_WIDTH_ERROR: Final = 0.02  # in ems
_BASE: Final = 0.1  # how far from the line a glyph that stands on it may begin or end, in heights of capitals


def characters_of(font: TrueType, *, is_expected: bool = False) -> dict[int, str]:
    """The character of each glyph; empty if the font does not tell.

    Args:
        font: Its tables are believed, unless its shapes speak against them; without tables, its shapes.
        is_expected: Whether a font of its family keeps ASCII in order: few glyphs are then enough.
    """
    stated = font.characters()
    if stated and _agree(_verdicts({g: o for g in stated if (o := font.outline(g)) is not None}, stated)):
        return stated
    outlines = {glyph: outline for glyph in range(3, len(MACINTOSH)) if (outline := font.outline(glyph)) is not None}
    return ordered(outlines, {glyph: font.width(glyph) for glyph in outlines}, is_expected=is_expected)


def ordered(
    outlines: Mapping[int, Outline], widths: Mapping[int, float], *, is_expected: bool = False
) -> dict[int, str]:
    """The characters of glyphs in a known order, by their shapes; empty if the order is not one of those known.

    Glyphs beyond ASCII whose order is not certain are left out, as is a glyph whose shape speaks against its character.

    Args:
        outlines: By glyph; all zero for blanks.
        widths: By glyph, in ems.
        is_expected: Whether few glyphs are enough.
    """
    ascii_glyphs = {glyph: MACINTOSH[glyph] for glyph in _ASCII if glyph in outlines}
    verdicts = _verdicts(outlines, ascii_glyphs)
    n_lower = sum(verdicts.get(glyph) is True for glyph, c in ascii_glyphs.items() if c in _LOW | _DEEP)
    is_enough = bool(verdicts) if is_expected else len(verdicts) >= _MIN_TESTED and n_lower >= _MIN_LOWER
    if not is_enough or not _agree(verdicts):
        return {}
    return ascii_glyphs | _beyond_ascii(outlines, widths, _height(outlines, ascii_glyphs))


def fits(character: str, outline: Outline, height: float) -> bool | None:
    """Whether a glyph can be this character; None if its shape does not tell.

    Args:
        character: One character.
        outline: Of the glyph; all zero for a blank, which only a space can be, or a glyph left out of the font.
        height: Of the font's capitals, in ems.
    """
    _, bottom, _, top = (edge / height for edge in outline)
    if character in _BLANKS:
        return not any(outline)
    if not any(outline):
        return None
    on_line = abs(bottom) < _BASE
    base, mark = _accent(character)
    if mark:
        lowest_top = 1.05 if base.isupper() else 0.8
        return bottom < -0.12 if mark == "below" else top > lowest_top and (on_line or base in _DEEP)
    rules = (
        (_TALL, on_line and abs(top - 1) < 0.17),
        (_LOW, on_line and 0.4 < top < 0.88),
        (_DEEP, bottom < -0.12 and 0.4 < top < 0.95),
        (_HIGH, bottom > 0.3),
        (_FLAT, bottom > 0.1 and top - bottom < 0.3),
        (_DOTS, on_line and top < 0.35),
        (_COMMAS, bottom < -0.05 and top < 0.35),
        (frozenset("«»‹›"), bottom > -0.05 and top < 0.95 and top - bottom > 0.3),
        (frozenset("()[]{}"), bottom < -0.03 and top > 0.8),
    )
    return next((verdict for characters, verdict in rules if character in characters), None)


def _verdicts(outlines: Mapping[int, Outline], characters: Mapping[int, str]) -> dict[int, bool]:
    """Whether each glyph can be its character, of those whose shape tells."""
    height = _height(outlines, characters)
    if not height:
        return {}
    verdicts = {
        glyph: fits(characters[glyph], outline, height) for glyph, outline in outlines.items() if glyph in characters
    }
    return {glyph: verdict for glyph, verdict in verdicts.items() if verdict is not None}


def _agree(verdicts: Mapping[int, bool]) -> bool:
    """Whether nearly all verdicts are yes, or there are none."""
    return sum(verdicts.values()) >= _MIN_SHARE * len(verdicts)


def _height(outlines: Mapping[int, Outline], characters: Mapping[int, str]) -> float:
    """The height of capitals, in ems, if the characters are right; 0 without Latin letters or digits."""
    tall, low = (
        [top for glyph, (*_, top) in outlines.items() if top > 0 and characters.get(glyph, "") in kind]
        for kind in (_TALL, _LOW)
    )
    return median(tall) if tall else median(low) / _LOW_HEIGHT if low else 0.0


def _beyond_ascii(outlines: Mapping[int, Outline], widths: Mapping[int, float], height: float) -> dict[int, str]:
    """The characters from glyph 98 on, where all orders that agree best with the shapes say the same."""
    rated = []
    for order in _REST:
        characters = {glyph: c for glyph, c in enumerate(order, start=_ASCII.stop) if glyph in outlines}
        verdicts = {glyph: fits(c, outlines[glyph], height) for glyph, c in characters.items() if any(outlines[glyph])}
        tested = [v for v in (*verdicts.values(), *_widths_agree(characters, widths)) if v is not None]
        if any(tested) and sum(tested) >= _MIN_SHARE * len(tested):
            fitting = {
                glyph: c for glyph, c in characters.items() if verdicts.get(glyph) is not False and c not in _UNSURE
            }
            rated.append((sum(tested) / len(tested), fitting))
    best = [characters for share, characters in rated if share == max(share for share, _ in rated)]
    return {glyph: c for glyph, c in best[0].items() if all(o.get(glyph) == c for o in best)} if best else {}


def _widths_agree(characters: Mapping[int, str], widths: Mapping[int, float]) -> Iterator[bool]:
    """Whether each letter with an accent is as wide as the letter, in a font whose letters differ in width."""
    letters = {MACINTOSH[glyph]: width for glyph in _ASCII if (width := widths.get(glyph, 0.0))}
    if len({letters.get(letter) for letter in "iamAW"}) < 3:
        return
    for glyph, character in characters.items():
        base, _ = _accent(character)
        if base in letters and base not in "ij" and (width := widths.get(glyph, 0.0)):
            yield abs(width - letters[base]) < _WIDTH_ERROR


def _accent(character: str) -> tuple[str, str]:
    """A letter's base, and whether its accent stands ``"above"`` or ``"below"`` it; empty for one without an accent."""
    parts = unicodedata.normalize("NFD", character)
    if len(parts) != 2 or not parts[0].isalpha():
        return "", ""
    return parts[0], "above" if unicodedata.combining(parts[1]) == 230 else "below"


def decoded(codes: Iterable[int], characters: Mapping[int, str]) -> str:
    """One character for each glyph number; if unknown, a space for the first three, which have no ink, or ``UNKNOWN``.

    >>> decoded([55, 75, 76, 86, 3, 9999], {55: "T", 75: "h", 76: "i", 86: "s", 3: " "})
    'This �'
    """
    return "".join(characters.get(code, " " if code < 3 else UNKNOWN) for code in codes)
