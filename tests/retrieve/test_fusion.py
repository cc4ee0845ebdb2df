"""What each part of a scoring adds."""

from dataclasses import replace

import numpy as np
import pytest
from builders import make_document, make_indexed

from treatise.core.indexed import IndexedDocument
from treatise.core.recipe import Scoring
from treatise.core.table import Cell, Row, Table
from treatise.retrieve import build_lexicon, table_heads
from treatise.retrieve.fusion import cosines, node_scores
from treatise.retrieve.outline import outline
from treatise.tree import balanced, flat, right_branching


def scores(*indexed: IndexedDocument, question: str = "", vector: np.ndarray | None = None, **weights: float) -> list:
    outlines = [outline(one) for one in indexed]
    scoring = Scoring(**weights)
    vector = np.eye(indexed[0].vectors.shape[1], dtype=np.float32)[0] if vector is None else vector
    nearness = [cosines(one, vector) for one in indexed]
    return node_scores(indexed, outlines, nearness, question=question, scoring=scoring)


def with_headings() -> IndexedDocument:
    paragraphs = [["Methods"], ["We cook.", "We eat."], ["Results"], ["It was good."]]
    document = make_document(paragraphs, headings=(0, 2))
    tree = balanced([len(p) for p in paragraphs], [2, 2])
    units = tuple(span for group in document.readable_sentences() for span in group)
    texts = [document.quote(unit.start, unit.end) for unit in units]
    return IndexedDocument(document, units, tree, np.eye(len(tree.nodes), dtype=np.float16), build_lexicon(texts))


def test_cosines_are_scaled_by_what_the_leaves_have() -> None:
    (of_nodes,) = scores(make_indexed([["One.", "Two."], ["Three."]]))
    leaves = of_nodes[make_indexed([["One.", "Two."], ["Three."]]).tree.leaf_nodes]
    assert leaves.mean() == pytest.approx(0, abs=1e-6)
    assert leaves.std() == pytest.approx(1, abs=1e-6)


def test_a_part_that_says_the_same_of_every_leaf_adds_nothing() -> None:
    (of_nodes,) = scores(make_indexed([["One.", "Two."]]), question="absent", bm25=1, dense=0)
    assert not of_nodes.any()


def test_a_leaf_gains_half_a_share_of_each_neighbour() -> None:
    indexed = make_indexed([["A.", "B.", "C."]], tree=flat(3))
    (plain,) = scores(indexed)
    (near,) = scores(indexed, neighbours=0.5)
    assert near == pytest.approx(plain + 0.25 * np.array([plain[1], plain[0] + plain[2], plain[1]]), abs=1e-6)


@pytest.mark.parametrize("is_long", [False, True])
def test_rows_of_a_long_table_neither_gain_from_what_is_beside_them_nor_give_to_it(
    is_long: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_heads, "MAX_ROWS_TOGETHER", 1 if is_long else 2)
    prose = make_indexed([["A.", "B."], ["C 1", "D 2"], ["E 3"], ["F."]], tree=flat(6))
    first, second, third = (Row((Cell(span.start, span.end, 0),)) for span in prose.units[2:5])
    parts = (Table((second,), (first,)), Table((third,), is_continued=True))
    indexed = replace(prose, document=replace(prose.document, tables=parts))
    (plain,) = scores(indexed)
    (near,) = scores(indexed, neighbours=0.5)
    a, b, c, d, e, f = plain
    gains = [b, a, 0, 0, 0, 0] if is_long else [b, a + c, b + d, c + e, d + f, e]
    assert near - plain == pytest.approx(0.25 * np.array(gains), abs=1e-6)


def test_leaves_and_nodes_gain_from_their_heading() -> None:
    indexed = with_headings()
    (plain,), (led,) = scores(indexed), scores(indexed, headings=0.5)
    leaves = indexed.tree.leaf_nodes
    gain = led - plain
    assert gain[leaves[:3]] == pytest.approx(0.5 * plain[leaves[0]], abs=1e-5)
    assert gain[leaves[3:]] == pytest.approx(0, abs=1e-6)  # a heading that scores below the mean takes nothing away
    assert gain[-1] == pytest.approx(gain[leaves].mean(), abs=1e-5)


def test_headings_are_told_from_the_text_below_them() -> None:
    found = outline(with_headings())
    assert found.is_heading.tolist() == [True, False, False, True, False]
    assert found.heading.tolist() == [0, 0, 0, 3, 3]


def test_text_without_headings_has_an_empty_outline() -> None:
    found = outline(make_indexed([["One.", "Two."]]))
    assert not found.is_heading.any()
    assert found.heading.tolist() == [-1, -1]


def test_two_documents_are_scored_on_one_scale() -> None:
    one, other = make_indexed([["A.", "B."]]), make_indexed([["C.", "D."]])
    vector = np.array([1, 0.5, 0], dtype=np.float32)
    first, second = scores(one, other, vector=vector)
    together = np.concatenate([first[one.tree.leaf_nodes], second[other.tree.leaf_nodes]])
    assert together.mean() == pytest.approx(0, abs=1e-6)


def test_a_leaf_gains_the_mean_score_of_the_nodes_above_it() -> None:
    indexed = make_indexed([["One.", "Two.", "Three."], ["Four."]])
    (plain,), (led,) = scores(indexed), scores(indexed, path=0.5)
    tree = indexed.tree
    for leaf in tree.leaf_nodes:
        start, end = tree.ranges[leaf]
        above = [plain[node] for node, (a, b) in enumerate(tree.ranges) if node != leaf and a <= start and end <= b]
        assert led[leaf] == pytest.approx(plain[leaf] + 0.5 * np.mean(above), abs=1e-5)
    assert led[tree.roots[-1]] == plain[tree.roots[-1]]


@pytest.mark.parametrize("n_units", [1, 2, 3, 9, 20])
def test_the_path_is_walked_to_the_root_however_deep_the_tree(n_units: int) -> None:
    indexed = make_indexed([[f"{i}." for i in range(n_units)]], tree=right_branching([n_units]))
    vector = np.random.default_rng(n_units).normal(size=indexed.n_nodes).astype(np.float32)
    (plain,), (led,) = scores(indexed, vector=vector), scores(indexed, vector=vector, path=1.0)
    for node in range(indexed.n_nodes):
        above, at = [], node
        while (at := int(indexed.tree.parents[at])) >= 0:
            above.append(plain[at])
        assert led[node] == pytest.approx(plain[node] + np.mean(above or [0]), abs=1e-4)


def test_leaves_without_a_tree_gain_nothing_from_the_path() -> None:
    indexed = make_indexed([["One.", "Two."]], tree=flat(2))
    assert np.array_equal(*(scores(indexed, **weights)[0] for weights in ({}, {"path": 1.0})))
