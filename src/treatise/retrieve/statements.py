"""The financial statements of a report that a question is about.

Notes and discussions repeat the words of the statements many times over, so that words and vectors alone rank them
first. A question that names a statement ("P&L") or an item of one ("capex", "working capital") is about its rows.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.indexed import IndexedDocument
from treatise.core.statements import Statement, row_label, statements_of
from treatise.core.table import Row, Table
from treatise.core.vectors import Floats
from treatise.retrieve.statement_terms import ITEMS, NAMES

_ROW_GAIN: Final = 1.0  # of a row that the question asks for, over the other rows of its statement


@dataclass(frozen=True, slots=True)
class AskedStatements:
    """What a question asks of financial statements.

    Attributes:
        named: The statements that it names.
        rows: By statement, patterns of the labels of the rows that it asks for; if it names statements, of those only.
    """

    named: frozenset[Statement]
    rows: Mapping[Statement, Sequence[re.Pattern[str]]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.named or self.rows)


def asked_statements(question: str) -> AskedStatements:
    """The statements and rows that a question names; false for most questions.

    >>> sorted(asked_statements("What is capex as a share of revenue?").rows)
    [<Statement.CASH: 'cash'>, <Statement.INCOME: 'income'>]
    """
    named = frozenset(one for one, name in NAMES.items() if name.search(question))
    rows: dict[Statement, list[re.Pattern[str]]] = {}
    for item in ITEMS:
        if (not named or item.statement in named) and item.words.search(question):
            rows.setdefault(item.statement, []).append(item.label)
    return AskedStatements(named, rows)


def add_statements(scores: Floats, indexed: IndexedDocument, asked: AskedStatements, weight: float) -> None:
    """Raises the rows that are asked for, and all rows of a statement that is named.

    The best of them gains ``weight`` times its distance to the best leaf of the document, and the others as much.
    """
    wanted = asked.named | asked.rows.keys()
    leaves = indexed.tree.leaf_nodes
    if not wanted or not indexed.document.tables:
        return
    top = scores[leaves].max()
    for one, tables in statements_of(indexed.document, wanted).items():
        rows = [(table, row) for table in tables for row in table.rows]
        nodes = leaves[_leaves(indexed, [row for _, row in rows])]
        labels = asked.rows.get(one, ())
        is_asked = np.array([_is_asked(indexed.document.text, table, row, labels) for table, row in rows])
        if one in asked.named:
            scores[nodes[is_asked]] += _ROW_GAIN
        elif not is_asked.any():
            continue
        raised = np.unique(nodes if one in asked.named else nodes[is_asked])
        best = scores[nodes[is_asked] if is_asked.any() else nodes].max()
        scores[raised] += weight * max(0.0, float(top - best))


def _leaves(indexed: IndexedDocument, rows: Sequence[Row]) -> npt.NDArray[np.int64]:
    """The leaf that contains the end of each row."""
    _, ends = indexed.offsets
    found: npt.NDArray[np.int64] = np.searchsorted(ends, [row.end for row in rows])
    return np.minimum(found, len(ends) - 1)


def _is_asked(text: str, table: Table, row: Row, labels: Sequence[re.Pattern[str]]) -> bool:
    """Whether a row with values has one of these labels."""
    if not labels or all(cell.column < table.n_labels for cell in row.cells):
        return False
    label = row_label(text, table, row)
    return any(pattern.search(label) for pattern in labels)
