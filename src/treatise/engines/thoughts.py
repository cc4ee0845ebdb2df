"""The reasoning of a model before its reply: ``<think>…</think>``."""

import re
from typing import Final

_OPENING: Final = "<think>"
_THOUGHT: Final = re.compile(rf"\s*{_OPENING}.*?(?:</think>\s*|\Z)", re.DOTALL)


def without_thought(text: str) -> str:
    """The text without its reasoning; empty if the reasoning never ends."""
    match = _THOUGHT.match(text)
    return text[match.end() :] if match else text
