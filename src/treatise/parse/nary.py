"""Binarisation of the n-ary nodes of treebanks."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from treatise.core.errors import TreeError
from treatise.core.tree import Nuclearity

Branch = tuple[int, int, int, Nuclearity, str]
"""``(start, split, end, nuclearity, relation)`` of a binary node, in units: the input of ``build_tree``."""


@dataclass(frozen=True, slots=True)
class Part:
    """One child of an n-ary node.

    Attributes:
        start, end: The units it covers, half-open.
        relation: Its relation to the parent; meaningless for a single nucleus.
    """

    start: int
    end: int
    relation: str


def binarise(nuclei: Sequence[Part], satellites: Sequence[Part]) -> list[Branch]:
    """The binary nodes of one n-ary node, lowest first; none for a single nucleus.

    Several nuclei branch to the right. Then the nucleus takes its right satellites, nearest first, then its left
    ones: the usual rule of treebank conversion.

    Raises:
        TreeError: If there is no nucleus, or joined parts are not adjacent.

    >>> binarise([Part(1, 2, "span")], [Part(0, 1, "context"), Part(2, 3, "causal")])
    [(1, 2, 3, <Nuclearity.NS: 'NS'>, 'causal'), (0, 1, 3, <Nuclearity.SN: 'SN'>, 'context')]
    """
    if not nuclei:
        raise TreeError("it has no nucleus")
    nuclei = sorted(nuclei, key=lambda part: part.start)
    for left, right in pairwise(nuclei):
        _check_neighbours(left.end, right.start)
    start, end = nuclei[0].start, nuclei[-1].end
    branches: list[Branch] = [(part.start, part.end, end, Nuclearity.NN, part.relation) for part in nuclei[-2::-1]]
    outwards = sorted(satellites, key=lambda part: part.start)
    for part in (part for part in outwards if part.start > start):
        _check_neighbours(end, part.start)
        branches.append((start, end, part.end, Nuclearity.NS, part.relation))
        end = part.end
    for part in (part for part in reversed(outwards) if part.start < start):
        _check_neighbours(part.end, start)
        branches.append((part.start, start, end, Nuclearity.SN, part.relation))
        start = part.start
    return branches


def _check_neighbours(left_end: int, right_start: int) -> None:
    if left_end != right_start:
        raise TreeError(
            f"joins units up to {left_end} with units from {right_start + 1}: "
            "spans cross, overlap or leave a gap between them"
        )
