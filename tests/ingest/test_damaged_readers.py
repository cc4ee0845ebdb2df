"""Damaged, hostile and unusual files of the formats in ``test_readers``: nothing is lost, nothing takes for ever."""

import io
import random
import time

import pytest

from tests.ingest.archives import archive
from tests.ingest.samples import open_document, workbook
from treatise.core.errors import EmptySourceError, SourceTooLargeError, UnsupportedSourceError
from treatise.ingest import read_bytes, read_document_with_report
from treatise.ingest.limits import Limits

HEAD = b"From: a@example.org\nSubject: s\nMIME-Version: 1.0\n"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (rb"\trowd\intbl A{\footnote Of the table.}\cell B\cell\row", "A[1]\tB\n\n[1] Of the table.\n\n"),
        (rb"\trowd\intbl A\cell B without a mark", "A\tB without a mark\n\n"),
        (rb"\trowd\intbl A\cell B\row", "A\tB\n\n"),
        (
            rb"One.\par{\shp{\*\shpinst{\sp{\sn x}{\sv 1}}{\shptxt In a box.\par}}}Two.\par",
            "One.\n\nIn a box.\n\nTwo.\n\n",
        ),
        (rb"One {\shp{\*\shpinst{\shptxt Box.\par}}{\shprslt Copy.\par}}goes on.\par", "Box.\n\nOne goes on.\n\n"),
        (rb"{\header{\shp{\*\shpinst{\shptxt Running.\par}}}}Body.\par", "Body.\n\n"),
    ],
)
def test_rtf_loses_no_text_of_unclosed_rows_table_notes_and_boxes(source: bytes, text: str) -> None:
    assert read_bytes(b"{\\rtf1 " + source + b"}", name="a.rtf").text == text


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("cell.rtf", b"{\\rtf1 \\trowd\\intbl " + b"x\\par " * 60_000 + b"\\cell\\row}"),
        ("style.rtf", b"{\\rtf1 {\\stylesheet{\\s1 " + b"\\~" * 200_000 + b";}}Body.\\par}"),
        ("a.tex", b"\\begin{tabular}x " * 20_000),
        ("a.adoc", (b"-" * 100 + b"\n") * 20_000),
        ("a.adoc", b"link:" * 20_000),
        ("a.adoc", b"kbd:" * 20_000),
        ("a.rst", b"a." * 50_000),
        ("a.md", b"<!-- a\n" * 20_000),
    ],
)
def test_marks_without_an_end_take_linear_time(name: str, data: bytes) -> None:
    started = time.process_time()
    read_bytes(data, name=name)
    assert time.process_time() - started < 10


def test_an_asciidoc_fence_of_any_length_ends_at_its_like() -> None:
    fence = "-" * 100
    document = read_bytes(f"{fence}\ncode\n{fence}\nProse.\n".encode(), name="a.adoc")
    assert [document.quote(p.start, p.end) for p in document.paragraphs] == [f"{fence}\ncode\n{fence}\n", "Prose.\n"]


def test_latex_with_private_characters_is_harmless() -> None:
    text = read_bytes("a \ue002".encode() + b"1" * 5_000 + "\ue003 b".encode(), name="a.tex").text
    assert text.startswith("a ")


def test_subtitles_keep_cues_without_blank_lines_and_lines_after_blank_ones() -> None:
    source = b"1\n00:00:01,000 --> 00:00:02,000\nOne.\n2\n00:00:02,000 --> 00:00:03,000\nTwo.\n\nThree.\n\n"
    assert read_bytes(source, name="a.srt").text == "[00:00:01] One. Two. Three.\n\n"


def test_webvtt_notes_and_names_of_cues_are_not_spoken() -> None:
    source = b"WEBVTT\n\nfirst\n00:01.000 --> 00:02.000\nOne.\n\nNOTE no\n\nsecond\n00:02.000 --> 00:03.000\nTwo.\n"
    assert read_bytes(source, name="a.vtt").text == "[00:00:01] One. Two.\n\n"


