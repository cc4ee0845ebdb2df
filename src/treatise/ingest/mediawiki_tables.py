"""Finds the cells of a MediaWiki table in its text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from treatise.core.table import Table
from treatise.ingest.grids import MAX_COLUMNS
from treatise.ingest.text_tables import TextCell, marked_cell, marked_table, stripped

_START: Final = re.compile(r"[ \t:]*\{\|")
_END: Final = re.compile(r"[ \t]*\|\}")
_LINE: Final = re.compile(r"[^\r\n]+")
_ROW: Final = re.compile(r"[ \t]*\|-")
_CAPTION: Final = re.compile(r"[ \t]*\|\+")
_CELLS: Final = re.compile(r"[ \t]*(?P<sign>[|!])")
_ATTRIBUTE: Final = r"[\w-]+[ \t]*=[ \t]*(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s|\"']+(?![^\s|\"']))[ \t]*"  # one way to match
_ATTRIBUTES: Final = re.compile(rf"[ \t]*(?:{_ATTRIBUTE}|nowrap[ \t]*){{1,20}}\|(?!\|)")


def starts_table(line: str) -> bool:
    """Whether a table begins in a line."""
    return _START.match(line) is not None


def ends_table(line: str) -> bool:
    """Whether a table ends in a line."""
    return _END.match(line) is not None


@dataclass(slots=True)
class _Rows:
    """The rows of a table as its lines are read.

    Attributes:
        heads: By row, whether each of its cells is marked as a head.
    """

    rows: list[list[TextCell]] = field(default_factory=list)
    heads: list[list[bool]] = field(default_factory=list)
    caption: tuple[int, int] | None = None
    is_begun: bool = False
    _further: list[tuple[int, int]] = field(default_factory=list)  # lines of the last cell below its first

    def add(self, cell: TextCell, *, is_head: bool) -> None:
        """Adds a cell to the row that is begun."""
        self.close()
        if not self.is_begun:
            self.rows.append([])
            self.heads.append([])
            self.is_begun = True
        if len(self.rows[-1]) < MAX_COLUMNS:
            self.rows[-1].append(cell)
            self.heads[-1].append(is_head)

    def go_on(self, spans: tuple[tuple[int, int], ...]) -> None:
        """Adds a further line to the last cell."""
        if self.is_begun:
            self._further += spans

    def close(self) -> None:
        """Completes the last cell."""
        if self._further:
            cell = self.rows[-1][-1]
            self.rows[-1][-1] = replace(cell, spans=(*cell.spans, *self._further))
            self._further = []


def wiki_table(text: str) -> Table | None:
    """The table in a block from its first line to its last; None if it has no cell with text."""
    found = _Rows()
    depth = 0
    for line in _LINE.finditer(text):
        is_inner = depth > 1
        depth += starts_table(line.group()) - ends_table(line.group())
        if is_inner or depth > 1:
            found.go_on(stripped(text, *line.span()))
        elif not (starts_table(line.group()) or ends_table(line.group())):
            _take(text, line, found)
    found.close()
    return marked_table(text, found.rows, found.heads, found.caption)


def _take(text: str, line: re.Match[str], found: _Rows) -> None:
    start, end = line.span()
    if _ROW.match(line.group()):
        found.close()
        found.is_begun = False
    elif caption := _CAPTION.match(line.group()):
        spans = stripped(text, _after_attributes(text, start + caption.end(), end), end)
        found.caption = spans[0] if spans else None
    elif cells := _CELLS.match(line.group()):
        for cell in _cells(text, start + cells.end(), end, cells["sign"]):
            found.add(cell, is_head=cells["sign"] == "!")
    else:
        found.go_on(stripped(text, start, end))


def _cells(text: str, start: int, end: int, sign: str) -> Iterator[TextCell]:
    """The cells of a line, with what their attributes say of spans."""
    between = re.compile(r"\|\||!!" if sign == "!" else r"\|\|")
    while start <= end:
        mark = between.search(text, start, end)
        until = mark.start() if mark else end
        first = _after_attributes(text, start, until)
        yield marked_cell(stripped(text, first, until), text[start:first])
        if mark is None:
            return
        start = mark.end()


def _after_attributes(text: str, start: int, end: int) -> int:
    found = _ATTRIBUTES.match(text, start, end)
    return found.end() if found else start
