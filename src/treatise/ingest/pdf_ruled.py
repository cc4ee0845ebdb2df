"""Finds the tables that rules bound: three lines of one length or more, with rows in columns between them."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import Final

from treatise.ingest.pdf_cells import Segment, segments_of
from treatise.ingest.pdf_grid import TableLine, body_rows, column_of, columns_of, head_rows, n_labels_of
from treatise.ingest.pdf_rows import page_rows
from treatise.ingest.pdf_rules import Rule, Rules
from treatise.ingest.pdf_tables import PageTable
from treatise.ingest.pdf_words import Word
from treatise.ingest.tables import Grid, GridRow

_SAME_PT: Final = 3.0
_MAX_HEAD_LINES: Final = 6
_MIN_PROSE_CHARS: Final = 25  # of every cell of a line: two columns of prose, not a row
_MIN_PROSE_SHARE: Final = 0.55  # of the width, for a line without a gap
_MAX_PROSE_SHARE: Final = 0.25
_MIN_ROWS_SHARE: Final = 0.8  # of the lines of a table with two rules alone
_CENTRED: Final = 0.05
_PITCH_EM: Final = 1.7
_MAX_ROW_LINES: Final = 2
_MIN_ROW_PT: Final = 6.0
_MIN_FILL: Final = 0.5  # of its column, for a cell that wraps
_MIN_PARTED: Final = 0.5  # of the rows, for a gap that parts columns
_MIN_BARS: Final = 3
_MIN_HEAD_BANDS: Final = 2
_HEAD_REACH_PT: Final = 32.0
_TOTAL: Final = re.compile(r"(?:sub)?totals?\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RuledTable:
    """A table with the words that it holds, from the top."""

    table: PageTable
    rows: list[list[Word]]
    x0: float
    x1: float


def is_whole(grid: Grid, parts: Sequence[Grid]) -> bool:
    """Whether an aligned table is better than ruled ones within it: they are pieces, or have no more heads."""
    if len(parts) > 1:
        return not all(part.heads and len(part.rows) > 2 for part in parts)
    (part,) = parts
    n_more = len(grid.rows) + len(grid.heads) - len(part.rows) - len(part.heads)
    return n_more >= 0 and bool(grid.heads) and len(grid.heads) >= len(part.heads) and _shape(grid) == _shape(part)


def _shape(grid: Grid) -> tuple[int, int]:
    """Its columns, and those with labels."""
    last = max((cell.column for row in grid.rows for cell in row.cells), default=0)
    return last, grid.n_labels


@dataclass(slots=True, eq=False)
class _Band:
    """What stands between two rules, and the places of the bars that cross it, from the left edge to the right one."""

    rows: list[list[Word]]
    lines: list[TableLine]
    bars: tuple[float, ...] = ()

    @property
    def is_gridded(self) -> bool:
        """Whether bars part it into three cells or more."""
        return len(self.bars) > _MIN_BARS

    @property
    def is_group(self) -> bool:
        """Whether it has one line with the first cell alone: the name of the rows below in a grid."""
        return self.is_gridded and len(self.lines) == 1 and all(one.x1 < self.bars[1] for one in self.lines[0].segments)


def ruled_tables(words: Sequence[Word], rules: Rules) -> list[RuledTable]:
    """The ruled tables of a page, from the top; they share no word."""
    found: list[RuledTable] = []
    used: set[int] = set()
    by_height = sorted(words, key=lambda word: word.y)
    for cluster in _clusters(rules.across):
        edges = _with_open_ends(cluster, rules.down)
        bands = [_band(by_height, upper, lower, rules.down, used) for upper, lower in pairwise(edges)]
        bands = _without_text_between(bands, edges, rules.down)
        for run in _runs(bands, edges[0].end - edges[0].start):
            if not _begins_with_heads(run):
                run = [*_heads_above(by_height, edges[bands.index(run[0])], rules.down, used), *run]
            _recut(run[1:] or run, rules.down)
            rows = [row for band in run for row in band.rows]
            if (table := _table(run)) and (table.grid.n_labels or not _is_labelled_outside(rows, by_height, edges[0])):
                used |= {id(word) for row in rows for word in row}
                found.append(RuledTable(table, rows, edges[0].start, edges[0].end))
    return sorted(found, key=lambda one: -one.rows[0][0].y)


def _clusters(across: Sequence[Rule]) -> list[list[Rule]]:
    """Rules of equal ends, from the top, those of one height once; the longest first."""
    clusters: list[list[Rule]] = []
    for rule in across:
        same = next((one for one in clusters if _is_same(one[0], rule)), None)
        if same is None:
            clusters.append([rule])
        elif same[-1].at - rule.at > _SAME_PT:
            same.append(rule)
    bounding = (one for one in clusters if len(one) > 1 and _stand_alone(one, across))
    return sorted(bounding, key=lambda one: one[0].start - one[0].end)


def _with_open_ends(edges: list[Rule], down: Sequence[Rule]) -> list[Rule]:
    """The rules, with those ends of bars that reach past them: a table may be open above and below."""
    first = edges[0]
    bars = [bar for bar in down if first.start + _SAME_PT < bar.at < first.end - _SAME_PT]
    crossing = [bar for bar in bars if any(bar.start - _SAME_PT < edge.at < bar.end + _SAME_PT for edge in edges)]
    heights = [at for bar in crossing for at in (bar.start, bar.end)]
    ends = [
        Rule(first.start, first.end, at)
        for at in heights
        if not any(bar.start + _SAME_PT < at < bar.end - _SAME_PT for bar in crossing)
    ]
    made: list[Rule] = []
    for edge in sorted((*edges, *ends), key=lambda one: -one.at):
        if not made or made[-1].at - edge.at > _MIN_ROW_PT:
            made.append(edge)
    return made


def _without_text_between(bands: list[_Band], edges: Sequence[Rule], down: Sequence[Rule]) -> list[_Band]:
    """The bands, those of several lines emptied that no bar crosses, if bars cross most: text between two tables."""
    first = edges[0]
    bars = [bar for bar in down if first.start - _SAME_PT < bar.at < first.end + _SAME_PT]
    middles = [(upper.at + lower.at) / 2 for upper, lower in pairwise(edges)]
    crossed = [any(bar.start < middle < bar.end for bar in bars) for middle in middles]
    if sum(crossed) * 2 <= len(crossed):
        return bands
    return [
        band if is_crossed or len(band.lines) <= _MAX_ROW_LINES else _Band([], [])
        for band, is_crossed in zip(bands, crossed, strict=True)
    ]


def _stand_alone(cluster: Sequence[Rule], across: Sequence[Rule]) -> bool:
    """Whether few of the rules have another one beside them: lines below single columns come side by side."""
    beside = sum(any(abs(one.at - rule.at) < 1 and not _touch(one, rule) for one in across) for rule in cluster)
    return beside * 2 < len(cluster)


def _touch(a: Rule, b: Rule) -> bool:
    return a.start <= b.end and b.start <= a.end


def _is_same(a: Rule, b: Rule) -> bool:
    return abs(a.start - b.start) < _SAME_PT and abs(a.end - b.end) < _SAME_PT


def _band(by_height: Sequence[Word], upper: Rule, lower: Rule, down: Sequence[Rule], used: set[int]) -> _Band:
    first = bisect_left(by_height, lower.at - 1, key=lambda word: word.y)
    last = bisect_left(by_height, upper.at, key=lambda word: word.y)
    inside = [
        word
        for word in by_height[first:last]
        if upper.start - _SAME_PT < (word.x0 + word.x1) / 2 < upper.end + _SAME_PT and id(word) not in used
    ]
    rows = page_rows(inside)
    middle = (upper.at + lower.at) / 2
    bars = [upper.start, upper.end, *(bar.at for bar in down if bar.start < middle < bar.end)]
    inside_bars = sorted(at for at in bars if upper.start - _SAME_PT < at < upper.end + _SAME_PT)
    places = [b for a, b in pairwise([float("-inf"), *inside_bars]) if b - a > _SAME_PT]
    return _Band(rows, [_line(row, down) for row in rows], tuple(places))


def _recut(bands: Sequence[_Band], down: Sequence[Rule]) -> None:
    """Parts the cells of the body where most of its rows have a gap."""
    rows = [row for band in bands for row in band.rows]
    cuts = _cuts(rows, [line for band in bands for line in band.lines])
    for band in bands if cuts else ():
        band.lines = [
            _line(row, down, cuts) if len(line.segments) > 1 else line
            for row, line in zip(band.rows, band.lines, strict=True)
        ]


def _cuts(rows: Sequence[list[Word]], lines: Sequence[TableLine]) -> list[float]:
    """Places where most rows have a gap between cells, and no row has a word."""
    if len(lines) <= _MAX_ROW_LINES:
        return []
    gaps = [(a.x1, b.x0) for line in lines for a, b in pairwise(line.segments)]
    tested: list[float] = []
    cuts: list[tuple[float, float]] = []
    for start, end in sorted(gaps, key=lambda gap: gap[1] - gap[0]):
        middle = (start + end) / 2
        if any(abs(middle - one) < _SAME_PT for one in tested) or any(a <= middle <= b for a, b in cuts):
            continue
        tested.append(middle)
        n_parted = sum(a < middle < b for a, b in gaps)
        if n_parted >= _MIN_PARTED * len(lines) and not _is_crossed(rows, middle):
            cuts.append((start, end))
    return [(start + end) / 2 for start, end in cuts]


def _is_crossed(rows: Sequence[list[Word]], x: float) -> bool:
    return any(word.x0 < x < word.x1 for row in rows for word in row)


def _is_labelled_outside(rows: Sequence[list[Word]], by_height: Sequence[Word], rule: Rule) -> bool:
    """Whether most rows have words to the left of the rules, which then bound the values alone."""
    heights = [word.y for word in by_height if word.x1 < rule.start + _SAME_PT]
    n_labelled = 0
    for row in rows:
        at = bisect_left(heights, row[0].y - 1)
        n_labelled += at < len(heights) and heights[at] < row[0].y + 1
    return n_labelled * 2 > len(rows)


def _heads_above(by_height: Sequence[Word], rule: Rule, down: Sequence[Rule], used: set[int]) -> list[_Band]:
    """The rows of column heads directly above a table's first rule, as one band; none if there are none."""
    reach = Rule(rule.start, rule.end, rule.at + _HEAD_REACH_PT)
    band = _band(by_height, reach, rule, down, used)
    first = len(band.lines)
    for at in range(len(band.lines) - 1, -1, -1):
        if not _may_be_heads(band.lines[at], rule, is_lowest=first == len(band.lines)):
            break
        first = at
    return [_Band(band.rows[first:], band.lines[first:])] if first < len(band.lines) else []


