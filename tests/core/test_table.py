"""Tables as nouns: places in the text, rows that explain themselves, documents that keep both."""

import time

import pytest

from treatise.core.document import Document, Paragraph, ParagraphKind, Section, Span
from treatise.core.table import Cell, Row, Table, column_texts, head_texts, row_parts, row_text

TEXT = "Assets, in millions\n\nYears ended\n2019\t2018\nCurrent:\nCash\t1,234\t(5)\nMore text."


def cell(word: str, column: int, n_columns: int = 1) -> Cell:
    start = TEXT.index(word)
    return Cell(start, start + len(word), column, n_columns)


TABLE = Table(
    rows=(Row((cell("Current:", 0),)), Row((cell("Cash", 0), cell("1,234", 1), cell("(5)", 2)), parent=0)),
    heads=(Row((cell("Years ended", 1, 2),)), Row((cell("2019", 1), cell("2018", 2)))),
    caption=(0, 19),
)


def document(table: Table = TABLE) -> Document:
    at, paragraphs = 0, []
    parts = (("Assets, in millions\n\n",), ("Years ended\n", "2019\t2018\n", "Current:\n", "Cash\t1,234\t(5)\n"))
    kinds = (ParagraphKind.HEADING, ParagraphKind.TABLE, ParagraphKind.PROSE)
    for kind, lines in zip(kinds, (*parts, ("More text.",)), strict=True):
        start, sentences = at, []
        for line in lines:
            sentences.append(Span(at, at + len(line)))
            at += len(line)
        paragraphs.append(Paragraph(start, at, kind, tuple(sentences)))
    return Document("a.pdf", "A", "en", TEXT, (Section("", 0, 0),), tuple(paragraphs), tables=(table,))


def test_the_parts_of_a_row_are_its_caption_groups_common_heads_and_cells() -> None:
    parts = [("", "Assets, in millions"), ("", "Current"), ("", "Years ended")]
    cells = [("", "Cash"), ("2019", "1,234"), ("2018", "(5)")]
    assert row_parts(TEXT, TABLE, TABLE.rows[1]) == [*parts, *cells]
    assert row_parts(TEXT, TABLE, TABLE.heads[0]) == []


def test_a_row_explains_itself() -> None:
    assert row_text(TEXT, TABLE, TABLE.rows[1]) == (
        "Assets, in millions. Current, Cash, Years ended: 2019: 1,234; 2018: (5)"
    )


def test_heads_over_all_columns_are_said_once_and_the_others_with_each_value() -> None:
    assert head_texts(TEXT, TABLE)[1] == "2019"
    assert row_text(TEXT, TABLE, TABLE.heads[1]) == "Assets, in millions: 2019; 2018"


def test_only_a_whole_row_is_searched_as_one() -> None:
    one = document()
    start, end = TABLE.rows[1].start, TABLE.rows[1].end
    assert one.self_contained(start, end) == row_text(TEXT, TABLE, TABLE.rows[1])
    assert one.self_contained(start, end - 2) == TEXT[start : end - 2]
    assert one.self_contained(TABLE.heads[0].start, end) == TEXT[TABLE.heads[0].start : end]
    assert one.self_contained(TEXT.index("More"), len(TEXT)) == "More text."


def test_a_continued_table_is_found_by_its_own_rows_alone() -> None:
    later = Table(TABLE.rows, TABLE.heads, caption=TABLE.caption, is_continued=True)
    assert later.start == TABLE.rows[0].start
    assert later.row_within(TABLE.heads[1].start, TABLE.heads[1].end) is None


def test_heads_are_known_as_heads() -> None:
    one = document()
    assert [one.is_table_head(row.start, row.end) for row in TABLE.own_rows] == [True, True, False, False]


def test_an_id_depends_on_the_cells() -> None:
    other = Table(TABLE.rows, TABLE.heads, caption=None)
    assert document().id == document().id != document(other).id


@pytest.mark.parametrize("make", [lambda: Cell(3, 3, 0), lambda: Row(()), lambda: Table(())])
def test_what_holds_no_text_cannot_be_built(make: object) -> None:
    with pytest.raises(ValueError, match="needs"):
        make()


def test_a_table_lies_within_the_text() -> None:
    with pytest.raises(ValueError, match="order within the text"):
        document(TABLE.shifted(len(TEXT)))


def test_cells_of_a_long_text_are_read_in_linear_time() -> None:
    text = "Cash\t1,234\n" * 100_000
    rows = [Row((Cell(at, at + 4, 0), Cell(at + 5, at + 10, 1))) for at in range(0, len(text), 11)]
    begin = time.process_time()
    assert all(column_texts(text, row) == {0: "Cash", 1: "1,234"} for row in rows)
    assert time.process_time() - begin < 5
