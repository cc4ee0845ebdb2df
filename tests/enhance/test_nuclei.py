"""Nucleus promotion against walking up from every unit."""

import numpy as np
import pytest

from tests.enhance.models import chain
from treatise.core.tree import DiscourseTree, Group, Join, Nuclearity, Unit, build_tree, children
from treatise.enhance.nuclei import promote, units_of
from treatise.tree import random_splits


def with_random_nuclearity(n_units: int, seed: int) -> DiscourseTree:
    generator = np.random.default_rng(seed)
    joins = random_splits([n_units], seed).joins()
    return build_tree(n_units, [(a, b, c, list(Nuclearity)[generator.integers(3)], "joint") for a, b, c, _ in joins])


def rank_below(tree: DiscourseTree, top: int, unit: int) -> int:
    """Satellite edges on the way up from a unit to a node."""
    node, rank = int(tree.leaf_nodes[unit]), 0
    while node != top:
        parent = tree.nodes[int(tree.parents[node])]
        if isinstance(parent, Join):
            satellite = {Nuclearity.NS: parent.right, Nuclearity.SN: parent.left}.get(parent.nuclearity)
            rank += node == satellite
        node = int(tree.parents[node])
    return rank


@pytest.mark.parametrize("seed", range(20))
def test_what_is_promoted_is_what_a_walk_over_the_tree_finds(seed: int) -> None:
    generator = np.random.default_rng(seed)
    n_units, max_words = int(generator.integers(1, 30)), int(generator.integers(1, 60))
    lengths = generator.integers(1, 25, n_units).tolist()
    tree = with_random_nuclearity(n_units, seed)
    for node, promoted in enumerate(promote(tree, lengths, max_words)):
        start, end = tree.ranges[node].tolist()
        ranked = sorted((rank_below(tree, node, unit), unit) for unit in range(start, end))
        kept = [ranked[0]]
        for candidate in ranked[1:]:
            if sum(lengths[unit] for _, unit in [*kept, candidate]) > max_words:
                break
            kept.append(candidate)
        assert list(promoted) == kept


def test_the_nucleus_of_a_nucleus_comes_first() -> None:
    tree = build_tree(3, [(0, 1, 3, Nuclearity.SN, "context"), (1, 2, 3, Nuclearity.NS, "elaboration")])
    assert units_of(promote(tree, [5, 5, 5], 5)[-1]) == (1,)
    assert units_of(promote(tree, [5, 5, 5], 10)[-1]) == (0, 1)


def test_a_sentence_longer_than_the_limit_is_kept_whole() -> None:
    assert units_of(promote(chain(3), [50_000, 3, 3], 100)[-1]) == (0,)


def test_a_group_has_no_satellites() -> None:
    tree = DiscourseTree(2, (Unit(0), Unit(1), Group((0, 1))))
    assert units_of(promote(tree, [3, 3], 6)[-1]) == (0, 1)


def test_a_chain_of_fifty_thousand_sentences_takes_linear_time() -> None:
    tree = chain(50_000)
    promoted = promote(tree, [10] * 50_000, 100)
    assert units_of(promoted[-1]) == tuple(range(10))
    assert all(len(one) <= 10 for one in promoted)
    assert sum(len(children(node)) for node in tree.nodes) == len(tree.nodes) - 1
