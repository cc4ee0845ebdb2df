"""Vectors of the rows of large tables: means of their cells, of which equal ones are encoded once.

A row of a large table is one of thousands that repeat names, dates and states. Encoding each whole takes most of the
time of indexing, and its vector is mostly about what all rows share. The mean of its cells, weighted by their rarity in
the table, takes two fifths of the time, and its cosine finds reworded rows better than a row encoded whole does: mean
reciprocal rank .20 against .13 for 300 questions. Look-ups by name are as good on average (``docs/log/scale.md``).
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from math import log2
from typing import Final, Protocol, runtime_checkable

import numpy as np

from treatise.core.document import Document, Span
from treatise.core.patterns import lazy_pattern
from treatise.core.ports import Progress, counted_off
from treatise.core.scripts import UNSPACED
from treatise.core.table import Row, Table, row_parts
from treatise.core.vectors import Floats, unit_rows

MAX_ROWS_READ: Final = 1000
"""Rows of a table, in all its parts, up to which each is encoded whole."""

_LETTER: Final = lazy_pattern(r"[^\W\d_]")
_DIGIT: Final = lazy_pattern(r"\d")
_ROWS_PER_BLOCK: Final = 1024

Cells = tuple[tuple[str, int], ...]
"""What is encoded of a row: the texts of its cells with their heads, its caption and its groups; each has its weight.

The weight is the rarity of the text in the table: log2 of 1 + rows per row that has it, rounded, so that an edit of a
few rows leaves the vectors of nearly all others as they are.
"""


@runtime_checkable
class KnowsRows(Protocol):
    """An encoder that knows vectors of rows from earlier indexes."""

    @property
    def rows(self) -> Mapping[Cells, Floats]:
        """The vectors by what is encoded of the rows."""
        ...


def rows_by_cells(document: Document, units: Sequence[Span], progress: Progress | None = None) -> dict[int, Cells]:
    """The rows of large tables by the number of their unit; heads are left out, and encoded whole."""
    large = _large_tables(document.tables)
    found: dict[int, Cells] = {}
    for start, end in large:
        first = bisect_right(units, start - 1, key=lambda unit: unit.start)
        texts: dict[int, tuple[str, ...]] = {}
        last = bisect_right(units, end - 1, key=lambda unit: unit.start)
        for number in counted_off(range(first, last), progress):
            row = document.row_at(units[number].start, units[number].end)
            if of_row := _texts(document, *row) if row else ():
                texts[number] = of_row
        found |= _weighted(texts)
    return found


def mean_of_cells(rows: Sequence[Cells], numbers: Mapping[str, int], vectors: Floats) -> Floats:
    """The vectors of rows from those of their cells, which ``numbers`` finds. Shape ``(len(rows), dim)``."""
    means = np.zeros((len(rows), vectors.shape[1]), dtype=np.float32)
    for first in range(0, len(rows), _ROWS_PER_BLOCK):
        block = rows[first : first + _ROWS_PER_BLOCK]
        of_cells = [numbers[text] for cells in block for text, _ in cells]
        weights = np.array([weight for cells in block for _, weight in cells], dtype=np.float32)[:, None]
        starts = np.cumsum([0, *(len(cells) for cells in block[:-1])])
        means[first : first + len(block)] = np.add.reduceat(vectors[of_cells] * weights, starts)
    return unit_rows(means)


def _large_tables(tables: Sequence[Table]) -> list[tuple[int, int]]:
    """Start and end of the tables of more than ``MAX_ROWS_READ`` rows, with the parts that continue them."""
    found: list[tuple[int, int, int]] = []
    for table in tables:
        if table.is_continued and found:
            start, _, n_rows = found.pop()
            found.append((start, table.end, n_rows + len(table.rows)))
        else:
            found.append((table.start, table.end, len(table.rows)))
    return [(start, end) for start, end, n_rows in found if n_rows > MAX_ROWS_READ]


def _weighted(rows: Mapping[int, tuple[str, ...]]) -> dict[int, Cells]:
    """The rows of one table with the rarity of each text in it."""
    n_rows_with = Counter(chain.from_iterable(map(set, rows.values())))
    cells = {text: (text, round(log2(1 + len(rows) / n))) for text, n in n_rows_with.items()}
    return {number: tuple(cells[text] for text in texts) for number, texts in rows.items()}


def _texts(document: Document, table: Table, row: Row) -> tuple[str, ...]:
    """The parts of a row; a number, a date or a code counts by its head alone: the lexicon finds it."""
    parts = row_parts(document.text, table, row)
    read = (": ".join(filter(None, (head, words if _has_word(words) else ""))) for head, words in parts)
    return tuple(filter(None, read)) or ((document.title,) if parts else ())


def _has_word(text: str) -> bool:
    if UNSPACED.search(text):
        return True
    return any(_LETTER.search(token) and not _DIGIT.search(token) for token in text.split())
