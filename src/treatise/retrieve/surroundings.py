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
    sums, left = scores.astype(np.float64), sizes
    n_leaves, levels = np.ones(len(scores)), []
    while (left > 1).any():
        opens = (np.arange(len(sums)) - np.repeat(np.cumsum(left) - left, left)) % 2 == 0
        starts = np.flatnonzero(opens)
        goes_on = np.repeat(left > 1, left)[starts]
        sums, n_leaves = np.add.reduceat(sums, starts), np.add.reduceat(n_leaves, starts)
        levels.append((np.where(goes_on, sums / n_leaves, 0), np.cumsum(opens) - 1))
        left = (left + 1) // 2
    total = np.zeros(len(sums))
    for means, window_of in reversed(levels):
        total = (total + means)[window_of]
    n_levels = np.ceil(np.log2(np.maximum(sizes, 1)))
    found: Floats = (total / np.repeat(np.maximum(n_levels, 1), sizes)).astype(np.float32)
    return found
