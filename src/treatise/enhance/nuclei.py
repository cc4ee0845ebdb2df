"""Nucleus promotion (Marcu 1997): the most important sentences of a span by its tree, without a model."""

from collections.abc import Sequence
from heapq import merge

from treatise.core.tree import DiscourseTree, Unit, satellite_edges

Promoted = tuple[tuple[int, int], ...]
"""Units of a span, most nuclear first, each with the number of satellite edges from the span's top to it."""


def promote(tree: DiscourseTree, lengths: Sequence[int], max_words: int) -> list[Promoted]:
    """For each node, the units that represent it: most nuclear first, ties in text order, up to ``max_words``.

    A unit is more nuclear if fewer satellites are on the path to it. The first unit is kept whatever its length; the
    list ends before the next one that does not fit. ``lengths`` are the words of the units.

    So a node's list follows from those of its children, and time and memory are linear in the number of nodes.
    """
    promoted: list[Promoted] = []
    for node in tree.nodes:
        if isinstance(node, Unit):
            promoted.append(((0, node.index),))
            continue
        lists = ([(rank + edge, unit) for rank, unit in promoted[c]] for c, edge in satellite_edges(node))
        ranked = tuple(merge(*lists))
        promoted.append(ranked[: _n_fitting(ranked, lengths, max_words) + 1])
    return [ranked[: _n_fitting(ranked, lengths, max_words)] for ranked in promoted]


def units_of(promoted: Promoted) -> tuple[int, ...]:
    """The units in text order."""
    return tuple(sorted(unit for _, unit in promoted))


def _n_fitting(ranked: Promoted, lengths: Sequence[int], max_words: int) -> int:
    """The number of leading units that fit the word limit together; at least one."""
    total = 0
    for i, (_, unit) in enumerate(ranked):
        total += lengths[unit]
        if total > max_words and i:
            return i
    return len(ranked)
