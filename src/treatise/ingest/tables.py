"""Converts rows of cells to a text block, one line per row, with the position of each cell."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from treatise.core.document import ParagraphKind
from treatise.core.table import Cell, Row, Table
from treatise.ingest.ongoing import reported
from treatise.ingest.reading import Block
from treatise.ingest.sentences import MAX_SENTENCE_CHARS, cut_to_size

CELL_MARK: Final = "\t"
"""Separates cells; white space, so that it does not count towards word budgets."""
_NOWHERE: Final = Cell(0, 1, 0)


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell as read from the source.

    Attributes:
        text: May be blank; white space is collapsed.
        column: Its first column, from 0.
        n_columns: Number of columns that it spans.
    """

    text: str
    column: int
    n_columns: int = 1


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row as read from the source.

    Attributes:
        cells: From left to right.
        parent: Index in the body of the row that groups it; -1 if absent.
        above: Cells of earlier rows that span down into this one: the same objects.
    """

    cells: Sequence[GridCell]
    parent: int = -1
    above: Sequence[GridCell] = ()


@dataclass(frozen=True, slots=True)
class Grid:
    """A table before it is placed in a text; see ``core.table.Table``."""

    rows: Sequence[GridRow]
    heads: Sequence[GridRow] = ()
    n_labels: int = 1
    is_continued: bool = False


def plain_rows(rows: Iterable[Sequence[str]]) -> list[GridRow]:
    """Rows of plain cells, starting in column 0."""
    return [GridRow([GridCell(text, column) for column, text in enumerate(row)]) for row in rows]


def table_block(grid: Grid, caption: tuple[int, int] | None = None) -> Block | None:
    """A table as a block: one line per non-blank row, headers first, cells tab-separated; None if all are blank.

    ``caption`` is relative to the block's first character; it is negative if the caption precedes the table.
    """
    if grid.is_continued and grid.heads:
        raise ValueError("a continued table has the heads of its first part")
    writer = _RowWriter()
    heads = writer.rows(grid.heads)
    rows = writer.rows(grid.rows)
    if not rows and not heads:
        return None
    table = Table(rows, heads, grid.n_labels, caption, is_continued=grid.is_continued and bool(rows))
    return Block(ParagraphKind.TABLE, "\n".join(writer.lines) + "\n\n", table=table)


def placed_tables(blocks: Sequence[Block], starts: Sequence[int]) -> Iterator[Table]:
    """The tables of blocks at these offsets; a continued table inherits headers and caption."""
    before: Table | None = None
    for at in reported("place tables", range(len(blocks))):
        if (placed := blocks[at].table) is None:
            continue
        table = placed.shifted(starts[at])
        if table.is_continued and before:
            table = Table(table.rows, before.heads, table.n_labels, before.caption, is_continued=True)
        yield table
        before = table


def row_lengths(text: str, table: Table) -> list[int]:
    """Lengths of the sentences that tile a table's text: its rows, with what stands between them; long ones are cut.

    Long rows are cut between cells, so that each part can be searched with its heads and labels.
    """
    rows = table.own_rows
    starts = [text.rfind("\n", before.end, row.start) + 1 or row.start for before, row in pairwise(rows)]
    cuts: list[int] = []
    for start, row in zip([0, *starts], rows, strict=True):
        cuts += [start, *_cell_cuts(start, row)]
    return [length for a, b in pairwise([*cuts, len(text)]) for length in cut_to_size(text[a:b])]


def _cell_cuts(start: int, row: Row) -> Iterator[int]:
    """Starts of cells at which a row is cut, so that its parts are as long as a sentence may be."""
    for cell in row.cells:
        if cell.end - start > MAX_SENTENCE_CHARS and cell.start > start:
            start = cell.start
            yield start


@dataclass(slots=True)
class _RowWriter:
    """Writes rows as lines, and notes where their cells are."""

    lines: list[str] = field(default_factory=list)
    _at: int = 0
    _spanning: dict[int, Cell] = field(default_factory=dict)  # by identity of the source cell

    def rows(self, rows: Sequence[GridRow]) -> tuple[Row, ...]:
        """The rows with the positions of their cells; rows without text have no position and group no rows."""
        self._spanning |= {id(cell): _NOWHERE for row in rows for cell in row.above}
        placed: list[Row] = []
        number: dict[int, int] = {-1: -1}
        for index, row in enumerate(rows):
            if cells := self._cells(row):
                number[index] = len(placed)
                above = (self._spanning[id(cell)] for cell in row.above)
                placed.append(Row(cells, number.get(row.parent, -1), tuple(c for c in above if c is not _NOWHERE)))
        return tuple(placed)

    def _cells(self, row: GridRow) -> tuple[Cell, ...]:
        """Writes the line of a row, if it has text."""
        cells: list[Cell] = []
        pieces: list[str] = []
        for cell in row.cells:
            if text := " ".join(cell.text.split()):
                cells.append(Cell(self._at, self._at + len(text), cell.column, cell.n_columns))
                pieces.append(text)
                self._at += len(text) + 1
                if id(cell) in self._spanning:
                    self._spanning[id(cell)] = cells[-1]
        if pieces:
            self.lines.append(CELL_MARK.join(pieces))
        return tuple(cells)
