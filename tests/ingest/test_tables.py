"""Rows of cells as blocks: every cell is where its table says."""

import pytest

from treatise.core.document import ParagraphKind
from treatise.ingest.assemble import assemble
from treatise.ingest.reading import Block, Reading
from treatise.ingest.tables import Grid, GridCell, GridRow, plain_rows, table_block


def test_cells_are_where_the_table_says() -> None:
    grid = Grid(plain_rows([["Cash", "1", ""], ["Debt  and\nmore", "", "3"]]), plain_rows([["", "2019", "2018"]]))
    block = table_block(grid)
    assert block is not None
    assert block.text == "2019\t2018\nCash\t1\nDebt and more\t3\n\n"
    assert block.table is not None
    places = [[(block.text[c.start : c.end], c.column) for c in row.cells] for row in block.table.own_rows]
    assert places == [[("2019", 1), ("2018", 2)], [("Cash", 0), ("1", 1)], [("Debt and more", 0), ("3", 2)]]


def test_blank_rows_are_left_out_and_groups_keep_their_rows() -> None:
    rows = [GridRow([GridCell("A", 0)]), GridRow([GridCell(" ", 0)]), GridRow([GridCell("b", 0)], parent=0)]
    block = table_block(Grid(rows))
    assert block is not None
    assert block.table is not None
    assert [row.parent for row in block.table.rows] == [-1, 0]
    assert table_block(Grid([GridRow([GridCell("", 0)])])) is None


def test_a_table_keeps_its_places_among_other_blocks_and_gives_its_heads_to_the_next_part() -> None:
    first = table_block(Grid(plain_rows([["Cash", "1"]]), plain_rows([["", "2019"]])), caption=(-9, -2))
    second = table_block(Grid(plain_rows([["Debt", "2"]]), is_continued=True))
    assert first is not None
    assert second is not None
    blocks = [Block(ParagraphKind.PROSE, "\n \n"), Block(ParagraphKind.PROSE, "Caption\n\n"), first, second]
    document = assemble(Reading(blocks, "pdf"), source="a", title="A", language="en")
    one, two = document.tables
    assert [document.text[slice(*table.caption)] for table in (one, two)] == ["Caption", "Caption"]
    assert document.self_contained(two.start, two.end) == "Caption. Debt: 2019: 2"


def test_a_continued_table_has_no_heads_of_its_own() -> None:
    with pytest.raises(ValueError, match="heads of its first part"):
        table_block(Grid(plain_rows([["a"]]), plain_rows([["b"]]), is_continued=True))
