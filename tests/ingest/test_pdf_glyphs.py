"""PDFs whose fonts have no map to Unicode, as some programs save them."""

import io

from tests.ingest.pdf_writer import Glyphs, Text, pdf
from tests.ingest.truetype_writer import font
from treatise.core.document import Document, Span
from treatise.ingest import read_document_with_report
from treatise.ingest.pdf_boxes import boxes_of
from treatise.ingest.truetype import MACINTOSH

OFFICE = MACINTOSH.replace("\xa0", "").replace("\uf8ff", "")
LINES = (
    "This Data Processing Addendum (the “Addendum”) forms part of the terms of",
    "service. Müller’s café – which is naïve – pays £20 for it, and the façade of",
    "the house is painted in 2018. The customer is told of it within 30 days, as",
    "is the processor; what has been agreed with others is not a part of this.",
)
READABLE = "The bridge was built in the year of the flood and has been kept since."


def part(text: str, name: str, glyphs: str, x: float = 50, y: float = 700) -> Glyphs:
    return Glyphs(x, y, tuple(glyphs.index(character) for character in text), name)


def body(name: str, glyphs: str, y: float = 700) -> list[Glyphs]:
    return [part(line, name, glyphs, y=y - 12 * at) for at, line in enumerate(LINES)]


def read(data: bytes) -> tuple[Document, str]:
    document, report = read_document_with_report(io.BytesIO(data), name="terms.pdf")
    return document, "\n".join(report.notes)


def is_warned(notes: str) -> bool:
    return "fonts that do not say what they mean" in notes


def test_numbers_of_glyphs_are_read_as_characters_with_quotes_accents_and_dashes() -> None:
    program = font(OFFICE, used="".join(LINES))
    document, notes = read(
        pdf([body("ABCDEF+TimesNewRomanPSMT", OFFICE)], programs={"ABCDEF+TimesNewRomanPSMT": program})
    )
    assert document.text.strip() == " ".join(LINES)
    assert document.language == "en"
    assert not is_warned(notes)


def test_fonts_with_and_without_a_map_stand_beside_each_other() -> None:
    programs = {"Arial": font(OFFICE, used="".join(LINES)), "Arial-Bold": font(OFFICE, used="SCHEDULE 1")}
    heading = part("SCHEDULE 1", "Arial-Bold", OFFICE, y=760)
    page = [heading, Text(50, 730, READABLE), *body("Arial", OFFICE)]
    document, notes = read(pdf([page, [Text(50, 700, READABLE)]], programs=programs))
    assert document.text.count(READABLE) == 2
    assert "SCHEDULE 1" in document.text
    assert "".join(LINES).replace(" ", "") in document.text.replace(" ", "").replace("\n", "")
    assert not is_warned(notes)


def test_a_page_that_shows_only_a_number_in_such_a_font_is_read() -> None:
    programs = {"Arial": font(OFFICE, used="".join(LINES) + "417")}
    pages = [body("Arial", OFFICE), [Text(50, 700, READABLE), part("417", "Arial", OFFICE, y=600)]]
    assert "417" in read(pdf(pages, programs=programs))[0].text


def test_glyphs_numbered_anew_are_kept_as_they_come_and_noted() -> None:
    glyphs = "\0" * 36 + "".join(dict.fromkeys("".join(LINES)[::-1]))
    document, notes = read(pdf([body("Arial", glyphs)], programs={"Arial": font(glyphs)}))
    assert "Addendum" not in document.text
    assert document.text.strip()
    assert is_warned(notes)


def test_glyphs_numbered_anew_are_read_by_the_map_in_the_font() -> None:
    glyphs = "\0" * 36 + "".join(dict.fromkeys("".join(LINES)[::-1]))
    document, notes = read(pdf([body("Arial", glyphs)], programs={"Arial": font(glyphs, stated=glyphs)}))
    assert document.text.strip() == " ".join(LINES)
    assert not is_warned(notes)


def test_codes_that_are_characters_already_stay_as_they_are() -> None:
    """As of a font that is subset by character: its glyphs are in the usual order, but codes are Unicode."""
    unicode = "".join(map(chr, range(0x250)))
    ascii_lines = [line for line in LINES if line.isascii()]
    page = [part(line, "Arial", unicode, y=700 - 12 * at) for at, line in enumerate(ascii_lines * 4)]
    document, notes = read(pdf([page], programs={"Arial": font(unicode)}))
    assert ascii_lines[0] in document.text
    assert not is_warned(notes)


def test_a_sentence_in_such_a_font_is_found_on_its_page() -> None:
    data = pdf([body("Arial", OFFICE)], programs={"Arial": font(OFFICE, used="".join(LINES))})
    document, _ = read(data)
    start = document.text.index("The customer is told")
    boxes = boxes_of(data, document, Span(start, start + 40), name="terms.pdf")
    assert boxes
    assert all(box.page == 1 for box in boxes)
