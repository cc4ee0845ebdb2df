"""dis, the bracket format of the RST Discourse Treebank.

``( Nucleus (span 2 3) (rel2par span) ( Nucleus (leaf 2) (rel2par span) (text _!...!_) ) ( Satellite ... ) )``

The format cannot express ``!_`` inside a text. We put a backslash between the two characters, and one more if there are
some already; files by others do not contain such runs and are read unchanged. A text stands in one line, since many
programs read the format line by line: its line breaks are written as spaces.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from treatise.core.errors import TreeError
from treatise.core.tree import DiscourseTree, Join, Nuclearity, Unit, build_tree
from treatise.parse.analysis import Analysis, indent, walk
from treatise.parse.nary import Branch, Part, binarise

_ROLES = ("Root", "Nucleus", "Satellite")
_SPAN = "span"
_TOKEN = re.compile(r"\s+|//TT_ERR|_!(?P<text>.*?)!_|(?P<token>\(|\)|[^\s()]+)", re.DOTALL)
_LINE_BREAK = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_NAME = re.compile(r"(?!_!|//TT_ERR)[^\s()]+")


def read_dis(text: str, source: str) -> Analysis:
    """The analysis in a dis file, n-ary nodes binarised; texts and relations unchanged.

    Args:
        text: The file's content.
        source: Its name, for errors.

    Raises:
        TreeError: If brackets do not match, or the nodes do not form one tree over leaves 1 to n.
    """
    reading = _Reading(source)
    open_frames: list[_Frame] = []
    for kind, value, line in _tokens(text, source):
        if kind == "(":
            open_frames.append(_Frame(line))
        elif not open_frames:
            raise TreeError(f"{source}: line {line}: {value!r} is outside the tree")
        elif kind == ")":
            reading.close(open_frames.pop(), open_frames)
        else:
            open_frames[-1].words.append(value)
    if open_frames:
        raise TreeError(f"{source}: line {open_frames[-1].line}: this bracket is never closed")
    return reading.result()


def write_dis(analysis: Analysis) -> str:
    """The dis file of an analysis; :func:`read_dis` returns the same analysis, with spaces for line breaks.

    Raises:
        TreeError: If a relation is ``span``, empty, or contains whitespace or brackets.
    """
    tree = analysis.tree
    heads = _heads(tree)
    lines: list[str] = []
    for at, depth, leaving in walk(tree):
        match tree.nodes[at]:
            case Unit(index):
                lines.append(f"{indent(depth)}( {heads[at]} (text _!{_escape(analysis.units[index])}!_) )")
            case _ if leaving:
                lines.append(f"{indent(depth)})")
            case _:
                lines.append(f"{indent(depth)}( {heads[at]}")
    return "\n".join(lines) + "\n"


@dataclass(slots=True)
class _Constituent:
    """A node that has been read, waiting for its parent; ``part.relation`` is its ``rel2par``."""

    role: str
    part: Part
    line: int


class _Frame:
    """The content between two brackets."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.words: list[str] = []
        self.attributes: dict[str, list[str]] = {}
        self.below: list[_Constituent] = []


