"""Vectors of inner nodes pooled from their leaves, without further encoding or summaries."""

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
    """The mean of the leaves' vectors for each node. Shape ``(n_nodes, dim)``, rows L2-normalised.

    With ``nucleus_weight`` w, a leaf under the nucleus counts w times as much as one under the satellite, at each
    join on the path. ``satellite_weights`` gives the weight of leaves under the satellite, by relation, relative to 1
    for the nucleus.
    """
    if len(leaves) != tree.n_units:
        raise ValueError(f"{len(leaves)} leaf vectors for a tree over {tree.n_units} units")
    vectors = np.empty((len(tree.nodes), leaves.shape[1]), dtype=np.float16)
    sizes = np.diff(tree.ranges, axis=1)[:, 0]
    waiting: list[Floats] = []  # means of subtrees whose parent comes later, in text order
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
