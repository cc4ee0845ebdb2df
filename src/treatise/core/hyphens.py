"""Words that plain text breaks at line ends."""

import re
from typing import Final

_BROKEN: Final = re.compile(r"(?P<head>[^\W\d_]+)(?P<mark>[\u2010\u00ad])[ \t]*\r?\n[ \t]*(?P<tail>[^\W\d_]\S*)")
_LINE_END: Final = re.compile(
    r"(?P<before>[-/.]?)(?<![^\W\d_])(?P<head>[^\W\d_]+)(?P<mark>-)[ \t]*\r?\n[ \t]*"
    r"(?!(?:and|or|und|oder|sowie|bzw|et|ou|y|o|e|to|bis)\b)(?P<tail>[^\W\d_]\S*)"
)
_HEADS: Final = """
all anti climate cross double e first five four full half high large less long low mid multi non one open part real
second self semi short single six small tax ten third three top two user vice well x
"""
_TAILS: Final = (
    "aged art based chair driven free friendly in only related rich sized speaking specific style up wide year"
)
_IS_HEAD: Final = frozenset(_HEADS.split())
_IS_TAIL: Final = frozenset(_TAILS.split())
"""What compounds begin and end with: "well-known", "tax-free"."""


def unhyphenated(text: str) -> str:
    r"""The text with words whole that are broken at a line end: by U+2010 or a soft hyphen, which belong to no word, or
    by "-", which stays before a capital, in longer names, and beside words with which compounds begin or end.

    It is as long as before: blanks after the word stand for what is left out.

    >>> unhyphenated("tax-\nfree in-\nformation on foo/re-\nsign")
    'tax-free  information   on foo/re-sign '
    >>> unhyphenated("equiva\u2010\n lent, Max-\nAge, well-\nknown and wish-\ning, pre-\nand post-war")
    'equivalent,    Max-Age,  well-known  and wishing,   pre-\nand post-war'
    """
    if "\n" not in text:
        return text
    return _LINE_END.sub(_joined, _BROKEN.sub(_joined, text))


def _joined(found: re.Match[str]) -> str:
    before = found["before"] if "before" in found.re.groupindex else ""
    head, tail = found["head"], found["tail"]
    is_compound = before or not tail[0].islower() or "-" in tail or head.casefold() in _IS_HEAD
    is_compound = is_compound or re.split(r"\W", tail)[0] in _IS_TAIL
    word = before + head + ("-" if found["mark"] == "-" and is_compound else "") + tail
    return word.ljust(len(found[0]))
