"""Two sentences that say the same with one difference: a possible contradiction."""

import re
from typing import Final

from treatise.claims.compare import compare
from treatise.claims.words import Text
from treatise.core.verdict import Verdict

_MIN_WORDS: Final = 3
_OPENING_YEAR: Final = re.compile(
    r"\A\W*(?:in|during|by|since|for|as of)\b[^,]{0,20}\b(?:1[5-9]|20)\d\d\b", re.IGNORECASE
)


def dispute(one: str, other: str) -> bool:
    """Whether two sentences share all content words but one each, and one contradicts the other.

    A sentence about one year does not dispute a sentence about another.

    >>> dispute("The mill was built in 1902 by Hill.", "The mill was built in 1885 by Hill.")
    True
    >>> dispute("In 2019 the fee rose by 5 %.", "In 2020 the fee rose by 5 %.")
    False
    """
    first, second = Text(one), Text(other)
    n_shared = len(first.content & second.content)
    is_alike = len(first.content ^ second.content) <= 2 and n_shared >= _MIN_WORDS
    if not is_alike or (_OPENING_YEAR.match(one) and _OPENING_YEAR.match(other)):
        return False
    found = compare(one, [other])
    return found is not None and found.verdict is Verdict.CONTRADICTED
