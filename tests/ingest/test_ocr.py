"""Pages without text: found, read by OCR where the extra is installed, and said to be so."""

import io

import numpy as np
import pypdfium2 as pdfium
import pytest

from tests.ingest.pdf_writer import Text, pdf
from treatise.core.errors import DamagedSourceError, SourceError, UnsupportedSourceError
from treatise.ingest import read_bytes, read_document_with_report
from treatise.ingest.limits import Limits
from treatise.ingest.ocr import PictureLine, can_read_pictures, confidence_of, words_of
from treatise.ingest.pdf_scans import ReadPages
from treatise.ingest.tesseract import has_tesseract, lines_of_table, tesseract_lines

needs_ocr = pytest.mark.skipif(not can_read_pictures(), reason="needs the extra: pip install 'treatise[ocr]'")

LINES = ("The kettle boils at one hundred degrees.", "Green tea needs seventy degrees only.")


def text_page() -> bytes:
    heading = Text(60, 770, "Water and Tea", size=20, font="bold")
    return pdf([[heading, *(Text(60, 720 - 16 * at, line, size=12) for at, line in enumerate(LINES))]])


def rendered(data: bytes) -> np.ndarray:
    document = pdfium.PdfDocument(data)
    return np.array(document[0].render(scale=2, rev_byteorder=True).to_numpy()[:, :, :3])


def picture(kind: str) -> bytes:
    from PIL import Image

    data = io.BytesIO()
    Image.fromarray(rendered(text_page())).save(data, kind)
    return data.getvalue()


def mixed() -> bytes:
    """A page of text, a scanned page, a blank page."""
    document = pdfium.PdfDocument.new()
    for part in (pdf([[Text(60, 700, "A page of text stands before the scan.")]]), picture("PDF"), pdf([[]])):
        document.import_pages(pdfium.PdfDocument(part))
    data = io.BytesIO()
    document.save(data)
    return data.getvalue()


def test_lines_of_a_picture_become_words_of_one_size_in_reading_order() -> None:
    lines = [PictureLine("Two words", 100, 20, 280, 42, 0.9), PictureLine("more", 100, 60, 180, 80, 1.0)]
    first, second, third = words_of(lines, height=100, scale=2)
    assert [word.text for word in (first, second, third)] == ["Two", "words", "more"]
    assert first.x0 == 50
    assert first.x1 < second.x0 < second.x1 == 140
    assert first.size == second.size == third.size
    assert first.y > third.y
    assert confidence_of(lines) == pytest.approx((9 * 0.9 + 4) / 13)


def test_lines_that_may_be_misread_are_counted_by_page() -> None:
    read = ReadPages()
    read.add(2, [PictureLine("Good", 0, 0, 40, 20, 0.99), PictureLine("Ba", 0, 40, 20, 60, 0.5)], 100, 2)
    read.add(3, [], 100, 2)
    assert list(read.notes()) == [
        "read 1 page without text by OCR, with 83 % confidence",
        "may have misread 1 line (page 2)",
    ]


@needs_ocr
@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
def test_a_picture_is_read_with_its_heading(kind: str) -> None:
    document, report = read_document_with_report(io.BytesIO(picture(kind)), name="scan")
    assert all(line in document.text for line in LINES)
    assert [section.title for section in document.sections] == ["Water and Tea"]
    assert report.format == "picture"
    assert any(note.startswith("read 1 page without text by OCR, with ") for note in report.notes)


@needs_ocr
def test_only_the_pages_without_text_are_read_by_ocr() -> None:
    document, report = read_document_with_report(io.BytesIO(mixed()), name="mixed.pdf")
    assert document.text.count("A page of text stands before the scan.") == 1
    assert document.page_at(document.text.index(LINES[0])) == 2
    assert len(document.page_starts) == 3
    assert any("read 1 page without text by OCR" in note for note in report.notes)
    assert any("no text on 1 page (3)" in note for note in report.notes)
    limited = read_bytes(mixed(), name="mixed.pdf", limits=Limits(max_scanned_pages=0))
    assert LINES[0] not in limited.text


@needs_ocr
@pytest.mark.parametrize("cut", [20, 200, 2_000])
def test_a_truncated_picture_is_refused(cut: int) -> None:
    with pytest.raises(DamagedSourceError, match=r"scan\.png: not a readable picture"):
        read_bytes(picture("PNG")[:cut], name="scan.png")


@pytest.mark.parametrize("start", [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"II*\0\x08", b"MM\0*\0"])
def test_bytes_that_begin_like_a_picture_are_an_error_that_names_the_file(start: bytes) -> None:
    with pytest.raises(SourceError, match="scan"):
        read_bytes(start + b"\0" * 40, name="scan")


def test_a_table_of_words_is_read_as_lines_with_their_boxes_and_confidence() -> None:
    head = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"
    words = "4\t1\t1\t1\t1\t0\t10\t5\t90\t20\t-1\t\n5\t1\t1\t1\t1\t1\t10\t5\t40\t20\t90\tHot\n"
    words += "5\t1\t1\t1\t1\t2\t60\t6\t40\t18\t60\ttea\n5\t1\t1\t1\t2\t1\t10\t40\t40\t20\t95\tnow\n"
    first, second = lines_of_table(head + words)
    assert first == ("Hot tea", 10, 5, 100, 25, pytest.approx(0.75))
    assert second[0] == "now"


@pytest.mark.skipif(not has_tesseract(), reason="needs the program tesseract")
def test_tesseract_reads_a_page_from_its_head() -> None:
    lines = [text for text, *_ in tesseract_lines(rendered(text_page()))]
    assert lines == ["Water and Tea", *LINES]


@pytest.mark.skipif(can_read_pictures(), reason="the extra is installed")
def test_without_the_extra_a_picture_is_refused_with_the_command_that_installs_it() -> None:
    with pytest.raises(UnsupportedSourceError, match=r"scan: a picture; .* install .*\[ocr\]"):
        read_bytes(b"\x89PNG\r\n\x1a\n", name="scan")
