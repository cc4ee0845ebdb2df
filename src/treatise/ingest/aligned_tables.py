"""Tables of plain text whose columns are aligned by spaces.

Verse, code, notes and columns of prose are aligned too, so only what cannot be else is a table: a row of heads without
numbers, at least three rows below it, blank space through all lines between the columns, and a column of numbers.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from treatise.core.table import Table
from treatise.ingest.grids import MAX_COLUMNS
from treatise.ingest.text_tables import TextCell, stripped, text_table

_RULE: Final = re.compile(r"\s*[-=_+|][-=_+|\s]*$")
_NUMBER: Final = re.compile(r"[(+−–-]?[$€£¥]?\s?[+−–-]?\d[\d.,'’:/ -]*\)?\s?(?:%|[$€£¥°]|[^\W\d_]{1,4}\.?)?")
_MISSING: Final = frozenset(("", "-", "–", "—", "n/a"))
_GUTTER: Final = 2
"""Blank places between columns."""
_MIN_ROWS: Final = 3
_MAX_CELL: Final = 60
_MAX_WIDTH: Final = 400
_MOSTLY: Final = 0.8
_Line = tuple[int, str]  # offset of a line in the text, and the line without its end


def aligned_table(text: str) -> Table | None:
    """The table that lines without a blank one between them are; None if they may be anything else."""
    lines = list(_lines(text))
    written = [line for line in lines if not _RULE.match(line[1])]
    if len(written) <= _MIN_ROWS or any("\t" in line or len(line) > _MAX_WIDTH for _, line in written):
        return None
    cuts = _cuts([line for _, line in written])
    rows = [_cells(text, start, len(line), cuts) for start, line in written]
    if not 1 < len(cuts) <= MAX_COLUMNS or not _are_of_table([[_text(text, cell) for cell in row] for row in rows]):
        return None
    return text_table(text, [[TextCell(cell, column=at) for at, cell in enumerate(row)] for row in rows], n_heads=1)


def _lines(text: str) -> Iterator[_Line]:
    at = 0
    for line in text.splitlines(keepends=True):
        if line.strip():
            yield at, line.rstrip()
        at += len(line)


def _cuts(lines: Sequence[str]) -> list[int]:
    """Where columns begin: after each run of places that are blank in all lines."""
    width = max(map(len, lines))
    filled = [False] * width
    for line in lines:
        for at, character in enumerate(line):
            filled[at] = filled[at] or not character.isspace()
    cuts = [0]
    n_blank = 0
    for at, is_filled in enumerate(filled):
        if is_filled and n_blank >= _GUTTER and any(filled[:at]):
            cuts.append(at)
        n_blank = 0 if is_filled else n_blank + 1
    return cuts


def _cells(text: str, start: int, length: int, cuts: Sequence[int]) -> list[tuple[tuple[int, int], ...]]:
    """The cells of a line, blank where it has ended before."""
    ends = [min(at, length) for at in (*cuts, length)]
    return [stripped(text, start + a, start + b) for a, b in pairwise(ends)]


def _text(text: str, cell: Sequence[tuple[int, int]]) -> str:
    return " ".join(text[start:end] for start, end in cell)


def _are_of_table(rows: Sequence[Sequence[str]]) -> bool:
    heads, body = rows[0], rows[1:]
    has_heads = all(heads) and not any(map(_has_digit, heads[1:])) and len(set(heads)) == len(heads)
    is_short = all(len(cell) <= _MAX_CELL and not re.search(r" {3}", cell) for row in rows for cell in row)
    has_labels = all(row[0] for row in body)
    return has_heads and is_short and has_labels and any(map(_is_of_numbers, list(zip(*body, strict=True))[1:]))


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _is_of_numbers(cells: Sequence[str]) -> bool:
    filled = [one for one in cells if one not in _MISSING]
    return len(filled) >= _MIN_ROWS and sum(bool(_NUMBER.fullmatch(one)) for one in filled) >= _MOSTLY * len(filled)
