"""Words that plain text breaks at line ends."""

import re
from collections.abc import Container
from functools import lru_cache
from typing import Final

_BROKEN: Final = re.compile(r"(?P<head>[^\W\d_]+)(?P<mark>[\u2010\u00ad])[ \t]*\r?\n[ \t]*(?P<tail>[^\W\d_]\S*)")
SUSPENDING: Final = r"(?:and|or|und|oder|sowie|bzw|et|ou|y|o|e|to|bis)\b"
"""Pattern of the words after a hyphen that stands for what follows: "pre- and post-tax"."""
_LINE_END: Final = re.compile(
    r"(?P<before>(?:[-/.@=&]|(?<=\w)_)?)(?<![^\W\d_])(?P<head>[^\W\d_]+)(?P<mark>-)[ \t]*\r?\n[ \t]*"
    rf"(?!{SUSPENDING})(?P<tail>[^\W\d_]\S*)"
)
_HEADS: Final = """
all anti climate cross double e eighty fifty first five forty four full half high large less long low mid multi ninety
non one open part real second self semi seventy short single six sixty small tax ten third thirty three top twenty two
user vice well x
"""
_TAILS: Final = (
    "aged art based chair driven free friendly in only related rich sized speaking specific style up wide year"
)
_STEMS: Final = "every fore here how inter more never other over some super there under where with"
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_SHORTEST: Final = 4
"""Letters of each part of a compound that is known only because a text has its parts as words."""
_IS_HEAD: Final = frozenset(_HEADS.split())
_IS_TAIL: Final = frozenset(_TAILS.split())
"""What compounds begin and end with: "well-known", "tax-free"."""
_IS_STEM: Final = frozenset(_STEMS.split())
"""What words begin with that have no hyphen though their parts are words: "overcome"."""
_OF_ADDRESS: Final = re.compile(r"[\w.-]*@\w|[\w.-]*[^\W\d_]\.[a-z]{2,}(?!\w)|[^\W\d_]+[_=][^\W_]")
"""The rest of a word in which nobody breaks words: of an e-mail address, a host, a file or a name in code."""


def unhyphenated(text: str, whole: str = "") -> str:
    r"""The text with words whole that are broken at a line end: by U+2010 or a soft hyphen, which belong to no word, or
    by "-", which stays before a capital, in longer names, and beside words with which compounds begin or end.

    It also stays in addresses and names in code, and if ``whole``, the text of its document, has the compound
    elsewhere, or both of its parts as words, spelled like them, but not the word without it. The text is as long as
    before: blanks after the word stand for what is left out.

    >>> unhyphenated("tax-\nfree in-\nformation on foo/re-\nsign")
    'tax-free  information   on foo/re-sign '
    >>> unhyphenated("equiva\u2010\n lent, Max-\nAge, well-\nknown and wish-\ning, pre-\nand post-war")
    'equivalent,    Max-Age,  well-known  and wishing,   pre-\nand post-war'
    >>> unhyphenated("ann-\nlee@example.org, over-\ncome, twenty-\nfive", "We come over.")
    'ann-lee@example.org,  overcome,   twenty-five '
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
    if _OF_ADDRESS.match(tail):
        return True
    spelled, folded = _words(whole)
    first, then = head.casefold(), last.casefold()
    if f"{first}{then}" in folded or f"{first}-{then}" in folded:
        return f"{first}-{then}" in folded
    is_long = min(len(first), len(then)) >= _SHORTEST and first not in _IS_STEM
    return is_long and (head in spelled or head.lower() in spelled) and last in spelled


@lru_cache(maxsize=4)
def _words(text: str) -> tuple[Container[str], Container[str]]:
    """The words and compounds of a text, without those broken at line ends: as they are spelled, and folded."""
    spelled = frozenset(_WORD.findall(_LINE_END.sub(" ", text)))
    return spelled, frozenset(word.casefold() for word in spelled)
