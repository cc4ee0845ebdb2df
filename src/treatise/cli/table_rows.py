"""Rows of tables as people read them: in columns below their heads, or each value with its head."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from treatise.core.table import Cell, Row, row_text, table_within

if TYPE_CHECKING:
    from treatise.core.document import Document, Span

_GAP: Final = "  "
_MAX_WIDTH: Final = 100


def table_lines(document: "Document", spans: Sequence["Span"]) -> list[str]:
    """The rows of one table in columns, below its heads; too wide ones as `readable`. Empty if they are none."""
    table = table_within(document.tables, spans[0].start) if spans else None
    rows = [table.row_within(span.start, span.end) for span in spans] if table else []
    found = [row for row in rows if row]
    if table is None or len(found) < len(spans):
        return []
    heads = () if any(row in table.heads for row in found) else table.heads
    laid = [_texts(document.text, row.all_cells) for row in (*heads, *found)]
    widths = _widths(document.text, (*heads, *found))
    if sum(widths) + len(_GAP) * len(widths) > _MAX_WIDTH:
        return [readable(document, span) for span in spans]
    return [_laid_out(row, widths) for row in laid]


def readable(document: "Document", span: "Span") -> str:
    """The text on one line; a row of a table with its labels and heads."""
    table = table_within(document.tables, span.start)
    row = table.row_within(span.start, span.end) if table else None
    if table and row and row not in table.heads:
        return row_text(document.text, replace(table, caption=None), row)
    return document.one_line(span.start, span.end)


def _texts(text: str, cells: Iterable[Cell]) -> list[tuple[int, str]]:
    return [(cell.column, " ".join(text[cell.start : cell.end].split())) for cell in cells]


def _widths(text: str, rows: Sequence[Row]) -> list[int]:
    """By column, the length of its longest cell that spans no other column."""
    last = max(cell.column + cell.n_columns for row in rows for cell in row.all_cells)
    widths = [0] * min(last, _MAX_WIDTH + 1)
    for row in rows:
        for cell in row.all_cells:
            if cell.n_columns == 1 and cell.column < len(widths):
                widths[cell.column] = max(widths[cell.column], len(" ".join(text[cell.start : cell.end].split())))
    return widths


def _laid_out(cells: Sequence[tuple[int, str]], widths: Sequence[int]) -> str:
    line = ""
    for column, words in cells:
        start = sum(widths[:column]) + len(_GAP) * column
        line = f"{line.rstrip()}{_GAP}{words}" if len(line.rstrip()) >= start > 0 else line.ljust(start) + words
    return line
