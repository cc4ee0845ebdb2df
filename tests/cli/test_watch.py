"""``treatise watch``: a library follows its folder."""

import os
from pathlib import Path

import pytest

from treatise.cli.options import opened_library
from treatise.cli.sources import Sources
from treatise.cli.watch import _remove_deleted, look


def test_new_changed_and_deleted_files_are_followed(run, run_json, home: Path) -> None:
    folder = home / "notes"
    folder.mkdir()
    (folder / "tea.md").write_text("# Tea\n\nTea is hot.\n")
    (folder / "pot.md").write_text("# Pot\n\nA pot is round.\n")
    assert run("watch", folder, "--once").stdout.count("  new  ") == 2
    assert run("watch", folder, "--once").stdout == ""
    (folder / "tea.md").write_text("# Tea\n\nTea is cold by now.\n")
    (folder / "pot.md").unlink()
    out = run("watch", folder, "--once").stdout
    assert "  updated  " in out
    assert "  removed  " in out
    assert [one["title"] for one in run_json("list")["documents"]] == ["Tea"]


def test_the_loop_follows_files_that_come_change_and_go_and_keeps_those_it_may_not_see(
    run, run_json, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, closed = home / "notes", home / "notes" / "closed"
    closed.mkdir(parents=True)
    (closed / "cup.md").write_text("# Cup\n\nA cup is small.\n")
    scandir, lstat = os.scandir, os.lstat

    def refuse(path: str | Path) -> None:
        if str(path).startswith(str(closed)):
            raise PermissionError(13, "Permission denied", str(path))

    def close() -> None:
        monkeypatch.setattr(os, "scandir", lambda path: refuse(path) or scandir(path))
        monkeypatch.setattr(os, "lstat", lambda path, **more: refuse(path) or lstat(path, **more))

    def end() -> None:
        raise KeyboardInterrupt

    steps = [
        lambda: (folder / "tea.md").write_text("# Tea\n\nTea is hot.\n"),
        lambda: None,
        lambda: (folder / "tea.md").write_text("# Tea\n\nTea is cold by now.\n"),
        lambda: None,
        close,
        lambda: None,
        (folder / "tea.md").unlink,
        lambda: None,
        end,
    ]
    monkeypatch.setattr("treatise.cli.watch.time.sleep", lambda _: steps.pop(0)())
    out = run("watch", folder).stdout.splitlines()
    assert [line.split()[1] for line in out] == ["new", "new", "updated", "removed"]
    assert [one["title"] for one in run_json("list")["documents"]] == ["Cup"]


def test_documents_from_elsewhere_stay(run, run_json, tea: Path, home: Path) -> None:
    run("index", tea)
    tea.unlink()
    folder = home / "empty"
    folder.mkdir()
    run("watch", folder, "--once")
    assert len(run_json("list")["documents"]) == 1


def test_only_folders_are_watched(run, tea: Path) -> None:
    found = run("watch", tea, "--once")
    assert found.exit_code == 1
    assert "no such folder" in found.stderr


@pytest.mark.parametrize("seconds", ["nan", "inf", "0", "1e300"])
def test_an_interval_is_a_finite_number_in_its_range(run, home: Path, seconds: str) -> None:
    result = run("watch", str(home), "--once", "--every", seconds)
    assert result.exit_code == 2
    assert "--every" in result.stderr


def test_a_library_whose_url_lacks_a_slash_is_not_taken_for_a_path(run) -> None:
    result = run("list", "--store", "postgresql:/me:quietly@server/texts")
    assert result.exit_code == 2
    assert "quietly" not in result.stderr


def test_documents_stay_while_their_folder_is_not_mounted(run, run_json, home: Path) -> None:
    folders = home / "disk", home / "here"
    for folder in folders:
        folder.mkdir()
        (folder / "tea.txt").write_text(f"Tea of {folder.name} is hot.", "utf-8")
    run("watch", *folders, "--once")
    sources = Sources(tuple(map(str, folders)))
    (folders[1] / "tea.txt").unlink()
    folders[0].rename(home / "elsewhere")
    with opened_library() as library:
        _remove_deleted(library, sources, look(sources))
    (document,) = run_json("list")["documents"]
    assert str(folders[0]) in str(document)
