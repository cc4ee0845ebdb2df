"""Tables of a document: caption, rows of column heads, row labels and cells, each with its place in the text.

All offsets are characters of ``Document.text``, half-open, without whitespace at the ends. Empty cells are left out.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
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
        cells: The cells with text. A cell of several lines beside others has one entry per line, in the same column.
        parent: Index in ``Table.rows`` of the row that groups this one ("Current assets:"); -1 if absent.
        above: Cells of earlier rows that span down into this one, in reading order.
    """

    cells: tuple[Cell, ...]
    parent: int = -1
    above: tuple[Cell, ...] = ()

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

    @property
    def all_cells(self) -> list[Cell]:
        """Its own cells and those that span down into it, from left to right."""
        return sorted((*self.above, *self.cells), key=lambda cell: cell.column) if self.above else list(self.cells)

    def shifted(self, by: int) -> "Row":
        """The same row, ``by`` characters further on."""
        return Row(_shifted(self.cells, by), self.parent, _shifted(self.above, by))


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
        last_column: The last column in which a row of the body has a cell.
    """

    rows: tuple[Row, ...]
    heads: tuple[Row, ...] = ()
    n_labels: int = 1
    caption: tuple[int, int] | None = None
    is_continued: bool = False
    last_column: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        own = self.own_rows
        if not own:
            raise ValueError("a table needs at least one row")
        if any(before.end > row.start for before, row in pairwise(own)):
            raise ValueError("the rows of a table must stand in text order")
        last = max((cell.column for row in self.rows for cell in row.cells), default=0)
        object.__setattr__(self, "last_column", last)  # derived from the rows

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
            rows=tuple(row.shifted(by) for row in self.rows),
            heads=tuple(row.shifted(by) for row in self.heads),
            caption=self.caption and (self.caption[0] + by, self.caption[1] + by),
        )

    def row_within(self, start: int, end: int) -> Row | None:
        """The only row of this part in ``[start, end)``; None if there are none, several, or only part of one."""
        for rows in (self.rows, () if self.is_continued else self.heads):
            at = bisect_right(rows, start - 1, key=lambda row: row.start)
            if at < len(rows) and rows[at].end <= end:
                return rows[at] if at + 1 == len(rows) or rows[at + 1].start >= end else None
        return None

    def piece_within(self, start: int, end: int) -> Row | None:
        """Whole cells of a long row of the body as a row with its labels; None if ``[start, end)`` cuts a cell."""
        at = bisect_right(self.rows, end - 1, key=lambda row: row.start) - 1
        if at < 0 or self.rows[at].end <= start:
            return None
        row = self.rows[at]
        inside = tuple(cell for cell in row.cells if cell.start < end and start < cell.end)
        if not inside or inside[0].start < start or inside[-1].end > end or (at and self.rows[at - 1].end > start):
            return None
        labels = tuple(cell for cell in row.all_cells if cell.column < self.n_labels and cell not in inside)
        return Row(inside, row.parent, labels)


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
    is_head = row in table.heads
    common = [] if is_head else [_plain(text, cell) for cell in _common_heads(table)]
    heads = {} if is_head else head_texts(text, table)
    about = [caption_text(text, table), *(heads.get(column, "") for column in range(table.n_labels))]
    labels = ", ".join([*_labels(text, table, row), *(head.rstrip(" ,:") for head in common)])
    cells = _whole_cells(text, row.all_cells)
    values = "; ".join(_value(words, heads.get(at, "")) for at, words in cells if at >= table.n_labels)
    lead = ". ".join(filter(None, [*about, labels]))
    return f"{lead}: {values}" if lead and values else lead or values


def row_values(text: str, table: Table, row: Row) -> list[tuple[str, str]]:
    """The heads and texts of a row's values, as `row_text` words them; empty for a row of heads."""
    if row in table.heads:
        return []
    heads = head_texts(text, table)
    cells = _whole_cells(text, row.all_cells)
    return [(heads.get(column, ""), words) for column, words in cells if column >= table.n_labels]


