"""Folders: documents of known types, and nothing that is hidden, ignored, machine-made or outside."""

import os
from pathlib import Path

import pytest

from tests.ingest.outlook import compound, message
from treatise.ingest.folders import FolderFilter, list_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    for name in ("a.md", "b/c.txt", "b/d.log", "b/E.PDF", ".hidden.md", ".git/x.md", "node_modules/y.md", "build/z.md"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("Some words.")
    return folder


def names(folder: Path, **options: object) -> list[str]:
    listing = list_folder(folder, FolderFilter(**options))  # type: ignore[arg-type]  # options of the filter
    return [path.relative_to(folder).as_posix() for path in listing.files]


def test_known_types_are_listed_in_order_and_the_rest_is_counted(folder: Path) -> None:
    assert names(folder) == ["a.md", "b/E.PDF", "b/c.txt", "build/z.md"]
    assert list_folder(folder).note() == "2 hidden, 1 machine-made, 1 of other types"


def test_gitignore_is_obeyed_with_its_exceptions_and_nesting(folder: Path) -> None:
    (folder / ".gitignore").write_text("build/\n*.txt\n[bad\n")
    (folder / "b" / ".gitignore").write_text("!c.txt\nE.PDF\n")
    assert names(folder) == ["a.md", "b/c.txt"]
    assert "2 ignored by .gitignore" in list_folder(folder).note()


def test_gitignore_of_the_repository_above_counts(folder: Path) -> None:
    (folder / ".gitignore").write_text("c.txt\n")
    assert names(folder / "b") == ["E.PDF"]


def test_a_folder_that_is_itself_ignored_is_read_if_the_user_names_it(folder: Path) -> None:
    (folder / ".gitignore").write_text("build/\n")
    assert names(folder / "build") == ["z.md"]


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"!\n\\\n**\n/\n" * 3, b"[" * 10_000])
def test_a_broken_gitignore_is_no_error(folder: Path, content: bytes) -> None:
    (folder / ".gitignore").write_bytes(content)
    list_folder(folder)


def test_include_and_exclude_take_patterns(folder: Path) -> None:
    assert names(folder, include=("*.log", "a.*")) == ["a.md", "b/d.log"]
    assert names(folder, exclude=("b/",)) == ["a.md", "build/z.md"]
    assert "1 excluded" in list_folder(folder, FolderFilter(exclude=("b/",))).note()


def test_links_that_lead_outside_are_left_out_unless_followed(folder: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "key.txt").write_text("secret")
    (folder / "link.txt").symlink_to(outside / "key.txt")
    (folder / "linked").symlink_to(outside)
    (folder / "inside.txt").symlink_to(folder / "a.md")
    (folder / "broken.txt").symlink_to(folder / "gone")
    (folder / "loop").symlink_to(folder)
    assert names(folder) == ["a.md", "b/E.PDF", "b/c.txt", "build/z.md", "inside.txt"]
    assert "3 linked from outside" in list_folder(folder).note()
    followed = names(folder, follows_links=True)
    assert {"link.txt", "linked/key.txt"} < set(followed)
    assert not any(name.startswith("loop") for name in followed)


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    for one, other in (("x", "y"), ("y", "x")):
        (tmp_path / one).mkdir()
        (tmp_path / one / "a.txt").write_text("Words.")
        (tmp_path / one / "next").symlink_to(tmp_path / other)
    assert len(names(tmp_path / "x", follows_links=True)) == 2


def test_a_pipe_is_passed_over(folder: Path) -> None:
    import os

    os.mkfifo(folder / "pipe.txt")
    os.mkfifo(folder / "b" / ".gitignore")
    assert "pipe.txt" not in names(folder)
    assert "1 no regular files" in list_folder(folder).note()


def test_a_deep_folder_needs_no_recursion(tmp_path: Path) -> None:
    deep = tmp_path
    for _ in range(300):
        deep /= "d"
    deep.mkdir(parents=True)
    (deep / "a.txt").write_text("Words.")
    assert len(list_folder(tmp_path).files) == 1


def test_files_that_only_share_a_suffix_are_of_other_types(folder: Path) -> None:
    (folder / "de.msg").write_text('::msgcat::mcset de "Hello" "Hallo"')
    (folder / "mail.msg").write_bytes(compound(message({})))
    assert names(folder) == ["a.md", "b/E.PDF", "b/c.txt", "build/z.md", "mail.msg"]
    assert "2 of other types" in list_folder(folder).note()


def test_texts_that_are_known_by_their_names_are_read(tmp_path: Path) -> None:
    for name in ("README", "anacron-FAQ", "NEWS.Debian", "README.gz", "main.gz", "readmes", "install", "main"):
        (tmp_path / name).write_text("Words.")
    assert names(tmp_path) == ["NEWS.Debian", "README", "README.gz", "anacron-FAQ"]


@pytest.mark.skipif(os.name != "posix", reason="needs links")
@pytest.mark.parametrize("follows", [True, False])
def test_links_that_lead_to_themselves_are_passed_over(tmp_path: Path, follows: bool) -> None:
    (tmp_path / "a.txt").write_text("Water boils.")
    (tmp_path / "b.txt").symlink_to("b.txt")
    (tmp_path / "c.txt").symlink_to("d.txt")
    (tmp_path / "d.txt").symlink_to("c.txt")
    (tmp_path / "e").symlink_to(tmp_path)
    listing = list_folder(tmp_path, FolderFilter(follows_links=follows))
    assert [one.name for one in listing.files] == ["a.txt"]
