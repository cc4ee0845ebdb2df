"""Books: spine order, headings out of the table of contents, and locked ones."""

import pytest

from tests.ingest.archives import archive, book
from treatise.core.document import Document
from treatise.core.errors import DamagedSourceError
from treatise.ingest import read_bytes


def sections(document: Document) -> list[tuple[int, str]]:
    return [(s.level, s.title) for s in document.sections]


def test_chapters_come_in_the_order_of_the_spine() -> None:
    document = read_bytes(book({"b.xhtml": "<h1>One</h1><p>Text.", "a.xhtml": "<h1>Two</h1><p>More."}))
    assert document.title == "A Book"
    assert sections(document) == [(1, "One"), (1, "Two")]


def test_the_table_of_contents_gives_headings_and_levels() -> None:
    contents = (
        '<ol><li><a href="part.xhtml">Part I</a><ol><li><a href="a.xhtml#x">First</a></li>'
        '<li><a href="b.xhtml">Second</a></li></ol></li></ol>'
    )
    chapters = {
        "part.xhtml": "<p>Part I</p><p>A note.</p>",
        "a.xhtml": "<h1>First</h1><h2>Inner</h2><p>Text.</p>",
        "b.xhtml": "<p>No heading here.</p>",
    }
    expected = [(1, "Part I"), (2, "First"), (3, "Inner"), (2, "Second")]
    assert sections(read_bytes(book(chapters, contents))) == expected


def test_footnotes_in_asides_are_kept() -> None:
    assert "A note." in read_bytes(book({"a.xhtml": f"<p>{'Text. ' * 50}</p><aside>A note.</aside>"})).text


def test_a_locked_book_is_refused() -> None:
    lock = (
        '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><EncryptedData '
        'xmlns="http://www.w3.org/2001/04/xmlenc#"><EncryptionMethod '
        'Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/></EncryptedData></encryption>'
    )
    data = book({"a.xhtml": "<p>x</p>"}, more={"META-INF/encryption.xml": lock})
    with pytest.raises(DamagedSourceError, match=r"b\.epub: encrypted \(DRM\).*get a copy without DRM"):
        read_bytes(data, name="b.epub")


def test_an_archive_that_is_no_book_is_refused() -> None:
    with pytest.raises(DamagedSourceError, match=r"b\.epub: a zip archive without META-INF/container\.xml"):
        read_bytes(archive({"a": "b"}), name="b.epub")
