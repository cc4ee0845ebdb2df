"""The tree formats of ``treatise parse --format``, by name."""

from enum import StrEnum

from treatise.core.tree import DiscourseTree
from treatise.parse.analysis import Analysis
from treatise.parse.brackets import write_brackets
from treatise.parse.dis import write_dis
from treatise.parse.rows import Text, TreeRow, write_row
from treatise.parse.rs3 import write_rs3, write_rs4


class Format(StrEnum):
    """A format for a tree with its texts."""

    BRACKETS = "brackets"
    JSON = "json"
    RS3 = "rs3"
    RS4 = "rs4"
    DIS = "dis"


def write_tree_file(text: Text, tree: DiscourseTree, form: Format) -> str:
    """The text with its tree in one of the formats, ending with a line break; only JSON keeps paragraphs.

    Raises:
        TreeError: If the tree is not binary, or the format does not allow a character or a relation.
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
