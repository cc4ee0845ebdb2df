"""``treatise watch``: a library follows its folder."""

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