def row_parts(text: str, table: Table, row: Row) -> list[tuple[str, str]]:
    """Heads and texts of all cells of a row, after its caption, its groups and common heads, which have no head.

    They are the parts of `row_text`; empty for a row of heads.
    """
    if row in table.heads:
        return []
    heads = head_texts(text, table)
    groups = [label for group in _groups(table, row) for label in _own_labels(text, table, group)]
    about = [caption_text(text, table), *groups, *(_plain(text, cell) for cell in _common_heads(table))]
    cells = [(heads.get(column, ""), words) for column, words in _whole_cells(text, row.all_cells)]
    return [*(("", words) for words in about if words), *cells]


def column_texts(text: str, row: Row) -> dict[int, str]:
    """By column, the text of a row's cells, on one line."""
    found: dict[int, str] = {}
    for column, words in _whole_cells(text, row.all_cells):
        found[column] = f"{found[column]} {words}" if column in found else words
    return found


def caption_text(text: str, table: Table) -> str:
    """The caption on one line, without a colon or stop at its end; ``""`` if absent."""
    if table.caption is None:
        return ""
    start, end = table.caption
    return " ".join(text[start:end].split())[:MAX_CAPTION_CHARS].rstrip(" .:")


def head_texts(text: str, table: Table) -> dict[int, str]:
    """By column, the heads over it but not over all columns, from the top, on one line."""
    common = _common_heads(table)
    found: dict[int, dict[str, None]] = {}
    for cell in (c for row in table.heads for c in row.cells if c not in common):
        for column in range(cell.column, min(cell.column + cell.n_columns, table.last_column + 1)):
            found.setdefault(column, {})[_plain(text, cell)] = None
    return {column: " ".join(heads)[:MAX_HEAD_CHARS] for column, heads in found.items()}


def _common_heads(table: Table) -> list[Cell]:
    """Heads that span every column of values, if there are several columns."""
    last = table.last_column
    if last <= table.n_labels:
        return []
    return [c for row in table.heads for c in row.cells if c.covers(table.n_labels) and c.covers(last)]


def _labels(text: str, table: Table, row: Row) -> list[str]:
    """Labels of the rows that group this one, outermost first, then its own."""
    return [label for one in (*_groups(table, row), row) for label in _own_labels(text, table, one)]


def _groups(table: Table, row: Row) -> list[Row]:
    """The rows that group this one, outermost first."""
    path = [row]
    while path[-1].parent >= 0 and len(path) < MAX_DEPTH:
        path.append(table.rows[path[-1].parent])
    return path[:0:-1]


def _own_labels(text: str, table: Table, row: Row) -> Iterable[str]:
    return (words.rstrip(":") for column, words in _whole_cells(text, row.all_cells) if column < table.n_labels)


def _whole_cells(text: str, cells: Sequence[Cell]) -> list[tuple[int, str]]:
    """Columns and texts of cells; the parts of a cell, between which there are line ends or tags, are joined."""
    found: list[tuple[int, str]] = []
    line_of: dict[int, tuple[int, int]] = {}  # by column, the index in `found` of its last cell, and where that ends
    for cell in cells:
        at, end = line_of.get(cell.column, (-1, 0))
        if at >= 0 and _goes_on(text, end, cell.start):
            found[at] = (cell.column, f"{found[at][1]} {_plain(text, cell)}")
        else:
            at = len(found)
            found.append((cell.column, _plain(text, cell)))
        line_of[cell.column] = (at, cell.end)
    return found


def _goes_on(text: str, end: int, start: int) -> bool:
    """Whether a cell that was read up to ``end`` goes on at ``start``: a line end or tags stand between."""
    between = text[end:start].strip(" ")
    return "\n" in between or (between.startswith("<") and between.endswith(">"))


def _value(words: str, head: str) -> str:
    return f"{head}: {words}" if head else words


def _plain(text: str, cell: Cell) -> str:
    return " ".join(text[cell.start : cell.end].split())


def _shifted(cells: tuple[Cell, ...], by: int) -> tuple[Cell, ...]:
    return tuple(Cell(cell.start + by, cell.end + by, cell.column, cell.n_columns) for cell in cells)
