"""What neighbours, headings and the text around add to leaves, for many documents at once and without their trees."""

import numpy as np
import numpy.typing as npt

from treatise.core.recipe import Scoring
from treatise.core.vectors import Floats

Counts = npt.NDArray[np.int64]


def best_leaves(scores: Floats, headings: npt.NDArray[np.int32], sizes: Counts, scoring: Scoring) -> Floats:
    """The score of each document's best leaf with what surrounds it. Shape ``(n_documents,)``.

    ``scores`` has the leaves of all documents in turn, ``sizes`` the number of each (at least one), and ``headings``
    the place in its document of each leaf's heading, -1 if absent. The nodes above a leaf are replaced by windows of
    2, 4, 8 ... leaves. Headings compete only if a document has nothing else.
    """
    first = np.cumsum(sizes) - sizes
    place = np.arange(len(scores)) - np.repeat(first, sizes)
    total = scores.copy()
    follows = place[1:] > 0
    total[1:] += scoring.neighbours / 2 * np.where(follows, scores[:-1], 0)
    total[:-1] += scoring.neighbours / 2 * np.where(follows, scores[1:], 0)
    if scoring.headings:
        above = np.maximum(0, total[headings + np.repeat(first, sizes)])
        total += np.float32(scoring.headings) * np.where(headings >= 0, above, 0)
    if scoring.path:
        total = total + scoring.path * means_of_windows(total, sizes)
    with_headings = np.maximum.reduceat(total, first)
    without = np.maximum.reduceat(np.where(headings == place, -np.inf, total), first)
    best: Floats = np.where(np.isfinite(without), without, with_headings).astype(np.float32)
    return best


def means_of_windows(scores: Floats, sizes: Counts) -> Floats:
    """For each leaf, the mean over windows of 2, 4, 8 ... leaves of its document that contain it of their mean scores.

    Windows begin at multiples of their width; the last one of a document may be shorter. Zero for a single leaf.
    """
    widths = np.int64(1) << np.ceil(np.log2(np.maximum(sizes, 1))).astype(np.int64)
    order = np.argsort(-widths, kind="stable")
    starts = np.empty_like(sizes)
    starts[order] = np.cumsum(widths[order]) - widths[order]  # widest first: each begins at a multiple of its width
    place = np.arange(len(scores)) + np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
    sums, n_leaves = np.zeros((2, int(widths.sum())), dtype=np.float32)
    sums[place], n_leaves[place] = scores, 1
    levels = []
    for width in (1 << level for level in range(1, int(widths.max(initial=1)).bit_length())):
        end = int(widths[widths >= width].sum()) * 2 // width
        sums, n_leaves = (of[:end:2] + of[1:end:2] for of in (sums, n_leaves))
        levels.append(sums / np.maximum(n_leaves, 1))
    total = np.zeros(int(widths.sum()), dtype=np.float32)
    for level in range(len(levels), 0, -1):
        means = levels[level - 1]
        total[: len(means) << level].reshape(len(means), -1)[:] += means[:, None]
    n_levels = np.maximum(np.log2(widths), 1).astype(np.float32)
    found: Floats = total[place] / np.repeat(n_levels, sizes)
    return found
