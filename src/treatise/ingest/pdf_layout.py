"""Words on a page become lines in reading order: running heads off, then columns, then lines."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

import numpy as np

from treatise.ingest.pdf_cells import is_numeric
from treatise.ingest.pdf_tables import PageTable, find_tables
from treatise.ingest.pdf_words import Word

_BIN_PT = 2.0
_GUTTER_BINS = 3  # a gap of 6 pt; IEEE's and LaTeX's own gutters are 10 to 12 pt
_MIN_FREE_SHARE = 0.25  # of the rows leave a gutter free
_APART_EM = 1.8  # from a baseline to the next: more parts two stretches of a page
_MAX_AUTHOR_ROWS = 6
_MIN_COLUMN_ROWS = 5
_MIN_COLUMN_CHARS = 16  # the middle line of a column of prose has more; of a table's column, fewer
_MIN_COLUMN_FILL = 0.6
_MAX_VALUE_SHARE = 0.4  # of the lines across two columns of prose have nothing but numbers on one side
_MAX_COLUMN_SPLITS = 2  # two columns, each of which may hold two
_WIDE_GAP = 1.6  # in ems; a justified line hardly ever has a wider gap between words
_N_EDGE_ROWS = 3
_EDGE_TOLERANCE_PT = 3.0
_HEAD_GAP = 1.6  # from a running head to the body, in usual distances between lines
_MAX_HEAD_SHARE = 0.2  # of a document's characters: more is no running head
_MIN_HEAD_SHARE = 0.25  # of the pages; left and right pages may differ, and first pages of chapters have none
_RTL = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LETTER = re.compile(r"[^\W\d_]")
_ROMAN = re.compile(r"[ivxlc]+")
_LEADERS = re.compile(r"(?:\s?\.){5,}")  # the dots of a table of contents
_LABEL = re.compile(r"chapter|part|appendix|kapitel|teil", re.IGNORECASE)  # over a chapter's number: no running head


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text within a column.

    Attributes:
        text: Its words with single spaces.
        x0, x1, y: Its ends and its baseline, in points from the page's lower left corner.
        size: Font size of most of its characters.
        is_bold, is_mono: All of its words are; ``ends_mono``: its last word is.
        n_wide_gaps: Number of gaps that hardly part words of one sentence.
        first_width: Width of its first word: whether it would have fitted on the line before.
        page: 0-based.
        region: Number of the column, or of the stretch across columns, that it lies in; counted over the document.
        left, right: The ends of that region.
        table: The whole table, if the "line" stands for one: ``y`` is then that of its first line.
        bottom: Baseline of its last line.
    """

    text: str
    x0: float
    x1: float
    y: float
    size: float
    is_bold: bool
    is_mono: bool
    ends_mono: bool
    n_wide_gaps: int
    first_width: float
    page: int
    region: int
    left: float
    right: float
    table: PageTable | None = None
    bottom: float = 0.0


@dataclass(frozen=True, slots=True)
class RunningHead:
    """A header, footer or page number that was left out."""

    text: str
    n_pages: int


def page_rows(words: Iterable[Word]) -> list[list[Word]]:
    """Words of about the same baseline, from the top of the page; a row may run over several columns.

    Small words, such as superscripts, go with the row that they hang on.
    """
    ordered = sorted(words, key=lambda word: (-word.y, word.x0))
    if not ordered:
        return []
    usual = median(word.size for word in ordered)
    main = [word for word in ordered if word.size >= 0.8 * usual]
    small = [word for word in ordered if word.size < 0.8 * usual]
    rows = _clusters(main)
    left_over = [word for word in small if not _attach(word, rows)]
    rows += _clusters(left_over)
    rows.sort(key=lambda row: -row[0].y)
    return [sorted(row, key=lambda word: word.x0) for row in rows]


def _clusters(ordered: list[Word]) -> list[list[Word]]:
    rows: list[list[Word]] = []
    for word in ordered:
        if rows and rows[-1][0].y - word.y < 0.3 * max(rows[-1][0].size, 1.0):
            rows[-1].append(word)
        else:
            rows.append([word])
    return rows


def _attach(small: Word, rows: list[list[Word]]) -> bool:
    """Put a superscript or subscript into the row that it touches; False where there is none."""
    low, high = 0, len(rows)
    while low < high:  # rows go down the page: find the first that begins below the word
        middle = (low + high) // 2
        low, high = (middle + 1, high) if rows[middle][0].y > small.y else (low, middle)
    for at in (low, low - 1):
        if not 0 <= at < len(rows):
            continue
        row = rows[at]
        reach = row[0].size
        near = any(word.x0 - reach < small.x1 and small.x0 < word.x1 + reach for word in row)
        if near and abs(row[0].y - small.y) < 0.55 * reach:
            row.append(small)
            return True
    return False


