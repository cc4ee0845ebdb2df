"""Discourse trees in post-order, so that a plain loop visits children before their parents."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.errors import TreeError
from treatise.core.lazy import Lazy
from treatise.core.notebook import tree_html
from treatise.core.post_order import PostOrder

RELATIONS: Final[tuple[str, ...]] = (
    "adversative",
    "attribution",
    "causal",
    "context",
    "contingency",
    "elaboration",
    "evaluation",
    "explanation",
    "joint",
    "mode",
    "organization",
    "purpose",
    "restatement",
    "same-unit",
    "topic",
)
"""The fifteen coarse relations of the GUM treebank: the default inventory."""


class Nuclearity(StrEnum):
    """Which child is the nucleus: the left one, the right one, or both."""

    NS = "NS"
    SN = "SN"
    NN = "NN"


@dataclass(frozen=True, slots=True)
class Unit:
    """A leaf.

    Attributes:
        index: Its number among the units (sentences, EDUs or chunks) of the text, from 0.
    """

    index: int


@dataclass(frozen=True, slots=True)
class Join:
    """Two neighbouring subtrees and the rhetorical relation between them.

    Attributes:
        left, right: Indices into ``DiscourseTree.nodes``; both come before this node.
        nuclearity: Which child is the nucleus.
        relation: A label of the tree's inventory, for example ``"elaboration"``.
    """

    left: int
    right: int
    nuclearity: Nuclearity
    relation: str


@dataclass(frozen=True, slots=True)
class Group:
    """Neighbouring subtrees joined without a relation: a section, a run of leaves, a whole document.

    Attributes:
        children: Indices into ``DiscourseTree.nodes``, in text order, at least one; all come before this node.
    """

    children: tuple[int, ...]


Node = Unit | Join | Group


@dataclass(frozen=True)
class DiscourseTree:
    """Nodes in post-order over the units of one text. Each node covers a contiguous run of units.

    A tree has one root, its last node. A *forest* is allowed too: flat recipes keep units side by side.

    Attributes:
        n_units: Number of units of the text; each is a leaf exactly once, in order.
        nodes: Post-order. Those of a stored tree are made when they are first wanted.

    Raises:
        TreeError: If nodes are not in post-order, cover gaps, or omit a unit.
    """

    n_units: int
    nodes: Sequence[Node]

    def __post_init__(self) -> None:
        _ = self.ranges

    @classmethod
    def of_counts(
        cls, n_children: npt.NDArray[np.integer], make: Callable[[int, tuple[int, ...]], Node]
    ) -> "DiscourseTree":
        """The tree whose nodes have so many children each, 0 for a unit, in post-order.

        ``make`` returns the inner node at an index with these children.

        Raises:
            TreeError: If the numbers are not those of a post-order.
        """
        order = PostOrder.of_counts(n_children)
        first, below, units = order.first_children.tolist(), order.children.tolist(), order.ranges[:, 0].tolist()

        def node(i: int) -> Node:
            under = tuple(below[first[i] : first[i + 1]])
            return make(i, under) if under else Unit(units[i])

        tree = cls.__new__(cls)
        vars(tree).update(
            n_units=len(order.leaves),
            nodes=Lazy(len(n_children), node),
            ranges=order.ranges,
            parents=order.parents,
            leaf_nodes=order.leaves,
        )
        return tree

    @cached_property
    def ranges(self) -> npt.NDArray[np.int32]:
        """Units that each node covers, as half-open ``[start, end)``. Shape ``(n_nodes, 2)``."""
        return _ranges(self)

    @property
    def roots(self) -> list[int]:
        """Indices of the nodes without a parent, in text order: one unless this is a forest."""
        roots: list[int] = []
        for i, node in enumerate(self.nodes):
            for _ in children(node):
                roots.pop()
            roots.append(i)
        return roots

    @cached_property
    def parents(self) -> npt.NDArray[np.int32]:
        """Index of each node's parent, -1 for a root. Shape ``(n_nodes,)``."""
        parents = np.full(len(self.nodes), -1, dtype=np.int32)
        for i, node in enumerate(self.nodes):
            for child in children(node):
                parents[child] = i
        return parents

    @cached_property
    def heights(self) -> npt.NDArray[np.int32]:
        """Longest path down to a leaf: 0 for a unit. Shape ``(n_nodes,)``."""
        heights = np.zeros(len(self.nodes), dtype=np.int32)
        for i, node in enumerate(self.nodes):
            heights[i] = max((heights[child] + 1 for child in children(node)), default=0)
        return heights

    @cached_property
    def leaf_nodes(self) -> npt.NDArray[np.int32]:
        """Node index of each unit. Shape ``(n_units,)``."""
        return np.array([i for i, node in enumerate(self.nodes) if isinstance(node, Unit)], dtype=np.int32)

    def _repr_html_(self) -> str:
        return tree_html(self, lambda unit: f"unit {unit}")

    def joins(self) -> Iterator[tuple[int, int, int, Join]]:
        """``(start, split, end, join)`` of every binary inner node in post-order: the form of treebank scorers."""
        for i, node in enumerate(self.nodes):
            if isinstance(node, Join):
                start, end = self.ranges[i]
                yield int(start), int(self.ranges[node.right, 0]), int(end), node


def children(node: Node) -> tuple[int, ...]:
    """A node's children in text order; none for a unit."""
    match node:
        case Unit():
            return ()
        case Join(left, right):
            return left, right
        case Group():
            return node.children


