"""Reading files, streams and bytes; what happens with bad ones."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from treatise.core.errors import (
    DamagedSourceError,
    EmptySourceError,
    SourceError,
    SourceNotFoundError,
    SourceTooLargeError,
    UnsupportedSourceError,
)
from treatise.ingest import Limits, read_bytes, read_document, read_document_with_report


def test_a_plain_text_is_kept_to_the_letter(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfOne.\r\n\r\nTwo.\tThree.\r\n")
    document = read_document(path)
    assert document.text == "One.\r\n\r\nTwo.\tThree.\r\n"
    assert document.source == str(path)


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"<!doctype html><p>Hi.")))
    document, report = read_document_with_report("-")
    assert (document.source, document.text, report.format) == ("-", "Hi.\n\n", "html")


def test_a_stream_has_the_name_that_it_is_given() -> None:
    assert read_document(io.BytesIO(b"# Tea"), name="tea.md").sections[0].title == "Tea"


def test_the_format_can_be_named() -> None:
    assert read_bytes(b"# Tea", format="md").title == "Tea"
    with pytest.raises(UnsupportedSourceError, match=r"unknown format 'xls'; choose one of: text, markdown"):
        read_bytes(b"# Tea", format="xls")


def test_the_language_can_be_given() -> None:
    assert read_bytes(b"Tak.", language="da").language == "da"


def test_a_missing_file_says_where_it_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFoundError, match=r"gone\.txt: no such file; check the path"):
        read_document(tmp_path / "gone.txt")


def test_a_directory_is_no_document(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFoundError, match="a directory, not a file; name the files in it"):
        read_document(tmp_path)


@pytest.mark.parametrize("data", [b"", b" \n\t\n"])
def test_an_empty_file_is_refused(data: bytes) -> None:
    with pytest.raises(EmptySourceError, match=r"void\.txt: an empty file"):
        read_bytes(data, name="void.txt")


def test_a_page_without_text_is_refused() -> None:
    with pytest.raises(EmptySourceError, match="read as html, but it holds no text"):
        read_bytes(b"<!doctype html><script>1</script>", name="void.html")


def test_a_file_over_the_limit_is_refused() -> None:
    with pytest.raises(SourceTooLargeError, match=r"long\.txt: .*over the limit"):
        read_document(io.BytesIO(b"word " * 100), name="long.txt", limits=Limits(max_bytes=99))


def test_binary_data_named_txt_is_refused() -> None:
    with pytest.raises(UnsupportedSourceError, match=r"a\.txt: binary data, not text"):
        read_bytes(bytes(range(256)) * 10, name="a.txt")


def test_null_bytes_are_refused() -> None:
    with pytest.raises(DamagedSourceError, match=r"a\.txt: a null byte at byte 5 .* tr -d"):
        read_bytes(b"Hello\0 world, this is a text. " * 2, name="a.txt")


def test_broken_utf8_is_refused() -> None:
    with pytest.raises(DamagedSourceError, match=r"a\.txt: not valid UTF-8 at byte 12.* iconv"):
        read_bytes("Größe, Öl".encode() + b"\xff" + " für alle".encode(), name="a.txt")


def test_importing_the_stage_loads_no_reader() -> None:
    code = "import sys, treatise.ingest; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"pypdfium2", "lxml", "selectolax", "markdown_it", "sentencex", "charset_normalizer", "numpy"} & set(
        loaded
    )


def test_the_suffix_of_a_text_counts_more_than_its_first_words() -> None:
    assert read_bytes(b"<html> is a tag.", name="a.md").text == "<html> is a tag."
    assert read_bytes(b"%PDF- begins a PDF.", name="a.txt", format="text").text == "%PDF- begins a PDF."


@pytest.mark.parametrize(("data", "what"), [(b"\x7fELF", "a program"), (b"SQLite format 3\0", "a SQLite database")])
def test_a_format_that_we_do_not_read_is_named(data: bytes, what: str) -> None:
    with pytest.raises(UnsupportedSourceError, match=f"a.bin: {what}; Treatise reads"):
        read_bytes(data, name="a.bin")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    with pytest.raises(SourceError, match=r"pipe\.txt: a pipe, not a file; to read a stream, use standard input"):
        read_document(pipe)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="the system has no device files")
def test_a_device_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "link.txt").symlink_to("/dev/zero")
    with pytest.raises(SourceError, match=r"link\.txt: a device, not a file"):
        read_document(tmp_path / "link.txt")


def test_a_sparse_file_over_the_limit_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.txt"
    with path.open("wb") as stream:
        stream.truncate(20 * 2**30)
    with pytest.raises(SourceTooLargeError, match=r"huge\.txt: over the limit of 512 MB"):
        read_document(path)


def test_an_endless_stream_is_left_at_the_limit() -> None:
    class Endless(io.RawIOBase):
        n_read = 0

        def read(self, size: int = -1) -> bytes:
            self.n_read += size
            return b"y" * size

    stream = Endless()
    with pytest.raises(SourceTooLargeError, match="over the limit"):
        read_document(stream, limits=Limits(max_bytes=3 * 2**20))  # type: ignore[arg-type]
    assert stream.n_read <= 4 * 2**20
