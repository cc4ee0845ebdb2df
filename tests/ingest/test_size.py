"""Texts of odd shapes and great size: bounded time and memory, nothing lost."""

import pytest

from treatise.core.document import Document
from treatise.ingest import read_bytes
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
