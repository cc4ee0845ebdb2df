"""Vectors of inner nodes from those of their leaves: no second encoding, no summary."""

import numpy as np
import numpy.typing as npt

from treatise.core.tree import DiscourseTree, Group, Join, Nuclearity, Unit
from treatise.core.vectors import Floats, unit_rows


def node_vectors(tree: DiscourseTree, leaves: Floats, *, nucleus_weight: float = 1.0) -> npt.NDArray[np.float16]:
    """Unit rows, one a node: the mean of its leaves' vectors, scaled to length 1. Shape ``(n_nodes, dim)``.

    With a ``nucleus_weight`` other than 1, what stands under a nucleus counts that many times as much as what stands
    under its satellite, at every level on the way up.
    """
    if len(leaves) != tree.n_units:
        raise ValueError(f"{len(leaves)} leaf vectors for a tree over {tree.n_units} units")
    sums = np.zeros((len(tree.nodes), leaves.shape[1]), dtype=np.float32)
    for i, node in enumerate(tree.nodes):
        match node:
            case Unit(index):
                sums[i] = leaves[index]
            case Join(left, right, nuclearity) if nucleus_weight != 1 and nuclearity is not Nuclearity.NN:
                heavy, light = (left, right) if nuclearity is Nuclearity.NS else (right, left)
                # Scaled to keep the sum of weights at that of the plain sum: deep trees must not overflow.
                share = 2 / (nucleus_weight + 1)
                sums[i] = share * (nucleus_weight * sums[heavy] + sums[light])
            case Join(left, right):
                np.add(sums[left], sums[right], out=sums[i])
            case Group(children):
                sums[i] = sums[list(children)].sum(axis=0)
    return unit_rows(sums).astype(np.float16)
