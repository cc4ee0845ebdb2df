"""Tables among the lines of a page, with and without rules: rows of values below each other, their heads and labels."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Final

import numpy as np

from treatise.ingest.pdf_cells import Segment, segments_of
from treatise.ingest.pdf_words import Word
from treatise.ingest.tables import Grid, GridCell, GridRow

_MAX_PITCH_EM: Final = 5.5  # from baseline to baseline within a table
_MAX_HEAD_PITCH_EM: Final = 3.0
_MAX_HEAD_ROWS: Final = 8
_MAX_BETWEEN: Final = 5  # rows without values between two rows with
_MAX_ACROSS: Final = 2  # of them, those that run into the columns of values
_MIN_TEXT_ROWS: Final = 3
_WIDE_EM: Final = 1.8
_SLACK_PT: Final = 3.0
_MIN_COVERED: Final = 0.08  # of the rows cover a column, so that one long cell does not join two columns
_MIN_WRAPPED: Final = 0.62  # of the label column's width: a label that long may go on in the next line
_MAX_WRAP_EM: Final = 1.7
_MAX_CELL_WORDS: Final = 40
_SENTENCE = re.compile(r"[.!?:]\s*\Z")
_TOTAL = re.compile(r"(?:sub)?totals?\b", re.IGNORECASE)
_WRAP_START = re.compile(r"[a-z(&$\d]")
_WRAP_END = re.compile(r"(?:,|\b(?:and|or|of|the|to|for|in|at|on|from|by|with|net|per|a|an))\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PageTable:
    """A table on a page.

    Attributes:
        grid: Its cells.
        columns: Left and right ends of its columns, in points.
        first, last: Its first line, and the one after its last, among the lines that were searched.
    """

    grid: Grid
    columns: tuple[tuple[float, float], ...]
    first: int
    last: int


@dataclass(slots=True)
class _Line:
    """A line of the page, taken apart."""

    segments: list[Segment]
    y: float
    size: float

    @property
    def x0(self) -> float:
        return self.segments[0].x0

    @property
    def values(self) -> list[Segment]:
        return [s for i, s in enumerate(self.segments) if s.is_value and (i or len(self.segments) > 1)]

    @property
    def is_data(self) -> bool:
        """A label and values, or values alone; years alone are heads."""
        values = self.values
        return bool(values) and not self.is_head and self.segments[-1].is_value

    @property
    def is_head(self) -> bool:
        """Nothing but years and the like stand in its columns."""
        after = self.segments[1:] if len(self.segments) > 1 and not self.segments[0].is_year else self.segments
        return all(segment.is_year for segment in after) and (len(after) > 1 or len(self.segments) > 1)

    @property
    def is_text_row(self) -> bool:
        """Three cells or more, or two that stand far apart."""
        gaps = [(b.x0 - a.x1) / max(self.size, 1.0) for a, b in pairwise(self.segments)]
        short = all(len(segment.text.split()) <= _MAX_CELL_WORDS for segment in self.segments)
        return short and (len(gaps) > 1 or max(gaps, default=0) > _WIDE_EM)


@dataclass(slots=True)
class _Body:
    """Line numbers of a table's body while it grows, and the values' columns so far."""

    lines: list[int] = field(default_factory=list)
    spans: list[tuple[float, float]] = field(default_factory=list)

    def fits(self, line: _Line) -> bool:
        """At least half of the line's values stand below earlier ones."""
        below = [any(_overlap((v.x0, v.x1), span) > 0 for span in self.spans) for v in line.values]
        return sum(below) * 2 >= len(below)

    def add(self, at: int, line: _Line) -> None:
        self.lines.append(at)
        for value in line.values or line.segments[1:]:
            self._cover(value.x0, value.x1)

    def _cover(self, x0: float, x1: float) -> None:
        apart = [span for span in self.spans if span[1] <= x0 or span[0] >= x1]
        touched = [span for span in self.spans if not (span[1] <= x0 or span[0] >= x1)]
        ends = [(x0, x1), *touched]
        self.spans = [*apart, (min(a for a, _ in ends), max(b for _, b in ends))]

    @property
    def left(self) -> float:
        return min(a for a, _ in self.spans)


def find_tables(rows: Sequence[Sequence[Word]]) -> list[PageTable]:
    """The tables among lines of words in reading order, from the top of the page; none overlaps another."""
    lines = [_line(row) for row in rows]
    tables: list[PageTable] = []
    free_from = 0
    for body in _bodies(lines):
        first = _head_start(lines, body, free_from)
        last = body.lines[-1] + 1
        if table := _table(lines, first, last, body):
            last = table.last
            tables.append(table)
            free_from = last
    return tables


