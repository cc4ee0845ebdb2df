"""Tables of a document: caption, rows of column heads, row labels and cells, each with its place in the text.

All offsets are characters of ``Document.text``, half-open, without whitespace at the ends. Empty cells are left out.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

MAX_CAPTION_CHARS: Final = 300
MAX_HEAD_CHARS: Final = 160
MAX_DEPTH: Final = 8


@dataclass(frozen=True, slots=True)
class Cell:
    """The text of one cell.

    Attributes:
        start, end: Its offsets.
        column: Its first column, from 0.
        n_columns: Number of columns that it spans.
    """

    start: int
    end: int
    column: int
    n_columns: int = 1

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end or self.column < 0 or self.n_columns < 1:
            raise ValueError(f"a cell needs 0 <= start < end, a column, and a width of 1 or more, got {self}")

    def covers(self, column: int) -> bool:
        """Whether the cell is in this column."""
        return self.column <= column < self.column + self.n_columns


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of one row, in reading order; at least one.

    Attributes:
        cells: The cells with text.
        parent: Index in ``Table.rows`` of the row that groups this one ("Current assets:"); -1 if absent.
    """

    cells: tuple[Cell, ...]
    parent: int = -1

    def __post_init__(self) -> None:
        if not self.cells:
            raise ValueError("a table's row needs at least one cell")

    @property
    def start(self) -> int:
        """Start of its first cell."""
        return self.cells[0].start

    @property
    def end(self) -> int:
        """End of its last cell."""
        return self.cells[-1].end


@dataclass(frozen=True, slots=True)
class Table:
    """A table, or the part of one in a single paragraph.

    Attributes:
        rows: The body's rows in text order.
        heads: Rows of column heads, from the top.
        n_labels: Number of columns, from the left, with row labels; 0 if there are none.
        caption: ``(start, end)`` of the text that names the table, which may be outside its paragraph; None if
            absent.
        is_continued: Whether the table began in an earlier paragraph, which has its heads and caption.
    """

    rows: tuple[Row, ...]
    heads: tuple[Row, ...] = ()
    n_labels: int = 1
    caption: tuple[int, int] | None = None
    is_continued: bool = False

    def __post_init__(self) -> None:
        own = self.own_rows
        if not own:
            raise ValueError("a table needs at least one row")
        if any(before.end > row.start for before, row in pairwise(own)):
            raise ValueError("the rows of a table must stand in text order")

    @property
    def own_rows(self) -> tuple[Row, ...]:
        """Its rows in text order, without heads that belong to an earlier part."""
        return self.rows if self.is_continued else (*self.heads, *self.rows)

    @property
    def start(self) -> int:
        """Start of its first row."""
        return (self.rows if self.is_continued or not self.heads else self.heads)[0].start

    @property
    def end(self) -> int:
        """End of its last row."""
        return (self.rows or self.heads)[-1].end

    def shifted(self, by: int) -> "Table":
        """The same table, ``by`` characters further on."""
        return replace(
            self,
            rows=tuple(_shifted(row, by) for row in self.rows),
            heads=tuple(_shifted(row, by) for row in self.heads),
            caption=self.caption and (self.caption[0] + by, self.caption[1] + by),
        )

    def row_within(self, start: int, end: int) -> Row | None:
        """The only row of this part in ``[start, end)``; None if there are none, several, or only part of one."""
        for rows in (self.rows, () if self.is_continued else self.heads):
            at = bisect_right(rows, start - 1, key=lambda row: row.start)
            if at < len(rows) and rows[at].end <= end:
                return rows[at] if at + 1 == len(rows) or rows[at + 1].start >= end else None
        return None


def table_within(tables: Sequence[Table], start: int) -> Table | None:
    """The table whose own rows contain or follow ``start``; ``tables`` are in text order."""
    at = bisect_right(tables, start, key=lambda table: table.end)
    return tables[at] if at < len(tables) else None


def row_text(text: str, table: Table, row: Row) -> str:
    """A row as self-contained text: caption, heads, groups and labels with the values.

    >>> from treatise.core.table import Cell, Row, Table
    >>> text = "Dividends\\n2019\\t2018\\nPaid\\t1,234\\t(5)"
    >>> heads = (Row((Cell(10, 14, 1), Cell(15, 19, 2))),)
    >>> paid = Row((Cell(20, 24, 0), Cell(25, 30, 1), Cell(31, 34, 2)))
    >>> row_text(text, Table((paid,), heads, caption=(0, 9)), paid)
    'Dividends. Paid: 2019: 1,234; 2018: (5)'
    """
    common = [_plain(text, cell) for cell in _common_heads(table)] if row in table.rows else []
    about = [caption_text(text, table), *(head_text(text, table, column) for column in range(table.n_labels))]
    labels = ", ".join([*_labels(text, table, row), *(head.rstrip(" ,:") for head in common)])
    values = "; ".join(_value(text, table, cell) for cell in row.cells if cell.column >= table.n_labels)
    lead = ". ".join(filter(None, [*(about if row not in table.heads else about[:1]), labels]))
    return f"{lead}: {values}" if lead and values else lead or values


def caption_text(text: str, table: Table) -> str:
    """The caption on one line, without a colon or stop at its end; ``""`` if absent."""
    if table.caption is None:
        return ""
    start, end = table.caption
    return " ".join(text[start:end].split())[:MAX_CAPTION_CHARS].rstrip(" .:")


def head_text(text: str, table: Table, column: int) -> str:
    """The heads over a column but not over all, from the top, on one line; ``""`` if absent."""
    common = _common_heads(table)
    found = (c for row in table.heads for c in row.cells if c.covers(column) and c not in common)
    return " ".join(dict.fromkeys(_plain(text, cell) for cell in found))[:MAX_HEAD_CHARS]


def _common_heads(table: Table) -> list[Cell]:
    """Heads that span every column of values, if there are several columns."""
    last = max((cell.column for row in table.rows for cell in row.cells), default=0)
    if last <= table.n_labels:
        return []
    over = range(table.n_labels, last + 1)
    return [c for row in table.heads for c in row.cells if c.covers(over.start) and c.covers(last)]


def _labels(text: str, table: Table, row: Row) -> list[str]:
    """Labels of the rows that group this one, outermost first, then its own."""
    path = [row]
    while path[-1].parent >= 0 and len(path) < MAX_DEPTH:
        path.append(table.rows[path[-1].parent])
    return [label for one in reversed(path) for label in _own_labels(text, table, one)]


def _own_labels(text: str, table: Table, row: Row) -> Iterable[str]:
    return (_plain(text, cell).rstrip(":") for cell in row.cells if cell.column < table.n_labels)


def _value(text: str, table: Table, cell: Cell) -> str:
    is_head = any(cell in row.cells for row in table.heads)
    head = "" if is_head else head_text(text, table, cell.column)
    return f"{head}: {_plain(text, cell)}" if head else _plain(text, cell)


def _plain(text: str, cell: Cell) -> str:
    return " ".join(text[cell.start : cell.end].split())


def _shifted(row: Row, by: int) -> Row:
    return Row(tuple(replace(cell, start=cell.start + by, end=cell.end + by) for cell in row.cells), row.parent)
