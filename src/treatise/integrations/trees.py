"""Discourse trees for other libraries: networkx graphs, ``nltk.Tree``, and the trees of rs3 and rs4 files.

>>> from treatise import parse_text
>>> from treatise.integrations.trees import to_networkx, to_nltk
>>> parsed = parse_text("Keep the lid on if the water boils.")
>>> to_nltk(parsed).leaves()
['Keep the lid on', 'if the water boils.']
>>> graph = to_networkx(parsed)
>>> [graph.nodes[node].get("relation") for node in graph]
['contingency', None, None]
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from treatise.core.errors import MissingExtraError, TreeError
from treatise.core.indexed import IndexedDocument
from treatise.core.tree import DiscourseTree, Join, Node, Nuclearity, Unit, children
from treatise.parse.parsed import ParsedText

if TYPE_CHECKING:
    import networkx
    import nltk

Treed = ParsedText | IndexedDocument
"""What has a tree and the texts of its units."""


def to_networkx(source: Treed) -> "networkx.DiGraph[int]":
    """A directed graph from each node to its children, parents first.

    Nodes are the numbers of ``DiscourseTree.nodes``. Inner nodes have ``relation``, ``nuclearity`` (both None for a
    group without a relation), ``start`` and ``end`` in units; units have ``unit`` and ``text``. Edges have ``role``:
    ``nucleus`` or ``satellite``, None in a group.

    Raises:
        MissingExtraError: Without networkx.
    """
    try:
        import networkx
    except ImportError as error:
        raise MissingExtraError("graphs of networkx", "trees") from error
    tree, texts = _tree_of(source)
    graph: Any = networkx.DiGraph()
    for at in range(len(tree.nodes) - 1, -1, -1):
        graph.add_node(at, **_attributes(tree, at, texts))
    for at in range(len(tree.nodes) - 1, -1, -1):
        node = tree.nodes[at]
        graph.add_edges_from((at, child, {"role": _role(node, child)}) for child in children(node))
    return graph


def to_nltk(source: Treed) -> "nltk.Tree":
    """An ``nltk.Tree`` whose labels are nuclearity and relation, such as ``NS:elaboration``, over the units' texts.

    A forest has the label ``ROOT``, a group ``GROUP``; a text of one unit is a tree ``ROOT`` with one leaf.

    Raises:
        MissingExtraError: Without nltk.
    """
    try:
        import nltk
    except ImportError as error:
        raise MissingExtraError("trees of nltk", "trees") from error
    tree, texts = _tree_of(source)
    made: list[Any] = []
    for node in tree.nodes:
        below = [made[child] for child in children(node)]
        made.append(nltk.Tree(_label(node), below) if below else texts[_unit(node)])
    roots = [made[root] for root in tree.roots]
    return roots[0] if len(roots) == 1 and isinstance(roots[0], nltk.Tree) else nltk.Tree("ROOT", roots)


def from_nltk(tree: "nltk.Tree") -> tuple[tuple[str, ...], DiscourseTree]:
    """The units and the tree of :func:`to_nltk`; labels need the form ``NS:relation``.

    Raises:
        TreeError: If a node has another label, or not two children.
    """
    units: list[str] = []
    nodes: list[Node] = []
    numbers: list[int] = []
    pending: list[Any] = [tree]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            numbers.append(len(nodes))
            nodes.append(Unit(len(units)))
            units.append(item)
        elif isinstance(item, _Closed):
            right, left = numbers.pop(), numbers.pop()
            numbers.append(len(nodes))
            nodes.append(Join(left, right, item.nuclearity, item.relation))
        elif item.label() == "ROOT" and len(item) == 1:
            pending.append(item[0])
        else:
            pending += [_closed(item), *reversed(item)]
    return tuple(units), DiscourseTree(len(units), tuple(nodes))


class _Closed:
    """A node whose children have been read."""

    def __init__(self, nuclearity: Nuclearity, relation: str) -> None:
        self.nuclearity, self.relation = nuclearity, relation


def _closed(tree: Any) -> _Closed:
    label = str(tree.label())
    nuclearity, _, relation = label.partition(":")
    if nuclearity not in set(Nuclearity) or not relation or len(tree) != len(("left", "right")):
        raise TreeError(f"expected a node such as (NS:elaboration left right), found {label} with {len(tree)} children")
    return _Closed(Nuclearity(nuclearity), relation)


def _tree_of(source: Treed) -> tuple[DiscourseTree, Sequence[str]]:
    if isinstance(source, ParsedText):
        return source.tree, source.units
    if isinstance(source, IndexedDocument):
        return source.tree, [source.document.quote(unit.start, unit.end) for unit in source.units]
    raise TreeError(f"expected a parsed text or an indexed document, found {type(source).__name__}")


def _attributes(tree: DiscourseTree, at: int, texts: Sequence[str]) -> dict[str, Any]:
    node = tree.nodes[at]
    if isinstance(node, Unit):
        return {"unit": node.index, "text": texts[node.index]}
    start, end = (int(edge) for edge in tree.ranges[at])
    relation, nuclearity = (node.relation, str(node.nuclearity)) if isinstance(node, Join) else (None, None)
    return {"relation": relation, "nuclearity": nuclearity, "start": start, "end": end}


def _role(node: Node, child: int) -> str | None:
    if not isinstance(node, Join):
        return None
    satellite = {Nuclearity.NS: node.right, Nuclearity.SN: node.left}.get(node.nuclearity)
    return "satellite" if child == satellite else "nucleus"


def _label(node: Node) -> str:
    return f"{node.nuclearity}:{node.relation}" if isinstance(node, Join) else "GROUP"


def _unit(node: Node) -> int:
    if isinstance(node, Unit):
        return node.index
    raise TreeError(f"a {type(node).__name__} has no text of its own")