def test_a_damaged_member_of_an_archive_costs_only_itself() -> None:
    data = archive({"bad.txt": "B" * 500, "good.txt": "Good."})
    at = data.index(b"bad.txt") + len(b"bad.txt")
    document, report = read_document_with_report(io.BytesIO(data[:at] + b"\xff\xff" + data[at + 2 :]), name="a.zip")
    assert document.text == "good.txt\n\nGood.\n\n"
    assert any("bad.txt" in note for note in report.notes)


def test_archives_in_archives_share_one_allowance() -> None:
    inner = archive({"a.json": b"[" + b" " * 40_000 + b'"Text."]'})
    limits = Limits(max_unpacked_bytes=1_000_000)
    document, report = read_document_with_report(
        io.BytesIO(archive({f"{number:03}.zip": inner for number in range(60)})), name="a.zip", limits=limits
    )
    assert 20 <= document.text.count("Text.") <= 25
    assert any("together" in note for note in report.notes)


def test_a_document_that_holds_others_is_what_its_name_says() -> None:
    inner = archive({"word/document.xml": "<x/>"})
    outer = archive({"xl/workbook.xml": "<workbook/>", "mimetype": inner})
    with pytest.raises(EmptySourceError, match="read as xlsx"):
        read_bytes(outer, name="a.xlsx")


def test_far_cells_in_every_row_are_bounded() -> None:
    rows = "".join(f'<row><c r="XFD1"><v>{random.Random(number).random()}</v></c></row>' for number in range(200))
    with pytest.raises(SourceTooLargeError, match="cells"):
        read_bytes(workbook(rows), name="a.xlsx", limits=Limits(max_cells=50_000))


def test_a_table_in_a_cell_is_read_once() -> None:
    cell = "<table:table-cell><text:p>{}</text:p>{}</table:table-cell>"
    inner = f"<table:table><table:table-row>{cell}</table:table-row></table:table>"
    assert read_bytes(open_document("text", inner.format("A", inner.format("B", ""))), name="a.odt").text == "A B\n\n"


def test_a_blank_plain_alternative_gives_way_and_attachments_of_the_other_are_read() -> None:
    blank = (
        b"Content-Type: multipart/alternative; boundary=x\n\n--x\nContent-Type: text/plain\n\n \n"
        b"--x\nContent-Type: text/html\n\n<p>Only here.</p>\n--x--\n"
    )
    assert "Only here." in read_bytes(HEAD + blank, name="a.eml").text
    nested = (
        b"Content-Type: multipart/alternative; boundary=x\n\n--x\nContent-Type: text/plain\n\nShort.\n--x\n"
        b"Content-Type: multipart/mixed; boundary=y\n\n--y\nContent-Type: text/html\n\n<p>Short.</p>\n--y\n"
        b"Content-Type: text/plain\nContent-Disposition: attachment; filename=a.txt\n\nAttached.\n--y--\n--x--\n"
    )
    text = read_bytes(HEAD + nested, name="a.eml").text
    assert text.count("Short.") == 1
    assert "Attached." in text


@pytest.mark.parametrize("charset", [b"ut\0f-8", b"idna", b"rot13", b"no-such"])
def test_an_impossible_charset_of_a_message_is_read_as_utf8(charset: bytes) -> None:
    mail = HEAD + b"Content-Type: text/plain; charset=" + charset + b"\n\nGr\xc3\xbc\xc3\x9fe.\n"
    assert "Gr" in read_bytes(mail, name="a.eml").text


def test_parts_beyond_the_limit_are_reported() -> None:
    parts = b"".join(b"--x\nContent-Type: text/plain\n\nPart.\n" for _ in range(1_100))
    mail = HEAD + b"Content-Type: multipart/mixed; boundary=x\n\n" + parts + b"--x--\n"
    _, report = read_document_with_report(io.BytesIO(mail), name="a.eml")
    assert report.notes == ("left out what follows the first 1,000 parts of a message",)


def test_binary_data_is_refused_with_the_formats_that_can_be_read() -> None:
    with pytest.raises(UnsupportedSourceError, match=r"\.xlsx"):
        read_bytes(b"\0\1\2" * 100, name="a.txt")