def _line(row: Sequence[Word]) -> _Line:
    segments = segments_of(row) or [Segment("", row[0].x0, row[0].x1)]
    size = median(word.size for word in row)
    return _Line(segments, row[0].y, size)


def _bodies(lines: list[_Line]) -> list[_Body]:
    """Runs of rows with values, or of rows of text in columns."""
    bodies: list[_Body] = []
    at = 0
    while at < len(lines):
        body = _numeric_body(lines, at) if lines[at].is_data else None
        if body is None and lines[at].is_text_row:
            body = _text_body(lines, at)
        if body is None:
            at += 1
            continue
        bodies.append(body)
        at = body.lines[-1] + 1
    return bodies


def _numeric_body(lines: list[_Line], start: int) -> _Body | None:
    body = _Body()
    body.add(start, lines[start])
    between: list[int] = []
    for at in range(start + 1, len(lines)):
        line = lines[at]
        if not _is_near(lines[at - 1], line, _MAX_PITCH_EM):
            break
        if line.is_data and body.fits(line):
            body.lines += between
            between = []
            body.add(at, line)
        elif line.is_data or line.is_head or not _may_stand_between(line, body, lines, at):
            break
        else:
            between.append(at)
            if len(between) > _MAX_BETWEEN or sum(lines[i].segments[-1].x1 > body.left for i in between) > _MAX_ACROSS:
                break
    n_values = sum(len(lines[at].values) for at in body.lines)
    return body if n_values > 1 and (len(body.lines) > 1 or n_values > 2) else None


def _may_stand_between(line: _Line, body: _Body, lines: list[_Line], at: int) -> bool:
    """A label without values, or one that runs on into the columns and ends in the next line."""
    if line.segments[-1].x1 <= body.left + _SLACK_PT:
        return True
    if len(line.segments) > 1:
        return all(any(_overlap((s.x0, s.x1), span) > 0 for span in body.spans) for s in line.segments[1:])
    text = line.segments[0].text
    is_tight = at + 1 < len(lines) and _is_near(line, lines[at + 1], 1.6)
    return is_tight and not _SENTENCE.search(text)


def _text_body(lines: list[_Line], start: int) -> _Body | None:
    """Rows of texts whose cells begin below each other."""
    body = _Body()
    lefts = [segment.x0 for segment in lines[start].segments]
    body.add(start, lines[start])
    n_rows = 1
    for at in range(start + 1, len(lines)):
        line = lines[at]
        if not _is_near(lines[at - 1], line, _MAX_PITCH_EM):
            break
        aligned = [any(abs(s.x0 - left) < 2 * _SLACK_PT for left in lefts) for s in line.segments]
        if not all(aligned) and not (line.is_text_row and any(aligned[1:])):
            break
        if line.is_text_row:
            n_rows += 1
            lefts += [s.x0 for s, known in zip(line.segments, aligned, strict=True) if not known]
        elif len(line.segments) == 1 and aligned[0] and line.segments[0].x1 > body.left + line.size * 4:
            break  # a line of prose below the table's left end
        body.add(at, line)
    while body.lines and not lines[body.lines[-1]].is_text_row and len(lines[body.lines[-1]].segments) == 1:
        if lines[body.lines[-1]].x0 > lefts[0] + 2 * _SLACK_PT:
            break
        body.lines.pop()
    return body if n_rows >= _MIN_TEXT_ROWS else None


def _is_near(before: _Line, line: _Line, ems: float) -> bool:
    return before.y - line.y <= ems * max(before.size, line.size)


def _head_start(lines: list[_Line], body: _Body, free_from: int) -> int:
    """The first line of the heads above a body; its own first line if it has none."""
    first = body.lines[0]
    left, right = min(lines[at].x0 for at in body.lines), max(b for _, b in body.spans)
    for at in range(first - 1, max(free_from, first - _MAX_HEAD_ROWS) - 1, -1):
        line = lines[at]
        if not _is_near(line, lines[at + 1], _MAX_HEAD_PITCH_EM):
            break
        if _is_over_columns(line, body, left, right):
            first = at
        elif line.segments[-1].x1 > body.left or len(line.segments) > 1:
            break
    return first


