"""Section trees (HTSIR, Algorithm 1): sentences in leaves, leaves in groups, groups in sections."""

from collections.abc import Sequence

from treatise.core.errors import TreeError
from treatise.core.recipe import Sections
from treatise.core.tree import DiscourseTree, Group, Node, Unit


def section_tree(lengths: Sequence[int], n_units: Sequence[int], settings: Sections) -> DiscourseTree:
    """The forest with one root per section; ``lengths`` are the words of the units.

    Every unit belongs to a leaf of at most ``leaf_words``, a longer unit to one of its own; no leaf crosses a section.
    A section of n leaves has ⌊n/r⌋ intermediate nodes over r leaves each, the last one with the remainder, as in the
    paper; none if it is short, or if a single one would equal the root. Empty sections are skipped.

    Raises:
        TreeError: If the sections do not add up to the units, or there are none.

    >>> tree = section_tree([60, 60, 60, 60], [4], Sections(leaf_words=100, short_words=0))
    >>> [tuple(map(int, tree.ranges[root])) for root in tree.roots], len(tree.nodes)
    ([(0, 4)], 11)
    """
    if not lengths or min(n_units, default=0) < 0 or sum(n_units) != len(lengths):
        raise TreeError(f"the sections have {sum(n_units)} units, the text {len(lengths)}, expected at least one")
    nodes: list[Node] = []
    start = 0
    for n in n_units:
        if n:
            _add_section(nodes, range(start, start + n), lengths, settings)
        start += n
    return DiscourseTree(len(lengths), tuple(nodes))


def _add_section(nodes: list[Node], units: range, lengths: Sequence[int], settings: Sections) -> None:
    leaves = leaves_of(units, lengths, settings.leaf_words)
    n_words = sum(lengths[unit] for unit in units)
    n_groups = len(leaves) // settings.group_leaves if n_words >= settings.short_words else 0
    below = []
    if n_groups > 1:
        edges = [settings.group_leaves * i for i in range(n_groups)]
        for first, last in zip(edges, [*edges[1:], len(leaves)], strict=True):
            below.append(_grouped(nodes, [_grouped(nodes, _added(nodes, leaf)) for leaf in leaves[first:last]]))
    else:
        below = [_grouped(nodes, _added(nodes, leaf)) for leaf in leaves]
    _grouped(nodes, below)


def leaves_of(units: range, lengths: Sequence[int], leaf_words: int) -> list[range]:
    """The leaves of these units, in order: as many units each as fit into ``leaf_words`` words, at least one."""
    leaves, start, total = [], units.start, 0
    for unit in units:
        if unit > start and total + lengths[unit] > leaf_words:
            leaves.append(range(start, unit))
            start, total = unit, 0
        total += lengths[unit]
    return [*leaves, range(start, units.stop)]


def _added(nodes: list[Node], units: range) -> list[int]:
    nodes += map(Unit, units)
    return list(range(len(nodes) - len(units), len(nodes)))


def _grouped(nodes: list[Node], below: Sequence[int]) -> int:
    """Adds a group over these nodes; returns its number."""
    nodes.append(Group(tuple(below)))
    return len(nodes) - 1
