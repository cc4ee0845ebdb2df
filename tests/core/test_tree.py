"""Laws of trees, under hypothesis."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treatise.core.errors import TreeError
from treatise.core.tree import DiscourseTree, Group, Join, Nuclearity, Unit, build_tree, concatenate, splice


@st.composite
def joins(draw: st.DrawFn, max_units: int = 12) -> tuple[int, list[tuple[int, int, int, Nuclearity, str]]]:
    n_units = draw(st.integers(1, max_units))
    rows, pending = [], [(0, n_units)]
    while pending:
        start, end = pending.pop()
        if end - start > 1:
            split = draw(st.integers(start + 1, end - 1))
            rows.append((start, split, end, draw(st.sampled_from(list(Nuclearity))), "joint"))
            pending += [(start, split), (split, end)]
    return n_units, rows


@given(joins())
def test_a_tree_gives_back_the_spans_it_was_built_from(case: tuple[int, list]) -> None:
    n_units, rows = case
    tree = build_tree(n_units, rows)
    found = {(start, split, end, join.nuclearity, join.relation) for start, split, end, join in tree.joins()}
    assert found == set(rows)
    assert tree.roots == [len(tree.nodes) - 1]


@given(st.lists(joins(5), min_size=1, max_size=5))
def test_splicing_parts_into_units_keeps_every_part(cases: list) -> None:
    parts = [build_tree(*case) for case in cases]
    upper_rows = [(0, i, i + 1, Nuclearity.NN, "joint") for i in range(1, len(parts))]
    whole = splice(build_tree(len(parts), upper_rows), parts)
    assert whole.n_units == sum(part.n_units for part in parts)
    at, spans = 0, {(s, e) for s, _, e, _ in whole.joins()}
    for part in parts:
        assert {(s + at, e + at) for s, _, e, _ in part.joins()} <= spans
        at += part.n_units


def test_a_forest_has_every_unit_as_a_root() -> None:
    forest = concatenate([DiscourseTree(1, (Unit(0),))] * 3)
    assert forest.roots == [0, 1, 2]
    assert forest.parents.tolist() == [-1, -1, -1]


def test_heights_and_parents_follow_the_nodes() -> None:
    tree = DiscourseTree(3, (Unit(0), Unit(1), Join(0, 1, Nuclearity.NS, "causal"), Unit(2), Group((2, 3))))
    assert tree.heights.tolist() == [0, 0, 1, 0, 2]
    assert tree.parents.tolist() == [2, 2, 4, 4, -1]
    assert tree.ranges.tolist() == [[0, 1], [1, 2], [0, 2], [2, 3], [0, 3]]


@pytest.mark.parametrize(
    "nodes",
    [
        (Unit(1),),
        (Unit(0), Unit(0)),
        (Unit(0), Group(())),
        (Unit(0), Unit(1), Join(1, 0, Nuclearity.NS, "x")),
        (Unit(0),),
    ],
)
def test_nodes_that_break_the_order_are_refused(nodes: tuple) -> None:
    with pytest.raises(TreeError):
        DiscourseTree(2, nodes)


def test_a_chain_of_fifty_thousand_units_needs_no_recursion() -> None:
    n = 50_000
    tree = build_tree(n, [(0, i, i + 1, Nuclearity.NS, "elaboration") for i in range(1, n)])
    assert tree.heights.max() == n - 1
