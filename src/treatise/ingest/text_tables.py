"""Tables whose cells are known by their places in a source text, which stays as it is."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from treatise.core.table import Cell, Row, Table
from treatise.ingest.grids import MAX_COLUMNS, SourceCell, placed_rows, shape_of

_SPAN: Final = re.compile(r"\b(?P<kind>colspan|rowspan)\s*=\s*[\"']?(?P<n>\d{1,4})", re.IGNORECASE)
_QUOTED: Final = re.compile(r'[ \t]*"((?:[^"]|"")*)"')


@dataclass(frozen=True, slots=True)
class TextCell:
    """A cell in a text.

    Attributes:
        spans: Offsets of its lines, without white space at the ends; none if it is blank.
        column: Its first column; if None, the first one that is free.
        n_columns, n_rows: Numbers of columns and rows that it spans.
    """

    spans: tuple[tuple[int, int], ...]
    column: int | None = None
    n_columns: int = 1
    n_rows: int = 1


def text_table(
    text: str,
    rows: Sequence[Sequence[TextCell]],
    n_heads: int | None = None,
    n_labels: int | None = None,
    caption: tuple[int, int] | None = None,
) -> Table | None:
    """The table of rows in text order; None if no cell has text.

    ``n_heads`` of the rows are heads and ``n_labels`` of the columns labels; if None, they are found.
    """
    source = [[_source_cell(text, cell) for cell in row] for row in rows]
    placed = placed_rows(source)
    cells = {
        id(at): tuple(Cell(start, end, at.column, at.n_columns) for start, end in cell.spans)
        for grid, row in zip(placed, rows, strict=True)
        for at, cell in zip(grid.cells, row, strict=True)
    }
    filled = [row for row in placed if any(cells[id(cell)] for cell in row.cells)]
    if not filled:
        return None
    if n_heads is not None:
        n_heads = sum(any(cells[id(cell)] for cell in row.cells) for row in placed[:n_heads])
    shape = shape_of([row.cells for row in filled], n_heads, n_labels)

    def of(row_cells: Sequence[object]) -> tuple[Cell, ...]:
        return tuple(sorted((one for cell in row_cells for one in cells[id(cell)]), key=lambda one: one.start))

    heads = tuple(Row(of(row.cells), -1, of(row.above)) for row in filled[: shape.n_heads])
    body = tuple(
        Row(of(row.cells), parent, of(row.above))
        for row, parent in zip(filled[shape.n_heads :], shape.parents, strict=True)
    )
    return Table(body, heads, shape.n_labels, caption)


def marked_table(
    text: str,
    rows: Sequence[Sequence[TextCell]],
    heads: Sequence[Sequence[bool]],
    caption: tuple[int, int] | None,
) -> Table | None:
    """The table of rows of which each cell is marked as a head or not, as in HTML; None if no cell has text.

    The first rows of heads alone are those of the table. A row that begins with a head and has other cells labels the
    first column. What is not marked is found.
    """
    n_heads = next((at for at, marks in enumerate(heads) if not (marks and all(marks))), len(heads))
    n_labels = int(any(marks and marks[0] and not all(marks) for marks in heads))
    return text_table(text, rows, n_heads if 0 < n_heads < len(heads) else None, n_labels or None, caption)


def marked_cell(spans: tuple[tuple[int, int], ...], attributes: str) -> TextCell:
    """A cell with the numbers of columns and rows that its attributes say it spans."""
    found = {one["kind"].lower(): int(one["n"]) for one in _SPAN.finditer(attributes)}
    n_columns = min(found.get("colspan", 1), MAX_COLUMNS) or 1
    return TextCell(spans, n_columns=n_columns, n_rows=found.get("rowspan", 1) or 1)


def _source_cell(text: str, cell: TextCell) -> SourceCell:
    words = " ".join(text[start:end] for start, end in cell.spans)
    return SourceCell(words, cell.n_columns, cell.n_rows, column=cell.column)


def stripped(text: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """The span without white space at its ends; none if nothing is left."""
    words = text[start:end]
    left = start + len(words) - len(words.lstrip())
    right = start + len(words.rstrip())
    return ((left, right),) if left < right else ()


def separated_rows(text: str, start: int, end: int, delimiter: str) -> Iterator[list[TextCell]]:
    """Rows of cells between delimiters, such as CSV: quotation marks may hold delimiters and line ends."""
    row: list[TextCell] = []
    bare = re.compile(rf"[^{re.escape(delimiter)}\r\n]*")
    while start < end:
        quoted = _QUOTED.match(text, start, end)
        cell = quoted or bare.match(text, start, end)
        if cell is None:
            return
        span = cell.span(1) if quoted else cell.span()
        row.append(TextCell(stripped(text, *span) if len(row) < MAX_COLUMNS else ()))
        start = cell.end()
        if quoted and (rest := bare.match(text, start, end)):
            start = rest.end()
        if text.startswith(delimiter, start) and start < end:
            start += len(delimiter)
            continue
        start += 2 if text.startswith("\r\n", start) else 1
        yield row
        row = []
    if row:
        yield row
