"""Where text stands on a PDF page: boxes against the places at which a test wrote the text, and pixels."""

import struct
import zlib

import numpy as np
import pytest

from tests.ingest.pdf_writer import Text, pdf
from treatise.core.document import Document, Span, trim
from treatise.core.errors import DamagedSourceError, SourceError
from treatise.ingest import read_bytes
from treatise.ingest.pdf_alignment import align
from treatise.ingest.pdf_boxes import boxes_of
from treatise.ingest.pdf_pictures import HIGHLIGHT, page_picture

HEIGHT = 842
EM = dict.fromkeys("0123456789abdeghnopqu", 0.556) | {"i": 0.222, "l": 0.222, "t": 0.278, " ": 0.278, ".": 0.278}
LINES = [
    "Green tea wants cooler water than black tea does, and a shorter time. Boil",
    "the water once. Then wait for three minutes before it is poured over the tea-",
    "leaves. Light and air make every tea stale within a few weeks of opening.",
]


def read(*pages: list[Text]) -> tuple[bytes, Document]:
    data = pdf(list(pages))
    return data, read_bytes(data, name="tea.pdf")


def tea(x: float = 60, top: float = 700) -> list[Text]:
    return [Text(x, top - 12 * at, text) for at, text in enumerate(LINES)]


def span_of(document: Document, text: str) -> Span:
    start = document.text.index(text)
    return Span(start, start + len(text))


