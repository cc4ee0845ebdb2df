"""Boxes drawn around plain text with ``*``, ``#``, ``|``, ``+`` or ``-``: decoration, not text."""

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Final

from treatise.core.lines import LINE

_SIDES: Final = re.compile(r"[ \t]*([*#|+])([ \t](?:.*[ \t])?)\1[ \t]*\s*")
_RULE: Final = re.compile(r"[ \t/]*(?:[*#=+-]{3,}|[*#|+](?:[ \t][*#|+]){2,})[ \t/]*\s*")
_WRAP: Final = re.compile(r"[ \t]([*#|+])[ \t]*\r?\n[ \t]*\1(?=\s)")
_MARKS: Final = re.compile(r"[^\s]")
_DRAWN: Final = "*#|+-=_~ \t\r\n"


def without_boxes(text: str) -> str:
    r"""A text of the same length with spaces in place of the boxes in it. The rules around a single line stay.

    A box is two or more lines, or one between rules, with the same mark at both ends. The bars of a table are none.

    >>> without_boxes("***********\n* 6. As   *\n* is.     *\n***********\n")
    '           \n  6. As    \n  is.      \n           \n'
    """
    lines = LINE.findall(text)
    if not any(mark in text for mark in "*#|+"):
        return text
    marks = [_side(line) for line in lines]
    seen = list(lines)
    at = 0
    for mark, group in groupby(marks):
        end = at + len(list(group))
        if mark and _is_box(lines, at, end):
            _clear(seen, at, end, mark)
        at = end
    return "".join(seen)


def within_box(text: str) -> str:
    """A sentence of the same length with spaces in place of the sides of a box at its line ends."""
    return _WRAP.sub(lambda found: _blank(found.group()), text) if "\n" in text else text


def is_drawn(text: str) -> bool:
    """Whether a text is white space and lines drawn with marks."""
    return not text.strip(_DRAWN)


def tail_length(text: str) -> int:
    r"""Number of characters at the end that are white space or drawn lines; a mark on the last line of words counts.

    >>> tail_length("As is.  *\n*   *\n*"), tail_length("In C++\n"), tail_length("- - -\n")
    (11, 1, 1)
    """
    bare = text.rstrip()
    words = text.rstrip(_DRAWN)
    tail = text[len(words) :]
    attached = len(tail) - len(tail.lstrip("*#|+-=_~"))
    is_drawn = words and "\n" in tail[: len(bare) - len(words)][attached:]
    return len(tail) - attached if is_drawn else len(text) - len(bare)


def _side(line: str) -> str:
    """The mark at both ends of a line; ``""`` if there is none."""
    found = _SIDES.fullmatch(line)
    return found[1] if found and not (found[1] == "|" and "|" in found[2]) else ""


def _is_box(lines: Sequence[str], at: int, end: int) -> bool:
    """Whether lines with marks at both ends have words, end in one column, and are several or between rules."""
    widths = {len(line.rstrip()) for line in lines[at:end]}
    has_words = any(any(map(str.isalnum, line)) for line in lines[at:end])
    is_ruled = at > 0 and end < len(lines) and bool(_RULE.fullmatch(lines[at - 1]) and _RULE.fullmatch(lines[end]))
    is_even = len(widths) == 1 or any("\t" in line for line in lines[at:end])
    return has_words and is_even and (is_ruled or (end - at > 1 and lines[at].strip()[0] != "|"))


def _clear(seen: list[str], at: int, end: int, mark: str) -> None:
    """Blanks the sides of a box and its rules; a single line of words keeps rules directly above and below."""
    filled = [i for i in range(at, end) if any(map(str.isalnum, seen[i]))]
    outer = [i for i in (at - 1, end) if 0 <= i < len(seen) and _RULE.fullmatch(seen[i])]
    for i in range(at, end):
        seen[i] = seen[i].replace(mark, " ", 1)
        cut = seen[i].rindex(mark)
        seen[i] = f"{seen[i][:cut]} {seen[i][cut + 1 :]}"
    for i in outer:
        seen[i] = _blank(seen[i])
    if len(filled) == 1 and len(outer) == 2:
        _underline(seen, filled[0])


def _underline(seen: list[str], at: int) -> None:
    """Draws a rule in the blank lines above and below a heading."""
    width = max(3, len(seen[at].strip()))
    for i in (at - 1, at + 1):
        end = seen[i][len(seen[i].rstrip("\r\n")) :]
        seen[i] = ("=" * width).ljust(len(seen[i]) - len(end))[: len(seen[i]) - len(end)] + end


def _blank(text: str) -> str:
    return _MARKS.sub(" ", text)
