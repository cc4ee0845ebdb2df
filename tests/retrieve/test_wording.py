"""Questions in the words of the documents."""

from treatise.core.document import Document
from treatise.ingest import read_bytes
from treatise.retrieve.wording import in_words_of, telling_words

REPORT = (
    "Tea Shops, Inc.\n\nTea Shops sells tea. Ann Lee is the chief executive officer. Tea Shops has an HQ. "
    + "The Company sells tea. " * 5
)


def _document(text: str = REPORT) -> Document:
    return read_bytes(text.encode(), name="report.txt")


def test_an_abbreviation_that_the_documents_lack_is_written_out_as_they_do() -> None:
    assert in_words_of("Who is the CEO?", [_document()]) == "Who is the chief executive officer?"
    assert in_words_of("When did it go public?", [_document("The initial public offering was in May.")]) == (
        "When did it initial public offering?"
    )


def test_abbreviations_that_they_have_or_that_nothing_stands_for_stay() -> None:
    assert in_words_of("Where is the HQ?", [_document()]) == "Where is the HQ?"
    assert in_words_of("Who is the CTO?", [_document()]) == "Who is the CTO?"
    assert in_words_of("Who is the CEO?", [_document(), _document("Bo is CEO of another.")]) == "Who is the CEO?"


def test_words_by_chance_are_no_long_form() -> None:
    assert in_words_of("What does the FDA say?", [_document("A pot for drinking at home.")]) == "What does the FDA say?"


def test_the_name_of_what_a_document_is_about_tells_nothing_apart() -> None:
    assert telling_words("Where is Tea Shops headquartered?", [_document()]).split() == [
        "Where",
        "is",
        "headquartered?",
    ]
    assert telling_words("Who is Ann Lee?", [_document()]) == "Who is Ann Lee?"


def test_a_name_stays_if_nothing_else_is_asked_or_if_it_tells_documents_apart() -> None:
    assert telling_words("What is Tea Shops?", [_document()]) == "What is Tea Shops?"
    both = [_document(), _document("Another text.")]
    assert telling_words("Where is Tea Shops headquartered?", both) == "Where is Tea Shops headquartered?"


def test_names_tell_the_parts_of_other_texts_apart() -> None:
    paper = _document("Kettles\n\nWe train Kettles. Kettles is large. Kettles boils. Kettles whistles.\n")
    assert telling_words("How large is the corpus of Kettles?", [paper]) == "How large is the corpus of Kettles?"
