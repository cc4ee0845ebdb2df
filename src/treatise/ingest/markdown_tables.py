"""Finds the cells of a Markdown table in its source text."""

import re
from collections.abc import Iterator
from typing import Final

from treatise.core.table import Cell, Row, Table
from treatise.ingest.grids import MAX_COLUMNS, shape_of
from treatise.ingest.tables import GridCell

_LINE: Final = re.compile(r"[^\r\n]+")
_INDENT: Final = re.compile(r"[ \t>]*\|?")
_CELL: Final = re.compile(r"((?:\\.|[^|\\])*)(?:\||$)")
_MARKED: Final = re.compile(r"(?:\*\*|__)?\[(?P<text>[^\[\]|]*\w[^\[\]|]*)\]\[[^\[\]|]*\](?:\*\*|__)?")
"""A cell that is a link by reference and nothing else: "[Iron][]" and "[Iron][codenames]"."""
_RULE: Final = re.compile(r"[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")


def pipe_table(text: str) -> Table | None:
    """The table in a block of lines with bars, with cells as they stand in it; None if it has no cell with text.

    The line above the rule holds the column heads.
    """
    lines = [match for match in _LINE.finditer(text) if match.group().strip(" \t>")]
    rule = next((at for at, line in enumerate(lines) if _RULE.fullmatch(line.group())), 0)
    rows = [tuple(_cells(line)) for at, line in enumerate(lines) if at != rule or not rule]
    n_heads = sum(1 for row in rows[:rule] if row)
    rows = [row for row in rows if row]
    if not rows:
        return None
    shape = shape_of([[GridCell(text[c.start : c.end], c.column) for c in row] for row in rows], n_heads)
    body = [Row(row, parent) for row, parent in zip(rows[shape.n_heads :], shape.parents, strict=True)]
    return Table(tuple(body), tuple(Row(row) for row in rows[: shape.n_heads]), shape.n_labels)


def _cells(line: re.Match[str]) -> Iterator[Cell]:
    """The cells with text, of links by reference the words alone; a bar after a backslash is part of a cell."""
    indent = _INDENT.match(line.group())
    at = indent.end() if indent else 0
    column = 0
    while at < len(line.group()) and column < MAX_COLUMNS:
        match = _CELL.match(line.group(), at)
        if match is None:
            return
        piece = match.group(1)
        if words := piece.strip():
            start = line.start() + at + piece.index(words[0])
            if marked := _MARKED.fullmatch(words):
                first, last = marked.span("text")
                yield Cell(start + first, start + last, column)
            else:
                yield Cell(start, start + len(words), column)
        column += 1
        at = match.end()
