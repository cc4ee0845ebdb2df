"""Which leaves are column heads of tables, and which heads a row needs to be understood."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from treatise.core.indexed import IndexedDocument
from treatise.core.table import Row, Table


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
        ends = np.array([unit.end for unit in indexed.units], dtype=np.int64)
        for table in indexed.document.tables:
            _add_heads(table, ends, is_head, of_row)
    return TableHeads(is_head, of_row)


def _add_heads(
    table: Table, ends: npt.NDArray[np.int64], is_head: npt.NDArray[np.bool_], of_row: dict[int, tuple[int, ...]]
) -> None:
    heads, rows = _leaves(table.heads, ends), _leaves(table.rows, ends)
    leaves = {*heads, *rows}
    if not heads or not rows or len(leaves) < len(heads) + len(rows) or max(leaves) >= len(ends):
        return
    is_head[heads] = True
    of_row.update(dict.fromkeys(rows, tuple(heads)))


def _leaves(rows: Sequence[Row], ends: npt.NDArray[np.int64]) -> list[int]:
    found: list[int] = np.searchsorted(ends, [row.end for row in rows]).tolist()
    return found
