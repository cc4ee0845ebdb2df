"""Where the documents of a large job come from."""

from pathlib import Path

import pytest

from treatise.core.errors import SourceError, SourceNotFoundError
from treatise.distribute.sources import addresses_in, documents_behind, is_as_before, read_source

pytest.importorskip("fsspec", reason="needs the extra ray")


def test_a_folder_is_its_documents_sorted(tmp_path: Path) -> None:
    for name in ("b.md", "a.txt", "c.bin"):
        (tmp_path / name).write_text("Text.")
    assert documents_behind(str(tmp_path)) == [str(tmp_path / "a.txt"), str(tmp_path / "b.md")]
    assert documents_behind(str(tmp_path / "c.bin")) == [str(tmp_path / "c.bin")]


def test_object_storage_is_listed_and_read() -> None:
    import fsspec

    storage = fsspec.filesystem("memory")
    for name in ("/texts/b/two.md", "/texts/one.txt", "/texts/three.bin"):
        storage.pipe_file(name, b"Text of it.")
    assert documents_behind("memory://texts") == ["memory:///texts/b/two.md", "memory:///texts/one.txt"]
    content, state = read_source("memory:///texts/one.txt")
    assert (content, state.size, state.source) == (b"Text of it.", 11, "memory:///texts/one.txt")
    with pytest.raises(SourceNotFoundError, match="no such object"):
        read_source("memory:///texts/none.txt")
    with pytest.raises(SourceNotFoundError, match="no document"):
        documents_behind("memory://nothing")


def test_a_storage_of_an_unknown_kind_is_refused_without_its_password() -> None:
    with pytest.raises(SourceError, match="nowhere://host/a") as caught:
        documents_behind("nowhere://me:hunter2@host/a")
    assert "hunter2" not in str(caught.value)


def test_a_file_is_unchanged_until_it_is_written(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("Text.")
    _, state = read_source(str(file))
    assert is_as_before(str(file), state)
    file.write_text("Other text.")
    assert not is_as_before(str(file), state)


def test_a_list_has_one_address_per_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "list.jsonl"
    file.write_text('{"source": "s3://texts/a.pdf", "size": 3}\n\n"b.txt"\n')
    assert list(addresses_in(file)) == ["s3://texts/a.pdf", str(tmp_path / "b.txt")]


@pytest.mark.parametrize(
    ("line", "message"), [("{", "line 2 is not JSON"), ("{}", "line 2 names no source"), ("3", "no")]
)
def test_a_line_that_is_no_address_is_named(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "list.jsonl"
    file.write_text(f'"a.txt"\n{line}\n')
    with pytest.raises(SourceError, match=message):
        list(addresses_in(file))
