"""Formats by name and by a file's ending."""

from pathlib import Path

import pytest

from treatise.core.errors import TreeError
from treatise.core.tree import Nuclearity, build_tree
from treatise.parse.formats import Format, read_tree_file, write_tree_file
from treatise.parse.rows import Level, Text

TEXT = Text("a", "en", Level.SENTENCE, (("A claim.",), ("And why.", 'He said "so".')))
TREE = build_tree(3, [(0, 1, 3, Nuclearity.NS, "explanation"), (1, 2, 3, Nuclearity.NN, "joint")])


@pytest.mark.parametrize("form", list(Format))
def test_a_file_is_read_by_its_ending(tmp_path: Path, form: Format) -> None:
    path = tmp_path / f"a.{form}"
    path.write_text(write_tree_file(TEXT, TREE, form), "utf-8")
    analysis = read_tree_file(path)
    assert (analysis.units, analysis.tree) == (TEXT.units, TREE)


def test_brackets_are_readable() -> None:
    assert write_tree_file(TEXT, TREE, Format.BRACKETS) == (
        '(NS explanation\n  "A claim."\n  (NN joint\n    "And why."\n    "He said \\"so\\"."))\n'
    )


@pytest.mark.parametrize(
    ("name", "content", "reason"), [("a.txt", b"", "'.txt' is no tree format"), ("a.dis", b"\xff", "not UTF-8")]
)
def test_a_file_that_is_none_of_them_is_refused_by_name(tmp_path: Path, name: str, content: bytes, reason: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(TreeError, match=reason) as caught:
        read_tree_file(path)
    assert str(path) in str(caught.value)
