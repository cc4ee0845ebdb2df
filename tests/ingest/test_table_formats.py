"""Tables in all formats: cells at exact offsets, heads and labels for every row, merged cells, bounds."""

import io
import time
from itertools import pairwise

import docx
import pytest

from tests.ingest.archives import archive
from tests.ingest.samples import workbook
from treatise.core.document import Document
from treatise.core.recipe import Sentences
from treatise.ingest import read_bytes
from treatise.ingest.grids import SourceCell, grid_of
from treatise.tree.units import leaf_units

HTML = """<p>Text before.</p><table><caption>Sales, in millions</caption>
<tr><th rowspan=2>Region</th><th colspan=2>Year ended</th></tr><tr><th>2019</th><th>2018</th></tr>
<tr><td colspan=3>Europe</td></tr><tr><td>North</td><td>1,234</td><td>(5)</td></tr>
<tr><td rowspan=2>South</td><td>7</td><td>8</td></tr><tr><td>9</td><td>—</td></tr></table><p>After.</p>"""


def rows(document: Document) -> list[str]:
    return [document.self_contained(row.start, row.end) for table in document.tables for row in table.rows]


def check_cells(document: Document) -> None:
    """Every cell is where its table says; rows are sentences, in order; sentences tile."""
    for table in document.tables:
        for row in table.own_rows:
            for cell in (*row.cells, *row.above):
                assert document.text[cell.start : cell.end].strip() == document.text[cell.start : cell.end] != ""
            assert all(a.end <= b.start for a, b in pairwise(row.cells))
    units, _ = leaf_units(document, Sentences())
    starts = {unit.start for unit in units}
    assert all(any(start <= row.start for start in starts) for table in document.tables for row in table.rows)


def test_heads_spans_groups_and_captions_of_a_web_page() -> None:
    document = read_bytes(HTML.encode(), name="a.html")
    check_cells(document)
    lead = "Sales, in millions. Region. Europe"
    assert rows(document) == [
        "Sales, in millions. Region. Europe, Year ended",
        f"{lead}, North, Year ended: 2019: 1,234; 2018: (5)",
        f"{lead}, South, Year ended: 2019: 7; 2018: 8",
        f"{lead}, South, Year ended: 2019: 9; 2018: —",
    ]


def test_labels_marked_as_heads_are_labels_and_a_box_of_facts_has_no_heads() -> None:
    facts = ("<th>Born<td>1950", "<th>Height<td>1.80 m", "<th>Died<td>3")
    page = f"<table><tr>{'<tr>'.join(facts)}</table>"
    assert rows(read_bytes(page.encode(), name="a.html")) == ["Born: 1950", "Height: 1.80 m", "Died: 3"]


def test_a_markdown_table_stays_to_the_letter() -> None:
    lines = ("| Leaf | Cups \\| day | 2019 |", "|:--|--:|---|", "| Oo  | 3 |  |", "|  Pu | a `b` | 5 |")
    text = "\n".join(("# Trials", "", "Table 2: Yield", "", *lines, "", "End.", ""))
    document = read_bytes(text.encode(), name="a.md")
    assert document.text == text
    check_cells(document)
    assert rows(document) == [
        "Table 2: Yield. Leaf. Oo: Cups \\| day: 3",
        "Table 2: Yield. Leaf. Pu: Cups \\| day: a `b`; 2019: 5",
    ]
    units, _ = leaf_units(document, Sentences())
    assert "|:--|--:|---|" not in [document.quote(unit.start, unit.end) for unit in units]


def test_tables_of_attachments_and_archives_stay_tables() -> None:
    data = archive({"a/sales.csv": "Region,2019\nNorth,5\nSouth,6\n", "b.html": HTML})
    document = read_bytes(data, name="a.zip")
    check_cells(document)
    assert rows(document)[:2] == ["a/sales.csv. Region. North: 2019: 5", "a/sales.csv. Region. South: 2019: 6"]
    assert rows(document)[-1].endswith("South, Year ended: 2019: 9; 2018: —")


