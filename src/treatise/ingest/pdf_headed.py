"""Finds lists of items with column heads, as in invoices and orders: what no row covers, heads included, parts columns.

Alignment alone (`pdf_tables`) joins a narrow column of positions to the text beside it, and detecting the columns of
a page (`pdf_columns`) may take long descriptions for a column of prose. A row of heads above rows that fill its columns
is evidence enough to do without both.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from treatise.ingest.pdf_cells import CELL_GAP, Segment, segment_of, segments_of
from treatise.ingest.pdf_grid import TableLine, n_labels_of, overlap
from treatise.ingest.pdf_rows import page_rows
from treatise.ingest.pdf_ruled import RuledTable
from treatise.ingest.pdf_tables import PageTable
from treatise.ingest.pdf_words import Word
from treatise.ingest.tables import Grid, GridCell, GridRow

_MIN_HEADS: Final = 3
_MAX_HEAD_WORDS: Final = 4
_MAX_HEAD_CHARS: Final = 30
_MIN_FILLED: Final = 0.6  # of the heads' number, for the cells of an item
_LEADER: Final = "....."  # to the values of financial statements, which alignment reads
_MANY: Final = 4  # heads or cells that make a table without values, or of one item
_GAP_EM: Final = 0.35  # between two columns; a word space is narrower
_GAPS_EM: Final = {1: CELL_GAP, 2: 0.6}  # by the number of items: in few, gaps between words may be above each other
_MONO_GAP_EM: Final = 0.75
_MAX_PITCH_EM: Final = 5.5  # from baseline to baseline within the table
_SUM_PITCH_EM: Final = 3.5  # below the last item
_WRAP_PITCH_EM: Final = 2.1
_HEAD_PITCH_EM: Final = 1.5
_HEAD_GAP_EM: Final = 0.15  # between two heads of which one stands where its column begins or ends
_TIGHT: Final = 0.92  # of the least distance between two items, for lines of one item
_NEARER: Final = 0.8
_SAME_PT: Final = 2.0
_MIN_ALIGNED: Final = 0.7  # of the cells of a column
_MAX_ACROSS: Final = 0.75  # of the heads' width, for a line that is no sentence below the table

_WORD: Final = re.compile(r"[^\W\d_]{3}")

_Row = list[Word]


@dataclass(frozen=True, slots=True)
class _Page:
    """The rows of a page with their cells by gaps."""

    rows: list[_Row]
    cells: list[list[Segment]]

    def pitch(self, at: int) -> float:
        """Distance from the row before, in font sizes."""
        return (self.rows[at - 1][0].y - self.rows[at][0].y) / max(_size(self.rows[at - 1]), _size(self.rows[at]))


@dataclass(slots=True)
class _Item:
    """A row of the table under construction: its lines by height, and the cells of each with their columns."""

    lines: dict[float, list[tuple[int, Segment]]]

    @property
    def top(self) -> float:
        """The height of its first line."""
        return max(self.lines)

    @property
    def bottom(self) -> float:
        """The height of its last line."""
        return min(self.lines)

    def row(self) -> GridRow:
        """The texts of each column from the top."""
        texts: dict[int, list[str]] = {}
        for y in sorted(self.lines, reverse=True):
            for column, cell in self.lines[y]:
                texts.setdefault(column, []).append(cell.text)
        return GridRow([GridCell(" ".join(texts[column]), column) for column in sorted(texts)])


def headed_tables(words: Sequence[Word]) -> list[RuledTable]:
    """The tables of a page that have column heads, from the top; they share no word."""
    rows = page_rows(words)
    page = _Page(rows, [segments_of(row) for row in rows])
    found: list[RuledTable] = []
    at = free = 0
    while at < len(rows):
        if _may_be_heads(page.cells[at]) and (made := _table(page, at, free)):
            found.append(made[0])
            at = free = made[1]
        else:
            at += 1
    return found


def n_headed(grid: Grid) -> int:
    """Number of columns that have a head of their own."""
    return len({cell.column for row in grid.heads for cell in row.cells if cell.n_columns == 1})


def _size(row: _Row) -> float:
    return max(1.0, median(word.size for word in row))


def _may_be_heads(cells: Sequence[Segment]) -> bool:
    """Whether a row is of short texts without numbers or colons, and half of them are words."""
    is_wide = len(cells) >= _MIN_HEADS and all(map(_may_be_head, cells))
    return is_wide and sum(_WORD.search(cell.text) is not None for cell in cells) * 2 >= len(cells)


def _may_be_head(cell: Segment) -> bool:
    is_short = len(cell.text) <= _MAX_HEAD_CHARS and len(cell.text.split()) <= _MAX_HEAD_WORDS
    has_number = any(character.isdigit() for character in cell.text)
    return is_short and not has_number and not cell.is_value and not cell.text.endswith((":", ","))


def _table(page: _Page, at: int, free: int) -> tuple[RuledTable, int] | None:
    """The table below a row of heads, and the first row after it; None if there are no items, or no clear columns."""
    heads = _head_rows(page, at, free)
    below = _below(page, at, heads[-1] + 1)
    items = _items(page, below, len(page.cells[at]))
    if not items or any(_has_leader(page.rows[row]) for row in items):
        return None
    heads += [row for row in below if row < items[0] and _is_item(page.cells[row], len(page.cells[at]))]
    columns = _columns(page.rows[at], [page.rows[row] for row in items])
    if not _are_clear(columns, page, at, items):
        return None
    items = [row for row in below if row >= items[0] and (row in items or _fills(page.rows[row], columns))]
    last = _last(page, columns, below, items)
    body = _body(page, columns, range(heads[-1] + 1, last + 1), items)
    lines = [TableLine([cell for _, cell in _cells(page.rows[row], columns)], 0.0, 1.0) for row in items]
    head = _Item({page.rows[row][0].y: _cells(page.rows[row], columns, gap=_HEAD_GAP_EM) for row in heads}).row()
    if len({cell.text for cell in head.cells}) < len(head.cells):
        return None
    n_labels = n_labels_of(lines, columns)
    grid = Grid([item.row() for item in body], [head], n_labels)
    rows = page.rows[heads[0] : last + 1]
    table = PageTable(grid, tuple(columns), 0, 0, is_numeric=True)
    return RuledTable(table, rows, columns[0][0], columns[-1][1]), last + 1


def _head_rows(page: _Page, at: int, free: int) -> list[int]:
    """The rows of the heads, which may be of several lines: "Unit" above "price"."""
    row, cells = page.rows[at], page.cells[at]
    found = [at]
    if at > free and page.pitch(at) <= _HEAD_PITCH_EM and _stand_over(page.cells[at - 1], cells):
        is_bold = all(word.is_bold for word in (*row, *page.rows[at - 1]))
        is_sparse = len(page.cells[at - 1]) * 2 <= len(cells) and not page.rows[at - 1][0].is_bold
        found = [at - 1, at] if is_bold or is_sparse else [at]
    below = at + 1
    if below < len(page.rows) and page.pitch(below) <= _HEAD_PITCH_EM and _stand_over(page.cells[below], cells):
        is_bold = all(word.is_bold for word in (*row, *page.rows[below]))
        found += [below] if is_bold or page.cells[below][0].x0 > cells[0].x1 else []
    return found


def _stand_over(upper: Sequence[Segment], heads: Sequence[Segment]) -> bool:
    """Whether each cell may be another line of one of the heads, or be a head of two lines above and below them."""
    over = [[overlap((one.x0, one.x1), (head.x0, head.x1)) > 0 for head in heads] for one in upper]
    return bool(upper) and all(map(_may_be_head, upper)) and all(sum(of_one) <= 1 for of_one in over)


def _below(page: _Page, head: int, start: int) -> list[int]:
    """The rows below the heads, up to a wide space, a sentence, or other heads."""
    found: list[int] = []
    left, right = page.cells[head][0].x0, page.cells[head][-1].x1
    is_bold = all(word.is_bold for word in page.rows[head])
    for at in range(start, len(page.rows)):
        cells = page.cells[at]
        is_sentence = len(cells) == 1 and cells[0].x1 - cells[0].x0 > _MAX_ACROSS * (right - left)
        is_alike = [cell.text for cell in cells] == [cell.text for cell in page.cells[head]]
        is_next_head = is_alike or (is_bold and _may_be_heads(cells) and all(word.is_bold for word in page.rows[at]))
        if page.pitch(at) > _MAX_PITCH_EM or is_sentence or (is_next_head and (found or is_alike)):
            break
        found.append(at)
    return found


def _items(page: _Page, below: Sequence[int], n_heads: int) -> list[int]:
    """The rows that are items, from the first one with a value on, if any has one; a single one needs many cells."""
    found = [row for row in below if _is_item(page.cells[row], n_heads)]
    valued = [row for row in found if any(cell.is_value for cell in page.cells[row])]
    is_enough = len(found) > 1 or (bool(valued) and n_heads >= _MANY)
    return [row for row in found if not valued or row >= valued[0]] if is_enough else []


def _has_leader(row: _Row) -> bool:
    return any(_LEADER in word.text for word in row)


def _is_item(cells: Sequence[Segment], n_heads: int) -> bool:
    has_value = any(cell.is_value for cell in cells)
    return len(cells) >= max(_MIN_HEADS, _MIN_FILLED * n_heads) and (has_value or len(cells) >= _MANY)


def _columns(head: _Row, items: Sequence[_Row]) -> list[tuple[float, float]]:
    """The columns: words of the items with gaps between them that no item covers, nor the heads."""
    strips = _strips([word for row in items for word in row], _GAPS_EM.get(len(items), _GAP_EM))
    cuts = [cut for left, right in pairwise(strips) if (cut := _cut(head, left, right)) is not None]
    words = sorted((word for row in (head, *items) for word in row), key=lambda word: word.x0)
    groups: list[list[Word]] = [[] for _ in range(len(cuts) + 1)]
    for word in words:
        groups[sum(cut <= word.x0 for cut in cuts)].append(word)
    return [(min(word.x0 for word in group), max(word.x1 for word in group)) for group in groups if group]


def _strips(words: Sequence[Word], ems: float) -> list[tuple[float, float]]:
    """What words cover, parted by gaps of so many font sizes."""
    is_mono = sum(word.is_mono for word in words) * 2 > len(words)
    gap = max(_MONO_GAP_EM if is_mono else 0.0, ems) * median(word.size for word in words)
    found: list[tuple[float, float]] = []
    for word in sorted(words, key=lambda word: word.x0):
        if found and word.x0 - found[-1][1] < gap:
            found[-1] = (found[-1][0], max(found[-1][1], word.x1))
        else:
            found.append((word.x0, word.x1))
    return found


def _cut(head: _Row, left: tuple[float, float], right: tuple[float, float]) -> float | None:
    """Where the heads leave the gap between two columns of the items free; None if a head stands over both."""
    size = _size(head)
    ends = [float("-inf"), *(word.x1 for word in head)]
    starts = [*(word.x0 for word in head), float("inf")]
    for end, start in zip(ends, starts, strict=True):
        a, b = max(end, left[1]), min(start, right[0])
        is_flush = abs(start - right[0]) <= _SAME_PT or abs(end - left[1]) <= _SAME_PT
        if b - a >= _GAP_EM * size or (is_flush and b - a >= _HEAD_GAP_EM * size):
            return (a + b) / 2
    return None


def _are_clear(columns: Sequence[tuple[float, float]], page: _Page, at: int, items: Sequence[int]) -> bool:
    """Whether nearly all columns have a head, there are values or many columns, and the cells are aligned."""
    by_column: dict[int, list[Segment]] = {}
    for row in items:
        for column, cell in _cells(page.rows[row], columns):
            by_column.setdefault(column, []).append(cell)
    heads = {column for column, _ in _cells(page.rows[at], columns, gap=_HEAD_GAP_EM)}
    n_valued = sum(sum(c.is_value for c in cells) * 2 > len(cells) for cells in by_column.values())
    is_wide = len(columns) >= len(page.cells[at]) and len(heads) + 1 >= len(columns) >= _MIN_HEADS
    is_filled = all(
        len(by_column.get(column, ())) * 2 > len(items) for column in range(len(columns)) if column not in heads
    )
    n_aligned = sum(map(_are_aligned, by_column.values()))
    has_values = n_valued > 0 or len(columns) >= _MANY
    return is_wide and is_filled and has_values and n_aligned >= _MIN_ALIGNED * len(by_column)


def _are_aligned(cells: Sequence[Segment]) -> bool:
    """Whether most of the cells have their left end, right end or middle in common."""
    edges = ([c.x0 for c in cells], [c.x1 for c in cells], [c.middle for c in cells])
    return any(_most_alike(places) >= _MIN_ALIGNED * len(cells) for places in edges)


def _most_alike(places: Sequence[float]) -> int:
    return max(sum(abs(one - other) <= _SAME_PT for other in places) for one in places)


def _cells(row: _Row, columns: Sequence[tuple[float, float]], *, gap: float = _GAP_EM) -> list[tuple[int, Segment]]:
    """The cells of a row with their columns; words without a gap where columns part are one cell."""
    parts: list[list[Word]] = [[row[0]]]
    for before, word in pairwise(row):
        is_apart = word.x0 - before.x1 >= gap * max(before.size, word.size)
        if is_apart and _column(before, columns) != _column(word, columns):
            parts.append([])
        parts[-1].append(word)
    segments = [segment_of(part) for part in parts]
    return [(_column(segment, columns), segment) for segment in segments]


def _column(one: Word | Segment, columns: Sequence[tuple[float, float]]) -> int:
    return max(range(len(columns)), key=lambda at: (overlap((one.x0, one.x1), columns[at]), -at))


def _is_across(row: _Row, columns: Sequence[tuple[float, float]]) -> bool:
    """Whether a text of the row goes on from one column into the next."""
    return any(sum(overlap((cell.x0, cell.x1), one) > 0 for one in columns) > 1 for _, cell in _cells(row, columns))


def _fills(row: _Row, columns: Sequence[tuple[float, float]]) -> bool:
    """Whether a row has cells in most columns, the first one included."""
    cells = _cells(row, columns)
    is_wide = len(cells) >= max(_MIN_HEADS, _MIN_FILLED * len(columns)) and cells[0][0] == 0
    return is_wide and not _is_across(row, columns)


def _last(page: _Page, columns: Sequence[tuple[float, float]], below: Sequence[int], items: Sequence[int]) -> int:
    """The last row of the table: of the last item, or of the sums below it."""
    last, tight = items[-1], _least_pitch(page, items)
    for at in (row for row in below if row > items[-1]):
        cells = _cells(page.rows[at], columns)
        is_sum = len(cells) > 1 and cells[-1][1].is_value and cells[-1][0] > 0
        is_rest = _is_rest(page, at, columns, tight)
        if page.pitch(at) > (_SUM_PITCH_EM if is_sum else _WRAP_PITCH_EM) or not (is_sum or is_rest):
            break
        last = at
    return last


def _least_pitch(page: _Page, items: Sequence[int]) -> float:
    """The least distance of an item from the row before it, in font sizes; zero if there is only one item."""
    return min(map(page.pitch, items[1:]), default=0.0)


def _is_rest(page: _Page, at: int, columns: Sequence[tuple[float, float]], tight: float) -> bool:
    """Whether a row may be another line of the texts of an item.

    One that begins in the first column must be nearer to the line before it than any two items are, which are
    ``tight`` apart, or else begin in lower case.
    """
    cells = _cells(page.rows[at], columns)
    is_lower = len(cells) == 1 and cells[0][1].text[0].islower()
    is_indented = cells[0][0] > 0 or page.pitch(at) < _TIGHT * tight or is_lower
    return is_indented and not _is_across(page.rows[at], columns) and not any(cell.is_value for _, cell in cells)


def _body(page: _Page, columns: Sequence[tuple[float, float]], rows: range, items: Sequence[int]) -> list[_Item]:
    """The items with all of their lines, and the rows between and below them."""
    made = {row: _line(page, row, columns) for row in items}
    found: list[_Item] = []
    tight = _least_pitch(page, items)
    for at in rows:
        if at in made:
            found.append(made[at])
            continue
        line = _line(page, at, columns)
        after = next((made[row] for row in items if row > at), None)
        owner = _owner(line.top, _size(page.rows[at]), found[-1] if found else None, after)
        if owner and _is_rest(page, at, columns, tight):
            owner.lines |= line.lines
        else:
            found.append(line)
    return found


def _line(page: _Page, at: int, columns: Sequence[tuple[float, float]]) -> _Item:
    return _Item({page.rows[at][0].y: _cells(page.rows[at], columns)})


def _owner(y: float, size: float, before: _Item | None, after: _Item | None) -> _Item | None:
    """The item of which a line is a part: the nearer one, above or below."""
    up = before.bottom - y if before else float("inf")
    down = y - after.top if after else float("inf")
    if min(up, down) > _WRAP_PITCH_EM * size:
        return None
    return after if down < _NEARER * up else before
