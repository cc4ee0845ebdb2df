"""Tables of PDFs: rows whole, labels with their values under the right heads, whatever the page looks like."""

import pytest

from tests.ingest.pdf_writer import Text, pdf
from treatise.core.document import Document, ParagraphKind
from treatise.core.table import Table, head_texts
from treatise.ingest import read_bytes

PROSE = "The company sells goods and services in many countries of the world and keeps its books in dollars."


def read(*pages: list[Text]) -> Document:
    return read_bytes(pdf(list(pages)), name="report.pdf")


def row(y: float, label: str, *values: str, x: float = 60, rights: tuple[float, ...] = (380, 460, 540)) -> list[Text]:
    """A label and values that end at the same places; Helvetica's digits are .556 em wide."""
    width = {**dict.fromkeys("0123456789$", 5.56), **dict.fromkeys("(),.", 3.05), "—": 10.0, "%": 8.9}
    texts = [Text(x, y, label)] if label else []
    for value, right in zip(values, rights, strict=False):
        if value:
            texts.append(Text(right - sum(width.get(c, 5.0) for c in value), y, value))
    return texts


def statement(top: float = 700) -> list[Text]:
    """Two rows of heads, a group, amounts with a currency sign of their own, a negative one, a wrapped label."""
    return [
        Text(200, top + 40, "CONSOLIDATED STATEMENTS OF INCOME", 12, "bold"),
        Text(250, top + 26, "(in millions)"),
        Text(400, top + 12, "Years ended June 30,"),
        *row(top, "", "2021", "2020", "2019"),
        Text(60, top - 14, "Revenue:"),
        *row(top - 28, "Products", "1,975", "2,255", "2,110", x=70),
        *[Text(x, top - 28, "$") for x in (340, 420, 500)],
        *row(top - 42, "Services", "4,514", "5,245", "(907)", x=70),
        *row(top - 56, "Total revenue", "6,489", "7,500", "1,203", x=70),
        Text(60, top - 70, "Income before the cumulative effect of a change"),
        *row(top - 82, "in accounting, net of taxes", "26", "—", "12"),
        *row(top - 96, "Net income", "1,503", "1,848", "273"),
        *[Text(60, top - 130 - 12 * i, PROSE) for i in range(4)],
    ]


def cells(document: Document, table: Table) -> dict[str, dict[str, str]]:
    """Values by label and head, from the places of the cells."""
    found: dict[str, dict[str, str]] = {}
    heads = head_texts(document.text, table)
    for one in table.rows:
        texts = {c.column: document.text[c.start : c.end] for c in one.cells}
        found[texts.get(0, "")] = {heads.get(column, ""): text for column, text in texts.items() if column}
    return found


def test_a_statement_keeps_labels_heads_and_values_together() -> None:
    document = read(statement())
    (table,) = document.tables
    values = cells(document, table)
    assert values["Services"] == {"2021": "4,514", "2020": "5,245", "2019": "(907)"}
    assert values["Products"] == {"2021": "$1,975", "2020": "$2,255", "2019": "$2,110"}
    assert values["Income before the cumulative effect of a change in accounting, net of taxes"]["2020"] == "—"
    assert table.caption
    assert document.text[slice(*table.caption)].split("\n\n") == ["CONSOLIDATED STATEMENTS OF INCOME", "(in millions)"]


def test_what_is_searched_of_a_row_explains_itself_and_its_quote_stands_in_the_document() -> None:
    document = read(statement())
    start = document.text.index("Services\t")
    end = document.text.index("\n", start)
    assert document.text[start:end] == "Services\t4,514\t5,245\t(907)"
    assert document.self_contained(start, end) == (
        "CONSOLIDATED STATEMENTS OF INCOME (in millions). Revenue, Services, Years ended June 30: "
        "2021: 4,514; 2020: 5,245; 2019: (907)"
    )


def test_a_group_ends_at_its_total() -> None:
    document = read(statement())
    table = document.tables[0]
    grouped = {document.text[r.cells[0].start : r.cells[0].end]: r.parent for r in table.rows}
    assert [grouped[label] for label in ("Products", "Services", "Total revenue", "Net income")] == [0, 0, 0, -1]


def test_rows_are_sentences_and_every_character_stays_in_one_paragraph() -> None:
    document = read(statement())
    (paragraph,) = [p for p in document.paragraphs if p.kind is ParagraphKind.TABLE]
    rows = [document.text[s.start : s.end].strip() for s in paragraph.sentences]
    assert rows[:2] == ["Years ended June 30,", "2021\t2020\t2019"]
    assert len(rows) == 8
    assert "".join(document.text[p.start : p.end] for p in document.paragraphs) == document.text


def test_a_table_goes_on_over_a_page_with_the_heads_of_its_first_part() -> None:
    first = [*row(200, "", "2021", "2020", "2019"), *row(180, "Cash", "5", "6", "7"), *row(165, "Debt", "8", "9", "1")]
    upper = [Text(60, 700 - 12 * i, PROSE) for i in range(20)]
    second = [*row(780, "Equity", "11", "12", "13"), *row(765, "Other", "14", "15", "16")]
    lower = [Text(60, 700 - 12 * i, PROSE) for i in range(20)]
    document = read([*upper, *first], [*second, *lower])
    one, two = document.tables
    assert two.is_continued
    assert two.heads == one.heads
    assert cells(document, two)["Equity"] == {"2021": "11", "2020": "12", "2019": "13"}


