"""A question as programs see it: its words, numbers and dates, and how each is compared."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from treatise.core.dates import dates_in
from treatise.core.patterns import lazy_pattern
from treatise.programs.cells import WORD, folded, stem_of, word

_STOP_TEXT: Final = """
a an the of in on at to for by with from and or is are was were be been being do does did has have had
what which who whom whose when where why how many much that this these those it its he she they his their her them
him than then there as not no any all each every s t if so out up into during between after before more most less
least first last next previous only one two three other same total number amount times time list name names tell
me
"""
STOP: Final = frozenset(_STOP_TEXT.split())
"""Words that name nothing in a table by themselves."""
_UNITS_TEXT: Final = "one two three four five six seven eight nine ten eleven twelve"
_NUMERALS: Final = {name: float(at) for at, name in enumerate(_UNITS_TEXT.split(), 1)} | {
    "dozen": 12.0, "fifteen": 15.0, "twenty": 20.0, "thirty": 30.0, "forty": 40.0, "fifty": 50.0, "sixty": 60.0,
    "seventy": 70.0, "eighty": 80.0, "ninety": 90.0, "hundred": 100.0, "thousand": 1e3, "million": 1e6,
}  # fmt: skip
_ORDINALS: Final = {
    "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
    "2nd": 2, "3rd": 3, "4th": 4, "5th": 5,
}  # fmt: skip
_ASKING: Final = ("who", "when", "where", "which", "what", "whose", "how")
_ASKING_TWO: Final = frozenset(
    ("how many", "how much", "how long", "how often", "how old", "how far", "how tall", "what year", "which year")
)
_FIRST: Final = frozenset(("list", "name", "did", "was", "is", "were", "does", "are"))
_BEFORE: Final = {
    ">": lazy_pattern(
        r"(?:more than|over|above|exceed\w*|greater than|after|later than|larger than|higher than|better than"
        r"|longer than|older than|bigger than|beyond|past|since|beginning|starting)\s*(?:the|a|year|\$)?\s*$"
    ),
    ">=": lazy_pattern(
        r"(?:at least|no (?:less|fewer) than|minimum(?: of)?|since|from|starting(?: in)?)\s*(?:the|a|year|\$)?\s*$"
    ),
    "<": lazy_pattern(
        r"(?:less than|under|below|fewer than|before|earlier than|smaller than|lower than|shorter than|younger than"
        r"|prior to|until)\s*(?:the|a|year|\$)?\s*$"
    ),
    "<=": lazy_pattern(
        r"(?:at most|no more than|up to|not more than|maximum(?: of)?|until|through|by)\s*(?:the|a|year|\$)?\s*$"
    ),
}
"""What stands before a number that is a bound."""
_AFTER: Final = {
    ">=": lazy_pattern(
        r"\s*(?:\w+\s)?(?:or (?:more|above|higher|later|greater|over|better|after)|and (?:above|over|up))"
    ),
    "<=": lazy_pattern(r"\s*(?:\w+\s)?(?:or (?:less|fewer|below|under|lower|earlier|before)|and (?:below|under))"),
}
"""What stands after one."""
_NEAR: Final = 28


class Number(NamedTuple):
    """A number of a question: its token, its value, and whether it is in digits."""

    at: int
    value: float
    has_digits: bool


class Dated(NamedTuple):
    """A date of a question: its tokens, ``[first, last)``, in ISO 8601."""

    first: int
    last: int
    iso: str


@dataclass(frozen=True)
class Question:
    """A question in words.

    Attributes:
        text: As it was asked.
    """

    text: str

    @cached_property
    def lower(self) -> str:
        """In lower case, as long as the text."""
        return folded(self.text)

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where its words and numbers are."""
        return [match.span() for match in WORD.finditer(self.lower)]

    @cached_property
    def words(self) -> list[str]:
        """Its words and numbers."""
        return [word(self.lower[start:end]) for start, end in self.spans]

    @cached_property
    def stems(self) -> list[str]:
        """The same without endings."""
        return [stem_of(one) for one in self.words]

    @cached_property
    def content(self) -> list[int]:
        """The tokens that may name something."""
        return [at for at, one in enumerate(self.words) if one not in STOP]

    @cached_property
    def numbers(self) -> list[Number]:
        """Its numbers, in digits and in words."""
        digits = [Number(at, float(one), True) for at, one in enumerate(self.words) if one[0].isdigit()]
        in_words = [Number(at, _NUMERALS[one], False) for at, one in enumerate(self.words) if _NUMERALS.get(one)]
        return sorted(digits + in_words)

    @cached_property
    def dates(self) -> list[Dated]:
        """Its dates with a month."""
        found = []
        for (start, end), iso in dates_in(self.text):
            if within := [at for at, (a, b) in enumerate(self.spans) if start <= a and b <= end]:
                found.append(Dated(within[0], within[-1] + 1, iso))
        return found

    @cached_property
    def ordinal(self) -> int:
        """The first ordinal from second to tenth; 0 if there is none."""
        return next((_ORDINALS[one] for one in self.words if one in _ORDINALS), 0)

    @cached_property
    def asking(self) -> tuple[str, int]:
        """The word or two that ask, and the last of their tokens; ``""`` if there are none."""
        for at, one in enumerate(self.words):
            if (two := " ".join(self.words[at : at + 2])) in _ASKING_TWO:
                return two, at + 1
            if one in _ASKING:
                return one, at
        return (self.words[0] if self.words and self.words[0] in _FIRST else ""), 0

    def bounds(self, at: int) -> set[str]:
        """How the number at a token is compared: ``">"``, ``">="``, ``"<"`` or ``"<="``; mostly one or none."""
        start, end = self.spans[at]
        before, after = self.lower[max(0, start - _NEAR) : start], self.lower[end : end + _NEAR]
        found = {sign for sign, pattern in _BEFORE.items() if pattern.search(before)}
        return found | {sign for sign, pattern in _AFTER.items() if pattern.match(after)}

    def has(self, pattern: re.Pattern[str]) -> bool:
        """Whether a pattern of lower case is in it."""
        return pattern.search(self.lower) is not None