def running_heads(pages: list[list[list[Word]]]) -> tuple[list[set[int]], list[RunningHead]]:
    """For each page the indices of its rows that are running heads, and what they say.

    A row near the page's edge is one where its text, digits aside, stands at the same height of other pages; where
    most pages have such a row, one with another text at that very height is one too.
    """
    edges = [_edge_rows(rows) for rows in pages]
    counts: Counter[tuple[str, int]] = Counter()
    for rows, edge in zip(pages, edges, strict=True):
        counts.update({key for at in edge for key in _nearby_keys(rows[at])})
    enough = min(3, max(2, len(pages)))
    found = [{at for at in edge if counts[_key(rows[at])] >= enough} for rows, edge in zip(pages, edges, strict=True)]
    if _n_chars(pages, found) > _MAX_HEAD_SHARE * _n_chars(pages, [set(range(len(rows))) for rows in pages]):
        found = [set() for _ in pages]  # pages that are alike, such as forms or slides
    _add_at_usual_heights(pages, edges, found)
    for rows, ats in zip(pages, found, strict=True):
        ats -= {at for at in ats if _LABEL.fullmatch(_row_text(rows[at]))}
    said = Counter(_row_text(rows[at]) for rows, ats in zip(pages, found, strict=True) for at in ats)
    return found, _summary(said)


def _n_chars(pages: list[list[list[Word]]], chosen: list[set[int]]) -> int:
    return sum(len(word.text) for rows, ats in zip(pages, chosen, strict=True) for at in ats for word in rows[at])


def _edge_rows(rows: list[list[Word]]) -> list[int]:
    n = len(rows)
    return sorted({*range(min(_N_EDGE_ROWS, n)), *range(max(0, n - _N_EDGE_ROWS), n)}) if n > 1 else []


def _row_text(row: list[Word]) -> str:
    return " ".join(word.text for word in row)


def _pattern(row: list[Word]) -> str:
    """A row's text with each number, Arabic or Roman, as ``#``."""
    words = ("#" if _ROMAN.fullmatch(word) else re.sub(r"\d+", "#", word) for word in _row_text(row).lower().split())
    return " ".join(words)


def _key(row: list[Word]) -> tuple[str, int]:
    return _pattern(row), round(row[0].y / _EDGE_TOLERANCE_PT)


def _nearby_keys(row: list[Word]) -> Iterator[tuple[str, int]]:
    """The row's key, and those of a row slightly higher or lower."""
    pattern, height = _key(row)
    return ((pattern, height + shift) for shift in (-1, 0, 1))


def _add_at_usual_heights(pages: list[list[list[Word]]], edges: list[list[int]], found: list[set[int]]) -> None:
    """Outermost rows that stand off from the body, at a height and in a size that many pages have them."""
    gaps = [a[0].y - b[0].y for rows in pages for a, b in pairwise(rows)]
    apart = _HEAD_GAP * median(gaps) if gaps else 0.0
    standing = [
        [at for at in (0, len(rows) - 1) if edge and _stands_off(rows, at, apart)]
        for rows, edge in zip(pages, edges, strict=True)
    ]
    heights = Counter(_place(rows[at]) for rows, ats in zip(pages, standing, strict=True) for at in ats)
    usual = {place for place, n in heights.items() if n >= max(3, _MIN_HEAD_SHARE * len(pages))}
    for rows, ats, heads in zip(pages, standing, found, strict=True):
        heads.update(at for at in ats if _place(rows[at]) in usual)


def _stands_off(rows: list[list[Word]], at: int, apart: float) -> bool:
    upper, lower = (rows[0], rows[1]) if at == 0 else (rows[-2], rows[-1])
    return upper[0].y - lower[0].y > apart


def _place(row: list[Word]) -> tuple[int, int]:
    return round(row[0].y), round(row[0].size)


def _summary(said: Counter[str]) -> list[RunningHead]:
    n_numbers = sum(n for text, n in said.items() if not _LETTER.search(text) or _ROMAN.fullmatch(text))
    by_pattern: dict[str, Counter[str]] = defaultdict(Counter)
    for text, n in said.items():
        if _LETTER.search(text) and not _ROMAN.fullmatch(text):
            by_pattern[re.sub(r"\d+", "#", text)][text] += n
    heads = [RunningHead(texts.most_common(1)[0][0], texts.total()) for texts in by_pattern.values()]
    heads.sort(key=lambda head: -head.n_pages)
    return heads + ([RunningHead("page numbers", n_numbers)] if n_numbers else [])


