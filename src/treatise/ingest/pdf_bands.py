"""Bands of a page: what stands between two rules, in lines whose cells bars and gaps part."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final

from treatise.ingest.pdf_cells import Segment, segments_of
from treatise.ingest.pdf_grid import TableLine
from treatise.ingest.pdf_rows import page_rows
from treatise.ingest.pdf_rules import Rule
from treatise.ingest.pdf_words import Word

SAME_PT: Final = 3.0
"""What is nearer stands at one place."""

MAX_ROW_LINES: Final = 2
"""So few lines may be one row."""

_MIN_PARTED: Final = 0.5  # of the rows, for a gap that parts columns
_MIN_BARS: Final = 3


@dataclass(slots=True, eq=False)
class Band:
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


def band_between(by_height: Sequence[Word], upper: Rule, lower: Rule, down: Sequence[Rule], used: set[int]) -> Band:
    """The words between two rules of equal ends, but those of other tables.

    Args:
        by_height: The words of the page, from the bottom.
        upper, lower: The rules.
        down: The bars of the page.
        used: The ids of words that other tables have.
    """
    first = bisect_left(by_height, lower.at - 1, key=lambda word: word.y)
    last = bisect_left(by_height, upper.at, key=lambda word: word.y)
    inside = [
        word
        for word in by_height[first:last]
        if upper.start - SAME_PT < (word.x0 + word.x1) / 2 < upper.end + SAME_PT and id(word) not in used
    ]
    rows = page_rows(inside)
    middle = (upper.at + lower.at) / 2
    bars = [upper.start, upper.end, *(bar.at for bar in down if bar.start < middle < bar.end)]
    inside_bars = sorted(at for at in bars if upper.start - SAME_PT < at < upper.end + SAME_PT)
    places = [b for a, b in pairwise([float("-inf"), *inside_bars]) if b - a > SAME_PT]
    return Band(rows, [_line(row, down) for row in rows], tuple(places))


def part_cells(bands: Sequence[Band], down: Sequence[Rule]) -> None:
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
    if len(lines) <= MAX_ROW_LINES:
        return []
    gaps = [(a.x1, b.x0) for line in lines for a, b in pairwise(line.segments)]
    tested: list[float] = []
    cuts: list[tuple[float, float]] = []
    for start, end in sorted(gaps, key=lambda gap: gap[1] - gap[0]):
        middle = (start + end) / 2
        if any(abs(middle - one) < SAME_PT for one in tested) or any(a <= middle <= b for a, b in cuts):
            continue
        tested.append(middle)
        n_parted = sum(a < middle < b for a, b in gaps)
        if n_parted >= _MIN_PARTED * len(lines) and not _is_crossed(rows, middle):
            cuts.append((start, end))
    return [(start + end) / 2 for start, end in cuts]


def _is_crossed(rows: Sequence[list[Word]], x: float) -> bool:
    return any(word.x0 < x < word.x1 for row in rows for word in row)


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
