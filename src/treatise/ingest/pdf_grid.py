"""Builds a table's grid: columns, column headers, joined rows, and row groups."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

import numpy as np

from treatise.ingest.pdf_cells import Segment
from treatise.ingest.tables import GridCell, GridRow

_WIDE_EM: Final = 1.8
_MAX_SPANNED: Final = 40  # columns; in wider tables a header covers the columns that it touches
_SLACK_PT: Final = 3.0
_MIN_COVERED: Final = 0.08  # share of rows that must cover a column, so that one long cell does not join two
_MIN_WRAPPED: Final = 0.62  # share of the label column's width; longer labels may wrap
_MIN_FILL: Final = 0.5  # of its column, for a cell that wraps
_MAX_WRAP_EM: Final = 1.7
_MAX_CELL_WORDS: Final = 40
_TOTAL = re.compile(r"(?:sub)?totals?\b", re.IGNORECASE)
_WRAP_START = re.compile(r"[a-z(&$\d]")
_WRAP_END = re.compile(r"(?:,|\b(?:and|or|of|the|to|for|in|at|on|from|by|with|net|per|a|an))\Z", re.IGNORECASE)


@dataclass(slots=True)
class TableLine:
    """A line of the page, split into segments."""

    segments: list[Segment]
    y: float
    size: float

    @property
    def x0(self) -> float:
        """The left edge."""
        return self.segments[0].x0

    @property
    def values(self) -> list[Segment]:
        """The numeric cells, except a single one on its own."""
        return [s for i, s in enumerate(self.segments) if s.is_value and (i or len(self.segments) > 1)]

    @property
    def is_data(self) -> bool:
        """Whether it has values, with or without a label; years alone are headers."""
        values = self.values
        n_texts = len(self.segments) - 1 - len(values)
        is_mixed = not self.segments[0].is_value and n_texts * 2 < len(values)
        return bool(values) and not self.is_head and (self.segments[-1].is_value or is_mixed)

    @property
    def is_head(self) -> bool:
        """Whether its only values are years and the like."""
        years = [segment.is_year for segment in self.values]
        return all(years) and (len(years) > 1 or (len(years) == 1 and len(self.segments) > 1))

    @property
    def is_text_row(self) -> bool:
        """Whether it has three or more cells, or two far apart."""
        gaps = [(b.x0 - a.x1) / max(self.size, 1.0) for a, b in pairwise(self.segments)]
        short = all(len(segment.text.split()) <= _MAX_CELL_WORDS for segment in self.segments)
        return short and (len(gaps) > 1 or max(gaps, default=0) > _WIDE_EM)


def overlap(a: tuple[float, float], b: tuple[float, float]) -> float:
    """The overlap of two intervals; if negative, the gap between them."""
    return min(a[1], b[1]) - max(a[0], b[0])


def columns_of(lines: list[TableLine]) -> list[tuple[float, float]]:
    """Strips covered by cells, from left to right, ignoring labels without values."""
    rows = [line for line in lines if len(line.segments) > 1 or line.is_data]
    left = min(segment.x0 for line in rows for segment in line.segments)
    right = max(segment.x1 for line in rows for segment in line.segments)
    covered = np.zeros(int(right - left) + 2, dtype=np.int32)
    for line in rows:
        for segment in line.segments:
            covered[int(segment.x0 - left) : int(segment.x1 - left) + 1] += 1
    is_in = covered > _MIN_COVERED * len(rows)
    edges = np.flatnonzero(np.diff(np.concatenate(([False], is_in, [False])).astype(np.int8)))
    return [(left + float(a), left + float(b)) for a, b in edges.reshape(-1, 2)]


def n_labels_of(lines: list[TableLine], columns: list[tuple[float, float]]) -> int:
    """Number of leading columns whose cells are mostly not values; at most all but the last."""
    counts = np.zeros((len(columns), 2), dtype=np.int64)
    for line in lines:
        for segment in line.segments:
            counts[column_of(segment, columns), int(segment.is_value)] += 1
    n = 0
    while n < len(columns) - 1 and counts[n, 0] > counts[n, 1]:
        n += 1
    has_values = bool((counts[n:, 1] > counts[n:, 0]).any())
    return n if has_values else min(1, n)


def column_of(segment: Segment, columns: Sequence[tuple[float, float]]) -> int:
    """The column that a cell overlaps most, or else the nearest."""
    shares = [overlap((segment.x0, segment.x1), column) for column in columns]
    return max(range(len(columns)), key=lambda at: (shares[at], -at))


def is_head_row(line: TableLine, columns: list[tuple[float, float]], n_labels: int) -> bool:
    """Whether a line above the body reaches the value columns."""
    edge = columns[n_labels][0] if n_labels < len(columns) else columns[-1][0]
    return any(segment.middle > edge - line.size or segment.x1 > edge + line.size for segment in line.segments)


def head_rows(lines: Sequence[TableLine], columns: Sequence[tuple[float, float]], n_labels: int) -> list[GridRow]:
    """The header rows from the top. A header directly above a column widens it for spanning headers."""
    widened = list(columns)
    rows: list[GridRow] = []
    for line in reversed(lines):
        cells = [_head(segment, line, widened, n_labels) for segment in line.segments]
        rows.append(GridRow(cells))
        for segment, cell in zip(line.segments, cells, strict=True):
            if cell.n_columns == 1:
                left, right = widened[cell.column]
                widened[cell.column] = min(left, segment.x0), max(right, segment.x1)
    return rows[::-1]


def _head(segment: Segment, line: TableLine, columns: Sequence[tuple[float, float]], n_labels: int) -> GridCell:
    """A header with its columns: those that it touches or is centred over."""
    values = columns[n_labels:]
    if n_labels and segment.x1 <= values[0][0] + _SLACK_PT and segment.middle < values[0][0]:
        return GridCell(segment.text, column_of(segment, columns[:n_labels]))
    others = [other for other in line.segments if other is not segment]
    start, end = span_of(segment, values, alone=not others, others=others) or _nearest(segment, values)
    return GridCell(segment.text, n_labels + start, end - start)


def span_of(
    segment: Segment,
    columns: Sequence[tuple[float, float]],
    *,
    alone: bool,
    others: Sequence[Segment] = (),
) -> tuple[int, int] | None:
    """Half-open range of the columns below a header; None if it is centred over none."""
    mine = [at for at, column in enumerate(columns) if _is_nearest(segment, others, column)]
    touched = [at for at, column in enumerate(columns) if overlap((segment.x0, segment.x1), column) > 0]
    low, high = (touched[0], touched[-1] + 1) if touched else (len(columns), 0)
    if len(columns) > _MAX_SPANNED:
        return (low, high) if touched else None
    best: tuple[float, int, int] | None = None
    for start in range(len(columns)):
        for end in range(start + 1, len(columns) + 1):
            if not (set(range(start, end)) <= {*mine, *touched} and start <= low and end >= high):
                continue
            off = abs((columns[start][0] + columns[end - 1][1]) / 2 - segment.middle)
            if best is None or off < best[0] - 4.0:  # a wider span only if it is better centred
                best = off, start, end
    if best is None:
        return (low, high) if touched else None
    width = columns[best[2] - 1][1] - columns[best[1]][0]
    if not touched and best[0] > (0.1 * width if alone else 0.35 * width) + 8.0:
        return None
    return best[1], best[2]


def _nearest(segment: Segment, columns: Sequence[tuple[float, float]]) -> tuple[int, int]:
    at = min(range(len(columns)), key=lambda i: abs(sum(columns[i]) / 2 - segment.middle))
    return at, at + 1


def _is_nearest(segment: Segment, others: Sequence[Segment], column: tuple[float, float]) -> bool:
    middle = (column[0] + column[1]) / 2
    distance = abs(segment.middle - middle)
    return all(abs(other.middle - middle) >= distance for other in others)


@dataclass(slots=True)
class _Row:
    """A body row under construction."""

    cells: dict[int, str]
    label_x0: float
    label_x1: float
    has_values: bool
    y: float
    bottom: float
    size: float
    last: dict[int, bool] = field(default_factory=dict)  # cells of its last line, and whether each may go on

    def text(self, n_labels: int) -> str:
        return " ".join(self.cells[column] for column in sorted(self.cells) if column < max(1, n_labels))


def body_rows(lines: list[TableLine], columns: list[tuple[float, float]], n_labels: int) -> list[GridRow]:
    """Rows with wrapped labels and cells joined, and with their group rows."""
    edge = columns[n_labels][0] if 0 < n_labels < len(columns) else columns[0][1]
    is_numeric = any(segment.is_value for line in lines for segment in line.segments[1:])
    rows: list[_Row] = []
    for line in lines:
        row = _row(line, columns)
        before = rows[-1] if rows else None
        if before and _goes_on(before, row, (columns[0][0], edge), n_labels, is_numeric=is_numeric):
            _join(before, row)
        else:
            rows.append(row)
    parents = _parents(rows, n_labels)
    return _with_labels_above(
        [
            GridRow([GridCell(row.cells[c], c) for c in sorted(row.cells)], parent)
            for row, parent in zip(rows, parents, strict=True)
        ],
        is_numeric=is_numeric,
    )


def _with_labels_above(rows: list[GridRow], *, is_numeric: bool) -> list[GridRow]:
    """In a table of words, rows that begin further right stand below the cells to their left."""
    if is_numeric:
        return rows
    found: list[GridRow] = []
    known: list[GridCell] = []
    for row in rows:
        first = row.cells[0].column
        known = [cell for cell in known if cell.column < first]
        found.append(GridRow(row.cells, row.parent, tuple(known)))
        known = [*known, *row.cells]
    return found


def _row(line: TableLine, columns: list[tuple[float, float]]) -> _Row:
    cells: dict[int, str] = {}
    alone = len(line.segments) == 1 and not line.segments[0].is_value
    for segment in line.segments:
        at = 0 if alone and segment.x0 < columns[0][1] else column_of(segment, columns)
        cells[at] = f"{cells[at]} {segment.text}" if at in cells else segment.text
    first = line.segments[0]
    has_values = any(segment.is_value and segment.x0 > columns[0][0] + _SLACK_PT for segment in line.segments)
    return _Row(cells, first.x0, first.x1, has_values, line.y, line.y, line.size, _last(line, columns))


def _last(line: TableLine, columns: list[tuple[float, float]]) -> dict[int, bool]:
    """The columns of a line's cells; for each, whether the cell is so long that it may go on in the next line."""
    found: dict[int, bool] = {}
    for segment in line.segments:
        at = column_of(segment, columns)
        found[at] = segment.x1 - segment.x0 >= _MIN_FILL * (columns[at][1] - columns[at][0])
    return found


