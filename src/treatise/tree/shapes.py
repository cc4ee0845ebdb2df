"""Trees that need no model: built from the sizes of the paragraphs, all relations ``NN`` joint."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from random import Random

from treatise.core.errors import TreeError
from treatise.core.tree import DiscourseTree, Nuclearity, Unit, build_tree

Split = Callable[[int, int], int]
"""Where to split the items ``[start, end)``, two or more: strictly between ``start`` and ``end``."""


def flat(n_units: int) -> DiscourseTree:
    """The forest of ``n_units`` leaves, without inner nodes; empty for 0."""
    return DiscourseTree(n_units, tuple(map(Unit, range(n_units))))


def bisection(n_units: int) -> DiscourseTree:
    """Recursive halves of the whole text, ignoring paragraphs; the right half is the larger one.

    Raises:
        TreeError: If there is no unit.
    """
    return _build([n_units], (), _middle)


def balanced(sizes: Sequence[int], sections: Sequence[int] = ()) -> DiscourseTree:
    """Recursive halves of each paragraph, then of the paragraphs: no subtree crosses a paragraph boundary.

    Args:
        sizes: Units of each paragraph, in order; a paragraph of 0 units is skipped.
        sections: Paragraphs of each section, in order, to keep sections whole too.

    Raises:
        TreeError: If there is no unit, a size is negative, or the sections do not add up to the paragraphs.

    >>> [(start, split, end) for start, split, end, _ in balanced([2, 1, 2]).joins()]
    [(0, 1, 2), (3, 4, 5), (2, 3, 5), (0, 2, 5)]
    """
    return _build(sizes, sections, _middle)


def random_splits(sizes: Sequence[int], seed: int, sections: Sequence[int] = ()) -> DiscourseTree:
    """As :func:`balanced`, with uniformly random splits: the control for claims about tree shape."""
    random = Random(seed)
    return _build(sizes, sections, lambda start, end: random.randrange(start + 1, end))


def right_branching(sizes: Sequence[int], sections: Sequence[int] = ()) -> DiscourseTree:
    """As :func:`balanced`, each unit joined to all that follows: the usual baseline for English parsers."""
    return _build(sizes, sections, lambda start, _: start + 1)


def _middle(start: int, end: int) -> int:
    return (start + end) // 2


def _build(sizes: Sequence[int], sections: Sequence[int], split: Split) -> DiscourseTree:
    if any(size < 0 for size in (*sizes, *sections)) or sum(sizes) < 1:
        raise TreeError(f"a tree needs at least one unit and no negative sizes, found {sum(sizes)} units")
    if sections and sum(sections) != len(sizes):
        raise TreeError(f"the sections have {sum(sections)} paragraphs, the text {len(sizes)}")
    n_units = sum(sizes)
    paragraphs = _edges(sizes)
    levels = [list(range(n_units + 1)), paragraphs]
    if sections:
        levels.append([paragraphs[at] for at in _edges(sections)])
    levels.append([0, n_units])
    spans = (span for inner, outer in pairwise(map(_distinct, levels)) for span in _joined(inner, outer, split))
    return build_tree(n_units, ((start, middle, end, Nuclearity.NN, "joint") for start, middle, end in spans))


def _edges(sizes: Sequence[int]) -> list[int]:
    return list(accumulate(sizes, initial=0))


def _distinct(edges: list[int]) -> list[int]:
    """The edges, ascending, without those of empty parts."""
    return sorted(set(edges))


def _joined(inner: list[int], outer: list[int], split: Split) -> Iterator[tuple[int, int, int]]:
    """``(start, split, end)`` in units of every node that joins the inner parts of one outer part."""
    pending = [(bisect_left(inner, start), bisect_left(inner, end)) for start, end in pairwise(outer)]
    pending.reverse()
    while pending:
        start, end = pending.pop()
        if end - start > 1:
            middle = split(start, end)
            yield inner[start], inner[middle], inner[end]
            pending += [(middle, end), (start, middle)]
