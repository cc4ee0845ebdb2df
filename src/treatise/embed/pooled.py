"""Vectors of inner nodes from those of their leaves: no second encoding, no summary."""

import numpy as np
import numpy.typing as npt

from treatise.core.tree import DiscourseTree, Group, Join, Nuclearity, Unit
from treatise.core.vectors import Floats, unit_rows


def node_vectors(tree: DiscourseTree, leaves: Floats, *, nucleus_weight: float = 1.0) -> npt.NDArray[np.float16]:
    """Unit rows, one a node: the mean of its leaves' vectors, scaled to length 1. Shape ``(n_nodes, dim)``.

    With a ``nucleus_weight`` other than 1, a leaf under the nucleus counts that many times as much as one under the
    satellite, at each join on the way up.
    """
    if len(leaves) != tree.n_units:
        raise ValueError(f"{len(leaves)} leaf vectors for a tree over {tree.n_units} units")
    means = np.zeros((len(tree.nodes), leaves.shape[1]), dtype=np.float32)
    sizes = np.diff(tree.ranges, axis=1)[:, 0]
    for i, node in enumerate(tree.nodes):
        match node:
            case Unit(index):
                means[i] = leaves[index]
            case Join(left, right, nuclearity):
                of_left = nucleus_weight * sizes[left] if nuclearity is Nuclearity.NS else sizes[left]
                of_right = nucleus_weight * sizes[right] if nuclearity is Nuclearity.SN else sizes[right]
                means[i] = (of_left * means[left] + of_right * means[right]) / (of_left + of_right)
            case Group(children):
                below = list(children)
                means[i] = np.average(means[below], axis=0, weights=sizes[below])
    return unit_rows(means).astype(np.float16)
