"""Text from documents and file names, made harmless for terminals."""

import re
from typing import Final

from treatise.core.patterns import lazy_pattern

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, line separators, overrides of the writing direction, and lone surrogates."""

_BREAKS: Final = re.compile(r"[\t\n]+")
_IN_JSON: Final = lazy_pattern(r"[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    r"""The text with a replacement character for each character that a terminal must not receive.

    >>> printable("a\x1b[31mb\n") == "a\ufffd[31mb\n"
    True
    """
    return _CONTROL.sub("\ufffd", text)


def encodable(text: str) -> str:
    r"""The text with a replacement character for each lone surrogate, which no file can hold; pairs become characters.

    >>> encodable("a\ud800b") == "a\ufffdb", encodable("\ud83d\ude00") == "\U0001f600"
    (True, True)
    """
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def one_line(text: str) -> str:
    r"""A file name or title without line breaks and tabs, which would forge rows and columns.

    >>> one_line("a\nb") == "a\ufffdb"
    True
    """
    return _BREAKS.sub("\ufffd", printable(text))


def printable_json(text: str) -> str:
    """The JSON text with escapes for the control characters that JSON allows in strings; its value is the same."""
    return _IN_JSON.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
