"""Discourse trees as dependencies between units, after Li et al. (2014)."""

from dataclasses import dataclass

from treatise.core.tree import DiscourseTree, Join, Nuclearity, Unit


@dataclass(frozen=True, slots=True)
class Dependency:
    """A unit that depends on another one.

    Attributes:
        child, head: Units.
        relation: Of the node that joins them.
        is_nucleus: Whether the child is a nucleus too.
    """

    child: int
    head: int
    relation: str
    is_nucleus: bool


def dependencies(tree: DiscourseTree) -> list[Dependency]:
    """The dependency of every unit except the root's, by child.

    A satellite depends on its nucleus; of several nuclei, those after the first depend on the first. Nuclei of the same
    relation that branch to the right count as one node with several nuclei, as treebank conversion makes them.
    """
    heads = _heads(tree)
    anchors: dict[int, int] = {}
    found: list[Dependency] = []
    for at in range(len(tree.nodes) - 1, -1, -1):
        node = tree.nodes[at]
        if isinstance(node, Join):
            found.append(_dependency(node, heads, anchors.get(at, heads[node.left])))
            if _continues(tree, node):
                anchors[node.right] = found[-1].head
    return sorted(found, key=lambda one: one.child)


def _heads(tree: DiscourseTree) -> list[int]:
    """The unit at the end of the nuclei below each node, the left one of two."""
    heads: list[int] = []
    for node in tree.nodes:
        if isinstance(node, Unit):
            heads.append(node.index)
        elif isinstance(node, Join):
            heads.append(heads[node.right if node.nuclearity is Nuclearity.SN else node.left])
    return heads


def _dependency(node: Join, heads: list[int], anchor: int) -> Dependency:
    left, right = heads[node.left], heads[node.right]
    match node.nuclearity:
        case Nuclearity.NN:
            return Dependency(right, anchor, node.relation, is_nucleus=True)
        case Nuclearity.NS:
            return Dependency(right, left, node.relation, is_nucleus=False)
        case Nuclearity.SN:
            return Dependency(left, right, node.relation, is_nucleus=False)


def _continues(tree: DiscourseTree, node: Join) -> bool:
    below = tree.nodes[node.right]
    return (
        isinstance(below, Join)
        and node.nuclearity is Nuclearity.NN is below.nuclearity
        and node.relation == below.relation
    )