def _is_over_columns(line: _Line, body: _Body, left: float, right: float) -> bool:
    """Its cells, but for one over the labels, stand over columns of values."""
    over = [s for s in line.segments if s.x0 >= body.left - 8 * line.size and s.middle > body.left - line.size]
    over = [s for s in over if s.x1 <= right + 3 * line.size]
    rest = [s for s in line.segments if s not in over]
    if not over or len(rest) > 1 or (rest and (rest[0] is not line.segments[0] or rest[0].x1 > body.left + _SLACK_PT)):
        return False
    if len(line.segments) > 1:
        return True
    is_title = abs(over[0].middle - (left + right) / 2) < min(
        _SLACK_PT * 3, abs(over[0].middle - (body.left + right) / 2)
    )
    return not is_title and _span_of(over[0], sorted(body.spans), alone=True) is not None


def _overlap(a: tuple[float, float], b: tuple[float, float]) -> float:
    return min(a[1], b[1]) - max(a[0], b[0])


def _table(lines: list[_Line], first: int, last: int, body: _Body) -> PageTable | None:
    columns = _columns([lines[at] for at in body.lines], n_heads=0)
    n_labels = _n_labels([lines[at] for at in body.lines], columns)
    if len(columns) < 2:
        return None
    start = body.lines[0]
    heads = [at for at in range(first, start) if _is_head_row(lines[at], columns, n_labels)]
    last_head = max(heads, default=first - 1)
    head_rows = [_head_row(lines[at], columns, n_labels) for at in range(first, last_head + 1)]
    rows = _body_rows(lines[last_head + 1 : last], columns, n_labels)
    if _is_contents(lines[first:last]):
        return None
    return PageTable(Grid(rows, head_rows, n_labels), tuple(columns), first, last)


def _is_contents(lines: list[_Line]) -> bool:
    """Titles, leaders of dots, and page numbers that ascend."""
    led = [line for line in lines if line.segments[-1].follows_leader]
    pages = [int(s) for line in led if (s := line.segments[-1].text).isdecimal() and len(s) < 5]
    return len(pages) > 0.5 * len(lines) and all(len(line.segments) < 4 for line in led) and pages == sorted(pages)


def _columns(lines: list[_Line], n_heads: int) -> list[tuple[float, float]]:
    """Strips that cells cover, from left to right; labels without values do not count."""
    rows = [line for line in lines if len(line.segments) > 1 or line.is_data]
    left = min(segment.x0 for line in rows for segment in line.segments)
    right = max(segment.x1 for line in rows for segment in line.segments)
    covered = np.zeros(int(right - left) + 2, dtype=np.int32)
    for line in rows:
        for segment in line.segments:
            covered[int(segment.x0 - left) : int(segment.x1 - left) + 1] += 1
    is_in = covered > _MIN_COVERED * len(rows) if len(rows) > n_heads else covered > 0
    edges = np.flatnonzero(np.diff(np.concatenate(([False], is_in, [False])).astype(np.int8)))
    return [(left + float(a), left + float(b)) for a, b in edges.reshape(-1, 2)]


def _n_labels(lines: list[_Line], columns: list[tuple[float, float]]) -> int:
    """Columns from the left whose cells are not values for the most part; all but the last at most."""
    counts = np.zeros((len(columns), 2), dtype=np.int64)
    for line in lines:
        for segment in line.segments:
            counts[_column_of(segment, columns), int(segment.is_value)] += 1
    n = 0
    while n < len(columns) - 1 and counts[n, 0] > counts[n, 1]:
        n += 1
    has_values = bool((counts[n:, 1] > counts[n:, 0]).any())
    return n if has_values else min(1, n)


def _column_of(segment: Segment, columns: Sequence[tuple[float, float]]) -> int:
    """The column that shares most of the segment's width, or the nearest."""
    shares = [_overlap((segment.x0, segment.x1), column) for column in columns]
    return max(range(len(columns)), key=lambda at: (shares[at], -at))


def _is_head_row(line: _Line, columns: list[tuple[float, float]], n_labels: int) -> bool:
    edge = columns[n_labels][0] if n_labels < len(columns) else columns[-1][0]
    return any(segment.middle > edge - line.size or segment.x1 > edge + line.size for segment in line.segments)


