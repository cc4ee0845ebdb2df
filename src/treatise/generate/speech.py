"""Speech as it is read: without hesitation and repeats; and the words that say what a conversation is about."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from treatise.core.patterns import lazy_pattern

_HESITATION: Final = lazy_pattern(r"\b(?:u+m+|u+h+m*|m+h*m+|h+m+|er+m*|mm-hmm|uh-huh)\b(?:\s*,)?", re.IGNORECASE)
_REPEATED: Final = lazy_pattern(r"\b(\w+(?: \w+)?)(?:,? \1\b)+", re.IGNORECASE)
_SPACED: Final = lazy_pattern(r" (?=[,.!;:?](?:\s|$)|['’](?:s|ll|re|ve|m|d|t)\b)")
_BEGINNING: Final = lazy_pattern(r"^((?:\w[^:]{0,40}:)?)[,.\s]*(\w?)")
_CONTENT_WORD: Final = lazy_pattern(r"[^\W\d_]{4,}")
_CHATTER: Final = lazy_pattern(
    r"about|actually|also|because|been|could|course|does|from|going|gonna|good|have|into|just|know|like|lo"
    r"ok|make|maybe|more|much|need|okay|only|other|people|probably|really|right|should|some|something|sure"
    r"|talk|than|that|them|then|there|these|they|thing|things|think|this|those|time|very|want|well|were|wh"
    r"at|when|where|which|will|with|would|yeah|your"
)
_STAMP: Final = lazy_pattern(
    r"\[?\b\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? \d{1,2}:\d\d(?::\d\d)?(?: ?[ap]\.?m\b\.?)?\]?(?: [-–])? "
    r"(?=[^\s:][^:\n]{0,40}: )",
    re.IGNORECASE,
)
"""When a message was sent, before its sender, as exports of chats have it."""
_OF_PAST: Final = lazy_pattern(
    r"\b(?:did|was|were|has|have|hat|haben|wurde|war|wrote|said|sent)\b|\ba-t-|\bont\b|\bhan?\b|\bfue\b", re.IGNORECASE
)
_MIN_TURNS: Final = 3
_N_SUBJECTS: Final = 40  # words that say what a conversation is about


def fluent(text: str) -> str:
    """Speech without hesitation and repeated words, with the spaces of written text.

    >>> fluent("Um , I I think we 'll take uh the the small one .")
    "I think we'll take the small one."
    """
    plain = " ".join(_HESITATION.sub(" ", text).split())
    plain = _REPEATED.sub(r"\1", _SPACED.sub("", plain))
    return _BEGINNING.sub(lambda found: f"{found[1]} {found[2].upper()}".strip(), plain)


def is_stamp(question: str, text: str, start: int) -> bool:
    """Whether what begins at ``start`` is of the date and time of a chat's message, which answer only when something
    was said or done.

    >>> text = "[12/04/2025, 09:33:50] Pete: I'll ring them. 1 pm?"
    >>> is_stamp("What time is lunch?", text, 13), is_stamp("What time is lunch?", text, 45)
    (True, False)
    >>> is_stamp("When did Pete say so?", text, 1)
    False
    """
    return not _OF_PAST.search(question) and any(one.start() <= start < one.end() for one in _STAMP.finditer(text))


def content_words(text: str) -> frozenset[str]:
    """The words of a text with at least four letters, in lower case."""
    return frozenset(_CONTENT_WORD.findall(text.casefold()))


def telling_words(text: str) -> frozenset[str]:
    """The content words of a text that are not those of any conversation.

    >>> sorted(telling_words("Yeah, I think we should take the yellow banana."))
    ['banana', 'take', 'yellow']
    """
    return frozenset(word for word in content_words(text) if not _CHATTER.fullmatch(word))


def subjects(turns: Iterable[str]) -> frozenset[str]:
    """The 40 words that most turns have, each at least three, without those of any conversation."""
    counts = Counter(word for turn in turns for word in sorted(telling_words(turn)))
    found = [word for word, n in counts.most_common() if n >= _MIN_TURNS]
    return frozenset(found[:_N_SUBJECTS])
