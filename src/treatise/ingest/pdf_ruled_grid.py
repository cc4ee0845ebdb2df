"""The grid of a ruled table: its heads, rows and groups, from the bands between its rules."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from treatise.ingest.pdf_bands import SAME_PT, Band
from treatise.ingest.pdf_cells import Segment
from treatise.ingest.pdf_grid import TableLine, body_rows, column_of, columns_of, head_rows, n_labels_of
from treatise.ingest.pdf_tables import PageTable
from treatise.ingest.tables import Grid, GridRow

_MAX_HEAD_LINES: Final = 6
_PITCH_EM: Final = 1.7
_MIN_FILL: Final = 0.5  # of its column, for a cell that wraps
_MIN_HEAD_BANDS: Final = 2
_TOTAL: Final = re.compile(r"(?:sub)?totals?\b", re.IGNORECASE)


def table_of(bands: Sequence[Band]) -> PageTable | None:
    """The table of successive bands; None if they have no two columns."""
    head, body = _head_and_body(bands)
    lines = [line for part in body for line in part]
    columns = columns_of(lines) if any(len(line.segments) > 1 for line in lines) else []
    if len(columns) < 2:
        return None
    n_labels = n_labels_of(lines, columns)
    rows: list[GridRow] = []
    for part in body:
        part = [_merged(part, columns)] if _is_one_row(part, columns) else part
        rows += [_moved(row, len(rows)) for row in body_rows(list(part), columns, n_labels)]
    heads = head_rows(head, columns, n_labels)
    if any(band.is_group for band in bands[1:]):
        rows = _below_names(rows)
    return PageTable(Grid(_grouped(rows, heads, n_labels), heads, n_labels), tuple(columns), 0, 0)


def _grouped(rows: Sequence[GridRow], heads: Sequence[GridRow], n_labels: int) -> list[GridRow]:
    """The rows, with those below a repetition of the heads in the group that its label names."""
    wanted = [_values(row, n_labels) for row in heads]
    found: list[GridRow] = []
    group = -1
    for at, row in enumerate(rows):
        is_repeated = _values(row, n_labels) in wanted and row.cells[0].column < n_labels
        group = at if is_repeated else group
        found.append(GridRow(row.cells, group, row.above) if row.parent < 0 and not is_repeated else row)
    return found


def _below_names(rows: Sequence[GridRow]) -> list[GridRow]:
    """The rows of a grid, each in the group of the last row that has its first cell alone, up to a row of totals."""
    found: list[GridRow] = []
    group = -1
    for at, row in enumerate(rows):
        is_name = len(row.cells) == 1 and row.cells[0].column == 0
        found.append(row if is_name or row.parent >= 0 else GridRow(row.cells, group, row.above))
        if is_name:
            group = at
        elif _TOTAL.match(row.cells[0].text):
            group = -1
    return found


def _values(row: GridRow, n_labels: int) -> list[str]:
    return [cell.text for cell in row.cells if cell.column >= n_labels]


def _head_and_body(bands: Sequence[Band]) -> tuple[list[TableLine], list[list[TableLine]]]:
    """The lines of column heads, and those of the body, band by band."""
    first, rest = bands[0].lines, [band.lines for band in bands[1:]]
    if _has_spanning_heads(bands):
        return [*_widened(bands[0]), *bands[1].lines], rest[1:]
    return (first, rest) if begins_with_heads(bands) else (first[:1], [first[1:], *rest])


def _has_spanning_heads(bands: Sequence[Band]) -> bool:
    """Whether the first two bands of a grid are heads: of fewer and wider cells above those of each column."""
    if len(bands) <= _MIN_HEAD_BANDS or not all(band.is_gridded or band is bands[0] for band in bands[:2]):
        return False
    upper, lower = bands[0], bands[1]
    is_wider = len(upper.bars) < len(lower.bars) and {*map(round, upper.bars)} <= {*map(round, lower.bars)}
    body = [segment for band in bands[2:] for line in band.lines for segment in line.segments[1:]]
    has_values = sum(one.is_value for one in body) * 2 > len(body)
    are_single = len(upper.lines) == len(lower.lines) == 1
    return is_wider and are_single and has_values and not any(one.is_data for one in lower.lines)


def _widened(band: Band) -> list[TableLine]:
    """The lines of a band of heads, each as wide as the cell that bars make for it."""
    return [replace(line, segments=[_in_cell(one, band.bars) for one in line.segments]) for line in band.lines]


def _in_cell(segment: Segment, bars: Sequence[float]) -> Segment:
    left = max((at for at in bars if at <= segment.middle), default=segment.x0)
    right = min((at for at in bars if at > segment.middle), default=segment.x1)
    return replace(segment, x0=left + SAME_PT, x1=right - SAME_PT)


def begins_with_heads(bands: Sequence[Band]) -> bool:
    """Whether the first band holds column heads alone: few lines, and no rows as those below."""
    if len(bands) == 1:
        return False
    first, below = bands[0].lines, bands[1].lines
    is_unlike = len(first) <= _MAX_HEAD_LINES and _kinds(first[-1]) != _kinds(below[0])
    return len(first) == 1 or (is_unlike and not first[0].is_data)


def _kinds(line: TableLine) -> list[bool]:
    """For each cell, whether it is a value: rows of the body are alike, heads differ from them."""
    return [segment.is_value for segment in line.segments]


def _is_one_row(lines: Sequence[TableLine], columns: list[tuple[float, float]]) -> bool:
    """Whether the lines are one row with wrapped cells: the lines of each cell follow each other."""
    if len(lines) < 2:
        return False
    last: dict[int, tuple[float, bool]] = {}
    n_labels = 0
    for line in lines:
        places = {column_of(segment, columns): segment for segment in line.segments}
        n_labels += 0 in places
        if any(at in last and not (last[at][1] and last[at][0] - line.y <= _PITCH_EM * line.size) for at in places):
            return False
        last |= {at: (line.y, _fills(segment, columns[at])) for at, segment in places.items()}
    return n_labels <= 1 and len(last) > 1


def _fills(segment: Segment, column: tuple[float, float]) -> bool:
    """Whether a cell is so long that it may go on in the next line."""
    return segment.x1 - segment.x0 >= _MIN_FILL * (column[1] - column[0])


def _merged(lines: Sequence[TableLine], columns: list[tuple[float, float]]) -> TableLine:
    cells: dict[int, Segment] = {}
    for line in lines:
        for segment in line.segments:
            at = column_of(segment, columns)
            before = cells.get(at)
            cells[at] = _joined(before, segment) if before else segment
    return TableLine([cells[at] for at in sorted(cells)], lines[0].y, lines[0].size)


def _joined(upper: Segment, lower: Segment) -> Segment:
    text = f"{upper.text} {lower.text}"
    return Segment(text, min(upper.x0, lower.x0), max(upper.x1, lower.x1), upper.is_bold and lower.is_bold)


def _moved(row: GridRow, by: int) -> GridRow:
    return GridRow(row.cells, row.parent + by if row.parent >= 0 else -1, row.above)
