"""The layers of a section tree, and top-down traversal."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from treatise.core.indexed import IndexedDocument
from treatise.core.recipe import Layer
from treatise.core.tree import DiscourseTree, children
from treatise.core.vectors import Floats

_LAYERS = tuple(Layer)


def layers_of(tree: DiscourseTree) -> npt.NDArray[np.int8]:
    """The layer of each node of a section tree, as an index into ``Layer``. Shape ``(n_nodes,)``."""
    layers = np.minimum(tree.heights, _LAYERS.index(Layer.GROUP)).astype(np.int8)
    layers[tree.parents < 0] = _LAYERS.index(Layer.SECTION)
    return layers


def nodes_of(tree: DiscourseTree, layers: Sequence[Layer]) -> npt.NDArray[np.int64]:
    """The nodes of a section tree in one of these layers, ascending."""
    return np.flatnonzero(np.isin(layers_of(tree), [_LAYERS.index(layer) for layer in layers]))


def traverse_top_down(
    indexed: Sequence[IndexedDocument],
    scores: Sequence[Floats],
    nodes: Sequence[npt.NDArray[np.int64]],
    n_best: int,
) -> list[npt.NDArray[np.int64]]:
    """The nodes reached by a search from the roots (RAPTOR's tree traversal), per document.

    The best ``n_best`` of all roots, then the best ``n_best`` of all their children, and so on to the leaves.
    """
    met: list[list[int]] = [[] for _ in indexed]
    level = [(document, root) for document, one in enumerate(indexed) for root in one.tree.roots]
    while level:
        level.sort(key=lambda at: -scores[at[0]][at[1]])
        best = level[:n_best]
        for document, node in best:
            met[document].append(node)
        level = [
            (document, child)
            for document, node in sorted(best)
            for child in children(indexed[document].tree.nodes[node])
        ]
    return [np.intersect1d(candidate_nodes, of_one) for candidate_nodes, of_one in zip(nodes, met, strict=True)]