def test_merged_cells_of_a_word_document() -> None:
    file = docx.Document()
    file.add_paragraph("The sales were as follows:")
    table = file.add_table(4, 3)
    for at, text in enumerate(
        ["Region", "City", "Sales", "North", "Oslo", "5", "", "Bergen", "6", "South", "Rome", "7"]
    ):
        table.cell(at // 3, at % 3).text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    data = io.BytesIO()
    file.save(data)
    document = read_bytes(data.getvalue(), name="a.docx")
    check_cells(document)
    lead = "The sales were as follows. Region"
    assert rows(document) == [
        f"{lead}. North: City: Oslo; Sales: 5",
        f"{lead}. North: City: Bergen; Sales: 6",
        f"{lead}. South: City: Rome; Sales: 7",
    ]


def sheet_row(number: int, **cells: str) -> str:
    texts = (f'<c r="{column}{number}" t="str"><v>{text}</v></c>' for column, text in cells.items())
    return f'<row r="{number}">{"".join(texts)}</row>'


def test_merged_cells_of_a_workbook_and_text_above_its_heads() -> None:
    lines = [
        sheet_row(1, A="Exports, in tons"),
        sheet_row(3, B="2019", D="2018"),
        sheet_row(4, A="Leaf", B="Q1", C="Q2", D="Q1", E="Q2"),
        sheet_row(5, A="Oo", B="1", C="2", D="3", E="4"),
        sheet_row(6, B="5", E="8"),
    ]
    merged = '<mergeCells><mergeCell ref="B3:C3"/><mergeCell ref="D3:E3"/><mergeCell ref="A5:A6"/></mergeCells>'
    document = read_bytes(workbook("".join(lines), after=merged), name="a.xlsx")
    check_cells(document)
    lead = "Leaves Exports, in tons. Leaf. Oo"
    assert rows(document) == [
        f"{lead}: 2019 Q1: 1; 2019 Q2: 2; 2018 Q1: 3; 2018 Q2: 4",
        f"{lead}: 2019 Q1: 5; 2018 Q2: 8",
    ]


def test_notes_of_several_cells_above_the_heads_are_no_heads() -> None:
    notes = "Lots of people\nsimply cannot resist,some notes\nat,the,top,of,sheets\nor,merging,cells\n"
    heads = "Name,Profession,Age,Children,Born,Died\nAda,poet,36,3,1815-12-10,1852-11-27\n"
    document = read_bytes((notes + heads).encode(), name="a.csv")
    assert rows(document)[0].endswith(
        "Name. Ada: Profession: poet; Age: 36; Children: 3; Born: 1815-12-10; Died: 1852-11-27"
    )


def test_a_sentence_with_the_word_following_is_no_caption() -> None:
    page = "<p>Numbers following the name are ignored.</p><table><tr><th>Type<th>Kind<tr><td>a<td>b</table>"
    assert rows(read_bytes(page.encode(), name="a.html")) == ["Type. a: Kind: b"]


def test_a_row_with_arrows_is_no_head_and_links_of_docbook_are_no_table() -> None:
    links = "<div class='navheader'><table><tr><td>Prev<td>Chapter 3<td>Next</table></div>"
    row = "<tr><td>apt-get {0}<td>-&gt;<td>apt {0}"
    text = "<p>These are the commands of before and those of today, side by side.</p>" * 3
    page = f"{links}{text}<table>{row.format('update')}{row.format('upgrade')}</table>"
    document = read_bytes(page.encode(), name="a.html")
    assert rows(document) == ["apt-get update: ->; apt update", "apt-get upgrade: ->; apt upgrade"]
    assert "Prev" not in document.text


def test_rows_far_below_and_rows_that_are_too_long_keep_their_heads() -> None:
    heads = ["Leaf", *(f"Year {at}" for at in range(300))]
    lines = [heads, *([f"Oo {row}", *(f"{row}{at}.5" for at in range(300))] for row in range(50))]
    document = read_bytes("\n".join(map(",".join, lines)).encode(), name="a.csv")
    check_cells(document)
    units, _ = leaf_units(document, Sentences())
    (found,) = [unit for unit in units if "\t49299.5" in document.quote(unit.start, unit.end)]
    text = document.self_contained(found.start, found.end)
    assert text.startswith("Leaf. Oo 49: Year ")
    assert text.endswith("Year 299: 49299.5")


def test_a_sheet_of_a_hundred_thousand_cells_takes_time_in_proportion() -> None:
    """Both have 40,000 cells: one with long rows, one with many; neither is quadratic in its length."""
    for n_rows, n_columns in ((20_000, 2), (20, 2_000)):
        line = ",".join(str(at) for at in range(n_columns))
        started = time.process_time()
        document = read_bytes(
            "\n".join([",".join(f"h{at}" for at in range(n_columns)), *[line] * n_rows]).encode(), name="a.csv"
        )
        for table in document.tables[-3:]:
            document.self_contained(table.start, table.end)
        assert time.process_time() - started < 10
        assert sum(len(table.rows) for table in document.tables) == n_rows


def test_spans_built_to_do_harm_are_bounded() -> None:
    cells = "<td colspan=99999 rowspan=99999>x</td>" * 50
    document = read_bytes(f"<table><tr>{cells}</tr>{'<tr><td>1<td>2</tr>' * 2_000}</table>".encode(), name="a.html")
    assert document.text.count("1\t2") == 2_000


@pytest.mark.parametrize(
    ("texts", "n_heads", "n_labels"),
    [
        ([["", "2019", "2018"], ["Cash", "1", "2"]], 1, 1),
        ([["Name", "City", "Note"], ["Ann", "Oslo", "red"], ["Bob", "Rome", "blue"]], 1, 1),
        ([["Name", "Ann"], ["City", "Oslo"]], 0, 1),
        ([["1", "2"], ["3", "4"]], 0, 0),
        ([["Year", "Sales"], ["2018", "5"], ["2019", "6"]], 1, 1),
    ],
)
def test_heads_and_labels_are_found_by_what_cells_contain(texts: list[list[str]], n_heads: int, n_labels: int) -> None:
    grid = grid_of([[SourceCell(text) for text in row] for row in texts])
    assert grid is not None
    assert (len(grid.heads), grid.n_labels) == (n_heads, n_labels)
