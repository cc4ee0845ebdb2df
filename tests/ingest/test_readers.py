"""What each reader of office files, messages, notebooks, subtitles, markup and data understands."""

import pytest

from tests.ingest.archives import archive
from tests.ingest.samples import MAIL, SAMPLES, open_document, workbook
from treatise.core.document import Document, ParagraphKind
from treatise.ingest import read_bytes, read_document_with_report
from treatise.ingest.formats import FORMATS


def read(format_name: str, data: bytes | None = None) -> Document:
    return read_bytes(SAMPLES[format_name] if data is None else data, name=f"a{FORMATS[format_name].suffixes[0]}")


def outline(document: Document) -> list[tuple[int, str]]:
    return [(section.level, section.title) for section in document.sections]


def texts(document: Document, kind: ParagraphKind = ParagraphKind.PROSE) -> list[str]:
    return [document.quote(p.start, p.end).strip() for p in document.paragraphs if p.kind is kind]


def rows(document: Document) -> list[str]:
    """The rows of the tables as they are searched."""
    return [document.self_contained(row.start, row.end) for table in document.tables for row in table.rows]


@pytest.mark.parametrize("format_name", FORMATS)
def test_each_format_is_read_and_recognised(format_name: str) -> None:
    document = read(format_name)
    assert document.text.strip()
    assert document.paragraphs[-1].end == len(document.text)


def test_rtf_keeps_headings_characters_notes_and_tables() -> None:
    document = read("rtf")
    assert outline(document) == [(1, "First"), (2, "Second")]
    assert document.title == "The Title"
    assert texts(document) == ["Café, €5 and При.[1]", "[1] A note.", "After."]
    assert texts(document, ParagraphKind.TABLE) == ["A\tB"]
    assert texts(document, ParagraphKind.LIST) == ["1.\tAn item"]
    assert "Running" not in document.text


def test_odt_keeps_spaces_notes_lists_and_tables() -> None:
    document = read("odt")
    assert outline(document) == [(1, "Tea")]
    assert texts(document) == ["Boil  water. Wait.", "[1] Hot."]
    assert texts(document, ParagraphKind.LIST) == ["- Oo"]
    assert texts(document, ParagraphKind.TABLE) == ["Leaf\tTime"]


def test_slides_are_pages_with_notes_and_tables_and_hidden_ones_are_left_out() -> None:
    document = read("pptx")
    assert outline(document) == [(1, "Tea"), (2, "Notes"), (1, "Slide 2")]
    assert document.page_at(document.text.index("Loose")) == 2
    assert texts(document, ParagraphKind.LIST) == ["- Boil.", "- Wait."]
    assert texts(document) == ["Speak slowly.", "Loose."]
    assert "Secret" not in document.text


def test_a_row_of_a_workbook_stands_alone() -> None:
    document = read("xlsx")
    assert outline(document) == [(1, "Leaves")]
    assert texts(document) == ["In millions"]
    assert texts(document, ParagraphKind.TABLE) == ["Leaf\tDate\tShare\nOo\t2024-03-01\t12.5%\nPu\t0.3"]
    caption = "Leaves In millions. Leaf"
    assert rows(document) == [f"{caption}. Oo: Date: 2024-03-01; Share: 12.5%", f"{caption}. Pu: Share: 0.3"]


def test_a_row_of_an_open_spreadsheet_and_of_a_csv_file_stands_alone() -> None:
    assert texts(read("ods"), ParagraphKind.TABLE) == ["Leaf\tTime\nOo\t3"]
    assert rows(read("ods"))[0].endswith("Leaf. Oo: Time: 3")
    assert rows(read("csv")) == ["Leaf. Oo: Date: 2024-03-01; Share: 12.5%", "Leaf. Pu, old: Share: 3"]


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_the_delimiter_is_recognised(mark: str) -> None:
    data = "\n".join(mark.join(row) for row in (["Leaf", "Time"], ["Oo", "3"], ["Pu", "5"])).encode()
    assert rows(read("csv", data))[1] == "Leaf. Pu: Time: 5"


def test_numbers_without_heads_stay_as_they_are() -> None:
    assert read("csv", b"1,2\n3,4\n").text == "1\t2\n3\t4\n\n"


