"""Words that plain text breaks at line ends."""

import re
from typing import Final

_BROKEN: Final = re.compile(r"(?P<head>[^\W\d_]+)(?P<mark>[\u2010\u00ad])[ \t]*\r?\n\s*(?P<tail>[^\W\d_]\S*)")
_LINE_END: Final = re.compile(
    r"(?P<head>[^\W\d_]+)(?P<mark>-)[ \t]*\r?\n\s*(?!(?:and|or|und|oder|et|ou|y|o|e|to|bis)\b)(?P<tail>[^\W\d_]\S*)"
)
_HEADS: Final = """
all anti app best better break built by case check client co command cost cross data day decision double end error
event ex far fast file fine first five fixed four free full half hand hard heavy high higher hour in key large left
less life light line long low lower machine many mid minute month more multi much new non object off old on one open out
over part peer per point pre post pro problem read ready real right run second self semi server short side single six
small so soft source state sub super ten test third three time top two type under up user value web week well wide work
world write year
"""
_IS_HEAD: Final = frozenset(_HEADS.split())
"""What compounds begin with: "well-known"."""


def unhyphenated(text: str) -> str:
    r"""The text with words whole that are broken at a line end: by U+2010 or a soft hyphen, which belong to no word, or
    by "-", which stays before a capital and after words with which compounds begin.

    It is as long as before: blanks after the word stand for what is left out.

    >>> unhyphenated("equiva\u2010\n lent, Max-\nAge, well-\nknown and wish-\ning, pre-\nand post-war")
    'equivalent,    Max-Age,  well-known  and wishing,   pre-\nand post-war'
    """
    if "\n" not in text:
        return text
    return _LINE_END.sub(_joined, _BROKEN.sub(_joined, text))


def _joined(found: re.Match[str]) -> str:
    is_compound = found["tail"][0].isupper() or found["head"].casefold() in _IS_HEAD
    word = found["head"] + ("-" if found["mark"] == "-" and is_compound else "") + found["tail"]
    return word.ljust(len(found[0]))