def _may_be_heads(line: TableLine, rule: Rule, *, is_lowest: bool) -> bool:
    """Whether a line has several heads; above such a line one will do, if it does not stand over the labels."""
    if len(line.segments) > 1:
        return all(len(segment.text) < _MIN_PROSE_CHARS for segment in line.segments[1:])
    is_right = line.x0 > rule.start + (rule.end - rule.start) / 3
    return is_right and not is_lowest and len(line.segments[0].text) < 2 * _MIN_PROSE_CHARS


def _line(row: list[Word], down: Sequence[Rule], cuts: Sequence[float] = ()) -> TableLine:
    """A row with its cells: parted by rules, else by gaps."""
    y, size = row[0].y, median(word.size for word in row)
    bars = sorted([*cuts, *(rule.at for rule in down if rule.start - 2 < y + size / 3 < rule.end + 2)])
    parts: list[list[Word]] = [[]]
    for word in row:
        while bars and bars[0] < word.x0 + 1:
            bars.pop(0)
            parts.append([])
        parts[-1].append(word)
    segments = [segment for part in parts if part for segment in segments_of(part)]
    return TableLine(segments or [Segment("", row[0].x0, row[0].x1)], y, size)


def _runs(bands: Sequence[_Band], width: float) -> Iterator[list[_Band]]:
    """The longest runs of bands that hold rows in columns."""
    run: list[_Band] = []
    for band in [*bands, _Band([], [])]:
        if run and band.is_group and run[-1].is_gridded:
            run.append(band)
            continue
        if band.lines and _is_tabular(band.lines, width) and not (run and _begins_with_title(band.lines, width)):
            run.append(band)
            continue
        if len(run) > 1 or (run and _is_whole(run[0].lines)):
            yield run
        run = []