def test_a_message_shows_its_head_one_alternative_and_its_attachments() -> None:
    document = read("eml")
    assert document.title == "The café"
    assert outline(document) == [(1, "The café"), (2, "plan.md"), (3, "Plan")]
    assert texts(document)[0] == (
        'From: "Ada" <ada@example.org>\nTo: bob@example.org\nDate: Mon, 4 Mar 2024 09:15:00 +0000'
    )
    assert document.text.count("We meet at the café.") == 1


def test_what_a_message_leaves_out_is_reported(tmp_path: pytest.TempPathFactory) -> None:
    import io

    _, report = read_document_with_report(io.BytesIO(MAIL), name="a.eml")
    assert report.notes == ("left out the attachment 'cup.png', of a type that cannot be read",)


def test_a_mailbox_is_its_messages_in_order() -> None:
    document = read("mbox")
    assert [title for level, title in outline(document) if level == 1] == ["The café", "Re: tea"]
    assert document.text.endswith("Yes.\nFrom here on.\n\n")


def test_a_notebook_keeps_markdown_code_and_printed_text() -> None:
    document = read("ipynb")
    assert outline(document) == [(1, "Study")]
    assert texts(document, ParagraphKind.CODE) == ["print(1)", "1", "2"]


def test_subtitles_are_turns_with_times_and_speakers() -> None:
    document = read("subtitles")
    assert texts(document) == [
        "[00:00:01] Good morning, everyone.",
        "[00:01:10] ADA: Thank you.",
        "[00:01:10] BOB: And now?",
    ]


def test_webvtt_voices_are_speakers() -> None:
    data = b"WEBVTT\n\nNOTE made by hand\n\n01:02.000 --> 01:03.000 align:start\n<v Ada>It is <c.x>hot</c> &amp; wet.\n"
    assert read_bytes(data, name="-").text == "[00:01:02] Ada: It is hot & wet.\n\n"


@pytest.mark.parametrize("format_name", ["rst", "asciidoc"])
def test_text_that_a_page_shows_is_kept_to_the_letter(format_name: str) -> None:
    document = read(format_name)
    assert document.text == SAMPLES[format_name].decode().replace("::", ":").replace(".. note: ", "")
    assert outline(document) == [(1, "Guide"), (2, "Usage")]
    assert len(texts(document, ParagraphKind.TABLE)) == 1


def test_a_literal_block_of_rst_stays_with_its_sentence() -> None:
    assert texts(read("rst"))[0] == "Install it as follows:\n\n    pip install tea"


def test_latex_is_read_as_text() -> None:
    document = read("latex")
    assert document.title == "On Tea"
    assert outline(document) == [(1, "On Tea"), (2, "Abstract"), (2, "Café culture"), (3, "Costs")]
    assert texts(document) == ["We drink tea.", "See [ada]: 50% of $x^2$ – “hot”. (Very.)", "A lot."]
    assert texts(document, ParagraphKind.CODE) == ["boil \\now"]
    assert texts(document, ParagraphKind.LIST) == ["- Boil.", "- Wait."]
    assert texts(document, ParagraphKind.TABLE) == ["Leaf\tTime\nOo\t3"]


def test_records_of_json_are_sections() -> None:
    document = read("json")
    assert outline(document) == [(1, "Tea")]
    assert texts(document) == ["Boil water. Wait.", "Done."]
    assert texts(document, ParagraphKind.TABLE) == ["of.year: 2024\nof.tags: hot\nof.tags: leaf"]
    assert outline(read("jsonl")) == [(1, "Tea"), (1, "7")]


def test_an_archive_is_its_documents_in_the_order_of_their_paths() -> None:
    document = read("zip")
    assert outline(document) == [(1, "a.txt"), (1, "b/plan.md"), (2, "Plan")]
    assert "no" not in document.text.split()


def test_documents_nest_in_documents() -> None:
    inner = archive({"mail.eml": MAIL})
    document = read("zip", archive({"x.zip": inner}))
    assert [title for _, title in outline(document)] == ["x.zip", "mail.eml", "The café", "plan.md", "Plan"]


def test_a_text_in_another_shape_than_its_name_says_is_told_by_its_first_bytes() -> None:
    assert read_bytes(SAMPLES["rtf"], name="a.doc.txt").title == "The Title"
    assert read_bytes(SAMPLES["xlsx"], name="a").text == read("xlsx").text
    assert read_bytes(SAMPLES["odt"], name="-").text == read("odt").text


