"""Rows of tables as evidence: the heads come with the first row of their table."""

from dataclasses import replace

import numpy as np
import pytest
from builders import make_indexed

from treatise.core.document import Span
from treatise.core.indexed import IndexedDocument
from treatise.core.recipe import Selection
from treatise.core.table import Cell, Row, Table
from treatise.retrieve import table_heads as table_heads_module
from treatise.retrieve.outline import outline
from treatise.retrieve.selection import select
from treatise.retrieve.table_heads import lists_of_leaves, table_heads

ROWS = ["Aa 2019", "Cash 1", "Debt 2", "Bb 3"]


def indexed_table() -> IndexedDocument:
    one = make_indexed([["Some prose here.", "More of it."], ROWS])
    spans = one.units[2:]
    rows = [Row((Cell(s.start, s.end, 0),)) for s in spans]
    return replace(one, document=replace(one.document, tables=(Table(tuple(rows[1:]), (rows[0],)),)))


def test_heads_come_before_the_first_row_and_once() -> None:
    one = indexed_table()
    scores = np.zeros(one.n_nodes, dtype=np.float32)
    scores[one.tree.leaf_nodes] = [1, 2, 9, 3, 5, 4]
    passages = select([one], [outline(one)], [scores], max_words=7, selection=Selection(expand=False))
    assert [passage.text for passage in passages][:3] == ["Aa 2019", "Debt 2", "Bb 3"]
    assert [passage.group for passage in passages][:3] == [0, 0, 1]


def test_without_tables_nothing_is_a_head() -> None:
    assert not table_heads(make_indexed([["Some prose here."]])).is_head.any()


def test_leaves_know_the_long_table_that_they_are_rows_of(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(lists_of_leaves(indexed_table()).tolist()) == {-1}
    monkeypatch.setattr(table_heads_module, "MAX_ROWS_TOGETHER", 1)
    one = indexed_table()
    assert lists_of_leaves(one).tolist() == [-1, -1, 1, 1, 1, 1]
    rows = one.document.tables[0].rows
    parts = (Table(rows[:1]), Table(rows[1:2], is_continued=True), Table(rows[2:]))
    parted = replace(one, document=replace(one.document, tables=parts))
    assert lists_of_leaves(parted).tolist() == [-1, -1, -1, 1, 1, -1]


def test_without_tables_no_leaf_is_a_row() -> None:
    assert lists_of_leaves(make_indexed([["Some prose here."]])).tolist() == [-1]


def test_a_chunk_that_goes_beyond_a_table_is_no_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_heads_module, "MAX_ROWS_TOGETHER", 1)
    one = indexed_table()
    whole = Span(0, one.units[-1].end)
    assert lists_of_leaves(replace(one, units=(whole,))).tolist() == [-1]


def test_the_bar_that_closes_the_last_row_in_markdown_is_part_of_the_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_heads_module, "MAX_ROWS_TOGETHER", 1)
    one = make_indexed([["| Part |", "| Bolt |", "| Nut |"], ["Return borrowed ladders."]])
    head, *rows = (Row((Cell(unit.start + 2, unit.end - 2, 0),)) for unit in one.units[:3])
    document = replace(one.document, tables=(Table(tuple(rows), (head,)),))
    assert document.text[head.start : head.end] == "Part"
    assert lists_of_leaves(replace(one, document=document)).tolist() == [-1, 1, 1, -1]