def _begins_with_title(lines: Sequence[TableLine], width: float) -> bool:
    """Whether the first line is centred over the others: the title of the next table."""
    first = lines[0]
    left, right = min(line.x0 for line in lines), max(line.segments[-1].x1 for line in lines)
    off = abs(first.segments[0].middle - (left + right) / 2)
    return len(first.segments) == 1 and len(lines) > 1 and off < _CENTRED * width and first.x0 - left > width / 4


def _is_tabular(lines: Sequence[TableLine], width: float) -> bool:
    """Whether cells stand side by side, if not on one line, and few lines are prose."""
    left = min(line.x0 for line in lines)
    prose = sum(_is_prose(line, left, width) for line in lines) if len(lines) > _MAX_ROW_LINES else 0
    segments = [segment for line in lines for segment in line.segments]
    is_parted = max(segment.x0 for segment in segments) > min(segment.x1 for segment in segments)
    return is_parted and prose <= _MAX_PROSE_SHARE * len(lines)


def _is_prose(line: TableLine, left: float, width: float) -> bool:
    if len(line.segments) == 1:
        only = line.segments[0]
        return only.x0 < left + line.size and only.x1 - only.x0 > _MIN_PROSE_SHARE * width
    return min(len(segment.text) for segment in line.segments) >= _MIN_PROSE_CHARS


