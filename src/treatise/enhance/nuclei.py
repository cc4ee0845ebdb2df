"""Nucleus promotion (Marcu 1997): the sentences that carry a span, read off the tree, without any model."""

from collections.abc import Sequence
from heapq import merge
from typing import Final

from treatise.core.tree import DiscourseTree, Join, Nuclearity, Unit, children

Promoted = tuple[tuple[int, int], ...]
"""Units of a span with the number of satellite edges from its top down to each, most nuclear first."""

_SATELLITE: Final = {Nuclearity.NS: (0, 1), Nuclearity.SN: (1, 0), Nuclearity.NN: (0, 0)}


def promote(tree: DiscourseTree, lengths: Sequence[int], max_words: int) -> list[Promoted]:
    """For each node the units that represent it: most nuclear first, equals in text order, up to ``max_words``.

    A unit is the more nuclear the fewer satellites lie on the way down to it. The first one is kept whatever its
    length; the others end before the first that does not fit. ``lengths`` are the words of the units.

    A list ends at the first unit that does not fit, so a node's list follows from those of its children: time and
    memory are linear in the number of nodes.
    """
    promoted: list[Promoted] = []
    for node in tree.nodes:
        if isinstance(node, Unit):
            promoted.append(((0, node.index),))
            continue
        edges = _SATELLITE[node.nuclearity] if isinstance(node, Join) else (0,) * len(children(node))
        lists = (
            [(rank + edge, unit) for rank, unit in promoted[c]] for c, edge in zip(children(node), edges, strict=True)
        )
        ranked = tuple(merge(*lists))
        promoted.append(ranked[: _n_fitting(ranked, lengths, max_words) + 1])
    return [ranked[: _n_fitting(ranked, lengths, max_words)] for ranked in promoted]


def units_of(promoted: Promoted) -> tuple[int, ...]:
    """The units in text order."""
    return tuple(sorted(unit for _, unit in promoted))


def _n_fitting(ranked: Promoted, lengths: Sequence[int], max_words: int) -> int:
    """How many of the units, from the first on, have at most so many words together; at least one."""
    total = 0
    for i, (_, unit) in enumerate(ranked):
        total += lengths[unit]
        if total > max_words and i:
            return i
    return len(ranked)