def _goes_on(before: _Row, row: _Row, edges: tuple[float, float], n_labels: int, *, is_numeric: bool) -> bool:
    """Whether the row continues the previous one, whose label or cell wrapped.

    ``edges`` are the left and right ends of the label column.
    """
    label_width, edge = max(edges[1] - edges[0], 1.0), edges[1]
    if not is_numeric or n_labels == 0:
        return 0 not in row.cells and not row.has_values and all(before.last.get(at) for at in row.last)
    if 0 not in row.cells and not row.has_values:
        return True
    if 0 not in row.cells or 0 not in before.cells:
        return False
    label, upper = row.cells[0], before.cells[0]
    is_tight = before.bottom - row.y < _MAX_WRAP_EM * row.size
    is_long = before.label_x1 - before.label_x0 > _MIN_WRAPPED * label_width
    open_end = _WRAP_END.search(upper) is not None
    if before.has_values:
        return not row.has_values and len(row.cells) == 1 and is_long and bool(_WRAP_START.match(label))
    if upper.endswith(":") or len(before.cells) > 1:
        return False
    is_rest = is_tight and label[0].islower()
    return is_rest or (is_long and bool(_WRAP_START.match(label))) or open_end or before.label_x1 > edge


def _join(before: _Row, row: _Row) -> None:
    for column, text in row.cells.items():
        before.cells[column] = f"{before.cells[column]} {text}" if column in before.cells else text
    before.has_values |= row.has_values
    before.label_x1, before.bottom, before.last = row.label_x1, row.bottom, row.last


