"""Leaves with what surrounds them, for many documents at once, against plain loops over each."""

import numpy as np
import pytest

from treatise.core.recipe import Scoring
from treatise.retrieve.surroundings import best_leaves, means_of_windows

SIZES = np.array([1, 2, 3, 64, 5, 31, 4, 65])
SCORING = Scoring(bm25=0.3, neighbours=0.5, headings=0.2, path=0.5)


def documents() -> list[np.ndarray]:
    generator = np.random.default_rng(4)
    return [generator.standard_normal(size).astype(np.float32) for size in SIZES]


def plain_windows(scores: np.ndarray) -> np.ndarray:
    n_leaves = len(scores)
    widths = [2**power for power in range(1, 8) if 2**power < 2 * n_leaves]
    found = [
        np.mean([scores[leaf - leaf % width : leaf - leaf % width + width].mean() for width in widths] or [0])
        for leaf in range(n_leaves)
    ]
    return np.array(found, dtype=np.float32)


def plain_best(scores: np.ndarray, headings: np.ndarray) -> float:
    total = scores.copy()
    total[1:] += 0.25 * scores[:-1]
    total[:-1] += 0.25 * scores[1:]
    total = total + [0.2 * max(0, total[head]) if head >= 0 else 0 for head in headings]
    total = total + 0.5 * plain_windows(total)
    others = [score for leaf, score in enumerate(total) if headings[leaf] != leaf]
    return max(others or total.tolist())


def test_the_text_around_a_leaf_is_the_mean_of_all_windows_with_it() -> None:
    expected = np.concatenate([plain_windows(scores) for scores in documents()])
    assert means_of_windows(np.concatenate(documents()), SIZES) == pytest.approx(expected, abs=1e-5)


def test_the_best_leaf_is_that_of_plain_loops() -> None:
    headings = [np.arange(size) // 7 * 7 - (0 if size % 2 else 1) for size in SIZES]
    expected = [plain_best(scores, heads) for scores, heads in zip(documents(), headings, strict=True)]
    found = best_leaves(
        np.concatenate(documents()), np.concatenate(headings).astype(np.int32), SIZES.astype(np.int64), SCORING
    )
    assert found == pytest.approx(expected, abs=1e-4)
