"""Finds the cells of an Org table in its text."""

import re
from typing import Final

from treatise.core.table import Table
from treatise.ingest.grids import MAX_COLUMNS
from treatise.ingest.text_tables import TextCell, stripped, text_table

_LINE: Final = re.compile(r"[^\r\n]+")
_RULE: Final = re.compile(r"[ \t]*\|[-+]+\|?[ \t]*$")
_COOKIES: Final = re.compile(r"[ \t]*\|(?:[ \t]*(?:(?:/|<[lrc]?\d{0,3}>?|>)[ \t]*)?\|)+[ \t]*$")
"""A row of widths, or of groups of columns."""
_CELL: Final = re.compile(r"[^|]*")


def org_table(text: str, caption: tuple[int, int] | None) -> Table | None:
    """The table in a block of lines that begin with a bar; None if no cell has text.

    The rows above the first rule are heads, unless nothing is below it. ``caption`` is relative to ``text``'s start.
    """
    rows: list[list[TextCell]] = []
    n_heads: int | None = None
    for line in _LINE.finditer(text):
        if _RULE.match(line.group()):
            n_heads = len(rows) if n_heads is None and rows else n_heads
        elif not _COOKIES.match(line.group()):
            rows.append(_cells(text, line))
    return text_table(text, rows, n_heads if n_heads and n_heads < len(rows) else None, caption=caption)


def _cells(text: str, line: re.Match[str]) -> list[TextCell]:
    cells: list[TextCell] = []
    at = text.index("|", line.start()) + 1
    while at < line.end() and len(cells) < MAX_COLUMNS:
        found = _CELL.match(text, at, line.end())
        end = found.end() if found else line.end()
        cells.append(TextCell(stripped(text, at, end)))
        at = end + 1
    return cells
