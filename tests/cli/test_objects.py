"""Documents in object storage, named on the command line."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fsspec", reason="needs the extra ray")


@pytest.fixture
def storage() -> Iterator[Any]:
    """Object storage in this process, with two texts and a file of another kind."""
    import fsspec

    storage = fsspec.filesystem("memory")
    storage.pipe_file("/shelf/a.txt", b"The bridge was built in 1950.")
    storage.pipe_file("/shelf/below/b.md", b"# Harbour\n\nThe harbour has nine boats.")
    storage.pipe_file("/shelf/logo.bin", b"\0\1")
    yield storage
    storage.rm("/shelf", recursive=True)


def outcomes(record: dict[str, Any]) -> dict[str, str]:
    return {report["source"]: report["outcome"] for report in record["documents"]}


def test_a_folder_of_object_storage_is_indexed_and_updated(run_json, home: Path, storage: Any) -> None:
    assert outcomes(run_json("index", "memory://shelf")) == {
        "memory:///shelf/a.txt": "new",
        "memory:///shelf/below/b.md": "new",
    }
    storage.pipe_file("/shelf/a.txt", b"The bridge was built in 1951.")
    assert outcomes(run_json("update", "memory://shelf/")) == {
        "memory:///shelf/a.txt": "updated",
        "memory:///shelf/below/b.md": "unchanged",
    }
    assert "1951" in run_json("ask", "When was the bridge built?")["answer"]


def test_an_update_reads_objects_only_if_they_are_named(run, home: Path, storage: Any) -> None:
    run("index", "memory://shelf/a.txt")
    storage.rm("/shelf/a.txt")
    assert "a URL is read again if you name it" in run("update").stderr
    result = run("update", "memory:///shelf/a.txt")
    assert result.exit_code == 1
    assert "it is still indexed: treatise remove " in result.stderr


def test_what_is_not_there_is_named_and_the_rest_indexed(run, home: Path, storage: Any) -> None:
    result = run("index", "memory://nothing/", "nowhere://a/b.txt", "memory://shelf/a.txt", "--json")
    record = json.loads(result.stdout)
    assert result.exit_code == 1
    assert [failure["source"] for failure in record["failed"]] == ["memory://nothing/", "nowhere://a/b.txt"]
    assert outcomes(record) == {"memory:///shelf/a.txt": "new"}
    assert "memory://nothing/: no document that can be read" in result.stderr
    assert "nowhere://a/b.txt cannot be opened" in result.stderr


def test_a_list_of_addresses_is_a_source(run, run_json, home: Path, storage: Any) -> None:
    (home / "c.txt").write_text("The river is long.", encoding="utf-8")
    (home / "list.jsonl").write_text('{"source": "memory://shelf/a.txt"}\n"c.txt"\n', encoding="utf-8")
    assert len(run_json("index", "--sources-from", "list.jsonl")["documents"]) == 2
    (home / "list.jsonl").write_text("c.txt\n", encoding="utf-8")
    result = run("index", "--sources-from", "list.jsonl")
    assert (result.exit_code, "list.jsonl, line 1 is not JSON" in result.stderr) == (1, True)
