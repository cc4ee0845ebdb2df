"""Vectors of inner nodes from those of their leaves: no second encoding, no summary."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.tree import DiscourseTree, Group, Join, Nuclearity, Unit
from treatise.core.vectors import Floats, unit_rows

_EVEN: Final[Mapping[str, float]] = {}


def node_vectors(
    tree: DiscourseTree, leaves: Floats, *, nucleus_weight: float = 1.0, satellite_weights: Mapping[str, float] = _EVEN
) -> npt.NDArray[np.float16]:
    """Unit rows, one a node: the mean of its leaves' vectors, scaled to length 1. Shape ``(n_nodes, dim)``.

    With a ``nucleus_weight`` other than 1, a leaf under the nucleus counts that many times as much as one under the
    satellite, at each join on the way up; with ``satellite_weights``, one under the satellite of such a relation
    counts so much where one under the nucleus counts 1.
    """
    if len(leaves) != tree.n_units:
        raise ValueError(f"{len(leaves)} leaf vectors for a tree over {tree.n_units} units")
    vectors = np.empty((len(tree.nodes), leaves.shape[1]), dtype=np.float16)
    sizes = np.diff(tree.ranges, axis=1)[:, 0]
    waiting: list[Floats] = []  # means of the subtrees whose parent is still to come, in text order
    for i, node in enumerate(tree.nodes):
        match node:
            case Unit(index):
                mean = leaves[index]
            case Join(left, right, nuclearity, relation):
                of_right, of_left = waiting.pop(), waiting.pop()
                satellite = satellite_weights.get(relation, 1 / nucleus_weight)
                n_left = sizes[left] * (satellite if nuclearity is Nuclearity.SN else 1)
                n_right = sizes[right] * (satellite if nuclearity is Nuclearity.NS else 1)
                mean = (n_left * of_left + n_right * of_right) / (n_left + n_right)
            case Group(children):
                below = [waiting.pop() for _ in children][::-1]
                mean = np.average(below, axis=0, weights=sizes[list(children)])
        waiting.append(mean.astype(np.float32, copy=False))
        vectors[i] = unit_rows(mean[None])[0]
    return vectors
