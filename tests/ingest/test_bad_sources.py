"""Bad input in every format ends in an error that names the file, or in a bounded document; never in a traceback."""

import time
import zipfile
from io import BytesIO

import pytest

from tests.ingest.archives import ENTITY_BOMB, W, archive, book, word
from tests.ingest.samples import MAIL, RTF, SAMPLES, open_document, slides, workbook
from treatise.core.errors import (
    DamagedSourceError,
    EmptySourceError,
    SourceError,
    SourceTooLargeError,
    UnsupportedSourceError,
)
from treatise.ingest import Limits, read_bytes, read_document_with_report
from treatise.ingest.formats import FORMATS

ZIPPED = ("docx", "epub", "odt", "pptx", "xlsx", "ods", "zip")
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600


def name_of(format_name: str) -> str:
    return f"bad{FORMATS[format_name].suffixes[0]}"


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize("data", [b"", b"\n \n", b"\0" * 5000], ids=["nothing", "blank", "zero bytes"])
def test_nothing_is_refused_by_name(format_name: str, data: bytes) -> None:
    with pytest.raises(SourceError, match=r"bad\.\w+: "):
        read_bytes(data, name=name_of(format_name), format=format_name)


@pytest.mark.parametrize("format_name", [*ZIPPED, "pdf", "rtf", "ipynb", "json", "jsonl"])
def test_a_truncated_file_is_refused_by_name(format_name: str) -> None:
    data = SAMPLES[format_name]
    with pytest.raises(SourceError, match=r"bad\.\w+"):
        read_bytes(data[: 2 * len(data) // 3], name=name_of(format_name), format=format_name)


@pytest.mark.parametrize("format_name", [name for name in ZIPPED if name != "zip"])
def test_a_locked_office_file_is_refused(format_name: str) -> None:
    with pytest.raises(SourceError, match=r"bad\.\w+: (locked with a password|an old Microsoft)"):
        read_bytes(OLE, name=name_of(format_name))


def test_a_locked_open_document_is_refused() -> None:
    manifest = '<m:x xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><m:encryption-data/></m:x>'
    with pytest.raises(DamagedSourceError, match=r"bad\.odt: locked with a password"):
        read_bytes(open_document("text", "", manifest), name="bad.odt")


def test_an_encrypted_message_is_refused() -> None:
    data = b"From: a\nContent-Type: multipart/encrypted; boundary=x\n\n--x\n\nabc\n--x--\n"
    with pytest.raises(DamagedSourceError, match=r"bad\.eml: an encrypted message"):
        read_bytes(data, name="bad.eml")


@pytest.mark.parametrize("format_name", ZIPPED)
def test_a_zip_bomb_is_refused(format_name: str) -> None:
    stream = BytesIO(SAMPLES[format_name])
    with zipfile.ZipFile(stream, "a", zipfile.ZIP_DEFLATED) as file:
        file.writestr("bomb.txt", b"\0" * (8 * 2**20))
    with pytest.raises(SourceError, match="as a zip bomb does"):
        read_bytes(stream.getvalue(), name=name_of(format_name), format=format_name)


def test_an_entity_bomb_is_refused() -> None:
    for name, path in (("odt", "content.xml"), ("pptx", "ppt/presentation.xml"), ("xlsx", "xl/workbook.xml")):
        with pytest.raises(SourceError, match="declares XML entities"):
            read_bytes(archive({path: f"{ENTITY_BOMB}<x>&b;</x>"}), name=f"bad.{name}")


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize("other", FORMATS)
def test_a_wrong_suffix_is_read_or_refused(format_name: str, other: str) -> None:
    assert read_or_error(SAMPLES[other], name=name_of(format_name))


def read_or_error(data: bytes, **options: str) -> str:
    """The text of a source, or the message of the error, which names it."""
    try:
        return read_bytes(data, **options).text  # type: ignore[arg-type]  # all are strings
    except SourceError as error:
        message = str(error)
    assert message.startswith("bad.")
    return message


def test_a_million_cells_are_bounded() -> None:
    repeated = 'table:number-rows-repeated="99999999"'
    cell = '<table:table-cell table:number-columns-repeated="16000"><text:p>x</text:p></table:table-cell>'
    body = f"<table:table><table:table-row {repeated}>{cell}</table:table-row></table:table>"
    with pytest.raises(SourceTooLargeError, match=r"bad\.ods: more than 2,000,000 cells"):
        read_bytes(open_document("spreadsheet", body), name="bad.ods")
    with pytest.raises(SourceTooLargeError, match=r"bad\.csv: more than 100 cells"):
        read_bytes(b"a,b\n" * 100, name="bad.csv", limits=Limits(max_cells=100))


def test_a_thousand_sheets_over_one_part_are_read_once() -> None:
    sheets = '<sheet name="s" r:id="r1"/>' * 1_000
    rows = "<row>" + '<c t="str"><v>' + "x" * 1_000 + "</v></c></row>"
    document = read_bytes(workbook(rows, sheets), name="bad.xlsx", limits=Limits(max_text_chars=100_000))
    assert document.text.count("x" * 1_000) == 1


def test_a_slide_that_is_listed_twice_is_read_once() -> None:
    data = slides()
    again = {name: zipfile.ZipFile(BytesIO(data)).read(name) for name in zipfile.ZipFile(BytesIO(data)).namelist()}
    again["ppt/presentation.xml"] = again["ppt/presentation.xml"].replace(b'r:id="r2"', b'r:id="r1"')
    assert read_bytes(archive(again), name="a.pptx").text.count("Boil.") == 1


def test_messages_within_messages_end() -> None:
    data = MAIL
    for at in range(30):
        head = f"From: a\nSubject: Mail {at}\nContent-Type: multipart/mixed; boundary=b{at}\n\n--b{at}\n"
        data = head.encode() + b"Content-Type: message/rfc822\n\n" + data + f"\n--b{at}--\n".encode()
    document, report = read_document_with_report(BytesIO(data), name="bad.eml")
    assert document.title == "Mail 29"
    assert "too many documents within each other" in " ".join(report.notes)


def test_deeply_nested_parts_are_refused_or_read() -> None:
    data = b"Subject: x\n" + b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (at, at) for at in range(3_000)
    )
    with pytest.raises(SourceError, match=r"bad\.eml"):
        read_bytes(data, name="bad.eml")


def test_archives_within_archives_end() -> None:
    data = archive({"a.txt": "Deep."})
    for _ in range(10):
        data = archive({"more.zip": data, "b.txt": "Here."})
    document, report = read_document_with_report(BytesIO(data), name="bad.zip")
    assert document.text.count("Here.") == 3
    assert len(report.notes) <= 9


def test_an_archive_with_one_bad_document_keeps_the_others() -> None:
    data = archive({"a.txt": "Good.", "b.json": "[1,"})
    document, report = read_document_with_report(BytesIO(data), name="mixed.zip")
    assert document.text == "a.txt\n\nGood.\n\n"
    assert report.notes[0].startswith("left out b.json: not complete JSON")


def test_an_archive_without_documents_says_so() -> None:
    with pytest.raises(EmptySourceError, match=r"bad\.zip: a zip archive without a document that can be read"):
        read_bytes(archive({"a.png": b"x"}), name="bad.zip")


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
def test_deep_json_is_refused(opening: bytes) -> None:
    with pytest.raises(DamagedSourceError, match=r"bad\.json: not complete JSON"):
        read_bytes(opening * 200_000, name="bad.json")


def test_deep_rtf_groups_need_no_recursion() -> None:
    data = RTF[:-1] + b"{" * 100_000 + b"deep" + b"}" * 100_000 + b"}"
    assert "deep" in read_bytes(data, name="a.rtf").text


def test_an_unread_type_lists_those_that_are_read() -> None:
    with pytest.raises(UnsupportedSourceError, match=r"Treatise reads \.txt, \.md, .*\.rtf.* and \.zip"):
        read_bytes(b"\x7fELF\x02\x01", name="a.exe")


@pytest.mark.parametrize("format_name", ["latex", "rst", "asciidoc", "subtitles", "csv", "rtf"])
@pytest.mark.parametrize(
    "piece", [b"\\footnote{", b"{", b"$", b"=", b"a\n", b"<", b"[", b'"', b"\\item[", b"--> ", b"|"]
)
def test_long_runs_of_marks_take_linear_time(format_name: str, piece: bytes) -> None:
    data = piece * (200_000 // len(piece))
    started = time.process_time()
    read_or_error(b"00:00:01,000 --> 00:00:02,000\n" + data, name=name_of(format_name), format=format_name)
    assert time.process_time() - started < 20


def test_a_chapter_that_the_spine_repeats_is_read_once() -> None:
    data = book({"a.xhtml": "<p>Once upon a time.</p>"})
    members = {name: zipfile.ZipFile(BytesIO(data)).read(name) for name in zipfile.ZipFile(BytesIO(data)).namelist()}
    package = members["OEBPS/book.opf"]
    members["OEBPS/book.opf"] = package.replace(b"<spine>", b"<spine>" + b'<itemref idref="a.xhtml"/>' * 1_000)
    assert read_bytes(archive(members), name="a.epub").text == "Once upon a time.\n\n"


def test_a_note_that_is_referred_to_often_stands_once() -> None:
    reference = '<w:r><w:footnoteReference w:id="1"/></w:r>'
    notes = (
        f'<w:footnotes {W}><w:footnote w:id="1"><w:p><w:r><w:t>See above.</w:t></w:r></w:p></w:footnote></w:footnotes>'
    )
    data = word(f"<w:p><w:r><w:t>Text</w:t></w:r>{reference * 20_000}</w:p>", word__footnotes=notes)
    assert read_bytes(data, name="a.docx").text.count("See above.") == 1
