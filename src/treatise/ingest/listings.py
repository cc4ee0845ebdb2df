"""Code that lists values, one per line: settings with comments, measurements, the output of a command."""

import re
from collections.abc import Iterator
from typing import Final

_MIN_ENTRIES: Final = 3
_MIN_SHARE: Final = 0.6  # of the lines with words
_MAX_LINES: Final = 200  # a longer one is a log
_FENCE: Final = re.compile(r"[ \t]*(?:```+|~~~+)[ \t]*([\w+#-]*).*")
_DATA: Final = frozenset(
    ("", "text", "txt", "plain", "none", "console", "output", "yaml", "yml", "json", "json5", "toml", "ini", "conf",
     "properties", "env", "dotenv", "config", "csv", "md", "markdown")
)  # fmt: skip
_ENTRY: Final = re.compile(r"[^\w\n]*\w[^:=#\n]{0,60}(?:[:=][ \t]*\S|[ \t]#[ \t]*\S|(?<=\S)(?:[ \t]{2,}|\t)\S)")
_PROGRAM: Final = re.compile(
    r"[;({\\]\s*$|=>|^\s*(?:def|class|function|func|fn|return|import|from|const|let|var|if|for|while|else|elif|try|"
    r"except|public|private|static|struct|select|insert|create)\b(?!\s*[:=])|^\s*[$>%]\s|\w\([^()]*\)\s*$|&&|\|\|",
)


def is_listing(text: str) -> bool:
    """Whether most lines of a block of code have a name and a value, and none is a statement of a program.

    >>> is_listing("average a: 3ms\\naverage b: 5ms\\naverage c: 4ms\\n"), is_listing("a = f(\\n  b=1,\\n  c=2,\\n)\\n")
    (True, False)
    """
    lines = [line for line in text.splitlines() if any(map(str.isalnum, line))]
    if len(lines) > _MAX_LINES or not _is_data(text):
        return False
    lines = [line for line in lines if not _FENCE.fullmatch(line)]
    n_entries = sum(map(_is_entry, lines))
    return n_entries >= max(_MIN_ENTRIES, _MIN_SHARE * len(lines)) and not any(map(_PROGRAM.search, lines))


def listed_lines(text: str) -> Iterator[str]:
    """The entries of a listing, each with the lines after it that are none; together they are the text."""
    held = ""
    for line in text.splitlines(keepends=True):
        if _is_entry(line) and not _is_opening(held):
            yield held
            held = ""
        held += line
    yield held


def _is_entry(line: str) -> bool:
    return _ENTRY.match(line) is not None


def _is_opening(held: str) -> bool:
    """Whether nothing but a fence and signs stands before a line."""
    lines = [line for line in held.splitlines() if not _FENCE.fullmatch(line)]
    return not any(map(str.isalnum, "".join(lines)))


def _is_data(text: str) -> bool:
    """Whether a fence names no programming language."""
    fence = _FENCE.match(text)
    return fence is None or fence[1].lower() in _DATA
