"""Finds the cells of HTML tables within Markdown in their source text, which stays as it is."""

import re
from dataclasses import dataclass, field, replace
from typing import Final

from treatise.core.table import Table
from treatise.ingest.grids import MAX_COLUMNS
from treatise.ingest.text_tables import TextCell, marked_cell, marked_table, stripped

_TAG: Final = re.compile(r"<!--.*?(?:-->|\Z)|<(?P<end>/?)(?P<name>[a-zA-Z][\w-]*)(?P<rest>(?:\s[^<>]*)?/?)>", re.DOTALL)
_BOUND: Final = re.compile(r"<(?P<end>/?)table\b[^<>]*>", re.IGNORECASE)
_LAYOUT: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "table", "iframe", "video"))
_PARTS: Final = frozenset(("td", "th", "tr", "caption", "thead", "tbody", "tfoot", "table"))
_MAX_CELL_CHARS: Final = 400  # a longer cell is part of the layout
_MIN_CELLS: Final = 2


def table_spans(text: str) -> list[tuple[int, int]]:
    """The spans of HTML tables in a text, from tag to tag, without those within others, and those that do not end."""
    spans: list[tuple[int, int]] = []
    opened: list[int] = []
    for bound in _BOUND.finditer(text):
        if not bound["end"]:
            opened.append(bound.start())
        elif opened:
            start = opened.pop()
            while spans and spans[-1][0] > start:
                spans.pop()
            spans.append((start, bound.end()))
    return spans


@dataclass(slots=True)
class _Rows:
    """The rows of a table as its tags are read.

    Attributes:
        heads: By row, whether each of its cells is marked as a head.
        is_layout: Whether the table arranges the page.
    """

    rows: list[list[TextCell]] = field(default_factory=list)
    heads: list[list[bool]] = field(default_factory=list)
    caption: tuple[int, int] | None = None
    is_layout: bool = False
    _open: str = ""  # the tag that holds what is read: of a cell, or "caption"
    _spans: list[tuple[int, int]] = field(default_factory=list)
    _in_head: bool = False

    def take(self, tag: re.Match[str]) -> None:
        """Processes a tag."""
        name, ends = (tag["name"] or "").lower(), bool(tag["end"])
        if name in _PARTS:
            self._close()
        if name == "thead":
            self._in_head = not ends
        elif ends:
            pass
        elif name == "tr":
            self._add_row()
        elif name in ("td", "th"):
            self._begin(name, tag["rest"])
        elif name == "caption":
            self._open = name
        elif name in _LAYOUT:
            self.is_layout = True

    def say(self, spans: tuple[tuple[int, int], ...]) -> None:
        """Adds text between tags."""
        if self._open:
            self._spans += spans

    def _add_row(self) -> None:
        self.rows.append([])
        self.heads.append([])

    def _begin(self, name: str, rest: str) -> None:
        if not self.rows:
            self._add_row()
        if len(self.rows[-1]) < MAX_COLUMNS:
            self.rows[-1].append(marked_cell((), rest))
            self.heads[-1].append(name == "th" or self._in_head)
            self._open = name

    def _close(self) -> None:
        if self._open == "caption" and self._spans:
            self.caption = (self._spans[0][0], self._spans[-1][1])
        elif self._open and self._spans:
            self.rows[-1][-1] = replace(self.rows[-1][-1], spans=tuple(self._spans))
            self.is_layout |= self._spans[-1][1] - self._spans[0][0] > _MAX_CELL_CHARS
        self._open, self._spans = "", []


def html_table(text: str) -> Table | None:
    """The table in a text from its first tag to its last; None if it has no cells with text, or arranges the page."""
    found = _Rows()
    at = 0
    for tag in _TAG.finditer(text):
        found.say(stripped(text, at, tag.start()))
        if tag.start():  # not that of the table
            found.take(tag)
        at = tag.end()
    n_filled = sum(bool(cell.spans) for row in found.rows for cell in row)
    if found.is_layout or n_filled < _MIN_CELLS:
        return None
    return marked_table(text, found.rows, found.heads, found.caption)