def test_shared_strings_out_of_range_and_dates_out_of_range_are_harmless() -> None:
    rows = (
        '<row><c t="s"><v>99</v></c><c t="s"><v>-1</v></c><c s="1"><v>9e99</v></c><c s="77"><v>1</v></c>'
        '<c s="1"><v>nan</v></c><c r="ZZZ9"><v>5</v></c></row>'
    )
    assert "5" in read("xlsx", workbook(rows)).text


def test_covered_cells_keep_the_columns_in_place() -> None:
    row = "<table:table-row>{}</table:table-row>"
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    head = row.format("".join(map(cell.format, ("A", "B", "C"))))
    spanned = row.format(cell.format("x") + "<table:covered-table-cell/>" + cell.format("z"))
    document = read("ods", open_document("spreadsheet", f"<table:table>{head}{spanned}</table:table>"))
    assert rows(document) == ["A. x: C: z"]


def test_items_of_an_rtf_list_are_items_whatever_their_marks_reset() -> None:
    label = rb"{\listtext\pard\plain 1.\tab}"
    item = rb"\pard\plain " + label + rb"\pard\ql\fi-360\li720\ls1 Tea that is green\par"
    document = read_bytes(
        rb"{\rtf1 Bring.\par" + item + rb"\pard " + label + rb"Cups\par\pard\ls0 Go.\par}", name="a.rtf"
    )
    assert [p.kind for p in document.paragraphs] == ["prose", "list", "list", "prose"]


@pytest.mark.parametrize(
    "text", ["The deposit is 1800 euros", "12,50 EUR", "Die Miete beträgt 900 Euro", "- Bring wine"]
)
def test_a_bold_statement_amount_or_item_is_no_heading(text: str) -> None:
    rtf = rb"{\rtf1\ansi{\b Rent}\par It is low.\par{\b " + text.encode("cp1252") + rb"}\par It may rise.\par}"
    assert [one.title for one in read_bytes(rtf, name="a.rtf").sections] == ["Rent"]


def test_bold_lines_are_the_headings_of_texts_without_others() -> None:
    rtf = (
        rb"{\rtf1\ansi{\b Rules}\par{\b Kitchen}\par Wash up before you leave.\par\pard\b 2.1 Heating\b0\par "
        rb"It is {\b 17 degrees} at night.\par{\b Ann Lee}\par}"
    )
    style = '<style:style style:name="B"><style:text-properties fo:font-weight="bold"/></style:style>'
    lines = (
        '<text:p text:style-name="B">Rules</text:p>',
        '<text:p><text:span text:style-name="B">Kitchen</text:span></text:p>',
        "<text:p>Wash up before you leave.</text:p>",
        '<text:p><text:span text:style-name="B">2.1 Heating</text:span></text:p>',
        '<text:p>It is <text:span text:style-name="B">17 degrees</text:span> at night.</text:p>',
        '<text:p text:style-name="B">Ann Lee</text:p>',
    )
    spaces = 'xmlns:{0}="urn:oasis:names:tc:opendocument:xmlns:{1}:1.0"'
    named = " ".join(spaces.format(*pair) for pair in (("style", "style"), ("fo", "xsl-fo-compatible")))
    styles = f"<office:automatic-styles>{style}</office:automatic-styles>"
    odt = open_document("text", "".join(lines), head=styles, spaces=named)
    for data, name in ((rtf, "a.rtf"), (odt, "a.odt")):
        document = read_bytes(data, name=name)
        assert [(one.level, one.title) for one in document.sections] == [
            (1, "Rules"),
            (1, "Kitchen"),
            (2, "2.1 Heating"),
        ]


def test_a_word_that_a_line_broke_in_a_cell_is_in_one_piece() -> None:
    notes = ("application- provided estimate", "birth- day party", "a birthday", "pre- and post-sale", "Ein- sowie Aus")
    text = read("csv", "\n".join(("Item,Note", *(f"{at},{one}" for at, one in enumerate(notes)))).encode()).text
    assert "application-provided estimate" in text
    assert "a birthday" in text
    assert "birthday party" in text
    assert "pre- and post-sale" in text
    assert "Ein- sowie Aus" in text
