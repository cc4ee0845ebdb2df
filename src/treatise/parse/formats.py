"""Every tree format by name: what ``treatise parse --format`` writes and a tree file's ending tells."""

from enum import StrEnum
from pathlib import Path

from treatise.core.errors import TreeError
from treatise.core.tree import DiscourseTree
from treatise.parse.analysis import Analysis
from treatise.parse.brackets import read_brackets, write_brackets
from treatise.parse.dis import read_dis, write_dis
from treatise.parse.rows import Text, TreeRow, read_row, write_row
from treatise.parse.rs3 import read_rs3, write_rs3, write_rs4


class Format(StrEnum):
    """A way to write a tree with its texts."""

    BRACKETS = "brackets"
    JSON = "json"
    RS3 = "rs3"
    RS4 = "rs4"
    DIS = "dis"


def write_tree_file(text: Text, tree: DiscourseTree, form: Format) -> str:
    """The text with its tree in one of the formats, with a line break at the end; JSON alone keeps paragraphs.

    Raises:
        TreeError: Where the tree is not binary, or the format cannot hold a character or a relation.
    """
    analysis = Analysis(text.units, tree)
    match form:
        case Format.BRACKETS:
            return write_brackets(analysis)
        case Format.JSON:
            return write_row(TreeRow(text, tree)) + "\n"
        case Format.RS3:
            return write_rs3(analysis)
        case Format.RS4:
            return write_rs4(analysis)
        case Format.DIS:
            return write_dis(analysis)


def read_tree_file(path: Path) -> Analysis:
    """The analysis in a file, by the file's ending: ``.rs3 .rs4 .dis .brackets .json``.

    Raises:
        TreeError: Where the ending names no format, the file is not UTF-8 (rs3 may declare another encoding), or it
            is broken.
        DataError: Where a JSON file is not of the documented form.
    """
    try:
        form = Format(path.suffix.removeprefix("."))
    except ValueError:
        known = " ".join(f".{form}" for form in Format)
        raise TreeError(f"{path}: {path.suffix!r} is no tree format; known are {known}") from None
    data = path.read_bytes()
    if form in (Format.RS3, Format.RS4):
        return read_rs3(data, str(path))
    try:
        content = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise TreeError(f"{path}: not UTF-8: {error}") from error
    if form is Format.JSON:
        row = read_row(content, str(path))
        return Analysis(row.text.units, row.tree)
    return (read_dis if form is Format.DIS else read_brackets)(content, str(path))
