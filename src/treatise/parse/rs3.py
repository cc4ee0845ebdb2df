"""rs3, the format of RSTTool and rstWeb, and rs4, its successor in the GUM treebank.

A file lists segments (units) and groups, each with the id of its parent. A node is its core and the satellites
that point at it; the core of a segment is a unit, of a ``span`` group its one child by ``span``, of a ``multinuc``
group its nuclei. The additions of rs4, secondary edges and signals, are not part of the tree and are skipped.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lxml import etree

from treatise.core.errors import TreeError
from treatise.core.tree import Join, Nuclearity, build_tree
from treatise.parse.analysis import Analysis
from treatise.parse.nary import Branch, Part, binarise

_SPAN = "span"
_MULTINUCLEAR = "multinuc"
_SEGMENT = re.compile("<segment[ >].*?</segment>", re.DOTALL)
_LINE_BREAK = re.compile(r"[\n\x85\u2028\u2029]")  # the others are references already, or forbidden


def read_rs3(data: bytes | str, source: str, *, join_roots: str = "") -> Analysis:
    """The analysis in an rs3 or rs4 file, n-ary nodes binarised; texts and relations unchanged.

    Args:
        data: The file's content.
        source: Its name, for errors.
        join_roots: The relation, if any, that joins several roots as nuclei; without it they are an error.

    Raises:
        TreeError: If the XML is broken or has a document type, the nodes do not form one tree over neighbouring
            spans, or a relation is not declared in the header.
    """
    root = _xml(data, source)
    nodes, texts = _nodes(root, source)
    below = _below(nodes, _inventory(root), source)
    branches: list[Branch] = []
    covers: dict[str, tuple[int, int]] = {}
    roots = _roots(nodes, source, several=bool(join_roots))
    for name in reversed(_top_down(roots, below, source)):
        try:
            covers[name] = _gather(nodes[name], below[name], covers, branches)
        except TreeError as error:
            raise TreeError(f"{source}: node {name}: {error}") from None
    branches += binarise([Part(*covers[name], join_roots) for name in roots], [])
    return Analysis(tuple(texts), build_tree(len(texts), branches))


def write_rs3(analysis: Analysis) -> str:
    """The rs3 file of an analysis; :func:`read_rs3` returns the same analysis.

    Raises:
        TreeError: If a text contains a character that XML 1.0 forbids, or a relation is empty or named ``span``.
    """
    return _write(analysis, signals=False)


def write_rs4(analysis: Analysis) -> str:
    """The rs4 file of an analysis: as :func:`write_rs3`, with empty lists of secondary edges and signals."""
    return _write(analysis, signals=True)


@dataclass(frozen=True, slots=True)
class _Node:
    """A segment or group of the file; ``unit`` is -1 for a group."""

    parent: str | None
    relation: str
    unit: int
    multinuclear: bool


@dataclass(slots=True)
class _Below:
    """The children of a node, by role."""

    spans: list[str]
    nuclei: list[tuple[str, str]]
    satellites: list[tuple[str, str]]


def _xml(data: bytes | str, source: str) -> etree._Element:
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(raw, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise TreeError(f"{source}: not well-formed XML: {error}") from error
    if root.getroottree().docinfo.doctype:
        raise TreeError(f"{source}: has a document type, which rs3 files do not have; entities are not read")
    if root.tag != "rst":
        raise TreeError(f"{source}: the outermost element is <{root.tag}>, expected <rst>")
    return root


def _inventory(root: etree._Element) -> dict[str, set[str]]:
    """Relations of the header, each with its types: ``rst``, ``multinuc`` or both."""
    types: dict[str, set[str]] = defaultdict(set)
    for relation in root.iterfind("header/relations/rel"):
        types[relation.get("name", "")].add(relation.get("type", ""))
    return types


def _nodes(root: etree._Element, source: str) -> tuple[dict[str, _Node], list[str]]:
    nodes: dict[str, _Node] = {}
    texts: list[str] = []
    for element in root.iterfind("body/*"):
        if element.tag not in ("segment", "group"):
            continue
        name = element.get("id")
        if name is None or name in nodes:
            raise TreeError(f"{source}: line {element.sourceline}: a <{element.tag}> without a unique id: {name}")
        is_unit = element.tag == "segment"
        nodes[name] = _Node(
            parent=element.get("parent"),
            relation=element.get("relname", ""),
            unit=len(texts) if is_unit else -1,
            multinuclear=element.get("type") == _MULTINUCLEAR,
        )
        if is_unit:
            texts.append("".join(element.itertext()))
    if not texts:
        raise TreeError(f"{source}: there is no segment")
    return nodes, texts


def _below(nodes: dict[str, _Node], inventory: dict[str, set[str]], source: str) -> dict[str, _Below]:
    below = {name: _Below([], [], []) for name in nodes}
    for name, node in nodes.items():
        if node.parent is None:
            continue
        if node.parent not in nodes:
            raise TreeError(f"{source}: node {name}: its parent {node.parent} is not in the file")
        if node.relation == _SPAN:
            below[node.parent].spans.append(name)
        elif node.relation not in inventory:
            raise TreeError(f"{source}: node {name}: relation {node.relation!r} is not declared in the header")
        elif nodes[node.parent].multinuclear and _MULTINUCLEAR in inventory[node.relation]:
            below[node.parent].nuclei.append((name, node.relation))
        else:
            below[node.parent].satellites.append((name, node.relation))
    return below


def _roots(nodes: dict[str, _Node], source: str, *, several: bool) -> list[str]:
    roots = [name for name, node in nodes.items() if node.parent is None]
    if len(roots) > 1 and not several:
        raise TreeError(f"{source}: nodes {', '.join(roots[:5])} have no parent; a tree has one root")
    if not roots:
        raise TreeError(f"{source}: node {next(iter(nodes))}: its parents form a cycle; every node has a parent")
    return roots


def _top_down(roots: Sequence[str], below: dict[str, _Below], source: str) -> list[str]:
    """Every node, parents first."""
    order = list(roots)
    for name in order:
        there = below[name]
        order += [*there.spans, *(child for child, _ in there.nuclei + there.satellites)]
    if len(order) < len(below):
        reached = set(order)
        lost = next(name for name in below if name not in reached)
        raise TreeError(f"{source}: node {lost}: its parents form a cycle without a root")
    return order


def _gather(node: _Node, below: _Below, covers: dict[str, tuple[int, int]], branches: list[Branch]) -> tuple[int, int]:
    """The units that a node and its satellites cover; appends its binary nodes to ``branches``."""
    if node.unit >= 0:
        core = [] if below.spans or below.nuclei else [Part(node.unit, node.unit + 1, _SPAN)]
    elif node.multinuclear:
        core = [] if below.spans else [Part(*covers[name], relation) for name, relation in below.nuclei]
    else:
        core = [Part(*covers[name], _SPAN) for name in below.spans] if len(below.spans) == 1 else []
    if not core:
        raise TreeError("a segment has satellites only, a span group one span child, a multinuc group its nuclei")
    found = binarise(core, [Part(*covers[name], relation) for name, relation in below.satellites])
    branches += found
    return (found[-1][0], found[-1][2]) if found else (core[0].start, core[0].end)


def _write(analysis: Analysis, *, signals: bool) -> str:
    root = etree.Element("rst")
    header = etree.SubElement(root, "header")
    _write_inventory(analysis, etree.SubElement(header, "relations"))
    if signals:
        etree.SubElement(header, "sigtypes")
    body = etree.SubElement(root, "body")
    for attributes, text in _rows(analysis):
        element = etree.SubElement(body, "group" if text is None else "segment", attributes)
        try:
            element.text = text
        except ValueError as error:
            raise TreeError(f"unit {attributes['id']}: XML forbids a control character of {text!r:.200}") from error
    if signals:
        etree.SubElement(body, "secedges")
        etree.SubElement(body, "signals")
    return _SEGMENT.sub(_in_a_line, str(etree.tostring(root, pretty_print=True, encoding="unicode")))


def _in_a_line(segment: re.Match[str]) -> str:
    """The element, with references for the line breaks of its text: a text must not look like a line of the tree."""
    return _LINE_BREAK.sub(lambda found: f"&#{ord(found.group())};", segment.group())


def _write_inventory(analysis: Analysis, relations: etree._Element) -> None:
    for name, kind in sorted(_declared(analysis)):
        if name in ("", _SPAN):
            raise TreeError(f"rs3 does not allow a relation named {name!r}")
        etree.SubElement(relations, "rel", name=name, type=kind)


def _declared(analysis: Analysis) -> set[tuple[str, str]]:
    """Each relation with the types of its uses."""
    joins = (node for node in analysis.tree.nodes if isinstance(node, Join))
    return {(join.relation, _MULTINUCLEAR if join.nuclearity is Nuclearity.NN else "rst") for join in joins}


class _Rows:
    """The elements of a file: units, then groups in the order of creation.

    Attributes:
        attributes: Of each element, by id, in the order of writing.
        of_node: Id of the element of each node of the tree so far.
        multinuclear: Ids of the groups with several nuclei.
    """

    def __init__(self, n_units: int) -> None:
        self.attributes = {str(i): {"id": str(i)} for i in range(1, n_units + 1)}
        self.of_node: list[str] = []
        self.multinuclear: set[str] = set()

    def point(self, child: str, parent: str, relation: str) -> None:
        """Makes one element the child of another."""
        self.attributes[child] |= {"parent": parent, "relname": relation}

    def group(self, kind: str) -> str:
        """The id of a new group."""
        name = str(len(self.attributes) + 1)
        self.attributes[name] = {"id": name, "type": kind}
        return name


def _rows(analysis: Analysis) -> Iterable[tuple[dict[str, str], str | None]]:
    """Attributes and text of each element; a group has no text."""
    n_units = len(analysis.units)
    rows = _Rows(n_units)
    nuclear = {name for name, kind in _declared(analysis) if kind == _MULTINUCLEAR}
    for (_, end), node in zip(analysis.tree.ranges.tolist(), analysis.tree.nodes, strict=True):
        rows.of_node.append(_add(node, rows, nuclear) if isinstance(node, Join) else str(end))
    texts: Iterable[str | None] = (*analysis.units, *[None] * (len(rows.attributes) - n_units))
    return zip(rows.attributes.values(), texts, strict=True)


def _add(join: Join, rows: _Rows, nuclear_relations: set[str]) -> str:
    """Adds this node; returns the id of its group. Its children point at the group or at each other."""
    left, right = rows.of_node[join.left], rows.of_node[join.right]
    if join.nuclearity is Nuclearity.NN:
        group = rows.group(_MULTINUCLEAR)
        rows.multinuclear.add(group)
        rows.point(left, group, join.relation)
        rows.point(right, group, join.relation)
        return group
    nucleus, satellite = (left, right) if join.nuclearity is Nuclearity.NS else (right, left)
    if nucleus in rows.multinuclear and join.relation in nuclear_relations:
        # A satellite with this relation would be read as another nucleus: a span group around the nuclei prevents that.
        around = rows.group(_SPAN)
        rows.point(nucleus, around, _SPAN)
        nucleus = around
    rows.point(satellite, nucleus, join.relation)
    group = rows.group(_SPAN)
    rows.point(nucleus, group, _SPAN)
    return group
