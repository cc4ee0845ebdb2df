import sys
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest

from treatise.core.tree import DiscourseTree
from treatise.evaluate.metrics.texts import rouge
from treatise.tree.shapes import random_splits

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
GUM = Path(__file__).parents[1] / "parse" / "data" / "gum"


@pytest.fixture
def structure(monkeypatch):
    """The benchmark's modules by name; they are forgotten after the test."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import structure.experiment
    import structure.passages
    import structure.rouge
    import structure.satellites
    import structure.trees

    yield structure
    for name in [name for name in sys.modules if name.split(".")[0] == "structure"]:
        monkeypatch.delitem(sys.modules, name)


@pytest.fixture
def worship(structure):
    (found,) = structure.gum.read(GUM)
    return found


def labels(tree: DiscourseTree, name: str) -> list[str]:
    return [getattr(join, name) for _, _, _, join in sorted(tree.joins(), key=lambda node: node[1])]


def places(tree: DiscourseTree) -> list[tuple[int, int, int]]:
    return [(start, split, end) for start, split, end, _ in tree.joins()]


def test_a_tree_follows_from_its_splits(structure, worship):
    for tree in (worship.gold, *(random_splits([3, 1, 4, 2], seed=seed) for seed in range(20))):
        assert structure.trees.tree_of(structure.trees.splits_of(tree)).nodes == tree.nodes


@pytest.mark.parametrize("kind", ["attachment", "nuclearity", "relation"])
def test_spoiling_one_part_of_a_tree_leaves_the_others_and_how_frequent_each_label_is(structure, worship, kind):
    spoiled = structure.trees.spoiled(worship, kind, 1.0, seed=1)
    gold = worship.gold
    assert (places(spoiled) == places(gold)) == (kind != "attachment")
    for part in ("nuclearity", "relation"):
        assert (labels(spoiled, part) == labels(gold, part)) == (kind != part)
        assert Counter(labels(spoiled, part)) == Counter(labels(gold, part))


def test_a_tree_with_no_share_spoiled_is_the_gold_tree(structure, worship):
    assert structure.trees.spoiled(worship, structure.trees.ALL, 0.0, seed=1).nodes == worship.gold.nodes


def test_random_trees_keep_sentences_whole(structure, worship):
    for seed in range(5):
        spans = {(start, end) for start, _, end in places(structure.trees.random_tree(worship, seed))}
        for sentence in set(worship.sentence_of_edu):
            units = [edu for edu, of in enumerate(worship.sentence_of_edu) if of == sentence]
            assert len(units) == 1 or (units[0], units[-1] + 1) in spans


def test_deletions_lie_inside_sentences_and_do_not_overlap(structure, worship):
    found = list(structure.satellites.deletions(worship.gold, worship.sentence_of_edu))
    gone = [edu for one in found for edu in range(one.start, one.end)]
    assert found
    assert len(gone) == len(set(gone))
    for one in found:
        assert worship.sentence_of_edu[one.start] == worship.sentence_of_edu[one.end - 1]


def test_rouge_is_that_of_the_library(structure):
    texts = ["The court rules on worship, again.", "Courts ruled in 2006: worshipping is legal.", "no"]
    for text in texts:
        assert structure.rouge.rouge1(text, texts[:2]) == pytest.approx(rouge(text, texts[:2], "rouge1"))


def test_cuts_into_passages_are_the_cheapest_of_all(structure, worship):
    costs = np.random.default_rng(0).random(len(worship.sentences.units) + 1).astype(np.float32)
    found = structure.passages.cuts(worship, costs, max_words=120)
    words = worship.words_of_sentence
    mean = sum(words) / (len(found) + 1)

    def cost(cuts: tuple[int, ...]) -> float:
        edges = [0, *cuts, len(words)]
        sizes = [sum(words[a:b]) for a, b in pairwise(edges)]
        fits = all(size <= 120 or b - a == 1 for size, (a, b) in zip(sizes, pairwise(edges), strict=True))
        return sum(costs[list(cuts)]) + sum(1e-3 * (size / mean - 1) ** 2 for size in sizes) if fits else np.inf

    assert cost(tuple(found)) == pytest.approx(min(map(cost, combinations(range(1, len(words)), len(found)))))


def test_a_curve_crosses_zero_where_the_last_gain_ends(structure):
    assert structure.experiment.crossing([100, 50, 0], [4.0, 2.0, -2.0]) == pytest.approx(25)
    assert structure.experiment.crossing([100, 50], [-1.0, 2.0]) is None
    assert structure.experiment.crossing([100, 50], [3.0, 2.0]) == 50
