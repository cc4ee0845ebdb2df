"""Finds the cells of an AsciiDoc table in its source text."""

import re
from collections.abc import Iterator
from typing import Final

from treatise.core.table import Table
from treatise.ingest.grids import MAX_COLUMNS
from treatise.ingest.text_tables import TextCell, separated_rows, stripped, text_table

_SIGN: Final = re.compile(
    r"(?<![\\\w.+*])(?:(?P<copies>\d{1,3})\*|(?P<columns>\d{1,4})?(?:\.(?P<rows>\d{1,4}))?\+)?"
    r"(?:\.?[<^>]){0,2}(?P<style>[adehlmsv])?\||(?<!\\)(?P<bare>\|)"
)
_COLUMNS: Final = re.compile(r"\bcols\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\],]*))")
_HEADED: Final = re.compile(
    r"%header\b|\boptions\s*=\s*[\"'][^\"']*\bheader\b|\boptions\s*=\s*header|\bopts\s*=[^\]]*header"
)
_UNHEADED: Final = re.compile(r"%noheader\b|\bnoheader\b")
_FORMAT: Final = re.compile(r"\bformat\s*=\s*[\"']?(csv|dsv|tsv)|%(csv|dsv|tsv)\b")
_DELIMITERS: Final = {"csv": ",", "tsv": "\t", "dsv": ":"}
_BY_FENCE: Final = {",": "csv", ":": "dsv"}
_MAX_COPIES: Final = 10_000


def fenced_table(text: str, attributes: str, caption: tuple[int, int] | None) -> Table | None:
    """The table in a block from its first fence to its last; None if it has no cell with text.

    ``attributes`` are those above it, in brackets; ``caption`` is relative to the start of ``text``.
    """
    start = text.index("\n") + 1 if "\n" in text else len(text)
    end = text.rstrip().rfind("\n") + 1
    if end <= start:
        return None
    form = _FORMAT.search(attributes)
    kind = (form[1] or form[2]) if form else _BY_FENCE.get(text[:1], "")
    first_line = text[start:end].split("\n", 1)
    is_apart = len(first_line) > 1 and bool(first_line[0].strip()) and first_line[1][:1] in "\r\n"
    if kind:
        rows = list(separated_rows(text, start, end, _DELIMITERS[kind]))
    else:
        rows = list(_bar_rows(text, start, end, _n_columns(attributes)))
    is_headed = bool(_HEADED.search(attributes)) or (is_apart and not _UNHEADED.search(attributes))
    return text_table(text, rows, 1 if is_headed and len(rows) > 1 else None, caption=caption)


def _n_columns(attributes: str) -> int:
    """The number of columns that is stated, 0 if none: ``cols="1,2*,3"``."""
    match = _COLUMNS.search(attributes)
    stated = next(filter(None, match.groups()), "") if match else ""
    if not stated.strip():
        return 0
    if stated.strip().isdecimal():
        return 1
    copies = (re.match(r"\s*(\d{1,3})\*", one) for one in re.split(r"[,;]", stated))
    return min(MAX_COLUMNS, sum(int(copy[1]) if copy else 1 for copy in copies))


def _bar_rows(text: str, start: int, end: int, n_columns: int) -> Iterator[list[TextCell]]:
    """Cells after bars, in rows of equal width; the first line tells the width if it is not stated."""
    cells = list(_bar_cells(text, start, end))
    if not n_columns:
        first = text[start:end].lstrip("\r\n")
        line_end = start + len(text[start:end]) - len(first) + (first.find("\n") if "\n" in first else len(first))
        n_columns = sum(cell.n_columns for at, cell in cells if at < line_end) or 1
    row: list[TextCell] = []
    width = 0
    down: list[list[int]] = []  # columns and rows left of cells that span down
    for _, cell in cells:
        row.append(cell)
        width += cell.n_columns
        if width + sum(columns for columns, _ in down) >= n_columns:
            yield row
            down = [[columns, rows - 1] for columns, rows in down if rows > 1]
            down += [[one.n_columns, one.n_rows - 1] for one in row if one.n_rows > 1]
            row, width = [], 0
    if row:
        yield row


def _bar_cells(text: str, start: int, end: int) -> Iterator[tuple[int, TextCell]]:
    """Cells and the offsets of their bars; a specifier before a bar tells spans and copies."""
    signs = list(_SIGN.finditer(text, start, end))
    n_left = _MAX_COPIES
    for at, sign in enumerate(signs):
        until = signs[at + 1].start() if at + 1 < len(signs) else end
        spans = stripped(text, sign.end(), until)
        n_columns = min(int(sign["columns"] or 1), MAX_COLUMNS) or 1
        yield sign.start(), TextCell(spans, n_columns=n_columns, n_rows=int(sign["rows"] or 1) or 1)
        for _ in range(min(int(sign["copies"] or 1) - 1, n_left)):
            n_left -= 1
            yield sign.start(), TextCell(())
