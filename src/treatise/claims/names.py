"""Rule: every name of a statement is in the text, or in what is known of its document."""

import re
from collections.abc import Iterator
from typing import Final

from treatise.claims.difference import Difference, absence
from treatise.claims.quantities import NUMBER_WORDS
from treatise.claims.words import FUNCTION_WORDS

_CAPITAL: Final = re.compile(r"(?<![\w-])[A-ZÀ-ÖØ-Þ][^\W_]*(?:[-'’&.][^\W_]+)*")
_BEGINNING: Final = re.compile(r"(?:\A|[.!?:]\s+|[\"“‘'(\[]\s*|[-*•]\s+)\Z")
_COMMON_TEXT: Final = """
i ok yes no none
"""
_COMMON: Final = frozenset(_COMMON_TEXT.split())
_DEMONYMS: Final = (
    "france/french", "spain/spanish", "britain/british", "england/english", "sweden/swedish", "denmark/danish",
    "netherlands/dutch", "poland/polish", "greece/greek", "ireland/irish", "finland/finnish", "turkey/turkish",
    "wales/welsh", "scotland/scottish", "japan/japanese", "china/chinese", "switzerland/swiss", "us/american",
    "usa/american", "america/united", "norway/norwegian", "peru/peruvian", "germany/german", "brazil/brazilian",
)  # fmt: skip
_NO_NAME: Final = ("s", "ing", "ion", "ly", "ment", "ity", "ance", "ence")  # endings of common nouns
_SHORT: Final = 4


def missing_name(claim: str, text: str) -> Difference | None:
    """The first name of the statement that the text does not have.

    >>> missing_name("The report is by Microsoft.", "The report is by Apple.").reason
    '“Microsoft” is not in the text'
    >>> missing_name("The German army and the EU met.", "Germany and the European Union met.")
    """
    words = {word.casefold() for word in re.findall(r"[^\W_]+", text)}
    initials = _initials(text)
    for name in _names(claim):
        parts = [part.casefold() for part in re.findall(r"[^\W_]+", name.removesuffix("'s").removesuffix("’s"))]
        if not all(_is_known(part, words) for part in parts) and name.replace(".", "") not in initials:
            return absence("name", name)
    return None


def _names(claim: str) -> Iterator[str]:
    """Capitalised words; the first word of a sentence only if it is an acronym or another capitalised word follows."""
    for found in _CAPITAL.finditer(claim):
        word = found.group().rstrip(".'’")
        lower = word.casefold()
        if lower in FUNCTION_WORDS | _COMMON | NUMBER_WORDS:
            continue
        is_first = bool(_BEGINNING.search(claim, 0, found.start()))
        follows = re.match(r"\s[A-Z]", claim[found.end() :])
        is_acronym = len(word) > 1 and word.isupper()
        acts = re.match(r"\s(?:\w+ed|is|was|has|had|wrote|said|made|held|won|will)\b", claim[found.end() :])
        is_name = (follows and not lower.endswith(("ly", "ing"))) or (acts and not lower.endswith(_NO_NAME))
        if not is_first or is_acronym or is_name:
            yield word


def _is_known(part: str, words: set[str]) -> bool:
    return part in words or len(part) == 1 or any(_is_same(part, word) for word in words)


def _is_same(one: str, other: str) -> bool:
    """Whether two words differ in their ending only, or name a country and its people."""
    short, long = sorted((one, other), key=len)
    n_common = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if n_common >= max(_SHORT, len(short) - 1) and len(long) - n_common <= _SHORT:
        return True
    return any({one, other} <= set(pair.split("/")) for pair in _DEMONYMS)


def _initials(text: str) -> set[str]:
    """Acronyms of runs of capitalised words."""
    found: set[str] = set()
    for run in re.findall(r"[A-Z][\w-]*(?:\s+(?:of |and |the |for )?[A-Z][\w-]*)+", text):
        letters = [word[0] for word in re.findall(r"[A-Z][\w-]*", run)]
        n = len(letters)
        found |= {"".join(letters[i:j]) for i in range(n) for j in range(i + 2, n + 1)}
    return found
