"""Finds tables among the lines of a page, ruled or not: aligned rows of values with headers and labels."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from treatise.ingest.pdf_cells import Segment, segments_of
from treatise.ingest.pdf_grid import (
    TableLine,
    body_rows,
    columns_of,
    head_rows,
    is_head_row,
    n_labels_of,
    overlap,
    span_of,
)
from treatise.ingest.pdf_words import Word
from treatise.ingest.tables import Grid

_MAX_PITCH_EM: Final = 5.5  # from baseline to baseline within a table
_MAX_HEAD_PITCH_EM: Final = 3.0
_MAX_HEAD_WORDS: Final = 10  # for a line on its own; more words make a sentence
_MAX_HEAD_ROWS: Final = 8
_MAX_BETWEEN: Final = 5  # rows without values between two rows with values
_MAX_ACROSS: Final = 2  # of these rows, those that extend into the value columns
_MIN_TEXT_ROWS: Final = 3
_MIN_HEADS: Final = 3  # cells of a line that heads a table on its own
_PAIR: Final = 2  # cells of a label and its value
_SLACK_PT: Final = 3.0
_FLUSH_PT: Final = 9.0  # a table's text stands further right by the space within its cells
_SENTENCE = re.compile(r"[.!?:]\s*\Z")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_NUMBERED = re.compile(r"(?:\d\D*){3}")


@dataclass(frozen=True, slots=True)
class PageTable:
    """A table on a page.

    Attributes:
        grid: Its cells.
        columns: Left and right ends of its columns, in points.
        first, last: Half-open range of its lines among the searched lines.
        is_numeric: Whether it has rows with values.
    """

    grid: Grid
    columns: tuple[tuple[float, float], ...]
    first: int
    last: int
    is_numeric: bool = False


@dataclass(slots=True)
class _Body:
    """A table body under construction: its line numbers and value columns so far."""

    lines: list[int] = field(default_factory=list)
    spans: list[tuple[float, float]] = field(default_factory=list)

    def fits(self, line: TableLine) -> bool:
        """Whether at least half of the line's values align with earlier ones, or with half of the columns."""
        below = [[overlap((v.x0, v.x1), span) > 0 for span in self.spans] for v in line.values]
        n_values = sum(any(of_value) for of_value in below)
        n_spans = sum(any(of_span) for of_span in zip(*below, strict=True))
        return n_values * 2 >= len(below) or n_spans * 2 >= len(self.spans)

    def add(self, at: int, line: TableLine) -> None:
        self.lines.append(at)
        for cell in line.segments if line.segments[0].is_value else line.segments[1:]:
            self._cover(cell.x0, cell.x1)

    def _cover(self, x0: float, x1: float) -> None:
        apart = [span for span in self.spans if span[1] <= x0 or span[0] >= x1]
        touched = [span for span in self.spans if not (span[1] <= x0 or span[0] >= x1)]
        ends = [(x0, x1), *touched]
        self.spans = [*apart, (min(a for a, _ in ends), max(b for _, b in ends))]

    @property
    def left(self) -> float:
        return min(a for a, _ in self.spans)


def find_tables(rows: Sequence[Sequence[Word]]) -> list[PageTable]:
    """The tables among lines in reading order, from the top of the page; they do not overlap."""
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


def _line(row: Sequence[Word]) -> TableLine:
    segments = segments_of(row) or [Segment("", row[0].x0, row[0].x1)]
    size = median(word.size for word in row)
    return TableLine(segments, row[0].y, size)


def _bodies(lines: list[TableLine]) -> list[_Body]:
    """Runs of rows with values, or of rows of text in columns."""
    bodies: list[_Body] = []
    at = 0
    while at < len(lines):
        body = _numeric_body(lines, at) if lines[at].is_data else None
        if body is None and lines[at].is_text_row and not _is_above_values(lines, at):
            body = _text_body(lines, at)
        if body is None:
            at += 1
            continue
        bodies.append(body)
        at = body.lines[-1] + 1
    return bodies


def _is_above_values(lines: list[TableLine], at: int) -> bool:
    """Whether the line is a header of a value table that begins a few lines below."""
    for below in range(at + 1, min(at + _MAX_HEAD_ROWS, len(lines))):
        if not _is_near(lines[below - 1], lines[below], _MAX_HEAD_PITCH_EM):
            return False
        if lines[below].is_data:
            return len(lines[below].values) > 1 and _numeric_body(lines, below) is not None
    return False


def _numeric_body(lines: list[TableLine], start: int) -> _Body | None:
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


def _may_stand_between(line: TableLine, body: _Body, lines: list[TableLine], at: int) -> bool:
    """Whether it is a label without values, or one that extends into the columns and wraps."""
    if line.segments[-1].x1 <= body.left + _SLACK_PT:
        return True
    if sum(any(overlap((s.x0, s.x1), span) > 0 for span in body.spans) for s in line.segments) > 1:
        return False  # headers of the next table
    if len(line.segments) > 1:
        return all(any(overlap((s.x0, s.x1), span) > 0 for span in body.spans) for s in line.segments[1:])
    text = line.segments[0].text
    is_tight = at + 1 < len(lines) and _is_near(line, lines[at + 1], 1.6)
    return is_tight and not _SENTENCE.search(text)


