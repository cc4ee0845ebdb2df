"""Packed files and archives: what is inside is read, within limits, and nothing is written to disk."""

import bz2
import gzip
import io
import lzma
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from tests.ingest.archives import archive, tar
from tests.ingest.samples import ROFF
from treatise.core.errors import DamagedSourceError, SourceError, SourceTooLargeError, UnsupportedSourceError
from treatise.ingest import DEFAULT_LIMITS, read_bytes
from treatise.ingest.folders import list_folder
from treatise.ingest.formats import format_by_name

TEXT = b"# Plan\n\nBoil water. Wait.\n"


@pytest.mark.parametrize(
    ("pack", "name"), [(gzip.compress, "plan.md.gz"), (bz2.compress, "plan.md.bz2"), (lzma.compress, "plan.md.xz")]
)
def test_a_packed_file_is_read_as_what_is_inside(pack, name: str) -> None:
    document = read_bytes(pack(TEXT), name=name)
    assert document.text == TEXT.decode()
    assert [one.title for one in document.sections if one.level] == ["Plan"]


def test_the_name_tells_the_format_and_without_one_the_content() -> None:
    assert read_bytes(gzip.compress(b"a,b\n1,2\n"), name="x.csv.gz").tables
    assert read_bytes(gzip.compress(ROFF), name="page").title == "BREW(1)"


@pytest.mark.parametrize("name", ["docs.tar.gz", "docs.tgz"])
def test_a_packed_tar_is_a_section_per_file(name: str) -> None:
    packed = gzip.compress(tar({"./b.md": TEXT, "a.txt": b"First.", "x.png": b"x", ".hidden.txt": b"no"}))
    titles = [one.title for one in read_bytes(packed, name=name).sections if one.level]
    assert titles == ["a.txt", "b.md", "Plan"]


def test_a_bomb_is_refused() -> None:
    with pytest.raises(SourceTooLargeError, match="unpacks to more"):
        read_bytes(gzip.compress(bytes(64 * 2**20)), name="bomb.txt.gz")


def test_bombs_within_an_archive_share_its_allowance() -> None:
    limits = replace(DEFAULT_LIMITS, max_unpacked_bytes=2**22)
    members = {f"{at}.txt.gz": gzip.compress(b"tea " * 2**15) for at in range(40)}
    document = read_bytes(archive(members), name="many.zip", limits=limits)
    assert 0 < document.text.count("tea") < 40 * 2**15


def test_archives_within_archives_end() -> None:
    packed = b"tea"
    for _ in range(5):
        packed = gzip.compress(packed)
    with pytest.raises(SourceError, match="within each other"):
        read_bytes(packed, name="tea.gz.gz.gz.gz.gz")


@pytest.mark.parametrize("name", ["../plan.md", "/etc/plan.md"])
def test_a_name_outside_the_archive_is_refused(name: str) -> None:
    with pytest.raises(DamagedSourceError, match="outside"):
        read_bytes(tar({name: TEXT}), name="docs.tar")


def test_links_and_sparse_files_of_a_tar_are_not_read() -> None:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as file:
        link = tarfile.TarInfo("link.txt")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        file.addfile(link)
        plain = tarfile.TarInfo("a.txt")
        plain.size = 6
        file.addfile(plain, io.BytesIO(b"First."))
    assert read_bytes(stream.getvalue(), name="a.tar").text == "a.txt\n\nFirst.\n\n"


@pytest.mark.parametrize("cut", [12, 30])
def test_a_packed_file_that_is_cut_off_is_damaged(cut: int) -> None:
    with pytest.raises(SourceError):
        read_bytes(gzip.compress(TEXT * 9)[:cut], name="plan.md.gz")


@pytest.mark.parametrize("start", [b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07\x01\x00", b"\x28\xb5\x2f\xfd"])
def test_other_archives_are_refused_with_a_hint(start: bytes) -> None:
    with pytest.raises(UnsupportedSourceError, match="unpack it"):
        read_bytes(start + bytes(40), name="docs.bin")


def test_in_folders_numbers_are_manual_pages_only_if_their_content_is(tmp_path: Path) -> None:
    (tmp_path / "brew.1").write_bytes(ROFF)
    (tmp_path / "kettle.1.gz").write_bytes(gzip.compress(ROFF))
    (tmp_path / "messages.1").write_text("started")
    (tmp_path / "messages.2.gz").write_bytes(gzip.compress(b"started"))
    (tmp_path / "photo.bin.gz").write_bytes(gzip.compress(b"x"))
    names = {path.name for path in list_folder(tmp_path).files}
    assert names == {"brew.1", "kettle.1.gz"}


def test_names_of_packed_files() -> None:
    assert [bool(format_by_name(name)) for name in ("a.txt.gz", "changelog.gz", "a.tgz", "a.so.gz", "dump.sql.xz")] == [
        True,
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    "text",
    [
        "BZH Hamburg\n\nThe office opens at ten on Monday.\n",
        "BZh is short for Breizh.\n",
        "x" * 257 + "ustar and more words\n",
        "'Tis the season.\n.so it goes, the office opens at ten on Monday.\n",
    ],
)
def test_a_text_that_begins_like_an_archive_is_a_text(text: str) -> None:
    assert text.split()[0] in read_bytes(text.encode(), name="notes.txt").text


def test_an_archive_of_endless_headers_is_named_as_damaged() -> None:
    header = tarfile.TarInfo("././@LongLink")
    header.type, header.size = tarfile.GNUTYPE_LONGNAME, 1
    block = header.tobuf(tarfile.GNU_FORMAT) + b"x".ljust(512, b"\0")
    with pytest.raises(DamagedSourceError, match="not a complete tar archive"):
        read_bytes(block * 3000, name="chain.tar")
