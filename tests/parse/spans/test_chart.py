"""Inference over all trees against their enumeration."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treatise.parse.spans.chart import LEFT, RIGHT, best_tree, inside_outside

Node = tuple[int, int, int]


def all_trees(start: int, end: int) -> Iterator[list[Node]]:
    if end - start == 1:
        yield []
    for split in range(start + 1, end):
        for left in all_trees(start, split):
            for right in all_trees(split, end):
                yield [*left, *right, (start, split, end)]


def log_score(tree: list[Node], scores: np.ndarray) -> float:
    return sum(scores[LEFT, i, k] + scores[RIGHT, k, j] for i, k, j in tree)


def random_scores(n: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(2, n + 1, n + 1))


@settings(max_examples=25)
@given(st.integers(2, 6), st.integers(0, 2**32 - 1))
def test_marginals_are_those_of_the_enumerated_trees(n: int, seed: int) -> None:
    scores = random_scores(n, seed)
    trees = list(all_trees(0, n))
    weights = np.exp([log_score(tree, scores) for tree in trees])
    log_z, marginals = inside_outside(scores)
    assert log_z == pytest.approx(np.log(weights.sum()))
    expected = np.zeros_like(marginals)
    for tree, weight in zip(trees, weights / weights.sum(), strict=True):
        for i, k, j in tree:
            expected[LEFT, i, k] += weight
            expected[RIGHT, k, j] += weight
    assert marginals == pytest.approx(expected, abs=1e-9)


@settings(max_examples=25)
@given(st.integers(2, 6), st.integers(0, 2**32 - 1))
def test_the_best_tree_is_the_best_of_all(n: int, seed: int) -> None:
    gain = np.random.default_rng(seed).normal(size=(n + 1, n + 1))

    def total(tree: list[Node]) -> float:
        return sum(gain[i, k] + gain[k, j] for i, k, j in tree)

    found = best_tree(gain)
    assert total(found) == pytest.approx(max(map(total, all_trees(0, n))))


def test_nodes_come_in_post_order() -> None:
    nodes = best_tree(np.random.default_rng(0).normal(size=(9, 9)))
    assert len(nodes) == 7
    assert nodes[-1][::2] == (0, 8)
    done: set[tuple[int, int]] = {(i, i + 1) for i in range(8)}
    for start, split, end in nodes:
        assert {(start, split), (split, end)} <= done
        done.add((start, end))


@pytest.mark.parametrize("n", [0, 1])
def test_a_text_of_one_unit_has_no_node(n: int) -> None:
    assert best_tree(np.zeros((n + 1, n + 1))) == []
    assert inside_outside(np.zeros((2, n + 1, n + 1)))[0] == 0