def page_lines(rows: list[list[Word]], page: int, first_region: int) -> list[Line]:
    """Lines of one page in reading order, column by column; turned text comes last."""
    words = [word for row in rows for word in row]
    upright = [word for word in words if word.is_upright]
    turned = [word for word in words if not word.is_upright]
    lines: list[Line] = []
    for region, part in enumerate(_regions(upright, has_authors=page == 0), first_region):
        lines += _region_lines(part, page, region)
    if turned:
        region = lines[-1].region + 1 if lines else first_region
        lines += _region_lines([turned], page, region)
    return lines


def _regions(words: list[Word], *, has_authors: bool) -> Iterator[list[list[Word]]]:
    """Rows of each column, or of each stretch that runs across columns, in reading order.

    Where a page `has_authors`, they stand side by side below the title.
    """
    pending = [(words, 0)] if words else []
    while pending:
        part, depth = pending.pop()
        rows = page_rows(part)
        gutter = _gutter(rows) if depth < _MAX_COLUMN_SPLITS else None
        if gutter is None:
            yield rows
        else:
            across = _across(rows, gutter, has_authors=has_authors)
            pending += [(band, depth + 1) for band in reversed(list(_bands(rows, gutter, across)))]


def _bands(rows: list[list[Word]], gutter: tuple[float, float], across_rows: list[bool]) -> Iterator[list[Word]]:
    """Down the page: rows across the gutter together, then what lies left of it, then what lies right."""
    middle = (gutter[0] + gutter[1]) / 2
    across: list[Word] = []
    left: list[Word] = []
    right: list[Word] = []
    for row, is_across in zip(rows, across_rows, strict=True):
        if is_across:
            yield from (part for part in (left, right) if part)
            left, right = [], []
            across += row
            continue
        if across:
            yield across
            across = []
        left += [word for word in row if word.x0 < middle]
        right += [word for word in row if word.x0 >= middle]
    yield from (part for part in (across, left, right) if part)


def _across(rows: list[list[Word]], gutter: tuple[float, float], *, has_authors: bool) -> list[bool]:
    """For each row whether it runs across the gutter: a title does, and so do the authors side by side below it."""
    across = [_is_across(row, gutter) for row in rows]
    if True not in across or not has_authors:
        return across
    start = across.index(True)
    while start < len(rows) and across[start]:
        start += 1
    end = start + 1
    while end < len(rows) and not across[end] and rows[end - 1][0].y - rows[end][0].y < _APART_EM * rows[end][0].size:
        end += 1
    if end < len(rows) and end - start <= _MAX_AUTHOR_ROWS:
        across[start:end] = [True] * (end - start)
    return across


def _is_across(row: list[Word], gutter: tuple[float, float]) -> bool:
    middle, width = (gutter[0] + gutter[1]) / 2, gutter[1] - gutter[0]
    if any(word.x0 < middle + 1.5 and word.x1 > middle - 1.5 for word in row):
        return True
    return any(  # a space between two words of one line may lie there: it is narrower than the gutter
        a.x1 <= middle <= b.x0 and b.x0 - a.x1 < 0.7 * width and abs(a.y - b.y) < 0.1 for a, b in pairwise(row)
    )


def _gutter(rows: list[list[Word]]) -> tuple[float, float] | None:
    """The strip between two columns of prose, or None for one column: many rows leave it free, both sides are full."""
    if len(rows) < _MIN_COLUMN_ROWS:
        return None
    left = min(row[0].x0 for row in rows)
    right = max(max(word.x1 for word in row) for row in rows)
    n_bins = int((right - left) / _BIN_PT) + 1
    if not 40 < n_bins < 5_000:
        return None
    covered = np.zeros((len(rows), n_bins), dtype=bool)
    for at, row in enumerate(rows):
        for word in row:
            covered[at, int((word.x0 - left) / _BIN_PT) : int((word.x1 - left) / _BIN_PT) + 1] = True
    free = ~covered
    wide = free[:, : 1 - _GUTTER_BINS].copy()
    for shift in range(1, _GUTTER_BINS):
        wide &= free[:, shift : n_bins - _GUTTER_BINS + 1 + shift]
    return _best_gutter(rows, wide, left)