class _Reading:
    """The part of the tree whose brackets are closed."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._units: list[str] = []
        self._branches: list[Branch] = []
        self._roots: list[_Constituent] = []

    def close(self, frame: _Frame, around: list[_Frame]) -> None:
        """Adds what a closing bracket completes: an attribute of the surrounding node, or a node."""
        if not frame.words:
            raise self._error(frame.line, "an empty bracket")
        if frame.words[0] not in _ROLES:
            if not around or frame.below:
                raise self._error(frame.line, f"a node must be one of {', '.join(_ROLES)}, not {frame.words[0]!r}")
            around[-1].attributes[frame.words[0]] = frame.words[1:]
            return
        node = self._constituent(frame)
        (around[-1].below if around else self._roots).append(node)

    def result(self) -> Analysis:
        """The whole analysis."""
        if len(self._roots) != 1 or self._roots[0].role != "Root":
            found = ", ".join(f"{node.role} in line {node.line}" for node in self._roots[:3]) or "nothing"
            raise TreeError(f"{self._source}: expected one outermost Root, found {found}")
        return Analysis(tuple(self._units), build_tree(len(self._units), self._branches))

    def _constituent(self, frame: _Frame) -> _Constituent:
        relation = " ".join(frame.attributes.get("rel2par", []))
        start, end = self._gather(frame) if frame.below else self._leaf(frame)
        stated = frame.attributes.get("span")
        if stated is not None and stated != [str(start + 1), str(end)]:
            raise self._error(frame.line, f"the node states span {' '.join(stated)}, its leaves are {start + 1} {end}")
        return _Constituent(frame.words[0], Part(start, end, relation), frame.line)

    def _leaf(self, frame: _Frame) -> tuple[int, int]:
        number = len(self._units) + 1
        if frame.attributes.get("leaf") != [str(number)]:
            raise self._error(frame.line, f"expected (leaf {number}), found {frame.attributes.get('leaf')}")
        if "text" not in frame.attributes:
            raise self._error(frame.line, f"leaf {number} has no text")
        self._units.append(" ".join(frame.attributes["text"]))
        return number - 1, number

    def _gather(self, frame: _Frame) -> tuple[int, int]:
        nuclei = [node.part for node in frame.below if node.role == "Nucleus"]
        satellites = [node.part for node in frame.below if node.role == "Satellite"]
        named = satellites + (nuclei if len(nuclei) > 1 else [])
        if any(part.relation in ("", _SPAN) for part in named):
            raise self._error(frame.line, "a child has no (rel2par ...)")
        try:
            self._branches += binarise(nuclei, satellites)
        except TreeError as error:
            raise self._error(frame.line, str(error)) from None
        return frame.below[0].part.start, frame.below[-1].part.end

    def _error(self, line: int, found: str) -> TreeError:
        return TreeError(f"{self._source}: node in line {line}: {found}")


def _tokens(text: str, source: str) -> Iterator[tuple[str, str, int]]:
    """``(kind, value, line)``: kind is a bracket, or ``""`` for a word or a unit's text."""
    line = 1
    for match in _TOKEN.finditer(text):
        token, body = match["token"], match["text"]
        if body is not None:
            yield "", _unescape(body), line
        elif token is not None:
            if token.startswith("_!"):
                raise TreeError(f"{source}: line {line}: this text is never closed by !_")
            yield token if token in ("(", ")") else "", token, line
        line += match[0].count("\n")


def _heads(tree: DiscourseTree) -> list[str]:
    """Role, extent and relation of every node, as written after its opening bracket."""
    heads = [""] * len(tree.nodes)
    heads[-1] = "Root " + _extent(tree, len(tree.nodes) - 1)
    for node in tree.nodes:
        if isinstance(node, Join):
            for child, is_nucleus in zip((node.left, node.right), _nuclei(node), strict=True):
                relation = _SPAN if is_nucleus and node.nuclearity is not Nuclearity.NN else _relation(node)
                role = "Nucleus" if is_nucleus else "Satellite"
                heads[child] = f"{role} {_extent(tree, child)} (rel2par {relation})"
    return heads


def _extent(tree: DiscourseTree, at: int) -> str:
    start, end = (int(edge) for edge in tree.ranges[at])
    return f"(leaf {end})" if isinstance(tree.nodes[at], Unit) else f"(span {start + 1} {end})"


def _nuclei(join: Join) -> tuple[bool, bool]:
    return join.nuclearity is not Nuclearity.SN, join.nuclearity is not Nuclearity.NS


def _relation(join: Join) -> str:
    if join.relation == _SPAN or not _NAME.fullmatch(join.relation):
        raise TreeError(f"dis does not allow a relation named {join.relation!r}: no spaces, no brackets, not 'span'")
    return join.relation


def _escape(text: str) -> str:
    return re.sub(r"!(\\*)_", r"!\1\\_", _LINE_BREAK.sub(" ", text))


def _unescape(text: str) -> str:
    return re.sub(r"!(\\*)\\_", r"!\1_", text)
