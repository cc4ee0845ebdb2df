"""Inner nodes' vectors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treatise.core.tree import DiscourseTree, Group, Join, Nuclearity, Unit, build_tree
from treatise.embed import node_vectors
from treatise.tree import balanced


@given(st.lists(st.integers(1, 5), min_size=1, max_size=5), st.integers(0, 2**32 - 1))
def test_a_nodes_vector_is_the_mean_of_its_leaves(sizes: list[int], seed: int) -> None:
    tree = balanced(sizes)
    leaves = np.random.default_rng(seed).normal(size=(tree.n_units, 4)).astype(np.float32)
    vectors = node_vectors(tree, leaves)
    for (start, end), vector in zip(tree.ranges, vectors, strict=True):
        mean = leaves[start:end].mean(axis=0)
        assert vector == pytest.approx(mean / np.linalg.norm(mean), abs=2e-3)


def test_a_nucleus_counts_more_than_its_satellite() -> None:
    leaves = np.eye(2, dtype=np.float32)
    for nuclearity, heavy in ((Nuclearity.NS, 0), (Nuclearity.SN, 1)):
        tree = DiscourseTree(2, (Unit(0), Unit(1), Join(0, 1, nuclearity, "elaboration")))
        vector = node_vectors(tree, leaves, nucleus_weight=3)[-1]
        assert vector[heavy] / vector[1 - heavy] == pytest.approx(3, rel=1e-2)


def test_a_deep_chain_does_not_overflow() -> None:
    nodes: list = [Unit(0)]
    for i in range(1, 500):
        nodes += [Unit(i), Join(len(nodes) - 1, len(nodes), Nuclearity.NS, "elaboration")]
    vectors = node_vectors(DiscourseTree(500, tuple(nodes)), np.ones((500, 3), dtype=np.float32), nucleus_weight=4)
    assert np.isfinite(vectors).all()
    assert np.linalg.norm(vectors[-1].astype(np.float32)) == pytest.approx(1, abs=1e-2)


def test_a_group_is_pooled_from_all_its_children() -> None:
    tree = DiscourseTree(3, (Unit(0), Unit(1), Unit(2), Group((0, 1, 2))))
    assert node_vectors(tree, np.eye(3, dtype=np.float32))[-1] == pytest.approx(np.full(3, 3**-0.5), abs=1e-3)


def test_a_missing_row_is_named() -> None:
    with pytest.raises(ValueError, match="2 leaf vectors for a tree over 3"):
        node_vectors(balanced([3]), np.eye(2, dtype=np.float32))


def test_a_satellite_counts_by_its_relation_where_that_is_named() -> None:
    tree = build_tree(2, [(0, 1, 2, Nuclearity.NS, "attribution")])
    root = node_vectors(tree, np.eye(2, dtype=np.float32), satellite_weights={"attribution": 0.25})[-1]
    assert root[1] / root[0] == pytest.approx(0.25, rel=1e-2)
    assert np.allclose(
        node_vectors(tree, np.eye(2, dtype=np.float32), satellite_weights={"causal": 0.25})[-1], 0.5**0.5
    )