def _is_whole(lines: Sequence[TableLine]) -> bool:
    """Whether nearly all lines between two rules are rows of three cells or more."""
    n_rows = sum(len(line.segments) > 2 for line in lines)
    return n_rows > 2 and n_rows >= _MIN_ROWS_SHARE * len(lines)


def _table(bands: Sequence[_Band]) -> PageTable | None:
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


def _head_and_body(bands: Sequence[_Band]) -> tuple[list[TableLine], list[list[TableLine]]]:
    """The lines of column heads, and those of the body, band by band."""
    first, rest = bands[0].lines, [band.lines for band in bands[1:]]
    if _has_spanning_heads(bands):
        return [*_widened(bands[0]), *bands[1].lines], rest[1:]
    return (first, rest) if _begins_with_heads(bands) else (first[:1], [first[1:], *rest])


def _has_spanning_heads(bands: Sequence[_Band]) -> bool:
    """Whether the first two bands of a grid are heads: of fewer and wider cells above those of each column."""
    if len(bands) <= _MIN_HEAD_BANDS or not all(band.is_gridded or band is bands[0] for band in bands[:2]):
        return False
    upper, lower = bands[0], bands[1]
    is_wider = len(upper.bars) < len(lower.bars) and {*map(round, upper.bars)} <= {*map(round, lower.bars)}
    body = [segment for band in bands[2:] for line in band.lines for segment in line.segments[1:]]
    has_values = sum(one.is_value for one in body) * 2 > len(body)
    are_single = len(upper.lines) == len(lower.lines) == 1
    return is_wider and are_single and has_values and not any(one.is_data for one in lower.lines)


def _widened(band: _Band) -> list[TableLine]:
    """The lines of a band of heads, each as wide as the cell that bars make for it."""
    return [replace(line, segments=[_in_cell(one, band.bars) for one in line.segments]) for line in band.lines]


def _in_cell(segment: Segment, bars: Sequence[float]) -> Segment:
    left = max((at for at in bars if at <= segment.middle), default=segment.x0)
    right = min((at for at in bars if at > segment.middle), default=segment.x1)
    return replace(segment, x0=left + _SAME_PT, x1=right - _SAME_PT)


def _begins_with_heads(bands: Sequence[_Band]) -> bool:
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