def _text_body(lines: list[TableLine], start: int) -> _Body | None:
    """Rows of text cells with aligned left edges."""
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
            break  # a line of prose below the table's left edge
        body.add(at, line)
    while body.lines and not lines[body.lines[-1]].is_text_row and len(lines[body.lines[-1]].segments) == 1:
        if lines[body.lines[-1]].x0 > lefts[0] + 2 * _SLACK_PT:
            break
        body.lines.pop()
    return body if n_rows >= _MIN_TEXT_ROWS else None


def _is_near(before: TableLine, line: TableLine, ems: float) -> bool:
    return before.y - line.y <= ems * max(before.size, line.size)


def _head_start(lines: list[TableLine], body: _Body, free_from: int) -> int:
    """The first header line above a body; the body's first line if it has no header."""
    first = body.lines[0]
    left, right = min(lines[at].x0 for at in body.lines), max(b for _, b in body.spans)
    for at in range(first - 1, max(free_from, first - _MAX_HEAD_ROWS) - 1, -1):
        line = lines[at]
        if not _is_near(line, lines[at + 1], _MAX_HEAD_PITCH_EM):
            break
        if _is_title_above(line, lines[first], left):
            break
        if _is_over_columns(line, body, left, right):
            first = at
        elif line.segments[-1].x1 > body.left or len(line.segments) > 1:
            break
    return first


def _is_title_above(line: TableLine, head: TableLine, left: float) -> bool:
    """Whether a line above heads of three columns or more begins where they do: a title, or an address."""
    is_flush = len(line.segments) == 1 and abs(line.x0 - left) < _FLUSH_PT
    return is_flush and len(head.segments) >= _MIN_HEADS and abs(head.x0 - left) < _FLUSH_PT


def _is_over_columns(line: TableLine, body: _Body, left: float, right: float) -> bool:
    """Whether its cells, except one over the labels, are above value columns."""
    over = [s for s in line.segments if s.x0 >= body.left - 8 * line.size and s.middle > body.left - line.size]
    over = [s for s in over if s.x1 <= right + 3 * line.size]
    rest = [s for s in line.segments if s not in over]
    if not over or len(rest) > 1 or (rest and (rest[0] is not line.segments[0] or rest[0].x1 > body.left + _SLACK_PT)):
        return False
    if len(line.segments) > 1:
        return True
    if len(over[0].text.split()) > _MAX_HEAD_WORDS:
        return False
    is_title = abs(over[0].middle - (left + right) / 2) < min(
        _SLACK_PT * 3, abs(over[0].middle - (body.left + right) / 2)
    )
    return not is_title and span_of(over[0], sorted(body.spans), alone=True) is not None


def _table(lines: list[TableLine], first: int, last: int, body: _Body) -> PageTable | None:
    columns = columns_of([lines[at] for at in body.lines])
    n_labels = n_labels_of([lines[at] for at in body.lines], columns)
    if len(columns) < 2:
        return None
    start = body.lines[0]
    if first == start and len(body.lines) > 1 and _is_bold_head(lines, body):
        start += 1
    heads = [at for at in range(first, start) if is_head_row(lines[at], columns, n_labels)]
    last_head = max(heads, default=first - 1)
    over = head_rows(lines[first : last_head + 1], columns, n_labels)
    rows = body_rows(lines[last_head + 1 : last], columns, n_labels)
    if _is_contents(lines[first:last]):
        return None
    is_numeric = any(lines[at].is_data for at in body.lines)
    return PageTable(Grid(rows, over, n_labels), tuple(columns), first, last, is_numeric)


def _is_bold_head(lines: list[TableLine], body: _Body) -> bool:
    """Whether the first line of a body is bold and the next one is not: heads of columns of words.

    A label with a number beside it ("Invoice no.  A-4711") is the first of such pairs.
    """
    first, second = lines[body.lines[0]], lines[body.lines[1]]
    if len(first.segments) == _PAIR and _NUMBERED.search(_YEAR.sub("", first.segments[1].text)):
        return False
    return all(s.is_bold for s in first.segments) and not any(s.is_bold for s in second.segments)


def _is_contents(lines: list[TableLine]) -> bool:
    """Whether the lines are contents entries: titles, dot leaders, and ascending page numbers."""
    led = [line for line in lines if line.segments[-1].follows_leader]
    pages = [int(s) for line in led if (s := line.segments[-1].text).isdecimal() and len(s) < 5]
    return len(pages) > 0.5 * len(lines) and all(len(line.segments) < 4 for line in led) and pages == sorted(pages)
