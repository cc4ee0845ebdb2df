"""A text cut into units with the binary tree over them: what every tree format holds."""

from collections.abc import Iterator
from dataclasses import dataclass

from treatise.core.errors import TreeError
from treatise.core.tree import DiscourseTree, Group, children

MAX_INDENT = 32
"""Levels after which writers indent no further: a chain of 50,000 units would fill gigabytes with blanks."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """A text's units and their rhetorical tree.

    Attributes:
        units: The units' texts, in order, exactly.
        tree: One root; ``Unit`` and ``Join`` nodes only.

    Raises:
        TreeError: If the tree is a forest, has other nodes, or is over another number of units.
    """

    units: tuple[str, ...]
    tree: DiscourseTree

    def __post_init__(self) -> None:
        if len(self.units) != self.tree.n_units:
            raise TreeError(f"the tree is over {self.tree.n_units} units, the text has {len(self.units)}")
        if len(self.tree.nodes) != 2 * self.tree.n_units - 1 or any(isinstance(n, Group) for n in self.tree.nodes):
            raise TreeError("a rhetorical tree is binary with one root; this one is a forest or has groups")


def walk(tree: DiscourseTree) -> Iterator[tuple[int, int, bool]]:
    """``(node, depth, leaving)``: every node on the way in, parents first, and inner nodes again on the way out."""
    pending = [(root, 0, False) for root in reversed(tree.roots)]
    while pending:
        at, depth, leaving = pending.pop()
        yield at, depth, leaving
        below = children(tree.nodes[at])
        if below and not leaving:
            pending.append((at, depth, True))
            pending += [(child, depth + 1, False) for child in reversed(below)]


def indent(depth: int) -> str:
    """Blanks before a line at this depth."""
    return "  " * min(depth, MAX_INDENT)
