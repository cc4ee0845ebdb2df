"""Section trees: leaves of whole sentences, groups of leaves, a root a section."""

from itertools import accumulate, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treatise.core.errors import RecipeError, TreeError
from treatise.core.recipe import Layer, Sections
from treatise.core.tree import DiscourseTree, Unit
from treatise.retrieve.layers import nodes_of
from treatise.tree import section_tree

SMALL = Sections(leaf_words=10, group_leaves=2, short_words=0)
TEXTS = st.lists(st.lists(st.integers(1, 14), max_size=12), min_size=1, max_size=5).filter(any)
SETTINGS = st.builds(
    Sections, leaf_words=st.integers(1, 20), group_leaves=st.integers(2, 5), short_words=st.integers(0, 40)
)


def built(sections: list[list[int]], settings: Sections = SMALL) -> DiscourseTree:
    return section_tree([n for section in sections for n in section], list(map(len, sections)), settings)


def spans(tree: DiscourseTree, layer: Layer) -> list[tuple[int, int]]:
    return [tuple(map(int, tree.ranges[node])) for node in nodes_of(tree, [layer])]


@given(TEXTS, SETTINGS)
def test_each_layer_holds_every_unit_once_but_groups(sections: list[list[int]], settings: Sections) -> None:
    tree = built(sections, settings)
    edges = sorted({0, *accumulate(map(len, sections))})
    assert spans(tree, Layer.SECTION) == list(pairwise(edges))
    for layer in (Layer.SENTENCE, Layer.LEAF):
        covered = [unit for start, end in spans(tree, layer) for unit in range(start, end)]
        assert covered == list(range(tree.n_units))


@given(TEXTS, SETTINGS)
def test_a_leaf_is_as_long_as_it_may_be_and_no_longer(sections: list[list[int]], settings: Sections) -> None:
    lengths = [n for section in sections for n in section]
    tree = built(sections, settings)
    ends = {end for _, end in spans(tree, Layer.SECTION)}
    for start, end in spans(tree, Layer.LEAF):
        total = sum(lengths[start:end])
        assert total <= settings.leaf_words or end - start == 1
        assert end in ends or total + lengths[end] > settings.leaf_words


@given(TEXTS, SETTINGS)
def test_groups_cover_a_section_whole_or_not_at_all(sections: list[list[int]], settings: Sections) -> None:
    tree = built(sections, settings)
    leaves = {start for start, _ in spans(tree, Layer.LEAF)}
    groups = spans(tree, Layer.GROUP)
    lengths = [n for section in sections for n in section]
    for start, end in spans(tree, Layer.SECTION):
        inside = [(a, b) for a, b in groups if start <= a < end]
        n_leaves = sum(start <= leaf < end for leaf in leaves)
        expected = n_leaves // settings.group_leaves if sum(lengths[start:end]) >= settings.short_words else 0
        assert len(inside) == (expected if expected > 1 else 0)
        if inside:
            assert [a for a, _ in inside] + [end] == [start] + [b for _, b in inside]


def test_what_remains_goes_to_the_last_group() -> None:
    tree = built([[10] * 5])
    assert spans(tree, Layer.GROUP) == [(0, 2), (2, 5)]


def test_a_short_section_has_no_groups() -> None:
    assert spans(built([[10] * 5], Sections(leaf_words=10, short_words=51)), Layer.GROUP) == []


def test_a_sentence_longer_than_a_leaf_has_one_to_itself() -> None:
    assert spans(built([[4, 30, 4, 4]]), Layer.LEAF) == [(0, 1), (1, 2), (2, 4)]


def test_sections_must_add_up() -> None:
    with pytest.raises(TreeError, match="have 3 units, the text 2"):
        section_tree([1, 1], [3], SMALL)
    with pytest.raises(TreeError, match="expected at least one"):
        section_tree([], [], SMALL)


def test_settings_that_cannot_be_are_refused() -> None:
    for wrong in ({"leaf_words": 0}, {"group_leaves": 1}, {"short_words": -1}, {"section_words": 0}):
        with pytest.raises(RecipeError, match="group_leaves at least 2"):
            Sections(**wrong)


def test_a_tree_of_two_hundred_thousand_sentences_is_built_in_one_pass() -> None:
    tree = section_tree([20] * 200_000, [200_000], Sections())
    assert isinstance(tree.nodes[0], Unit)
    assert np.array_equal(tree.ranges[tree.roots[0]], [0, 200_000])
