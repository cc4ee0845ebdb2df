"""Puts the cells of RTF tables in columns: the rows state right edges and merges, not columns."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from treatise.ingest.grids import MAX_COLUMNS, SourceCell, grid_of
from treatise.ingest.tables import Grid

_NEAR_TWIPS: Final = 60  # edges closer than this are one: 3 points
_MAX_EDGES: Final = 500


@dataclass(slots=True)
class RtfRow:
    """A row as it is read.

    Attributes:
        texts: Texts of its cells, without those after the last mark of a cell.
        edges: Right edges of its cells in twips, and with which cell each is merged: ``"left"``, ``"above"`` or ``""``.
        is_head: Whether the row is repeated as a head.
    """

    texts: list[str] = field(default_factory=list)
    edges: list[tuple[int, str]] = field(default_factory=list)
    is_head: bool = False
    _merge: str = ""

    def define(self) -> None:
        """Forgets the description of cells: another one follows."""
        self.edges, self.is_head, self._merge = [], False, ""

    def merge(self, merge: str) -> None:
        """Notes that the cell being described is part of another one."""
        self._merge = merge

    def add_edge(self, edge: int) -> None:
        """Ends the description of a cell."""
        if len(self.edges) < MAX_COLUMNS:
            self.edges.append((edge, self._merge))
        self._merge = ""

    def next(self) -> "RtfRow":
        """The row after this one, which has the same description unless it has one of its own."""
        return RtfRow([], self.edges, self.is_head)


def rtf_grid(rows: Sequence[RtfRow]) -> Grid | None:
    """The grid of a table; None if all cells are blank. Rows without edges have a column per cell."""
    edges = _columns(rows)
    placed = [_placed(row, edges) for row in rows]
    n_rows = _heights(placed)
    cells = [
        [
            SourceCell(text, n_columns, n_rows[at, column], is_head=rows[at].is_head, column=column)
            for text, column, n_columns, is_covered in row
            if not is_covered
        ]
        for at, row in enumerate(placed)
    ]
    return grid_of(cells)


def _columns(rows: Sequence[RtfRow]) -> list[int]:
    """Right edges of columns: those of all cells, near ones as one."""
    columns: list[int] = []
    for edge in sorted({edge for row in rows for edge, _ in row.edges}):
        if not columns or edge - columns[-1] > _NEAR_TWIPS:
            columns.append(edge)
    return columns[:_MAX_EDGES]


_Placed = tuple[str, int, int, bool]  # text, column, number of columns, whether the cell above covers it


def _placed(row: RtfRow, columns: list[int]) -> list[_Placed]:
    if len(row.edges) < len(row.texts):
        return [(text, at, 1, False) for at, text in enumerate(row.texts)]
    found: list[_Placed] = []
    at = 0
    for text, (edge, merge) in zip(row.texts, row.edges, strict=False):
        until = min(bisect_left(columns, edge - _NEAR_TWIPS) + 1, len(columns))
        width = max(0, until - at)
        if merge == "left" and found and not text:
            before, column, n_columns, is_covered = found[-1]
            found[-1] = (before, column, n_columns + width, is_covered)
        else:
            found.append((text, at, max(1, width), merge == "above" and not text))
        at = max(until, at + 1)
    return found


def _heights(placed: Sequence[Sequence[_Placed]]) -> dict[tuple[int, int], int]:
    """By row and column of a cell, how many rows it covers."""
    heights: dict[tuple[int, int], int] = {}
    open_at: dict[int, int] = {}
    for at, row in enumerate(placed):
        for _, column, _, is_covered in row:
            if is_covered and column in open_at:
                heights[open_at[column], column] += 1
            else:
                open_at[column] = at
                heights[at, column] = 1
    return heights
