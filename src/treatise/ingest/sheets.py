"""Writes the rows of a sheet as a table, in parts of some rows."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Final

from treatise.core.document import ParagraphKind
from treatise.core.errors import SourceTooLargeError
from treatise.ingest.grids import SourceCell, grid_of, is_head, is_value
from treatise.ingest.limits import Limits
from treatise.ingest.tables import table_block
from treatise.ingest.writer import BlockWriter

_ROWS_PER_BLOCK: Final = 20
_MAX_ROWS_PER_BLOCK: Final = 200
_MAX_HEAD_ROWS: Final = 3
_HEAD_SEARCH_ROWS: Final = 10
_MIN_HEADS: Final = 2


@dataclass(slots=True)
class CellCounter:
    """Counts the cells of a source and enforces the limit.

    Attributes:
        name: The source, for messages.
        limits: Limits of the source, including its number of cells.
        n_hidden_rows: Rows with cells that the sheet hides.
    """

    name: str
    limits: Limits
    n_cells: int = field(default=0)
    n_hidden_rows: int = 0

    def add(self, n: int) -> None:
        """Counts cells.

        Raises:
            SourceTooLargeError: There are more than the limits allow.
        """
        self.n_cells += n
        if self.n_cells > self.limits.max_cells:
            raise SourceTooLargeError(
                f"{self.name}: more than {self.limits.max_cells:,} cells; export the part that matters as CSV, "
                "or raise Limits.max_cells"
            )


def write_sheet(writer: BlockWriter, title: str, rows: Iterable[Sequence[SourceCell]]) -> None:
    """Writes a section with the sheet's title, if any: text above the column heads, then a table in parts."""
    before = writer.n_chars
    writer.heading(title, 1)
    filled = (row for row in rows if any(cell.text.strip() for cell in row))
    first = list(islice(filled, _HEAD_SEARCH_ROWS))
    n_above, n_heads = _heads(first)
    for row in first[:n_above]:
        writer.add(ParagraphKind.PROSE, " | ".join(text for cell in row if (text := " ".join(cell.text.split()))))
    n_caption = writer.n_chars - before
    n_labels: int | None = None
    for at, part in enumerate(_parts(chain(first[n_above:], filled))):
        grid = grid_of(part, 0 if at else n_heads, n_labels)
        if grid:
            n_labels = grid.n_labels
            block = table_block(replace(grid, is_continued=at > 0), (-n_caption, -2) if n_caption and not at else None)
            writer.extend([block] if block else [])


def _parts(rows: Iterable[Sequence[SourceCell]]) -> Iterator[list[Sequence[SourceCell]]]:
    """Runs of rows that are not cut within a merged cell, unless it is very long."""
    part: list[Sequence[SourceCell]] = []
    n_open = 0
    for row in rows:
        part.append(row)
        n_open = max(n_open - 1, *(cell.n_rows - 1 for cell in row))
        if len(part) >= (_MAX_ROWS_PER_BLOCK if n_open > 0 else _ROWS_PER_BLOCK):
            yield part
            part, n_open = [], 0
    if part:
        yield part


def _heads(rows: Sequence[Sequence[SourceCell]]) -> tuple[int, int]:
    """The number of rows above the column heads, and the number of rows of heads, among the first rows of a sheet.

    Heads are the first rows of several words that go on down to the values; else the first row of several words.
    """
    filled = [[cell for cell in row if cell.text.strip()] for row in rows]
    n_columns = max(map(len, filled), default=0)
    first = next((at for at, row in enumerate(filled) if any(is_value(cell.text) for cell in row)), len(rows))
    found = [at for at in range(first) if len(filled[at]) >= _MIN_HEADS]
    found = [at for at in found if first < len(rows) or _is_head_of_words(filled[at], n_columns)]
    heads = [(at, _n_head_rows(rows[at:first], filled[at:first])) for at in found]
    reaching = (one for one in heads if sum(one) == first < len(rows))
    return next(reaching, heads[0] if heads else (0, 0))


def _is_head_of_words(row: Sequence[SourceCell], n_columns: int) -> bool:
    return len(row) >= n_columns // 2 and is_head([cell.text for cell in row])


def _n_head_rows(rows: Sequence[Sequence[SourceCell]], filled: Sequence[Sequence[SourceCell]]) -> int:
    """How many rows from the first one are heads; one above another spans columns, or begins blank and is sparser."""
    n = 1
    while n < min(len(rows), _MAX_HEAD_ROWS):
        is_spanned = any(cell.n_columns > 1 or cell.n_rows > 1 for cell in filled[n - 1])
        begins_blank = filled[n - 1][0] is not rows[n - 1][0] or bool(filled[n - 1][0].column)
        if not is_spanned and not (begins_blank and len(filled[n - 1]) < len(filled[n])):
            break
        n += 1
    return n
