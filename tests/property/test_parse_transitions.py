"""Laws of the transition system, with a scorer that knows the tree and one that knows nothing."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treatise.core.errors import TreeError
from treatise.core.tree import RELATIONS, DiscourseTree, Group, Join, Nuclearity, Unit, build_tree
from treatise.core.vectors import Floats
from treatise.parse.parser import TransitionParser
from treatise.parse.rows import Level, Text
from treatise.parse.scorer import NullScorer, Score
from treatise.parse.transition import (
    PopRoot,
    Ranges,
    Reduce,
    Shift,
    States,
    build,
    gold_views,
    inventory,
    kinds,
    legal,
    oracle,
)
from treatise.tree import random_splits, right_branching

LAW = settings(deadline=None, max_examples=60)
SIZES = st.lists(st.integers(0, 5), min_size=1, max_size=6).filter(any)


@st.composite
def trees(draw: st.DrawFn, sizes: st.SearchStrategy[list[int]] = SIZES) -> tuple[list[int], DiscourseTree]:
    """Paragraph-first trees with any labels."""
    shape = draw(sizes)
    branches = [
        (start, split, end, draw(st.sampled_from(list(Nuclearity))), draw(st.sampled_from(RELATIONS)))
        for start, split, end, _ in random_splits(shape, draw(st.integers(0, 2**32))).joins()
    ]
    return shape, build_tree(sum(shape), branches)


def text_of(sizes: Sequence[int]) -> Text:
    return Text("id", "en", Level.SENTENCE, tuple(("unit",) * size for size in sizes))


class KnowingScorer:
    """Prefers, in any state, the action that leads to the tree it was given: a dynamic oracle for one tree."""

    name = "knowing"
    actions = inventory()

    def __init__(self, tree: DiscourseTree) -> None:
        self._joins = {(start, split, end): join for start, split, end, join in tree.joins()}

    def read(self, texts: Sequence[Text]) -> list[Score]:
        return [self._score] * len(texts)

    def _score(self, views: Ranges) -> Floats:
        scores = np.zeros((len(views), len(self.actions)), dtype=np.float32)
        for row, ((_, end), (start, split), _, _) in zip(scores, views.tolist(), strict=True):
            join = self._joins.get((start, split, end))
            row[self.actions.index(Reduce(join.nuclearity, join.relation) if join else Shift())] = 1
        return scores


@LAW
@given(trees())
def test_the_oracles_actions_build_the_tree_again(case: tuple[list[int], DiscourseTree]) -> None:
    _, tree = case
    assert build(tree.n_units, oracle(tree)) == tree


@LAW
@given(trees())
def test_decoding_with_a_scorer_that_knows_the_tree_gives_the_tree(case: tuple[list[int], DiscourseTree]) -> None:
    sizes, tree = case
    assert TransitionParser(KnowingScorer(tree)).parse_texts([text_of(sizes)]) == [tree]
    assert TransitionParser(KnowingScorer(tree), paragraphs_first=False).parse_texts([text_of(sizes)]) == [tree]


@LAW
@given(trees())
def test_training_sees_the_views_that_decoding_shows(case: tuple[list[int], DiscourseTree]) -> None:
    sizes, tree = case
    shown: list[list] = []

    class Recording(KnowingScorer):
        def _score(self, views: Ranges) -> Floats:
            shown.extend(views.tolist())
            return super()._score(views)

    TransitionParser(Recording(tree), paragraphs_first=False).parse_texts([text_of(sizes)])
    views, actions = gold_views(tree, range(tree.n_units + 1))
    assert actions == oracle(tree)
    # Where the stack holds fewer than two trees there is no choice, and the scorer is not asked.
    assert shown == [view for view in views.tolist() if view[1][0] < view[1][1]]


@LAW
@given(trees())
def test_the_oracles_actions_are_legal_and_pop_root_only_at_the_end(case: tuple[list[int], DiscourseTree]) -> None:
    _, tree = case
    states, only = States([range(tree.n_units + 1)]), np.array([0])
    for action in oracle(tree):
        shift, reduce, pop_root = legal(states, only, np.arange(3))[0].tolist()
        if isinstance(action, Shift):
            assert shift
            states.shift(only)
        elif isinstance(action, Reduce):
            assert reduce
            states.reduce(only, only)
        else:
            assert (shift, reduce, pop_root) == (False, False, True)


@LAW
@given(trees())
def test_the_actions_of_both_phases_together_make_the_tree(case: tuple[list[int], DiscourseTree]) -> None:
    sizes, tree = case
    edges = sorted(set(text_of(sizes).edges))
    runs = [range(start, end + 1) for start, end in pairwise(edges)] + [edges]
    made = [action for run in runs for action in gold_views(tree, run)[1]]
    assert sum(isinstance(action, Reduce) for action in made) == tree.n_units - 1
    assert {a for a in made if isinstance(a, Reduce)} == {a for a in oracle(tree) if isinstance(a, Reduce)}
    assert sum(isinstance(action, PopRoot) for action in made) == len(runs)


def test_a_paragraph_that_is_no_subtree_has_no_gold_views() -> None:
    tree = build_tree(3, [(0, 1, 3, Nuclearity.NN, "joint"), (1, 2, 3, Nuclearity.NN, "joint")])
    with pytest.raises(TreeError, match=r"no subtree over units \[0, 2\)"):
        gold_views(tree, range(3))


@LAW
@given(SIZES)
def test_the_null_scorer_branches_to_the_right_paragraph_first(sizes: list[int]) -> None:
    assert TransitionParser(NullScorer()).parse_texts([text_of(sizes)]) == [right_branching(sizes)]


@LAW
@given(st.integers(1, 6), st.lists(st.sampled_from([Shift(), PopRoot(), Reduce(Nuclearity.NN, "joint")]), max_size=12))
def test_actions_either_build_one_tree_or_are_refused(n_units: int, actions: list) -> None:
    try:
        tree = build(n_units, actions)
    except TreeError:
        return
    assert oracle(tree) == actions


def test_a_state_with_nothing_on_its_stack_allows_a_shift_alone() -> None:
    assert legal(States([range(3)]), np.array([0]), kinds(inventory(["joint"]))).tolist() == [
        [True, False, False, False, False]
    ]


def test_a_view_shows_three_trees_and_the_queue_in_units_of_the_text() -> None:
    states, only = States([[0, 2, 5, 6, 9]]), np.array([0])
    for _ in range(3):
        states.shift(only)
    assert states.views(only).tolist() == [[[5, 6], [2, 5], [0, 2], [6, 9]]]
    states.reduce(only, np.array([2]))
    assert states.views(only).tolist() == [[[2, 6], [0, 2], [0, 0], [6, 9]]]


def test_a_chain_of_fifty_thousand_units_needs_no_recursion() -> None:
    n = 50_000
    chain = build_tree(n, [(i, i + 1, n, Nuclearity.NS, "causal") for i in range(n - 1)])
    assert build(n, oracle(chain)).nodes == chain.nodes


def test_ten_thousand_paragraphs_are_stepped_together() -> None:
    calls = []

    class Counting(NullScorer):
        def _score(self, views: Ranges) -> Floats:
            calls.append(len(views))
            return super()._score(views)

    tree = TransitionParser(Counting()).parse_texts([text_of([4] * 10_000)])[0]
    assert tree.n_units == 40_000
    assert calls[:5] == [10_000] * 5
    assert set(calls[5:]) == {1}


def test_a_forest_or_a_group_has_no_oracle() -> None:
    with pytest.raises(TreeError, match="2 roots"):
        oracle(DiscourseTree(2, (Unit(0), Unit(1))))
    with pytest.raises(TreeError, match="no action builds a group"):
        oracle(DiscourseTree(1, (Unit(0), Group((0,)))))


def test_a_text_without_units_is_refused_by_name() -> None:
    with pytest.raises(TreeError, match="id: a tree needs at least one unit"):
        TransitionParser(NullScorer()).parse_texts([text_of([0])])


def test_every_action_is_once_in_the_inventory() -> None:
    actions = inventory()
    assert len(set(actions)) == len(actions) == 2 + 3 * len(RELATIONS)
    assert isinstance(right_branching([2]).nodes[-1], Join)
