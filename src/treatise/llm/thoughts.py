"""What a reasoning model thinks aloud before it speaks: ``<think>…</think>`` at the head of its reply."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

_OPENING: Final = "<think>"
_THOUGHT: Final = re.compile(rf"\s*{_OPENING}.*?(?:</think>\s*|\Z)", re.DOTALL)


def without_thought(text: str) -> str:
    """The reply alone; empty where the model never stopped thinking."""
    match = _THOUGHT.match(text)
    return text[match.end() :] if match else text


def spoken(pieces: Iterable[str]) -> Iterator[str]:
    """The pieces of a reply from where the model speaks; joined, they are what `without_thought` gives."""
    head, speaks = "", False
    for piece in pieces:
        if speaks:
            yield piece
            continue
        head += piece
        reply = without_thought(head)
        speaks = not _OPENING.startswith(reply.strip())
        if speaks:
            yield reply
    if not speaks and (reply := without_thought(head)):
        yield reply