def satellite_edges(node: Node) -> Iterator[tuple[int, int]]:
    """A node's children in text order, each with 1 if it is a satellite, else 0."""
    satellite = {Nuclearity.NS: 1, Nuclearity.SN: 0}.get(node.nuclearity) if isinstance(node, Join) else None
    return ((child, int(at == satellite)) for at, child in enumerate(children(node)))


def build_tree(n_units: int, joins: Iterable[tuple[int, int, int, Nuclearity, str]]) -> DiscourseTree:
    """The tree with these inner nodes, ``(start, split, end, nuclearity, relation)``, in any order.

    Raises:
        TreeError: If the nodes do not form one binary tree over ``n_units`` units.

    >>> build_tree(2, [(0, 1, 2, Nuclearity.NS, "elaboration")]).nodes[-1]
    Join(left=0, right=1, nuclearity=<Nuclearity.NS: 'NS'>, relation='elaboration')
    """
    wanted = {(start, end): (split, nuclearity, relation) for start, split, end, nuclearity, relation in joins}
    if n_units < 1:
        raise TreeError("a tree needs at least one unit, found none")
    if len(wanted) != n_units - 1:
        raise TreeError(f"a binary tree over {n_units} units has {n_units - 1} inner nodes, found {len(wanted)}")
    nodes: list[Node] = []
    at: dict[tuple[int, int], int] = {}
    pending = [(0, n_units, False)]
    while pending:
        start, end, ready = pending.pop()
        if end - start == 1:
            nodes.append(Unit(start))
        elif (found := wanted.get((start, end))) is None or not start < found[0] < end:
            raise TreeError(f"no node splits units [{start}, {end}) in two; is a span missing, or do spans cross?")
        elif ready:
            split, nuclearity, relation = found
            nodes.append(Join(at[start, split], at[split, end], nuclearity, relation))
        else:
            pending += [(start, end, True), (found[0], end, False), (start, found[0], False)]
            continue
        at[start, end] = len(nodes) - 1
    return DiscourseTree(n_units, tuple(nodes))


def concatenate(trees: Sequence[DiscourseTree]) -> DiscourseTree:
    """The forest of these trees side by side, with units and nodes renumbered in text order."""
    nodes: list[Node] = []
    n_units = 0
    for tree in trees:
        nodes += _shifted(tree.nodes, by_nodes=len(nodes), by_units=n_units)
        n_units += tree.n_units
    return DiscourseTree(n_units, tuple(nodes))


def splice(upper: DiscourseTree, parts: Sequence[DiscourseTree]) -> DiscourseTree:
    """The tree with each unit of ``upper`` replaced, in place, by the tree (one root) of the same number in ``parts``.

    Raises:
        TreeError: If the counts differ or a part has several roots.
    """
    if upper.n_units != len(parts):
        raise TreeError(f"a tree over {upper.n_units} units cannot take {len(parts)} parts")
    nodes: list[Node] = []
    moved: list[int] = []
    n_units = 0
    for node in upper.nodes:
        match node:
            case Unit(index):
                part = parts[index]
                if len(part.roots) != 1:
                    raise TreeError(f"part {index} has {len(part.roots)} roots, expected one")
                nodes += _shifted(part.nodes, by_nodes=len(nodes), by_units=n_units)
                n_units += part.n_units
            case Join(left, right, nuclearity, relation):
                nodes.append(Join(moved[left], moved[right], nuclearity, relation))
            case Group():
                nodes.append(Group(tuple(moved[child] for child in node.children)))
        moved.append(len(nodes) - 1)
    return DiscourseTree(n_units, tuple(nodes))


def _shifted(nodes: Iterable[Node], *, by_nodes: int, by_units: int) -> Iterator[Node]:
    for node in nodes:
        match node:
            case Unit(index):
                yield Unit(index + by_units)
            case Join(left, right, nuclearity, relation):
                yield Join(left + by_nodes, right + by_nodes, nuclearity, relation)
            case Group():
                yield Group(tuple(child + by_nodes for child in node.children))


def _ranges(tree: DiscourseTree) -> npt.NDArray[np.int32]:
    """Computes ranges and checks the post-order with a stack: a node's children are the last open nodes."""
    ranges = np.zeros((len(tree.nodes), 2), dtype=np.int32)
    starts, ends, n_seen = [0] * len(tree.nodes), [0] * len(tree.nodes), 0
    open_nodes: list[int] = []
    for i, node in enumerate(tree.nodes):
        below = children(node)
        if isinstance(node, Unit):
            if node.index != n_seen:
                raise TreeError(
                    f"node {i} is unit {node.index}, expected unit {n_seen}: units must be in order, each once"
                )
            starts[i], ends[i] = n_seen, n_seen + 1
            n_seen += 1
        else:
            if not below or tuple(open_nodes[-len(below) :]) != below:
                raise TreeError(f"node {i} has children {below}, but in post-order they must be {open_nodes[-2:]}")
            del open_nodes[-len(below) :]
            starts[i], ends[i] = starts[below[0]], ends[below[-1]]
            if any(ends[a] != starts[b] for a, b in pairwise(below)):
                raise TreeError(f"node {i} covers units with a gap")
        open_nodes.append(i)
    if n_seen != tree.n_units:
        raise TreeError(f"the tree has {n_seen} units, the text {tree.n_units}")
    ranges[:, 0], ranges[:, 1] = starts, ends
    return ranges