def _head_row(line: _Line, columns: list[tuple[float, float]], n_labels: int) -> GridRow:
    """Each head with the columns that it stands over: those that it touches, or is in the middle of."""
    cells = []
    values = columns[n_labels:]
    for segment in line.segments:
        if n_labels and segment.x1 <= values[0][0] + _SLACK_PT and segment.middle < values[0][0]:
            cells.append(GridCell(segment.text, _column_of(segment, columns[:n_labels])))
            continue
        others = [other for other in line.segments if other is not segment]
        start, end = _span_of(segment, values, alone=len(line.segments) == 1, others=others) or (0, len(values))
        cells.append(GridCell(segment.text, n_labels + start, end - start))
    return GridRow(cells)


def _span_of(
    segment: Segment,
    columns: Sequence[tuple[float, float]],
    *,
    alone: bool,
    others: Sequence[Segment] = (),
) -> tuple[int, int] | None:
    """Half-open range of columns below a head; None if it stands in the middle of none."""
    mine = [at for at, column in enumerate(columns) if _is_nearest(segment, others, column)]
    touched = [at for at, column in enumerate(columns) if _overlap((segment.x0, segment.x1), column) > 0]
    low, high = (touched[0], touched[-1] + 1) if touched else (len(columns), 0)
    best: tuple[float, int, int] | None = None
    for start in range(len(columns)):
        for end in range(start + 1, len(columns) + 1):
            if not (set(range(start, end)) <= {*mine, *touched} and start <= low and end >= high):
                continue
            off = abs((columns[start][0] + columns[end - 1][1]) / 2 - segment.middle)
            if best is None or off < best[0] - 4.0:  # a wider span only where it is better centred
                best = off, start, end
    if best is None:
        return (low, high) if touched else None
    width = columns[best[2] - 1][1] - columns[best[1]][0]
    if not touched and best[0] > (0.1 * width if alone else 0.35 * width) + 8.0:
        return None
    return best[1], best[2]


def _is_nearest(segment: Segment, others: Sequence[Segment], column: tuple[float, float]) -> bool:
    middle = (column[0] + column[1]) / 2
    distance = abs(segment.middle - middle)
    return all(abs(other.middle - middle) >= distance for other in others)


@dataclass(slots=True)
class _Row:
    """A row of the body while lines are joined to it."""

    cells: dict[int, str]
    label_x0: float
    label_x1: float
    has_values: bool
    y: float
    bottom: float
    size: float

    def text(self, n_labels: int) -> str:
        return " ".join(self.cells[column] for column in sorted(self.cells) if column < max(1, n_labels))


def _body_rows(lines: list[_Line], columns: list[tuple[float, float]], n_labels: int) -> list[GridRow]:
    """Rows with wrapped labels and cells made whole, and with the rows that group them."""
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
    return [
        GridRow([GridCell(row.cells[c], c) for c in sorted(row.cells)], parent)
        for row, parent in zip(rows, parents, strict=True)
    ]


def _row(line: _Line, columns: list[tuple[float, float]]) -> _Row:
    cells: dict[int, str] = {}
    alone = len(line.segments) == 1 and not line.segments[0].is_value
    for segment in line.segments:
        at = 0 if alone and segment.x0 < columns[0][1] else _column_of(segment, columns)
        cells[at] = f"{cells[at]} {segment.text}" if at in cells else segment.text
    first = line.segments[0]
    has_values = any(segment.is_value and segment.x0 > columns[0][0] + _SLACK_PT for segment in line.segments)
    return _Row(cells, first.x0, first.x1, has_values, line.y, line.y, line.size)


def _goes_on(before: _Row, row: _Row, edges: tuple[float, float], n_labels: int, *, is_numeric: bool) -> bool:
    """Whether the row is the rest of the one before, whose label or cell was too long for its line.

    ``edges`` are those of the labels' column.
    """
    label_width, edge = max(edges[1] - edges[0], 1.0), edges[1]
    if not is_numeric or n_labels == 0:
        return 0 not in row.cells and not row.has_values
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
    before.label_x1, before.bottom = row.label_x1, row.bottom


def _parents(rows: list[_Row], n_labels: int) -> list[int]:
    """For each row the row without values that groups it, by indents and totals; -1 if none does."""
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
    """A group that the next row may belong to: its row, indent and words, and the indent of what it holds."""

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
    """Ends the group that a total sums up, with those in it: the one it names, or else any as far right as it."""
    named = [at for at, group in enumerate(stack) if group.words and group.words <= _words(label)]
    if named:
        del stack[named[0] :]
    while stack and stack[-1].x0 >= row.label_x0 - _SLACK_PT:
        stack.pop()


def _words(label: str) -> set[str]:
    return set(re.findall(r"\w+", label.lower()))
