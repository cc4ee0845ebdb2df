"""Converts rows of cells to a text block, one line per row, with the position of each cell."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from treatise.core.document import ParagraphKind
from treatise.core.table import Cell, Row, Table
from treatise.ingest.reading import Block

CELL_MARK: Final = "\t"
"""Separates cells; white space, so that it does not count towards word budgets."""


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
    """Cells from left to right, and the index of the row's group row in the body; -1 if absent."""

    cells: Sequence[GridCell]
    parent: int = -1


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
    lines: list[str] = []
    heads, at = _placed(grid.heads, lines, 0)
    rows, _ = _placed(grid.rows, lines, at)
    if not rows and not heads:
        return None
    table = Table(rows, heads, grid.n_labels, caption, is_continued=grid.is_continued and bool(rows))
    return Block(ParagraphKind.TABLE, "\n".join(lines) + "\n\n", table=table)


def placed_tables(blocks: Sequence[Block], starts: Sequence[int]) -> Iterator[Table]:
    """The tables of blocks at these offsets; a continued table inherits headers and caption."""
    before: Table | None = None
    for block, start in zip(blocks, starts, strict=False):
        if block.table is None:
            continue
        table = block.table.shifted(start)
        if table.is_continued and before:
            table = Table(table.rows, before.heads, table.n_labels, before.caption, is_continued=True)
        yield table
        before = table


def _placed(rows: Sequence[GridRow], lines: list[str], at: int) -> tuple[tuple[Row, ...], int]:
    """Rows with the positions of their cells; rows without text have no position and group no rows."""
    placed: list[Row] = []
    number: dict[int, int] = {-1: -1}
    for index, row in enumerate(rows):
        cells: list[Cell] = []
        pieces: list[str] = []
        for cell in row.cells:
            if text := " ".join(cell.text.split()):
                cells.append(Cell(at, at + len(text), cell.column, cell.n_columns))
                pieces.append(text)
                at += len(text) + 1
        if cells:
            number[index] = len(placed)
            placed.append(Row(tuple(cells), number.get(row.parent, -1)))
            lines.append(CELL_MARK.join(pieces))
    return tuple(placed), at
