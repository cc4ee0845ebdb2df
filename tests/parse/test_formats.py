"""Tree formats by name."""

from collections.abc import Callable

import pytest

from treatise.core.tree import Nuclearity, build_tree
from treatise.parse.analysis import Analysis
from treatise.parse.brackets import read_brackets
from treatise.parse.dis import read_dis
from treatise.parse.formats import Format, write_tree_file
from treatise.parse.rows import Level, Text, read_row
from treatise.parse.rs3 import read_rs3

TEXT = Text("a", "en", Level.SENTENCE, (("A claim.",), ("And why.", 'He said "so".')))
TREE = build_tree(3, [(0, 1, 3, Nuclearity.NS, "explanation"), (1, 2, 3, Nuclearity.NN, "joint")])


def read_json(content: str, source: str) -> Analysis:
    row = read_row(content, source)
    return Analysis(row.text.units, row.tree)


READERS: dict[Format, Callable[[str, str], Analysis]] = {
    Format.BRACKETS: read_brackets,
    Format.JSON: read_json,
    Format.RS3: read_rs3,
    Format.RS4: read_rs3,
    Format.DIS: read_dis,
}


@pytest.mark.parametrize("form", list(Format))
def test_what_is_written_is_read_again(form: Format) -> None:
    analysis = READERS[form](write_tree_file(TEXT, TREE, form), "a file")
    assert (analysis.units, analysis.tree) == (TEXT.units, TREE)


def test_brackets_are_readable() -> None:
    assert write_tree_file(TEXT, TREE, Format.BRACKETS) == (
        '(NS explanation\n  "A claim."\n  (NN joint\n    "And why."\n    "He said \\"so\\"."))\n'
    )
