"""Data sets are found, and downloaded: from a server on this machine."""

import functools
import hashlib
import http.server
import io
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from treatise.core.errors import DataError
from treatise.evaluate.data.fetch import fetch
from treatise.evaluate.data.files import data_file, find_data, look_for_all
from treatise.evaluate.data.registry import DATASETS
from treatise.evaluate.data.sources import SOURCES, Download, Source

TEXT = b"0123456789" * 1_000


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves a folder, ranges included where ``ranges`` says so; notes the ranges that were asked for."""

    asked: list[str | None] = []  # noqa: RUF012  (made anew for each server)
    ranges = True

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        self.asked.append(wanted)
        path = Path(self.translate_path(self.path))
        if wanted is None or not self.ranges or not path.is_file():
            super().do_GET()
            return
        start = int(wanted.removeprefix("bytes=").removesuffix("-"))
        content = path.read_bytes()[start:]
        self.send_response(206 if content else 416)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, Path, type[Handler]]]:
    """URL, folder and handler of a server."""
    folder = tmp_path / "served"
    folder.mkdir()
    (folder / "a.jsonl").write_bytes(TEXT)
    handler = type("OneHandler", (Handler,), {"asked": []})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", folder, handler
    server.shutdown()
    thread.join()
    server.server_close()


def source(*downloads: Download) -> Source:
    return Source("CC0", downloads)


def blob(content: bytes) -> str:
    return "git:" + hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


@pytest.mark.parametrize("digest", ["", blob(TEXT), f"sha256:{hashlib.sha256(TEXT).hexdigest()}"])
def test_a_file_is_downloaded_once_and_checked(served, tmp_path, digest):
    url, _, handler = served
    seen: list[tuple[str, int, int]] = []
    for _ in range(2):
        fetched = fetch(
            "x", source(Download(f"{url}/a.jsonl", "a.jsonl", digest)), tmp_path, lambda *row: seen.append(row)
        )
        assert fetched.files == (tmp_path / "x" / "a.jsonl",)
    assert fetched.files[0].read_bytes() == TEXT
    assert len(handler.asked) == 1
    assert seen[-1] == ("a.jsonl", len(TEXT), len(TEXT))


@pytest.mark.parametrize("ranges", [True, False])
def test_a_download_that_broke_off_goes_on_where_it_was(served, tmp_path, ranges):
    url, _, handler = served
    handler.ranges = ranges
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "a.jsonl.part").write_bytes(TEXT[:4_000])
    (file,) = fetch("x", source(Download(f"{url}/a.jsonl", "a.jsonl", blob(TEXT))), tmp_path).files
    assert file.read_bytes() == TEXT
    assert handler.asked == ["bytes=4000-"]
    assert not (tmp_path / "x" / "a.jsonl.part").exists()


def test_a_whole_part_is_taken_as_it_is(served, tmp_path):
    url, _, _ = served
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "a.jsonl.part").write_bytes(TEXT)
    (file,) = fetch("x", source(Download(f"{url}/a.jsonl", "a.jsonl", blob(TEXT))), tmp_path).files
    assert file.read_bytes() == TEXT


def test_a_file_that_was_changed_is_refused_and_nothing_is_left(served, tmp_path):
    url, _, _ = served
    with pytest.raises(DataError, match="expected a file of git 00"):
        fetch("x", source(Download(f"{url}/a.jsonl", "a.jsonl", "git:00")), tmp_path)
    assert list((tmp_path / "x").iterdir()) == []


def packed_as_zip(path: Path, names: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w") as file:
        for name, content in names.items():
            file.writestr(name, content)


def packed_as_tar(path: Path, names: dict[str, bytes]) -> None:
    with tarfile.open(path, "w:gz") as file:
        for name, content in names.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            file.addfile(entry, io.BytesIO(content))


@pytest.mark.parametrize("pack", [packed_as_zip, packed_as_tar])
def test_the_wanted_files_of_an_archive_are_unpacked(served, tmp_path, pack):
    url, folder, _ = served
    pack(folder / "a.archive", {"data/wanted.json": b"{}", "other.txt": b"x"})
    download = Download(f"{url}/a.archive", "a.archive", members=("*.json",))
    fetched = fetch("x", source(download), tmp_path)
    assert [file.name for file in fetched.files] == ["a.archive", "wanted.json"]
    assert (tmp_path / "x" / "wanted.json").read_bytes() == b"{}"
    assert not (tmp_path / "x" / "other.txt").exists()


@pytest.mark.parametrize("pack", [packed_as_zip, packed_as_tar])
def test_a_packed_file_that_leads_out_of_the_folder_is_refused(served, tmp_path, pack):
    url, folder, _ = served
    pack(folder / "a.archive", {"../out.json": b"{}"})
    with pytest.raises(DataError, match="leads out of the folder"):
        fetch("x", source(Download(f"{url}/a.archive", "a.archive", members=("*",))), tmp_path / "in")
    assert not (tmp_path / "in" / "out.json").exists()


def test_optional_files_may_be_missing(served, tmp_path):
    url, _, _ = served
    optional = Download(f"{url}/gone.txt", "gone.txt", needed=False)
    fetched = fetch("x", Source("CC0", (Download(f"{url}/a.jsonl", "a.jsonl"),), lambda _: iter([optional])), tmp_path)
    assert [name for name, _ in fetched.missing] == ["gone.txt"]
    with pytest.raises(DataError, match=r"gone\.txt: the server answered 404"):
        fetch("x", source(Download(f"{url}/gone.txt", "gone.txt")), tmp_path)


def test_a_server_that_cannot_be_reached_is_named(tmp_path):
    with pytest.raises(DataError, match="cannot be reached"):
        fetch("x", source(Download("http://127.0.0.1:9/a", "a")), tmp_path)


def test_a_set_that_cannot_be_downloaded_says_what_to_do(tmp_path):
    with pytest.raises(DataError, match="join its published tables"):
        fetch("fairytaleqa", SOURCES["fairytaleqa"], tmp_path)


def test_every_published_set_has_a_source_and_every_source_a_set():
    assert set(SOURCES) == {name for name, dataset in DATASETS.items() if dataset.files}


def test_what_a_source_downloads_is_what_its_set_looks_for(tmp_path):
    for name, known in SOURCES.items():
        for download in known.downloads:
            if not download.members:
                (tmp_path / name).mkdir(exist_ok=True)
                (tmp_path / name / download.file).touch()
        plain = [download for download in known.downloads if not download.members]
        assert not plain or find_data(DATASETS[name], tmp_path) is not None, name


def test_sets_are_found_by_name_in_their_order_gzipped_or_not(tmp_path):
    qasper = DATASETS["qasper"]
    assert find_data(qasper, tmp_path) is None
    for folder, name in (("qa/qasper", "qasper-test-v0.3.json"), ("qa/qasper", "qasper-dev-v0.3.json.gz")):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / name).touch()
    assert data_file(qasper, tmp_path) == tmp_path / "qa" / "qasper" / "qasper-dev-v0.3.json.gz"
    assert data_file(qasper, tmp_path / "mine.json") == tmp_path / "mine.json"
    found = {one.name: one.file for one in look_for_all(tmp_path)}
    assert found["qasper"]
    assert found["loong"] is None


def test_a_set_that_is_not_there_says_how_to_get_it(tmp_path):
    with pytest.raises(DataError, match="treatise eval fetch loong"):
        data_file(DATASETS["loong"], tmp_path)
    with pytest.raises(DataError, match="TREATISE_DATA"):
        data_file(DATASETS["loong"], None)
    with pytest.raises(DataError, match="--data FILE"):
        data_file(DATASETS["spans"], None)