def test_spanning_heads_stand_over_their_columns() -> None:
    rights = (300, 360, 460, 520)
    page = [
        Text(290, 720, "Quarter ended"),
        Text(455, 720, "Year ended"),
        *row(706, "", "2021", "2020", "2021", "2020", rights=rights),
        *row(690, "United States", "1", "2", "3", "4", rights=rights),
        *row(676, "Other countries", "5", "6", "7", "8", rights=rights),
    ]
    document = read([*page, *[Text(60, 600 - 12 * i, PROSE) for i in range(4)]])
    assert cells(document, document.tables[0])["Other countries"] == {
        "Quarter ended 2021": "5",
        "Quarter ended 2020": "6",
        "Year ended 2021": "7",
        "Year ended 2020": "8",
    }


def test_values_beside_labels_are_no_second_column_of_prose() -> None:
    labels = "Selling, general and administrative expenses of the group"
    page = [t for i in range(20) for t in row(700 - 14 * i, f"{labels} {i}", f"{i},100", f"{i},200", f"{i},300")]
    document = read(page)
    (table,) = document.tables
    assert len(table.rows) == 20
    assert all(len(one.cells) == 4 for one in table.rows)


def test_a_contents_page_is_no_table() -> None:
    page = [Text(60, 700 - 14 * i, f"{i}. A chapter's title {'.' * 60} {3 * i}") for i in range(1, 12)]
    document = read(page, [Text(60, 700 - 12 * i, PROSE) for i in range(20)])
    assert not document.tables


def test_prose_lists_and_numbered_lines_are_no_table() -> None:
    page = [Text(60, 700 - 12 * i, PROSE) for i in range(6)]
    page += [t for i in range(5) for t in (Text(60, 600 - 12 * i, "•"), Text(80, 600 - 12 * i, "an item of a list"))]
    page += [t for i in range(5) for t in (Text(60, 500 - 12 * i, f"({i})"), Text(90, 500 - 12 * i, "a numbered line"))]
    assert not read(page).tables


def test_the_same_page_gives_the_same_document() -> None:
    assert read(statement()) == read(statement())
    assert read(statement()).id == read(statement()).id


@pytest.mark.parametrize("n_rows", [400])
def test_a_page_of_numbers_alone_is_read_whole(n_rows: int) -> None:
    page = [Text(10 + 25 * c, 830 - 2 * r, str(r * c), 2) for r in range(n_rows) for c in range(20)]
    document = read(page)
    assert sum(len(row.cells) for table in document.tables for row in table.own_rows) >= n_rows * 19


def test_labels_beside_texts_are_rows_and_no_columns_of_prose() -> None:
    plans = {
        "Net sales": "$10.95 billion to $11.05 billion",
        "Comparable sales": "4% to 5%",
        "Remodel and relocation projects": "20-30",
        "Operating margin": "14.7% to 15.0%",
        "Diluted earnings per share": "$24.70 to $25.40",
        "Share repurchases": "approximately $900 million",
        "Capital expenditures": "$400 million to $475 million",
    }
    rows = [
        Text(x, 600 - 14 * i, one)
        for i, pair in enumerate(plans.items())
        for x, one in zip((60, 320), pair, strict=True)
    ]
    document = read([Text(60, 640, PROSE), Text(320, 614, "FY23 Outlook", 10, "bold"), *rows])
    (table,) = document.tables
    assert cells(document, table) == {label: {"FY23 Outlook": value} for label, value in plans.items()}


def test_days_above_years_belong_to_the_heads() -> None:
    rights = (300, 380, 460, 540)
    page = [
        *row(700, "", "January", "January", "January", "January", rights=rights),
        *row(688, "", "28,", "29,", "28,", "29,", rights=rights),
        *row(676, "(Dollars in millions)", "2023", "2022", "2023", "2022", rights=rights),
        *row(662, "Net sales", "3,226", "2,729", "10,208", "8,630", rights=rights),
        *row(648, "Gross profit", "1,212", "1,027", "4,044", "3,368", rights=rights),
        *row(634, "Net income", "340", "289", "1,242", "985", rights=rights),
    ]
    (table,) = read(page).tables
    document = read(page)
    assert head_texts(document.text, table)[1] == "January 28, 2023"


def test_an_address_above_a_table_of_items_is_no_head() -> None:
    address = [Text(56, 760 - 12 * at, line) for at, line in enumerate(("Ann Lee", "The Old Chapel", "York YO1 7HH"))]
    heads = [
        Text(x, 712, head, font="bold") for x, head in ((60, "Pos."), (90, "Item"), (350, "Pieces"), (500, "Price"))
    ]
    items = [
        [Text(60, y, number), Text(90, y, item), *row(y, "", "2", "", price)]
        for y, number, item, price in ((698, "1", "Oak stairs", "940.00"), (684, "2", "A rail of beech", "86.00"))
    ]
    (table,) = read([*address, *heads, *items[0], *items[1]]).tables
    assert len(table.heads) == 1


def test_a_bold_label_with_its_number_is_no_head_of_columns() -> None:
    pairs = (("Invoice no.", "BJ-2025-0417"), ("Customer no.", "20933"), ("Your order", "by mail"), ("Ship to", "York"))
    lines = [
        Text(x, 700 - 14 * at, text, font="regular" if at else "bold")
        for at, pair in enumerate(pairs)
        for x, text in zip((60, 200), pair, strict=True)
    ]
    (table,) = read([Text(60, 760, "INVOICE", 16), *lines]).tables
    assert not table.heads
