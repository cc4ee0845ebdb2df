"""Which leaves are rows of a table, which are its column heads, and which heads a row needs to be understood."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.indexed import IndexedDocument
from treatise.core.table import Row, Table

MAX_ROWS_TOGETHER: Final = 200
"""Rows of a table, in all its parts, up to which neighbouring rows may belong together, as the lines of a financial
statement do; a longer table is a list, whose rows are about different things.
"""
_ROW_ENDS: Final = "|+ \t\r\n"


@dataclass(frozen=True, slots=True)
class TableHeads:
    """The column heads of a document's tables, as leaves.

    Attributes:
        is_head: Whether a leaf is a row of column heads. Shape ``(n_units,)``.
        of_row: By leaf, the heads of a table's row, from the top; rows without heads are absent.
    """

    is_head: npt.NDArray[np.bool_]
    of_row: Mapping[int, tuple[int, ...]] = field(default_factory=dict)


def table_heads(indexed: IndexedDocument) -> TableHeads:
    """The heads of all tables whose rows are leaves of their own; a chunk of several rows has none."""
    is_head = np.zeros(len(indexed.units), dtype=bool)
    of_row: dict[int, tuple[int, ...]] = {}
    if indexed.document.tables:
        _, ends = indexed.offsets
        for table in indexed.document.tables:
            _add_heads(table, ends, is_head, of_row)
    return TableHeads(is_head, of_row)


def lists_of_leaves(indexed: IndexedDocument) -> npt.NDArray[np.int64]:
    """The number of the table of more than ``MAX_ROWS_TOGETHER`` rows that each leaf is a row of, -1 for other leaves.

    Shape ``(n_units,)``. Parts that continue a table have its number. A chunk that goes beyond a table is no row of it;
    the bar that closes the last row in Markdown is part of the row.
    """
    starts, ends = indexed.offsets
    tables = indexed.document.tables
    if not tables:
        return np.full(len(starts), -1)
    numbers = np.cumsum([not table.is_continued for table in tables])
    is_list = np.bincount(numbers, [len(table.rows) for table in tables]) > MAX_ROWS_TOGETHER
    edges = np.array([(table.start, table.end) for table in tables])
    at = np.searchsorted(edges[:, 0], starts, side="right") - 1
    is_in_list = (at >= 0) & is_list[numbers[at]]
    is_within = ends <= edges[at, 1]
    for leaf in np.flatnonzero(is_in_list & ~is_within & (starts < edges[at, 1])):
        is_within[leaf] = not indexed.document.text[edges[at[leaf], 1] : ends[leaf]].strip(_ROW_ENDS)
    return np.where(is_in_list & is_within, numbers[at], -1)


def _add_heads(
    table: Table, ends: npt.NDArray[np.int64], is_head: npt.NDArray[np.bool_], of_row: dict[int, tuple[int, ...]]
) -> None:
    first, last = _leaves((*table.heads, *table.rows), ends)
    n_heads = len(table.heads)
    if not n_heads or not table.rows or (first[1:] <= last[:-1]).any() or last[-1] >= len(ends):
        return
    for a, b in zip(first[:n_heads], last[:n_heads], strict=True):
        is_head[a : b + 1] = True
    if (first[:n_heads] == last[:n_heads]).all():  # heads too long for a leaf would fill the budget
        heads = tuple(last[:n_heads].tolist())
        of_row.update((leaf, heads) for a, b in zip(first, last, strict=True) for leaf in range(a, b + 1))
        for head in heads:
            del of_row[head]


def _leaves(rows: Sequence[Row], ends: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The first and the last leaf of each row."""
    first: npt.NDArray[np.int64] = np.searchsorted(ends, [row.start for row in rows], side="right")
    last: npt.NDArray[np.int64] = np.searchsorted(ends, [row.end for row in rows])
    return first, last
