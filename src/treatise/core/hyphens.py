"""Words that plain text breaks at line ends."""

import re
from collections.abc import Container
from functools import lru_cache
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
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_SHORTEST: Final = 4
"""Letters of each part of a compound that is known only because a text has its parts as words."""
_IS_HEAD: Final = frozenset(_HEADS.split())
_IS_TAIL: Final = frozenset(_TAILS.split())
"""What compounds begin and end with: "well-known", "tax-free"."""


def unhyphenated(text: str, whole: str = "") -> str:
    r"""The text with words whole that are broken at a line end: by U+2010 or a soft hyphen, which belong to no word, or
    by "-", which stays before a capital, in longer names, and beside words with which compounds begin or end.

    It also stays if ``whole``, the document that the text is of, has the compound elsewhere, or both of its parts as
    words but not the word without it. The text is as long as before: blanks after the word stand for what is left out.

    >>> unhyphenated("tax-\nfree in-\nformation on foo/re-\nsign")
    'tax-free  information   on foo/re-sign '
    >>> unhyphenated("equiva\u2010\n lent, Max-\nAge, well-\nknown and wish-\ning, pre-\nand post-war")
    'equivalent,    Max-Age,  well-known  and wishing,   pre-\nand post-war'
    >>> unhyphenated("application-\nprovided, car-\npet", "An application for the carpet is provided; my car, my pet.")
    'application-provided,  carpet  '
    """
    if "\n" not in text:
        return text
    return _LINE_END.sub(lambda found: _joined(found, whole), _BROKEN.sub(lambda found: _joined(found, whole), text))


def _joined(found: re.Match[str], whole: str) -> str:
    before = found["before"] if "before" in found.re.groupindex else ""
    head, tail = found["head"], found["tail"]
    keeps = found["mark"] == "-" and (bool(before) or _is_compound(head, tail, whole))
    return f"{before}{head}{'-' if keeps else ''}{tail}".ljust(len(found[0]))


def _is_compound(head: str, tail: str, whole: str) -> bool:
    """Whether the hyphen between two parts of a word belongs to it, by its form and the words of the document."""
    last = re.split(r"\W", tail)[0]
    if not tail[0].islower() or "-" in tail or head.casefold() in _IS_HEAD or last in _IS_TAIL:
        return True
    words, first = _words(whole), head.casefold()
    if f"{first}{last}" in words or f"{first}-{last}" in words:
        return f"{first}-{last}" in words
    return min(len(first), len(last)) >= _SHORTEST and first in words and last in words


@lru_cache(maxsize=4)
def _words(text: str) -> Container[str]:
    """The words and compounds of a text in small letters, without those broken at line ends."""
    return frozenset(_WORD.findall(_LINE_END.sub(" ", text).casefold()))
