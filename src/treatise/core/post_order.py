"""The structure of a tree from the number of children of each node in post-order, without a loop over nodes."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treatise.core.errors import TreeError


@dataclass(frozen=True, slots=True)
class PostOrder:
    """Where the nodes of a tree or forest are, one row per node.

    Attributes:
        ranges: Units that each node covers, half-open. Shape ``(n_nodes, 2)``, int32.
        parents: Index of each node's parent, -1 for a root. Shape ``(n_nodes,)``, int32.
        leaves: Node index of each unit. Shape ``(n_units,)``, int32.
        children: The children of all nodes in turn. Shape ``(n_nodes - n_roots,)``, int32.
        first_children: Where the children of each node begin in ``children``, and their number. Shape
            ``(n_nodes + 1,)``, int64.
    """

    ranges: npt.NDArray[np.int32]
    parents: npt.NDArray[np.int32]
    leaves: npt.NDArray[np.int32]
    children: npt.NDArray[np.int32]
    first_children: npt.NDArray[np.int64]

    @classmethod
    def of_counts(cls, n_children: npt.NDArray[np.integer]) -> "PostOrder":
        """The structure of nodes with so many children each; 0 is a unit.

        A node takes the last open nodes as its children and stays open itself, so the number of open nodes after it,
        its height on the stack, is that after its first child. The child at place ``k`` is therefore the last node
        before it with a height of ``k`` more, and what lies before its subtree is the last one with a height of 1 less.

        Raises:
            TreeError: If a node has more children than there are open nodes.
        """
        counts = n_children.astype(np.int64)
        n_nodes = len(counts)
        heights = np.cumsum(1 - counts)
        if (counts < 0).any() or (heights < 1).any():
            raise TreeError("a node has more children than there are nodes before it without a parent")
        numbers = np.arange(n_nodes)
        by_height = np.sort(heights * n_nodes + numbers)

        def last_before(height: npt.NDArray[np.int64], node: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
            """The last node of a height before a node; -1 if there is none."""
            key = by_height[np.searchsorted(by_height, height * n_nodes + node) - 1]
            return np.where(key // n_nodes == height, key % n_nodes, -1)

        first_children = np.concatenate([[0], np.cumsum(counts)])
        owners = np.repeat(numbers, counts)
        places = np.arange(len(owners)) - first_children[owners]
        children = last_before(heights[owners] + places, owners)
        parents = np.full(n_nodes, -1, dtype=np.int32)
        parents[children] = owners
        ends = np.cumsum(counts == 0)
        starts = np.append(ends, 0)[last_before(heights - 1, numbers)]  # -1 is the last one: nothing lies before
        return cls(
            ranges=np.stack([starts, ends], axis=1).astype(np.int32),
            parents=parents,
            leaves=np.flatnonzero(counts == 0).astype(np.int32),
            children=children.astype(np.int32),
            first_children=first_children,
        )
