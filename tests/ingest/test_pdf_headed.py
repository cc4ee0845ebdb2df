"""Lists of items in PDFs: their heads and what no row covers part the columns."""

from tests.ingest.pdf_writer import Stroke, Text, pdf
from tests.ingest.test_pdf_tables import PROSE
from treatise.core.document import Document
from treatise.core.table import column_texts, head_texts
from treatise.ingest import read_bytes
from treatise.ingest.pdf_headed import headed_tables
from treatise.ingest.pdf_words import Word

LEFTS = (60, 82, 330, 375, 440)
HEADS = ("Pos.", "Description", "Qty", "Price", "Total")
ITEMS = [
    ("1", "Oak table, oiled, to order", "1", "840.00", "840.00"),
    ("2", "Chair, grey wool, with arms", "6", "129.50", "777.00"),
    ("3", "Delivery", "1", "65.00", "65.00"),
]


def line(y: float, texts: tuple[str, ...], lefts: tuple[float, ...] = LEFTS) -> list[Text]:
    return [Text(x, y, text) for x, text in zip(lefts, texts, strict=True) if text]


def read(*parts: list[Text | Stroke]) -> Document:
    page = [one for part in parts for one in part]
    return read_bytes(pdf([[*page, Text(60, 780, PROSE)]]), name="invoice.pdf")


def rows_of(document: Document) -> list[dict[int, str]]:
    return [column_texts(document.text, row) for table in document.tables for row in table.rows]


def heads_of(document: Document) -> list[str]:
    (table,) = document.tables
    return [text for _, text in sorted(head_texts(document.text, table).items())]


def test_a_narrow_column_of_positions_is_apart_from_the_text_beside_it() -> None:
    document = read(line(740, HEADS), *(line(720 - 16 * at, item) for at, item in enumerate(ITEMS)))
    assert heads_of(document) == list(HEADS)
    assert [row[1] for row in rows_of(document)] == [item[1] for item in ITEMS]


def test_further_lines_of_a_description_are_parts_of_its_cell() -> None:
    document = read(
        line(740, HEADS), line(720, ITEMS[0]), line(708, ("", "with two leaves", "", "", "")), line(690, ITEMS[1])
    )
    assert [row[1] for row in rows_of(document)] == ["Oak table, oiled, to order with two leaves", ITEMS[1][1]]


def test_values_beside_the_middle_of_a_description_belong_to_it() -> None:
    document = read(
        line(740, HEADS),
        line(722, ("", "Oak table, oiled,", "", "", "")),
        line(716, ("1", "", "1", "840.00", "840.00")),
        line(710, ("", "made to order", "", "", "")),
        line(690, ITEMS[1]),
        line(670, ITEMS[2]),
    )
    assert [row[1] for row in rows_of(document)] == ["Oak table, oiled, made to order", ITEMS[1][1], "Delivery"]


def test_heads_of_two_lines_are_one_head() -> None:
    heads = [*line(740, ("Pos.", "Description", "Qty", "", "Total")), Text(375, 746, "Unit"), Text(375, 734, "price")]
    document = read(heads, *(line(710 - 16 * at, item) for at, item in enumerate(ITEMS)))
    assert heads_of(document)[3] == "Unit price"


def test_sums_below_the_items_are_rows_of_their_own() -> None:
    document = read(
        line(740, HEADS),
        *(line(720 - 16 * at, item) for at, item in enumerate(ITEMS)),
        line(665, ("", "", "", "VAT 20 %", "336.40")),
        line(649, ("", "", "", "Total", "2,018.40")),
    )
    assert rows_of(document)[3:] == [{3: "VAT 20%", 4: "336.40"}, {3: "Total", 4: "2,018.40"}]


def test_currency_signs_behind_numbers_stay_with_them() -> None:
    items = [("1", "Wallbox", "2", "649,00 €", "1.298,00 €"), ("2", "Montage", "1", "1 385,00 €", "1 385,00 €")]
    document = read(line(740, HEADS), *(line(720 - 16 * at, item) for at, item in enumerate(items)))
    assert [(row[3], row[4]) for row in rows_of(document)] == [item[3:] for item in items]


def test_a_second_list_has_heads_of_its_own() -> None:
    lists = [
        line(y, item)
        for top in (740, 640)
        for y, item in ((top, HEADS), *((top - 18 * (at + 1), item) for at, item in enumerate(ITEMS)))
    ]
    document = read(*lists)
    assert [len(table.rows) for table in document.tables] == [3, 3]


def test_prose_in_three_columns_is_no_list() -> None:
    words = [
        Word(text, x, x + 5.0 * len(text), 700.0 - 12 * at, 10.0, is_bold=False, is_mono=False)
        for at in range(6)
        for left in (60.0, 220.0, 380.0)
        for x, text in ((left, "reading"), (left + 40, "the"), (left + 60, "columns"))
    ]
    assert headed_tables(words) == []


def test_no_character_is_lost() -> None:
    document = read(line(740, HEADS), *(line(720 - 16 * at, item) for at, item in enumerate(ITEMS)))
    text = "".join(document.text.split())
    assert all(text.count("".join(item[1].split())) == 1 for item in ITEMS)
