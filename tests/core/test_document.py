"""What a document promises about its offsets."""

import pytest

from treatise.core.document import Document, Paragraph, ParagraphKind, Section, Span


def document(text: str = "One.\n\nTwo. Three.") -> Document:
    paragraphs = (
        Paragraph(0, 6, ParagraphKind.HEADING, (Span(0, 6),)),
        Paragraph(6, 17, ParagraphKind.PROSE, (Span(6, 11), Span(11, 17))),
    )
    return Document("a.txt", "One", "en", text, (Section("One.", 1, 0),), paragraphs, (0, 11))


def test_sentences_tile_the_text() -> None:
    doc = document()
    assert "".join(doc.quote(s.start, s.end) for s in doc.sentences()) == doc.text


def test_pages_and_sections_are_found_by_offset() -> None:
    doc = document()
    assert [doc.page_at(at) for at in (0, 10, 11, 16)] == [1, 1, 2, 2]
    assert doc.section_path(8) == ("One.",)


def test_a_lost_character_is_an_error() -> None:
    with pytest.raises(ValueError, match="cover 17 of 18"):
        document("One.\n\nTwo. Three. ")


def test_equal_content_has_an_equal_id() -> None:
    assert document().id == document().id
    assert document().id != document("Two.\n\nTwo. Three.").id
