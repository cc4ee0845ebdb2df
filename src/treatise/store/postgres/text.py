"""Texts as PostgreSQL can hold them: file names may contain lone surrogates, and titles NUL, which it refuses."""

import re
from typing import Final

_ODD: Final = re.compile("[\\\\\0\ud800-\udfff]")
_ESCAPE: Final = re.compile(r"\\(\\|0|u[0-9a-f]{4})")


def escaped(text: str) -> str:
    r"""The text with backslash, NUL and surrogates written as ``\\``, ``\0`` and ``\udcff``.

    >>> escaped("a\\b\0")
    'a\\\\b\\0'
    """
    return _ODD.sub(_escape, text)


def unescaped(text: str) -> str:
    """The inverse of ``escaped``."""
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _escape(found: re.Match[str]) -> str:
    character = found.group()
    return {"\\": r"\\", "\0": r"\0"}.get(character) or f"\\u{ord(character):04x}"


def _character(found: re.Match[str]) -> str:
    code = found.group(1)
    return {"\\": "\\", "0": "\0"}.get(code) or chr(int(code[1:], 16))
