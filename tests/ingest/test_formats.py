"""One table of formats: what it must hold, and which row a source belongs to."""

import sys
from importlib import import_module
from types import SimpleNamespace

import pytest

from treatise.core.document import ParagraphKind
from treatise.core.errors import UnsupportedSourceError
from treatise.ingest import formats, read_bytes
from treatise.ingest.formats import FORMATS, Format, checked_format, format_of, suffix_list
from treatise.ingest.limits import Limits
from treatise.ingest.reading import Block, Reading


@pytest.mark.parametrize("row", FORMATS.values(), ids=FORMATS)
def test_each_row_names_a_reader(row: Format) -> None:
    module, function = row.reader.split(":")
    assert callable(getattr(import_module(f"treatise.ingest.{module}"), function))
    assert row.suffixes
    assert all(suffix == suffix.lower() and suffix.startswith(".") for suffix in row.suffixes)


def test_no_suffix_stands_in_two_rows() -> None:
    suffixes = [suffix for row in FORMATS.values() for suffix in row.suffixes]
    assert len(suffixes) == len(set(suffixes))


def test_messages_list_every_row() -> None:
    assert all(row.suffixes[0] in suffix_list() for row in FORMATS.values())
    with pytest.raises(UnsupportedSourceError, match="choose one of: " + ", ".join(FORMATS)):
        checked_format("nope")


@pytest.mark.parametrize("row", FORMATS.values(), ids=FORMATS)
def test_a_format_is_known_by_name_and_by_suffix(row: Format) -> None:
    assert checked_format(row.name.upper()) is row
    assert all(checked_format(suffix) is row for suffix in row.suffixes)
    assert format_of(b"Some words.", f"a{row.suffixes[0].upper()}") is row


def test_a_format_of_ones_own_is_one_file_and_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    def read_shout(data: bytes, _name: str, _limits: Limits) -> Reading:
        return Reading([Block(ParagraphKind.PROSE, data.decode().upper())], "shout")

    row = Format("shout", "shouted text", (".shout",), "shout:read_shout")
    monkeypatch.setitem(sys.modules, "treatise.ingest.shout", SimpleNamespace(read_shout=read_shout))
    monkeypatch.setattr(formats, "FORMATS", FORMATS | {"shout": row})
    monkeypatch.setattr(formats, "_BY_SUFFIX", formats._BY_SUFFIX | {".shout": row})
    assert read_bytes(b"Water boils at 100 degrees.", name="a.shout").text == "WATER BOILS AT 100 DEGREES."


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("= Tea\n\nTea is hot.\n\n== Cups\n\nCups are blue.\n", "asciidoc"),
        ("// notes\n:toc:\n\n= Tea\nAda Byron <a@b.org>\n\n|===\n|Cup |Size\n|===\n", "asciidoc"),
        ("\ufeff== Cups\r\n\r\n[source,sh]\r\n----\r\nls\r\n----\r\n", "asciidoc"),
        ("# Tea\n\n== Cups\n\n|===\n", "markdown"),
        (":!toc:\n[[top]]\n= Tea\n\n[source]\n----\n# ls\n----\n", "asciidoc"),
        ("= Tea\nAda Byron\nv1.0, 2020\n:toc: left\n", "asciidoc"),
        ("= Tea\n\nTea is hot.\n", "markdown"),
        ("= 5 cups\n\n```\n== x\n```\n", "markdown"),
        ("= 5 cups\n\n:tada: Party\n", "markdown"),
        ("== Tea ==\n\n== Cups ==\n", "markdown"),
        ("Tea\n===\n\nTea is hot.\n", "markdown"),
        ("---\ntitle: Tea\n---\n\n# Tea\n\nx\n== 3\n", "markdown"),
    ],
)
def test_asciidoc_is_known_by_its_text_in_a_file_named_as_markdown(text: str, name: str) -> None:
    assert format_of(text.encode(), "a.md").name == name
    assert format_of(text.encode(), "a.txt").name == "text"


@pytest.mark.parametrize("name", ["statement.pdf", "letter.docx", "sheet.xlsx"])
def test_a_web_page_saved_under_the_name_of_another_format_is_read(name: str) -> None:
    page = b"<!DOCTYPE html><title>Tea</title><p>Tea is hot."
    for before in (b"", b"\xef\xbb\xbf", b'\n<?xml version="1.0"?>\n'):
        assert format_of(before + page, name) is FORMATS["html"]


@pytest.mark.parametrize(
    ("data", "packer"), [(b"7z\xbc\xaf\0", "7z"), (b"Rar!\x1a\x07", "rar"), (b"\x28\xb5\x2f\xfd", "zstd")]
)
def test_a_packed_file_is_refused_with_what_to_do(data: bytes, packer: str) -> None:
    with pytest.raises(UnsupportedSourceError, match=rf"NEWS\.bin: packed by {packer}; unpack it"):
        format_of(data, "NEWS.bin")
