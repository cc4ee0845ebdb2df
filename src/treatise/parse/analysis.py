"""A text split into units, with the binary tree over them: the content of every tree format."""

from collections.abc import Iterator
from dataclasses import dataclass

from treatise.core.errors import TreeError
from treatise.core.tree import DiscourseTree, Group, children

MAX_INDENT = 32
"""Maximum indentation: otherwise a chain of 50,000 units would fill gigabytes with spaces."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """A text's units and their rhetorical tree.

    Attributes:
        units: The exact texts of the units, in order.
        tree: One root; ``Unit`` and ``Join`` nodes only.

    Raises:
        TreeError: If the tree is a forest, has other nodes, or has another number of units.
    """

    units: tuple[str, ...]
    tree: DiscourseTree

    def __post_init__(self) -> None:
        if len(self.units) != self.tree.n_units:
            raise TreeError(f"the tree has {self.tree.n_units} units, the text has {len(self.units)}")
        if len(self.tree.nodes) != 2 * self.tree.n_units - 1 or any(isinstance(n, Group) for n in self.tree.nodes):
            raise TreeError("a rhetorical tree is binary with one root; this one is a forest or has groups")


def walk(tree: DiscourseTree) -> Iterator[tuple[int, int, bool]]:
    """``(node, depth, leaving)``: every node on entry, parents first, and inner nodes again on exit."""
    pending = [(root, 0, False) for root in reversed(tree.roots)]
    while pending:
        at, depth, leaving = pending.pop()
        yield at, depth, leaving
        below = children(tree.nodes[at])
        if below and not leaving:
            pending.append((at, depth, True))
            pending += [(child, depth + 1, False) for child in reversed(below)]


def indent(depth: int) -> str:
    """Indentation of a line at this depth."""
    return "  " * min(depth, MAX_INDENT)
