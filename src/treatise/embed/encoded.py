"""Vectors of inner nodes from their notes: what the paper does, at the price of encoding a text for each."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from treatise.core.ports import Encoder, Progress
from treatise.core.tree import DiscourseTree
from treatise.core.vectors import Floats


def encoded_vectors(
    tree: DiscourseTree, leaves: Floats, texts: Sequence[str], *, encoder: Encoder, progress: Progress | None = None
) -> npt.NDArray[np.float16]:
    """Unit rows, one a node: of a leaf the one given, of an inner node that of its text. Shape ``(n_nodes, dim)``.

    ``texts`` holds one a node; those of the leaves are not read.
    """
    vectors = np.empty((len(tree.nodes), leaves.shape[1]), dtype=np.float16)
    vectors[tree.leaf_nodes] = leaves
    inner = np.flatnonzero(tree.heights).tolist()
    vectors[inner] = encoder.encode([texts[node] for node in inner], progress)
    return vectors