def pixels_of(png: bytes) -> np.ndarray:
    """Decodes what the writer encodes: one chunk of data, rows without a filter."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, parts = 8, {}
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        kind, body = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + body)
        parts[kind] = body
        at += 12 + length
    width, height, depth, colour = struct.unpack(">IIBB", parts[b"IHDR"][:10])
    channels = {0: 1, 2: 3}[colour]
    rows = np.frombuffer(zlib.decompress(parts[b"IDAT"]), np.uint8).reshape(height, 1 + width * channels)
    assert depth == 8
    assert not rows[:, 0].any()
    return np.broadcast_to(rows[:, 1:].reshape(height, width, channels), (height, width, 3))


def test_a_sentence_on_three_lines_has_a_box_on_each() -> None:
    data, document = read(tea())
    boxes = boxes_of(data, document, span_of(document, "Then wait for three minutes before it is poured over the tea"))
    assert len(boxes) == 1
    sentence = next(s for s in document.sentences() if "Then wait" in document.quote(s.start, s.end))
    lower, last = boxes_of(data, document, trim(document.text, sentence))
    assert (lower.page, last.page) == (1, 1)
    assert lower.y0 < HEIGHT - 688 < lower.y1 < last.y1
    assert last.x0 == pytest.approx(60, abs=1)
    assert last.y0 < HEIGHT - 676 < last.y1


def test_a_box_is_where_the_text_was_written() -> None:
    data, document = read([Text(100, 500, "nine", 20), Text(300, 500, "ten", 20), *tea()])
    (box,) = boxes_of(data, document, span_of(document, "nine"))
    width = 20 * (EM["n"] * 2 + EM["i"] + EM["e"])
    assert (box.x0, box.x1) == pytest.approx((100, 100 + width), abs=0.5)
    assert HEIGHT - 500 - 20 < box.y0 < HEIGHT - 500 - 13
    assert HEIGHT - 500 < box.y1 < HEIGHT - 500 + 6


def test_every_sentence_of_every_page_is_found() -> None:
    pages = [[*tea(), Text(60, 600, f"Page {n} says something else about coffee.")] for n in range(1, 4)]
    data, document = read(*pages)
    for sentence in document.sentences():
        span = trim(document.text, sentence)
        boxes = boxes_of(data, document, span)
        assert boxes, document.quote(span.start, span.end)
        assert {box.page for box in boxes} == {document.page_at(span.start)}


def test_cells_with_equal_text_stand_in_their_own_rows_and_columns() -> None:
    rows = [("Products", "12", "7"), ("Services", "7", "12"), ("Licences", "12", "12"), ("Total", "31", "31")]
    page = [*tea(), Text(380, 600, "2021"), Text(480, 600, "2020")]
    for at, (label, *values) in enumerate(rows):
        page += [Text(60, 580 - 14 * at, label), *(Text(380 + 100 * n, 580 - 14 * at, v) for n, v in enumerate(values))]
    data, document = read(page)
    (table,) = document.tables
    for at, row in enumerate(table.rows):
        for cell in row.cells:
            (box,) = boxes_of(data, document, Span(cell.start, cell.end))
            assert box.y0 < HEIGHT - (580 - 14 * at) < box.y1 + 1
            assert box.x0 == pytest.approx((60, 380, 480)[cell.column], abs=1)


def test_a_row_of_a_table_has_a_box_for_each_cell() -> None:
    page = [*tea()]
    for at, label in enumerate(("Products", "Services", "Total")):
        page += [Text(60, 580 - 14 * at, label), Text(380, 580 - 14 * at, f"{at},123"), Text(480, 580 - 14 * at, "45")]
    data, document = read(page)
    row = document.tables[0].rows[1]
    assert len(boxes_of(data, document, Span(row.start, row.end))) == 3


def test_a_turned_page_has_boxes_as_it_is_shown() -> None:
    data = pdf([tea()]).replace(b"/MediaBox", b"/Rotate 90 /MediaBox")
    document = read_bytes(data, name="turned.pdf")
    (box,) = boxes_of(data, document, span_of(document, "Green tea"))
    assert box.y1 - box.y0 > 2 * (box.x1 - box.x0)
    assert 0 <= box.x0 < box.x1 <= HEIGHT


def test_a_cropped_page_has_boxes_from_the_corner_of_what_is_shown() -> None:
    data = pdf([tea()]).replace(b"/MediaBox", b"/CropBox [50 600 550 800] /MediaBox")
    document = read_bytes(data, name="cropped.pdf")
    (box,) = boxes_of(data, document, span_of(document, "Green tea"))
    assert box.x0 == pytest.approx(10, abs=1)
    assert box.y0 < 100 < box.y1


def test_the_highlight_covers_the_box_and_nothing_else() -> None:
    data, document = read(tea())
    boxes = boxes_of(data, document, span_of(document, "Boil the water once."))
    plain = pixels_of(page_picture(data, 1, name="tea.pdf", scale=1).png).astype(int)
    marked = pixels_of(page_picture(data, 1, name="tea.pdf", boxes=boxes, scale=1).png).astype(int)
    changed = np.zeros(plain.shape[:2], bool)
    for box in boxes:
        y0, y1, x0, x1 = (int(edge) for edge in (box.y0 - 1, box.y1 + 1, box.x0 - 1, box.x1 + 1))
        changed[y0:y1, x0:x1] = True
    assert len(boxes) == 2
    assert (marked[~changed] == plain[~changed]).all()
    paper = changed & (plain == 255).all(axis=2)
    assert (marked[paper] == HIGHLIGHT).all()
    assert (plain[changed] < 128).any(), "there is ink below the highlight"


def test_a_page_without_colour_is_one_grey_channel() -> None:
    data, _ = read(tea())
    picture = page_picture(data, 1, name="tea.pdf", scale=1)
    assert (picture.width, picture.height, picture.scale) == (595, 842, 1)
    assert picture.png[25] == 0  # colour type


def test_a_poster_is_drawn_smaller_instead_of_filling_the_memory() -> None:
    data = pdf([tea()]).replace(b"[0 0 595 842]", b"[0 0 14400 14400]")
    picture = page_picture(data, 1, name="poster.pdf", scale=4)
    assert picture.scale < 0.3
    assert picture.scale * picture.width == pytest.approx(4000)


def test_pages_that_do_not_exist_and_files_that_are_damaged_are_refused_by_name() -> None:
    data, document = read(tea())
    with pytest.raises(SourceError, match=r"tea\.pdf: has pages 1 to 1, and no page 2"):
        page_picture(data, 2, name="tea.pdf")
    with pytest.raises(DamagedSourceError, match=r"tea\.pdf: truncated"):
        boxes_of(data[:-100], document, Span(0, 5))


def test_text_that_is_not_on_the_page_has_no_box() -> None:
    data, _ = read(tea())
    other = read_bytes(pdf([[Text(60, 700, "Quite another text, of which no word agrees.")]]), name="other.pdf")
    assert boxes_of(data, other, Span(0, 20)) == []


def test_alignment_finds_moved_words_and_leaves_out_unknown_ones() -> None:
    words = [[(c, 10 * at + n) for n, c in enumerate(word)] for at, word in enumerate(["head", "one", "two", "six"])]
    placed = align("six one zzz two", words)
    assert {offset: placed[offset] for offset in (0, 4, 12)} == {0: 30, 4: 10, 12: 20}
    assert not any(offset in placed for offset in (8, 9, 10))
