"""Tables of plain text whose columns are aligned by spaces, and what is none."""

import pytest

from treatise.core.table import column_texts, head_texts
from treatise.ingest import read_bytes
from treatise.ingest.aligned_tables import aligned_table

STOCK = """\
Item            Qty    Price    Location
Steel rod       120    4.50     A1
Brass valve      18   12.00     B2
Copper pipe      45    7.25
Pump              3  310.00     C1
"""


def test_a_table_aligned_by_spaces_is_read_with_its_cells() -> None:
    document = read_bytes(f"Stock\n\nCounted on Monday.\n\n{STOCK}\nAll in euros.\n".encode(), name="stock.txt")
    (table,) = document.tables
    assert head_texts(document.text, table) == {0: "Item", 1: "Qty", 2: "Price", 3: "Location"}
    assert column_texts(document.text, table.rows[1]) == {0: "Brass valve", 1: "18", 2: "12.00", 3: "B2"}
    assert column_texts(document.text, table.rows[2]) == {0: "Copper pipe", 1: "45", 2: "7.25"}
    assert document.text.endswith("\n\nAll in euros.\n")


def test_a_rule_below_the_heads_is_no_row() -> None:
    heads, rows = STOCK.split("\n", 1)
    table = aligned_table(f"{heads}\n{'-' * 40}\n{rows}")
    assert table is not None
    assert len(table.rows) == 4


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("One two  three\nfour five  six\nseven eight  nine\nten eleven  twelve\n", id="no numbers"),
        pytest.param("Flour   200 g\nSugar   100 g\nButter   50 g\nSalt      1 g\n", id="no heads"),
        pytest.param("Item    Qty\nRod     120\nValve    18\n", id="two rows"),
        pytest.param(
            "The sea is calm to-night.\nThe tide is full,  the moon lies fair\nUpon the straits;\n" * 2, id="verse"
        ),
        pytest.param("alpha   = 1\nbeta    = 22\ngamma   = 333\ndelta   = 4\n", id="settings"),
        pytest.param("mov  eax   1\nadd  ebx   2\nsub  ecx   3\nmul  edx   4\n", id="code"),
        pytest.param("int  main    void\n     x       1\n     y       2\n     z       3\n", id="no labels"),
        pytest.param(
            "Introduction      3\nMethods          12\nResults          20\nDiscussion       31\n", id="contents"
        ),
        pytest.param(
            "It had been cold in    that year, and the men\nhad 12 days to sow     3 fields by the river;\n"
            "the weather turned,    so 4 of them gave up\nwhen the summer was    5 weeks old, as one said.\n",
            id="columns of prose",
        ),
        pytest.param("-v   print more\n-q   print less\n-n   print nothing\n-h   print help\n", id="options"),
    ],
)
def test_lines_that_may_be_anything_else_are_no_table(text: str) -> None:
    assert aligned_table(text) is None
