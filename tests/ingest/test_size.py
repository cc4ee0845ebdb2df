"""Texts of odd shapes and great size: bounded time and memory, nothing lost."""

import io
import os
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.ingest.archives import W, archive, book, word
from treatise.core.document import Document
from treatise.core.errors import SourceTooLargeError
from treatise.ingest import Limits, read_bytes, streams
from treatise.ingest.files import is_unchanged, read_file
from treatise.ingest.pdf_hyphens import Hyphens
from treatise.ingest.sentences import MAX_SENTENCE_CHARS

MEGABYTE = 2**20


def longest_sentence(document: Document) -> int:
    return max(len(sentence) for sentence in document.sentences())


@pytest.mark.parametrize("unit", [b"word ", b"x", "你好。".encode(), b"Hello there. ", b"I. ", b"(", b" \xc2\xa0"])
@pytest.mark.parametrize("format_name", ["text", "markdown", "html"])
def test_a_line_of_a_megabyte_is_read(unit: bytes, format_name: str) -> None:
    data = b"<p>begin " + unit * (MEGABYTE // len(unit)) + b" end"
    document = read_bytes(data, format=format_name)
    assert document.text.rstrip().endswith("end")
    assert longest_sentence(document) <= MAX_SENTENCE_CHARS


@pytest.mark.slow
def test_a_line_of_a_hundred_megabytes_is_read() -> None:
    data = b"word " * (20 * MEGABYTE)
    document = read_bytes(data)
    assert len(document.text) == len(data)
    assert longest_sentence(document) <= MAX_SENTENCE_CHARS


@pytest.mark.slow
@pytest.mark.parametrize("separator", ["\n\n", "\n"])
def test_a_million_paragraphs_of_one_word_are_read(separator: str) -> None:
    document = read_bytes(f"word{separator}".encode() * 1_000_000)
    assert len(document.text) == 1_000_000 * len(f"word{separator}")


def test_many_lines_take_time_in_proportion() -> None:
    for separator in ("\n\n", "\n", "\n- ", "\n  ", "\r", "\n1. ", "\nBob: "):
        read_bytes(f"word{separator}".encode() * 50_000, format="text")


def test_markdown_of_many_blocks_takes_time_in_proportion() -> None:
    for unit in ("word\n\n", "- word\n", "> word\n", "# word\n", "```\n", "| a |\n", "[a]: b\n", "  - x\n", "1. x\n"):
        read_bytes(unit.encode() * 5_000, format="markdown")


def seconds_to_read(data: bytes, name: str) -> float:
    started = time.process_time()
    read_bytes(data, name=name)
    return time.process_time() - started


def nested(opening: str, closing: str, depth: int) -> bytes:
    return word(opening * depth + "<w:p><w:r><w:t>innermost</w:t></w:r></w:p>" + closing * depth)


BOX = ("<w:p><w:r><w:txbxContent>", "</w:txbxContent></w:r></w:p>")
TABLE = ("<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>")


@pytest.mark.parametrize("tags", [BOX, TABLE], ids=["text boxes", "tables"])
def test_word_parts_nested_deeply_are_read_once_and_quickly(tags: tuple[str, str]) -> None:
    data = nested(*tags, 200)
    assert read_bytes(data, name="a.docx").text.count("innermost") == 1
    assert seconds_to_read(data, "a.docx") < 2


def test_a_long_chain_of_word_styles_is_quick() -> None:
    chain = "".join(f'<w:style w:styleId="s{i}"><w:basedOn w:val="s{i + 1}"/></w:style>' for i in range(5_000))
    data = word("<w:p><w:r><w:t>x</w:t></w:r></w:p>", word__styles=f"<w:styles {W}>{chain}</w:styles>")
    assert seconds_to_read(data, "a.docx") < 10


def test_a_word_of_a_hundred_thousand_letters_is_joined_quickly() -> None:
    hyphens, word_of_letters = Hyphens(), "a" * 100_000
    started = time.process_time()
    hyphens.learn([word_of_letters, word_of_letters + "-", "www." * 25_000])
    assert hyphens.join(word_of_letters + "-", "bc") == word_of_letters + "bc"
    hyphens.join("www." * 25_000, "x")
    assert time.process_time() - started < 2


def test_more_paragraphs_or_sentences_than_the_limit_are_refused_by_name() -> None:
    for limits in (Limits(max_blocks=10), Limits(max_sentences=10)):
        with pytest.raises(SourceTooLargeError, match=r"a\.txt: 1[12] (paragraphs|sentences), over the limit of 10"):
            read_bytes(b"One word.\n\n" * 11, name="a.txt", limits=limits)


def test_a_chapter_that_a_book_lists_a_thousand_times_is_read_once() -> None:
    data = book({"one.xhtml": "<p>The only chapter.</p>"})
    with zipfile.ZipFile(io.BytesIO(data)) as before:
        members = {name: before.read(name) for name in before.namelist()}
    item = b'<itemref idref="one.xhtml"/>'
    assert item in members["OEBPS/book.opf"]
    members["OEBPS/book.opf"] = members["OEBPS/book.opf"].replace(item, item * 1_000)
    assert read_bytes(archive(members), name="a.epub").text.count("The only chapter.") == 1


def test_a_footnote_that_is_referred_to_a_thousand_times_is_read_once() -> None:
    references = '<w:r><w:footnoteReference w:id="1"/></w:r>' * 1_000
    note = (
        f'<w:footnotes {W}><w:footnote w:id="1"><w:p><w:r><w:t>The note.</w:t></w:r></w:p></w:footnote></w:footnotes>'
    )
    data = word(f"<w:p><w:r><w:t>Text</w:t></w:r>{references}</w:p>", word__footnotes=note)
    assert read_bytes(data, name="a.docx").text.count("The note.") == 1


def test_a_file_that_is_rewritten_while_it_is_read_counts_as_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.txt"
    file.write_text("first")
    os.utime(file, ns=(1, 1))
    read_stream = streams.read_stream

    def rewritten(*arguments: Any) -> bytes:
        content = read_stream(*arguments)
        file.write_text("other")  # the same size
        return content

    monkeypatch.setattr(streams, "read_stream", rewritten)
    content, state = read_file(str(file))
    assert content == b"first"
    assert not is_unchanged(str(file), state)