def _parents(rows: list[_Row], n_labels: int) -> list[int]:
    """For each row, the index of its group row (a row without values), by indents and totals; -1 if absent."""
    parents: list[int] = []
    stack: list[_Open] = []
    for at, row in enumerate(rows):
        label = row.text(n_labels)
        is_group = n_labels > 0 and not row.has_values and len(row.cells) == 1
        if is_group and label.isupper():
            stack.clear()
        while stack and 0 in row.cells and not stack[-1].holds(row, is_group=is_group):
            stack.pop()
        parents.append(stack[-1].row if stack else -1)
        if stack and 0 in row.cells:
            stack[-1].inner_x0 = min(stack[-1].inner_x0, row.label_x0)
        if is_group:
            stack.append(_Open(at, row.label_x0, _words(label)))
        elif _TOTAL.match(label):
            _close(stack, row, label)
    return parents


@dataclass(slots=True)
class _Open:
    """An open row group: its row, indent and words, and the indent of its members."""

    row: int
    x0: float
    words: set[str]
    inner_x0: float = float("inf")

    def holds(self, row: _Row, *, is_group: bool) -> bool:
        indent = row.label_x0 - self.x0
        if is_group:
            return indent > _SLACK_PT
        back = self.inner_x0 < float("inf") and row.label_x0 < self.inner_x0 - _SLACK_PT
        return indent > -_SLACK_PT and not back


def _close(stack: list[_Open], row: _Row, label: str) -> None:
    """Closes the group of a total row and its subgroups: the group it names, or else those indented at least as far."""
    named = [at for at, group in enumerate(stack) if group.words and group.words <= _words(label)]
    if named:
        del stack[named[0] :]
    while stack and stack[-1].x0 >= row.label_x0 - _SLACK_PT:
        stack.pop()


def _words(label: str) -> set[str]:
    return set(re.findall(r"\w+", label.lower()))
