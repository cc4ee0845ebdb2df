"""What a reasoning model thinks aloud before it speaks: ``<think>…</think>`` at the head of its reply."""

import re
from typing import Final

_OPENING: Final = "<think>"
_THOUGHT: Final = re.compile(rf"\s*{_OPENING}.*?(?:</think>\s*|\Z)", re.DOTALL)


def without_thought(text: str) -> str:
    """The reply alone; empty if the model never stopped thinking."""
    match = _THOUGHT.match(text)
    return text[match.end() :] if match else text
