"""The default of a setting, where what is said of it has its type, its meaning and its default."""

import re
from typing import Final

from treatise.core.patterns import lazy_pattern

_ASKS: Final = lazy_pattern(
    r"^what (?:is|['’]s) (?:the )?(?:default(?: value| setting)?\b|.* by default\W*$|.* default(?: value)?\W*$)|"
    r"^what does .* default to\W*$",
    re.IGNORECASE,
)
_QUOTED: Final = r"(?:`+[^`]+`+|\"[^\"]*\"|“[^”]*”|'[^']*')"
_WORD: Final = r"[^\s,;()`\"“”]+(?: (?:seconds?|minutes?|hours?|days?|m?s|[kKMG]i?B)\b)?"
_END: Final = r"(?=\.?(?:[\s]*$|\s*[),;\]]|\.?\s+[A-Z(]|\s+[–—-]\s))"
_AFTER: Final = rf"(?P<after>{_QUOTED}|{_WORD}{_END})"
_DEFAULT: Final = lazy_pattern(
    rf"\b[Dd]efaults? (?:to|(?:\w+ )?is|[:=])\s+{_AFTER}|"
    rf"\b[Dd]efaults?(?: value)?\s?[:=]\s*{_AFTER.replace('after', 'named')}|"
    rf"[(\[,;–—-]\s*defaults?\s+{_AFTER.replace('after', 'beside')}|"
    rf"\b\w+\??: ?[\w\[\]<>|]+ = (?P<set>{_QUOTED}|{_WORD})|"
    rf"(?:(?:\bis|\bare|\bset to)\s+|[(,;]\s*)(?P<before>{_QUOTED}|{_WORD}),?\s+"
    rf"(?:by default|\(default\)|is the default)(?!\w)"
)
_NO_VALUE: Final = frozenset(("is", "are", "of", "for", "to", "the", "and", "or", "this", "that", "in", "on", "value"))
_MARKS: Final = "`\"“”'"


def default_in(question: str, text: str) -> str:
    """The only default that a text names, if the question asks for a default; else empty.

    >>> default_in("What is the default of retries?", "retries (integer, default 5): how many times to try again.")
    '5'
    >>> default_in("What is it by default?", "secure (boolean), true by default")
    'true'
    >>> default_in("What is the default action?", "The default action is adding."), default_in("Who?", "default 5")
    ('adding', '')
    >>> default_in("What is the default of maxSize?", "maxSize: number = 1024 limits the size.")
    '1024'
    """
    if not _ASKS.search(question.strip()):
        return ""
    values = dict.fromkeys(next(filter(None, found.groups())) for found in _DEFAULT.finditer(text))
    plain = [one.rstrip(".:").strip(_MARKS) or one for one in values if one.casefold() not in _NO_VALUE]
    return plain[0] if len(plain) == 1 else ""
