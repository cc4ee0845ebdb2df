"""Writes the rows of a sheet as self-contained lines: each value with its column header."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from treatise.core.document import ParagraphKind
from treatise.core.errors import SourceTooLargeError
from treatise.ingest.limits import Limits
from treatise.ingest.writer import BlockWriter

_NUMBER: Final = re.compile(r"[\s(+-]*[$€£¥]?\s*[\d.,]*\d[\d.,]*\s*%?\)?(?:[eE][+-]?\d+)?|\d{4}-\d\d-\d\d[ T\d:]*")
_MAX_HEAD_CHARS: Final = 80
_ROWS_PER_BLOCK: Final = 20
_HEAD_SEARCH_ROWS: Final = 10
_MIN_HEADS: Final = 2


@dataclass(slots=True)
class CellCounter:
    """Counts the cells of a source and enforces the limit.

    Attributes:
        name: The source, for messages.
        limits: Limits of the source, including its number of cells.
    """

    name: str
    limits: Limits
    n_cells: int = field(default=0)

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


def write_sheet(writer: BlockWriter, title: str, rows: Iterable[list[str]]) -> None:
    """Writes a section with the sheet's title, if any: text above the column headers, then one line per row below.

    A row reads ``header: value; header: value``; a value without a header has no prefix.
    """
    writer.heading(title, 1)
    lines: list[str] = []
    for line in _lines(writer, rows):
        lines.append(line)
        if len(lines) == _ROWS_PER_BLOCK:
            writer.add(ParagraphKind.TABLE, "\n".join(lines))
            lines.clear()
    writer.add(ParagraphKind.TABLE, "\n".join(lines))


def _lines(writer: BlockWriter, rows: Iterable[list[str]]) -> Iterator[str]:
    """The lines of the rows; text above the column headers is written directly."""
    waiting: list[list[str]] = []
    heads: list[str] | None = None
    for cells in (cleaned for row in rows if any(cleaned := [" ".join(cell.split()) for cell in row])):
        if heads is not None:
            yield _line(heads, cells)
        elif _is_head(cells):
            heads = [cell[:_MAX_HEAD_CHARS] for cell in cells]
            _write_above(writer, waiting)
            waiting.clear()
            writer.add(ParagraphKind.TABLE, " | ".join(cells))
        else:
            waiting.append(cells)
            if len(waiting) == _HEAD_SEARCH_ROWS:
                heads = []
                yield from (_line(heads, row) for row in waiting)
                waiting.clear()
    yield from (_line([], row) for row in waiting)


def _write_above(writer: BlockWriter, rows: list[list[str]]) -> None:
    for cells in rows:
        writer.add(ParagraphKind.PROSE, " | ".join(filter(None, cells)))


def _is_head(cells: list[str]) -> bool:
    """Whether the row is a header: two or more words, no numbers, no duplicates."""
    heads = [cell for cell in cells if cell]
    return (
        len(heads) >= _MIN_HEADS
        and len(heads) >= len(cells) // 2
        and len(set(heads)) == len(heads)
        and not any(_NUMBER.fullmatch(head) for head in heads)
    )


def _line(heads: list[str], cells: list[str]) -> str:
    named = (f"{heads[at]}: {cell}" if at < len(heads) and heads[at] else cell for at, cell in enumerate(cells) if cell)
    return "; ".join(named)
