"""Laws of the builders that need no model."""

from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treatise.core.errors import TreeError
from treatise.core.tree import DiscourseTree, Join
from treatise.tree import balanced, bisection, flat, random_splits, right_branching

SIZES = st.lists(st.integers(0, 5), min_size=1, max_size=8).filter(any)
BUILDERS = [balanced, right_branching, lambda sizes, sections=(): random_splits(sizes, 7, sections)]


def spans(tree: DiscourseTree) -> set[tuple[int, int]]:
    return {(int(start), int(end)) for start, end in tree.ranges}


@pytest.mark.parametrize("build", BUILDERS)
@given(SIZES)
def test_every_paragraph_is_a_subtree(build, sizes: list[int]) -> None:
    tree = build(sizes)
    edges = list(accumulate(sizes, initial=0))
    assert {(a, b) for a, b in pairwise(edges) if a < b} <= spans(tree)
    assert len(tree.roots) == 1
    assert sum(isinstance(node, Join) for node in tree.nodes) == sum(sizes) - 1


@pytest.mark.parametrize("build", BUILDERS)
@given(
    st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=3), min_size=1, max_size=4).filter(
        lambda sections: any(map(any, sections))
    )
)
def test_every_section_is_a_subtree_too(build, sections: list[list[int]]) -> None:
    tree = build([size for section in sections for size in section], [len(section) for section in sections])
    edges = list(accumulate(map(sum, sections), initial=0))
    assert {(a, b) for a, b in pairwise(edges) if a < b} <= spans(tree)


@given(st.integers(1, 300))
def test_bisection_is_as_shallow_as_a_binary_tree_can_be(n_units: int) -> None:
    assert bisection(n_units).heights[-1] == (n_units - 1).bit_length()


def test_right_branching_joins_each_unit_to_all_that_follow() -> None:
    assert spans(right_branching([4])) >= {(0, 4), (1, 4), (2, 4)}


def test_random_splits_depend_on_the_seed_alone() -> None:
    assert random_splits([9, 9], 1) == random_splits([9, 9], 1)
    assert random_splits([9, 9], 1) != random_splits([9, 9], 2)


def test_a_flat_forest_has_only_leaves() -> None:
    assert flat(3).roots == [0, 1, 2]
    assert flat(0).nodes == ()


@pytest.mark.parametrize(("sizes", "sections"), [([], ()), ([0], ()), ([2, -1], ()), ([1, 1], (1,))])
def test_sizes_that_make_no_tree_are_refused(sizes: list[int], sections: tuple[int, ...]) -> None:
    with pytest.raises(TreeError):
        balanced(sizes, sections)


@pytest.mark.parametrize("build", [balanced, right_branching, lambda sizes: random_splits(sizes, 0)])
def test_one_paragraph_of_fifty_thousand_units_needs_no_recursion(build) -> None:
    assert len(build([50_000]).nodes) == 99_999
