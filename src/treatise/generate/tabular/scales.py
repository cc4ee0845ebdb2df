"""Scales of numbers: "over 2 million" in a question, and "(thousands)" or "$m" in a table."""

import re
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.generate.currencies import CODES, SIGNS
from treatise.generate.tabular.languages import ALL

_EACH: Final = {1e3: ALL.thousand, 1e6: ALL.million, 1e9: ALL.billion}
_WORDS: Final = "|".join(_EACH.values())
_PATTERNS: Final = {scale: re.compile(rf"(?:{words})", re.I) for scale, words in _EACH.items()}
_LETTERS: Final = {"k": 1e3, "m": 1e6, "mn": 1e6, "mio": 1e6, "b": 1e9, "bn": 1e9}
SCALE: Final = rf"(?:{_WORDS}|mn|bn|mio)\b\.?|(?<=\d)k\b"
"""A scale after a number of a question; letters that may be units, such as m, stand after money only."""
SCALE_OF_MONEY: Final = rf"{SCALE}|(?<=\d)[kmb]\b"
_MONEY: Final = rf"(?:[{SIGNS}]|\b(?:{CODES})\s?)"
_COUNTED: Final = (
    rf"[{SIGNS}]|(?:(?:US|U\.S\.)\s)?(?:(?:{CODES})|dollars?|euros?|pounds?|people|persons|inhabitants|units|"
    r"(?:metric )?tonn?e?s)\b"
)
"""What is in thousands: "sold in thousands of shops" states no scale."""
_STATED: Final = lazy_pattern(
    rf"\bin\s(?P<in>{_WORDS})\b(?!\sof\s(?!{_COUNTED}))|\((?:{_MONEY}\s?)?(?P<word>{_WORDS})\)|(?P<zeros>\b000s?\b)|"
    rf"{_MONEY}\s?(?P<letter>k|m|mn|mio|b|bn)\b|\((?P<capital>(?-i:[kKMB]|[MB]n|Mio))\)",
    re.IGNORECASE,
)
_IN_UNIT: Final = lazy_pattern(rf"(?P<money>[{SIGNS}]|(?:{CODES})\s?)?(?P<scale>[^\W\d_]*)\.?")


def scale_named(word: str) -> float:
    """The number that a word or letter for a scale stands for; 1 if it is none.

    >>> scale_named("millions"), scale_named("k"), scale_named("km")
    (1000000.0, 1000.0, 1.0)
    """
    plain = word.strip(". ").casefold()
    return next((one for one, pattern in _PATTERNS.items() if pattern.fullmatch(plain)), _LETTERS.get(plain, 1.0))


def scale_stated(text: str) -> float:
    """The scale of numbers that a head or a caption states; 1 if it states none.

    >>> scale_stated("Population (thousands)"), scale_stated("Revenue ($m)"), scale_stated("Sales (US$ '000)")
    (1000.0, 1000000.0, 1000.0)
    >>> scale_stated("Length (m)"), scale_stated("params (M)"), scale_stated("Amounts in millions of dollars")
    (1.0, 1000000.0, 1000000.0)
    >>> scale_stated("We sell them in thousands of shops."), scale_stated("in thousands of US dollars")
    (1.0, 1000.0)
    """
    match = _STATED.search(text)
    if match is None:
        return 1.0
    return 1e3 if match["zeros"] else scale_named(match["in"] or match["word"] or match["letter"] or match["capital"])


def unit_and_scale(unit: str) -> tuple[str, float]:
    """What stands beside the numbers of a column, without its scale, and the scale; a lower letter may be a unit.

    >>> unit_and_scale("$B"), unit_and_scale("$k"), unit_and_scale("M"), unit_and_scale("m"), unit_and_scale("million")
    (('$', 1000000000.0), ('$', 1000.0), ('', 1000000.0), ('m', 1.0), ('', 1000000.0))
    """
    match = _IN_UNIT.fullmatch(unit)
    if match is None or not match["scale"]:
        return unit, 1.0
    written = match["scale"]
    is_open = not match["money"] and len(written) == 1 and written not in "kKMB"
    scale = 1.0 if is_open else scale_named(written)
    return (unit, 1.0) if scale == 1.0 else ((match["money"] or "").strip(), scale)
