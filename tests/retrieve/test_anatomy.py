"""Statistics of retrieved nodes, by hand on a small tree."""

import numpy as np
import pytest

from tests.builders import make_indexed
from treatise.retrieve import anatomy


def test_depth_leaves_share_and_relations_of_what_is_found() -> None:
    indexed = make_indexed([["Aa bb.", "Cc dd."], ["Ee ff.", "Gg hh."]])  # two pairs under one root
    scores = np.zeros(7, dtype=np.float32)
    scores[[0, 2, 6]] = 3, 2, 1  # a leaf, a pair, the root
    found = anatomy([(indexed, scores)], top_k=3)
    assert (found.depth, found.leaves_per_node) == (2.5, 3.0)
    assert found.inner_share == pytest.approx(2 / 3)
    assert found.sentence_words == 2
    assert found.relations_found == found.relations_all == {"joint": 1.0}


def test_leaves_alone_have_no_inner_nodes_to_describe() -> None:
    indexed = make_indexed([["Aa bb.", "Cc dd."]])
    found = anatomy([(indexed, np.array([3, 2, 1], dtype=np.float32))], top_k=2)
    assert (found.depth, found.leaves_per_node, found.inner_share) == (0, 0, 0)
