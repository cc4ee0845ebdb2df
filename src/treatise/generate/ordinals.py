"""Ordinals in questions: "the second leader", "the next meeting" and "the previous release" are no other ones."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from treatise.core.patterns import lazy_pattern

_ORDERS: Final = {
    "first": r"first|1st|original(?:ly)?|initial(?:ly)?|earliest|erste[nrsm]?|premi(?:er|ère)|primer[oa]?",
    "second": r"second|2nd|zweite[nrsm]?|deuxième|second[eoa]|segund[oa]",
    "third": r"third|3rd|dritte[nrsm]?|troisième|tercer[oa]?",
    "fourth": r"fourth|4th|vierte[nrsm]?|quatrième|cuart[oa]",
    "fifth": r"fifth|5th|fünfte[nrsm]?|cinquième|quint[oa]",
    "sixth": r"sixth|6th|sechste[nrsm]?|sixième|sext[oa]",
    "seventh": r"seventh|7th|siebte[nrsm]?|septième|séptim[oa]",
    "eighth": r"eighth|8th|achte[nrsm]?|huitième|octav[oa]",
    "ninth": r"ninth|9th|neunte[nrsm]?|neuvième|noven[oa]",
    "tenth": r"tenth|10th|zehnte[nrsm]?|dixième|décim[oa]",
    "next": r"next|another|following|upcoming|coming|subsequent|future|later|nächste[nrsm]?|folgende[nrsm]?|"
    r"kommende[nrsm]?|prochaine?s?|suivante?s?|próxim[oa]s?|siguientes?",
    "last": r"last|latest|final|newest|most recent|letzte[nrsm]?|dernières?|derniers?|últim[oa]s?",
    "previous": r"previous(?:ly)?|former(?:ly)?|preceding|prior|earlier|old|predecessor|vorherige[nrsm]?|"
    r"frühere[nrsm]?|précédente?s?|anciens?|ancienne|anterior(?:es)?",
}
_NUMBERED: Final = tuple(_ORDERS)[1:10]
_ROMAN: Final = ("II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
_NUMERALS: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_DETERMINER: Final = r"(?:the|its|his|her|their|our|my|der|die|das|den|dem|le|la|les|el|los|las)"
_DETERMINED: Final = lazy_pattern(rf"\b{_DETERMINER}\s+(\w\w)", re.IGNORECASE)
_BEGINNINGS: Final = frozenset(word[:2] for words in _ORDERS.values() for word in words.split("|"))
_AFTER: Final = r"\s+(\w{3,})(?:\s+(\w{3,}))?"
_UNIT_WORDS: Final = "time times day days week weeks month months year years half quarter place fiscal"
_SMALL_WORDS: Final = "was were are will did does had has have been that which who for and with from"
_UNITS: Final = frozenset(_UNIT_WORDS.split())  # "the last year": other rules look for times
_SMALL: Final = frozenset(_SMALL_WORDS.split())
_STEM: Final = 5
_AHEAD: Final = lazy_pattern(
    r"\b(?:next|another|upcoming|coming|future|later|planned|scheduled|will be|nächste[nrsm]?|kommende[nrsm]?|geplant|"
    r"prochaine?s?|prévue?s?|próxim[oa]s?|previst[oa]s?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Ordinal:
    """The thing in an order that a question asks for.

    Attributes:
        order: A key of the table of orders, such as ``"second"``.
        nouns: The one or two words after it.
    """

    order: str
    nouns: tuple[str, ...]

    def __str__(self) -> str:
        article = "the" if self.order == "last" else "a"
        return f"{article} {self.order} {' '.join(self.nouns)}"

    def is_in(self, text: str) -> bool:
        """Whether the text has the order shortly before one of the nouns, or the noun with its number."""
        nouns = "|".join(re.escape(noun[: max(_STEM, len(noun) - 2)]) for noun in self.nouns)
        whole = "|".join(map(re.escape, self.nouns))
        ways = [rf"\b(?:{_ORDERS[self.order]})\W+(?:\w+\W+){{0,3}}?(?:{nouns})"]
        if self.is_numbered:
            n = _NUMBERED.index(self.order)
            ways.append(rf"\b(?:{whole})\W+(?:no\.?\W+|number\W+)?(?:{n + 2}|{_ROMAN[n]}|{_NUMERALS[n]})\b")
        return bool(re.search("|".join(ways), text, re.IGNORECASE))

    @property
    def is_numbered(self) -> bool:
        """Whether it is the second to the tenth one."""
        return self.order in _NUMBERED


def ordinal(question: str) -> Ordinal | None:
    """The ordinal of a question, or None.

    >>> str(ordinal("Who was the second project leader?")), ordinal("How many kilobytes per second?")
    ('a second project leader', None)
    """
    return next(_ordinals(question), None)


def unknown_ordinal(question: str, text: str) -> str | None:
    """What a question asks for that the text does not have, for the second to the tenth one; for the next one, if the
    text never looks ahead.
    """
    for one in _ordinals(question):
        is_ahead = one.order == "next" and not _AHEAD.search(text)
        if is_ahead or (one.is_numbered and not one.is_in(text)):
            return str(one)
    return None


def _ordinals(question: str) -> Iterator[Ordinal]:
    if not _may_have_one(question):
        return
    for order, words in _ORDERS.items():
        for found in re.finditer(rf"\b{_DETERMINER}\s+(?:{words}){_AFTER}", question, re.IGNORECASE):
            nouns = tuple(noun for noun in found.groups() if noun and noun.casefold() not in _SMALL)
            if nouns and nouns[0].casefold() not in _UNITS:
                yield Ordinal(order, nouns)


def _may_have_one(question: str) -> bool:
    """Whether a word begins as one of an order does: most questions need none of the thirteen patterns."""
    return any(not two.isascii() or two.lower() in _BEGINNINGS for two in _DETERMINED.findall(question))
