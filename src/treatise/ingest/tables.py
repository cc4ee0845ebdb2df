"""Rows of cells become a block of text, one line per row, that knows where each cell stands."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from treatise.core.document import ParagraphKind
from treatise.core.table import Cell, Row, Table
from treatise.ingest.reading import Block

CELL_MARK: Final = "\t"
"""Stands between cells: white space, so that no budget of words is spent on it."""


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell as its reader found it.

    Attributes:
        text: May be blank; its white space is folded.
        column: Its first column, from 0.
        n_columns: How many it spans.
    """

    text: str
    column: int
    n_columns: int = 1


@dataclass(frozen=True, slots=True)
class GridRow:
    """Cells from left to right, and the index of the body row that groups this one, -1 if absent."""

    cells: Sequence[GridCell]
    parent: int = -1


@dataclass(frozen=True, slots=True)
class Grid:
    """A table before it has a place in a text; see ``core.table.Table``."""

    rows: Sequence[GridRow]
    heads: Sequence[GridRow] = ()
    n_labels: int = 1
    is_continued: bool = False


def plain_rows(rows: Iterable[Sequence[str]]) -> list[GridRow]:
    """Rows of texts, the first in column 0."""
    return [GridRow([GridCell(text, column) for column, text in enumerate(row)]) for row in rows]


def table_block(grid: Grid, caption: tuple[int, int] | None = None) -> Block | None:
    """A table as a block: one line per row with text, heads first, a tab between cells; None if all is blank.

    ``caption`` counts from the block's first character, so that it may stand before it, at less than 0.
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
    """The tables of blocks that begin at these characters; a continued one takes heads and caption from before."""
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
    """Rows with their cells' places, their lines added; a row that held no text has no place, nor groups any."""
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
