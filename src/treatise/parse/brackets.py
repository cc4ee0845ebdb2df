"""Readable brackets, for people and terminals: ``(NS elaboration "A claim." "And why it holds.")``.

An inner node consists of nuclearity, relation and two children, each line indented by depth; a unit is its text as a
JSON string, so that line breaks and quotation marks survive.
"""

import json
import re
from collections.abc import Iterator

from treatise.core.errors import TreeError
from treatise.core.tree import DiscourseTree, Join, Node, Nuclearity, Unit
from treatise.parse.analysis import Analysis, indent, walk
from treatise.parse.rows import json_line

_TOKEN = re.compile(r'\s+|(?P<token>\(|\)|"(?:[^"\\]|\\.)*"|[^\s()"]+|")')
_NAME = re.compile(r'[^\s()"]+')


def write_brackets(analysis: Analysis) -> str:
    """The tree with its texts, one node per line; :func:`read_brackets` returns the same analysis.

    Raises:
        TreeError: If a relation is empty or contains spaces, brackets or quotation marks.
    """
    lines: list[str] = []
    for at, depth, leaving in walk(analysis.tree):
        node = analysis.tree.nodes[at]
        if isinstance(node, Unit):
            lines.append(indent(depth) + json_line(analysis.units[node.index]))
        elif leaving:
            lines[-1] += ")"
        elif isinstance(node, Join):
            lines.append(f"{indent(depth)}({node.nuclearity} {_relation(node)}")
    return "\n".join(lines) + "\n"


def read_brackets(text: str, source: str) -> Analysis:
    """Reads the output of :func:`write_brackets`; line breaks and indentation do not matter.

    Args:
        text: The file's content.
        source: Its name, for errors.

    Raises:
        TreeError: If brackets do not match, or an inner node is not nuclearity, relation and two children.
    """
    units: list[str] = []
    nodes: list[Node] = []
    frames: list[list[str | int]] = [[]]
    for token, line in _tokens(text):
        try:
            _take(token, units, nodes, frames)
        except ValueError as error:
            raise TreeError(f"{source}: line {line}: {error}") from error
    if len(frames) > 1 or len(frames[0]) != 1 or not nodes:
        raise TreeError(f"{source}: expected one tree with balanced brackets")
    return Analysis(tuple(units), DiscourseTree(len(units), tuple(nodes)))


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    line = 1
    for match in _TOKEN.finditer(text):
        if match["token"]:
            yield match["token"], line
        line += match[0].count("\n")


def _take(token: str, units: list[str], nodes: list[Node], frames: list[list[str | int]]) -> None:
    """Reads one token; a frame contains the words and nodes between two brackets, the first frame the whole file."""
    if token == "(":
        frames.append([])
    elif token == ")":
        frame = frames.pop()
        if not frames:
            raise ValueError("closing bracket without an opening one")
        nodes.append(_join(frame))
        frames[-1].append(len(nodes) - 1)
    elif token.startswith('"'):
        nodes.append(Unit(len(units)))
        units.append(json.loads(token, strict=False))
        frames[-1].append(len(nodes) - 1)
    else:
        frames[-1].append(token)


def _join(frame: list[str | int]) -> Join:
    match frame:
        case [str(nuclearity), str(relation), int(left), int(right)]:
            return Join(left, right, Nuclearity(nuclearity), relation)
    raise ValueError(f"an inner node is nuclearity, relation and two children, found {len(frame)} parts")


def _relation(join: Join) -> str:
    if not _NAME.fullmatch(join.relation):
        raise TreeError(f"the brackets format does not allow a relation named {join.relation!r}")
    return join.relation
