"""Two sentences that say the same with one difference: a possible contradiction."""

import re
from functools import lru_cache
from typing import Final

from treatise.claims.compare import compare
from treatise.claims.words import Text
from treatise.core.verdict import Verdict

_MIN_WORDS: Final = 3
_MONTH: Final = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DATE: Final = re.compile(rf"\b(?:\d{{1,2}} {_MONTH}|{_MONTH} \d{{1,2}})(?:,? \d{{4}})?")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_DAY: Final = re.compile(rf"\b(?:\d{{1,2}} {_MONTH}|{_MONTH} \d{{1,2}})\b")
_OPENING_YEAR: Final = re.compile(
    r"\A\W*(?:in|during|by|since|for|as of)\b[^,]{0,20}\b(?:1[5-9]|20)\d\d\b", re.IGNORECASE
)


def dispute(one: str, other: str) -> bool:
    """Whether two sentences share all content words but one each, or but a date, and one contradicts the other.

    Where their lines break makes no difference.

    A sentence about one year does not dispute a sentence about another, nor does one that differs in several numbers:
    it speaks of another thing.

    >>> dispute("The mill was built in 1902 by Hill.", "The mill was built in 1885 by Hill.")
    True
    >>> dispute("The lease of the mill ends on 30 June.", "The lease of the mill ends on 31 July.")
    True
    >>> dispute("The lease of the mill ends on 30 June 2024.", "The lease of the mill ends on 31 July 2025.")
    True
    >>> dispute("We ship release 23 on day 23.", "We ship release 24 on day 24.")
    False
    >>> dispute("In 2019 the fee rose by 5 %.", "In 2020 the fee rose by 5 %.")
    False
    >>> dispute("NO\\nFEE IS DUE BEFORE THE END OF THE TERM.", "NO FEE IS DUE BEFORE THE END OF THE TERM.")
    False
    """
    one, other = " ".join(one.split()), " ".join(other.split())
    first, second = _text(one), _text(other)
    n_shared = len(first.content & second.content)
    different = (first.content ^ second.content) - _day(one) - _day(other)
    is_alike = len(different) <= 2 and n_shared >= _MIN_WORDS
    if (
        not is_alike
        or _differ_in_several_numbers(one, other)
        or (_OPENING_YEAR.match(one) and _OPENING_YEAR.match(other))
    ):
        return False
    found = compare(one, [other])
    return found is not None and found.verdict is Verdict.CONTRADICTED


@lru_cache(maxsize=256)  # each of some sentences is compared with each of others
def _text(sentence: str) -> Text:
    return Text(sentence)


def _differ_in_several_numbers(one: str, other: str) -> bool:
    """Whether they have equally many numbers beside dates, and more than one is another."""
    numbers, others = (_NUMBER.findall(_DATE.sub("", text)) for text in (one, other))
    return len(numbers) == len(others) and sum(map(str.__ne__, numbers, others)) > 1


def _day(sentence: str) -> frozenset[str]:
    """The words of the day and month that it names, which differ together."""
    found = _DAY.search(sentence)
    return Text(found[0]).content if found else frozenset()
