"""Exact inference over binary trees whose score is a sum over spans, each scored by its role (left or right child).

Tables are square, ``(n + 1, n + 1)``, indexed by the fenceposts of a span. Every step handles all spans of one width:
numpy throughout, no recursion. Training and the shipped parser use the same code.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

Table = npt.NDArray[np.float64]

LEFT: Final = 0
RIGHT: Final = 1


def inside_outside(scores: npt.NDArray[np.floating]) -> tuple[float, Table]:
    """Log partition and marginals of the tree distribution (inside-outside; Eisner 2016).

    The root has no role and no score, so a tree's log potential is the sum over its other ``2 n - 2`` spans.

    Args:
        scores: Shape ``(2, n + 1, n + 1)``: log potential of each span as a left child and as a right child.

    Returns:
        ``log Z``, and the probability of each span in each role, of the same shape as ``scores``.
    """
    n = scores.shape[1] - 1
    marginals = np.zeros(scores.shape)
    if n < 2:
        return 0.0, marginals
    left, _ = _diagonals(scores[LEFT].astype(np.float64))
    _, right = _diagonals(scores[RIGHT].astype(np.float64))
    total = _inside(left, right)
    of_left, of_right = _outside(left, right, total)
    start, end = np.triu_indices(n + 1, 1)
    marginals[LEFT, start, end] = of_left[end - start, start]
    marginals[RIGHT, start, end] = of_right[end - start, end]
    return float(total[n, 0]), marginals


def best_tree(gain: npt.NDArray[np.floating]) -> list[tuple[int, int, int]]:
    """The binary tree whose spans have the greatest sum of ``gain`` (CKY).

    Args:
        gain: Shape ``(n + 1, n + 1)``. With span marginals this is the tree of greatest expected span recall.

    Returns:
        ``(start, split, end)`` of the ``n - 1`` inner nodes in post-order.
    """
    n = len(gain) - 1
    by_start, by_end = _diagonals(gain.astype(np.float64))
    split = np.zeros((n + 1, n + 1), np.int32)
    for width in range(2, n + 1):
        starts = n + 1 - width
        pairs = by_start[1:width, :starts] + by_end[width - 1 : 0 : -1, width:]
        chosen = pairs.argmax(0)
        split[width, :starts] = chosen + 1
        best = pairs[chosen, np.arange(starts)]
        by_start[width, :starts] += best
        by_end[width, width:] += best
    return _nodes(split, n)


def _nodes(split: npt.NDArray[np.int32], n: int) -> list[tuple[int, int, int]]:
    nodes = []
    pending = [(0, n)] if n > 1 else []
    while pending:  # parents before children, right before left: the reverse is post-order
        start, end = pending.pop()
        middle = start + int(split[end - start, start])
        nodes.append((start, middle, end))
        pending += [(a, b) for a, b in ((start, middle), (middle, end)) if b - a > 1]
    return nodes[::-1]


def _diagonals(scores: Table) -> tuple[Table, Table]:
    """Spans by (width, start) and by (width, end); both ``(n + 1, n + 1)``, unused cells zero."""
    by_start, by_end = np.zeros_like(scores), np.zeros_like(scores)
    start, end = np.triu_indices(len(scores), 1)
    by_start[end - start, start] = by_end[end - start, end] = scores[start, end]
    return by_start, by_end


def _inside(left: Table, right: Table) -> Table:
    """Log sum over each span's subtrees, by (width, start); added to ``left`` and ``right`` on the way."""
    n = len(left) - 1
    total = np.zeros_like(left)
    for width in range(2, n + 1):
        starts = n + 1 - width
        pairs = left[1:width, :starts] + right[width - 1 : 0 : -1, width:]
        peak = pairs.max(0)
        total[width, :starts] = peak + np.log(np.exp(pairs - peak).sum(0))
        left[width, :starts] += total[width, :starts]
        right[width, width:] += total[width, :starts]
    return total


def _outside(left: Table, right: Table, total: Table) -> tuple[Table, Table]:
    """Probability of each span as a left child by (width, start), and as a right child by (width, end)."""
    n = len(left) - 1
    of_left, of_right = np.zeros_like(left), np.zeros_like(left)
    for width in range(n, 1, -1):
        starts = n + 1 - width
        node = of_left[width, :starts] + of_right[width, width:] if width < n else np.ones(1)
        pairs = left[1:width, :starts] + right[width - 1 : 0 : -1, width:]
        share = np.exp(pairs - total[width, :starts]) * node
        of_left[1:width, :starts] += share
        of_right[width - 1 : 0 : -1, width:] += share
    return of_left, of_right