def _best_gutter(rows: list[list[Word]], wide: np.ndarray, left: float) -> tuple[float, float] | None:
    n_bins = wide.shape[1]
    shares = wide.mean(axis=0)
    best, best_at = 0, 0
    for at in range(int(0.2 * n_bins), int(0.8 * n_bins)):
        if shares[at] < _MIN_FREE_SHARE:
            continue
        x = left + (at + _GUTTER_BINS / 2) * _BIN_PT
        score = sum(_column_rows(rows[a:b], x) for a, b in _runs(wide[:, at]))
        if score > best:
            best, best_at = score, at
    if not best:
        return None
    x = left + (best_at + _GUTTER_BINS / 2) * _BIN_PT
    free = [row for a, b in _runs(wide[:, best_at]) for row in rows[a:b]]
    ends = sorted(word.x1 for row in free for word in row if word.x1 < x + _BIN_PT)
    starts = sorted(word.x0 for row in free for word in row if word.x0 > x - _BIN_PT)
    return (ends[-1], starts[0]) if ends and starts and ends[-1] < starts[0] else (x - _BIN_PT, x + _BIN_PT)


def _runs(free: np.ndarray) -> Iterator[tuple[int, int]]:
    """Half-open ranges of neighbouring rows that leave the strip free."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], free, [False])).astype(np.int8)))
    return ((int(a), int(b)) for a, b in edges.reshape(-1, 2) if b - a >= _MIN_COLUMN_ROWS)


def _column_rows(rows: list[list[Word]], x: float) -> int:
    """Number of rows on the poorer side, where both sides look like columns of prose; else 0."""
    if _parts_a_table(rows, x):
        return 0
    counts = []
    for side in (0, 1):
        parts = [[word for word in row if (word.x0 > x) == bool(side)] for row in rows]
        parts = [part for part in parts if part]
        if len(parts) < _MIN_COLUMN_ROWS:
            return 0
        widths = [part[-1].x1 - part[0].x0 for part in parts]
        n_chars = median(sum(len(word.text) + 1 for word in part) for part in parts)
        if n_chars < _MIN_COLUMN_CHARS or median(widths) < _MIN_COLUMN_FILL * max(widths):
            return 0
        counts.append(len(parts))
    return min(counts)


def _parts_a_table(rows: list[list[Word]], x: float) -> bool:
    """One side holds labels, the other their numbers."""
    sides = [([word for word in row if word.x0 <= x], [word for word in row if word.x0 > x]) for row in rows]
    both = [(left, right) for left, right in sides if left and right]
    n_values = max(sum(_is_of_values(pair[side]) for pair in both) for side in (0, 1))
    return n_values > _MAX_VALUE_SHARE * len(both)


def _is_of_values(row: list[Word]) -> bool:
    """Nothing but numbers and amounts."""
    return all(is_numeric(word.text) for word in row)


def _region_lines(rows: list[list[Word]], page: int, region: int) -> list[Line]:
    starts = sorted(row[0].x0 for row in rows)
    ends = sorted(max(word.x1 for word in row) for row in rows)
    trim = len(rows) // 20  # a stray mark in the margin is not the column's end
    left, right = starts[trim], ends[-1 - trim]
    lines: list[Line] = []
    at = 0
    for table in [*find_tables(rows), None]:
        lines += [_line(row, page, region, (left, right)) for row in rows[at : table.first if table else None]]
        if table:
            lines.append(_table_line(table, rows[table.first : table.last], page, region, (left, right)))
            at = table.last
    return lines


def _table_line(table: PageTable, rows: list[list[Word]], page: int, region: int, ends: tuple[float, float]) -> Line:
    """One line in place of a table's: a paragraph of its own."""
    whole = _line(min(rows, key=lambda row: row[0].x0), page, region, ends)
    text = " ".join(_row_text(row) for row in rows)
    return replace(whole, text=text, y=rows[0][0].y, bottom=rows[-1][0].y, table=table, is_mono=False, is_bold=False)


def _line(row: list[Word], page: int, region: int, ends: tuple[float, float]) -> Line:
    words = row
    if sum(_RTL.search(word.text) is not None for word in row) > len(row) / 2:
        words = row[::-1]
    sizes: Counter[float] = Counter()
    for word in words:
        sizes[word.size] += len(word.text)
    size = sizes.most_common(1)[0][0]
    em = max(size, 1.0)
    gaps = [max(b.x0 - a.x1, a.x0 - b.x1) / em for a, b in pairwise(words)]
    text = " ".join(word.text for word in words)
    return Line(
        text=_LEADERS.sub(" ...", text),
        x0=row[0].x0,
        x1=max(word.x1 for word in row),
        y=next(word.y for word in words if word.size == size),
        size=size,
        is_bold=all(word.is_bold for word in words if _LETTER.search(word.text)) and any(w.is_bold for w in words),
        is_mono=all(word.is_mono for word in words),
        ends_mono=words[-1].is_mono,
        n_wide_gaps=sum(gap > _WIDE_GAP for gap in gaps),
        first_width=words[0].x1 - words[0].x0,
        page=page,
        region=region,
        left=ends[0],
        right=ends[1],
    )
