"""The words of a span that answer: whole where a reader took a part, and without what is said of others."""

import re
from collections.abc import Iterable
from typing import Final

from treatise.generate.amounts import amount_named
from treatise.generate.asked import Asked
from treatise.generate.brief import part_of_total
from treatise.generate.limits import with_limits
from treatise.generate.listed import item_named
from treatise.generate.ranges import whole_quantity
from treatise.generate.series import with_further_paths

_OF_TIME: Final = (Asked.DATE, Asked.CLOCK, Asked.YEAR)
"""Forms of which a range has one end that is asked for: "from when"."""


def whole_words(form: Asked, question: str, text: str, start: int, end: int) -> tuple[int, int]:
    """A span of an English text with both ends of a range, its units and limits, and the further paths of a
    series; of several amounts, or items of a list, only the one that the question names.

    >>> text = "Use between 12 and 15 g of salt."
    >>> text[slice(*whole_words(Asked.NUMBER, "How many grams do I need?", text, 19, 21))]
    'between 12 and 15 g'
    """
    start, end = with_limits(question, text, start, end)
    start, end = part_of_total(form, text, start, end)
    end = with_further_paths(text, start, end)
    start, end = amount_named(form, question, text, start, end)
    start, end = (start, end) if form in _OF_TIME else whole_quantity(text, start, end)
    return item_named(question, text, start, end)


def unlike(texts: Iterable[str]) -> list[str]:
    """The texts without those that stand within another one, not as a part of a word or number.

    >>> unlike(["SWAT-T and RATS", "SWAT-T", "RAT", "SWAT-T and RATS"])
    ['SWAT-T and RATS', 'RAT']
    """
    each = list(dict.fromkeys(texts))
    return [one for one in each if not any(one != other and _stands_in(one, other) for other in each)]


def _stands_in(part: str, text: str) -> bool:
    return re.search(rf"(?<![\w.-]){re.escape(part)}(?![\w-])", text) is not None
