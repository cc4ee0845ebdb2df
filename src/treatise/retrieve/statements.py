"""The financial statements of a report that a question is about: by the rows that they have, not by their titles.

Notes and discussions repeat the words of the statements many times over, so that words and vectors alone rank them
first. A question that names a statement ("P&L") or an item of one ("capex", "working capital") is about its rows.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.document import Document
from treatise.core.indexed import IndexedDocument
from treatise.core.table import Row, Table, caption_text
from treatise.core.vectors import Floats
from treatise.retrieve.statement_terms import ITEMS, MIN_KINDS, NAMES, ROW_KINDS, Statement

_MIN_ROWS: Final = 8
_MAX_ROWS: Final = 200
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


def statements_of(document: Document, wanted: Iterable[Statement] = Statement) -> dict[Statement, list[Table]]:
    """The parts of each statement in the document; a statement that it lacks is absent.

    Summaries and statements of quarters and subsidiaries have many of the rows too. The statements of the report itself
    stand together, so of the tables with the most kinds of rows, the nearest to the others is taken.
    """
    candidates = {one: found for one, found in _candidates(document).items() if found}
    return {one: _nearest(candidates, one) for one in sorted(wanted) if one in candidates}


def _candidates(document: Document) -> dict[Statement, list[list[Table]]]:
    """By statement, the tables with the most kinds of its rows, or one less."""
    counted: dict[Statement, list[tuple[int, list[Table]]]] = {one: [] for one in Statement}
    for parts in _whole_tables(document):
        if _MIN_ROWS <= sum(len(table.rows) for table in parts) <= _MAX_ROWS:
            labels = "\n".join(_label(document.text, table, row) for table in parts for row in table.rows)
            for one, kinds in ROW_KINDS.items():
                n_kinds = sum(kind.search(labels) is not None for kind in kinds)
                counted[one] += [(n_kinds, parts)] if n_kinds >= MIN_KINDS[one] else []
    most = {one: max((n for n, _ in found), default=0) for one, found in counted.items()}
    return {one: [parts for n, parts in found if n >= most[one] - 1] for one, found in counted.items()}


def _whole_tables(document: Document) -> Iterator[list[Table]]:
    """Each table with its continuations: without heads of their own, or directly after it with the same caption."""
    numbers: list[int] = []
    before = ""
    for table in document.tables:
        caption = caption_text(document.text, table)
        goes_on = bool(numbers) and (table.is_continued or (caption != "" and caption == before))
        numbers.append((numbers[-1] if numbers else 0) + (not goes_on))
        before = caption
    for _, parts in groupby(zip(numbers, document.tables, strict=True), key=lambda pair: pair[0]):
        yield [table for _, table in parts]


def _nearest(candidates: Mapping[Statement, Sequence[Sequence[Table]]], one: Statement) -> list[Table]:
    """The candidate nearest to those of the other statements; the first, if there are no others."""
    others = [[parts[0].start for parts in found] for other, found in candidates.items() if other is not one]

    def distance(parts: Sequence[Table]) -> int:
        return sum(min(abs(parts[0].start - start) for start in starts) for starts in others)

    nearest = min(candidates[one], key=distance)
    return list(nearest)


def _leaves(indexed: IndexedDocument, rows: Sequence[Row]) -> npt.NDArray[np.int64]:
    """The leaf that contains the end of each row."""
    _, ends = indexed.offsets
    found: npt.NDArray[np.int64] = np.searchsorted(ends, [row.end for row in rows])
    return np.minimum(found, len(ends) - 1)


def _is_asked(text: str, table: Table, row: Row, labels: Sequence[re.Pattern[str]]) -> bool:
    """Whether a row with values has one of these labels."""
    if not labels or all(cell.column < table.n_labels for cell in row.cells):
        return False
    label = _label(text, table, row)
    return any(pattern.search(label) for pattern in labels)


def _label(text: str, table: Table, row: Row) -> str:
    return " ".join(" ".join(text[cell.start : cell.end].split()) for cell in row.cells if cell.column < table.n_labels)
