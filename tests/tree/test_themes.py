"""Sections by theme: every sectioner keeps the contract, and those that look at vectors find what is there."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pipeline.test_index import ChainParser
from treatise.core.ports import Sectioner
from treatise.core.vectors import Floats, unit_rows
from treatise.enhance import Themes
from treatise.evaluate.run.segmentation import Random
from treatise.llm.runner import LlmRunner
from treatise.testing import HashingEncoder, ScriptedModel, check_sectioner
from treatise.tree import Cohesion, DiscourseCuts, Even
from treatise.tree.themes import best_cuts

WORDS = ("harbour ship tide sail anchor", "parliament tax vote minister law", "oven bread flour yeast dough")


def by_model() -> Sectioner:
    model = ScriptedModel(lambda _: '{"sections": [{"theme": "a", "first": 1}, {"theme": "b", "first": 2}]}')
    return Themes(LlmRunner(model), fallback=Cohesion())


@pytest.mark.parametrize("make", [Even, Cohesion, lambda: DiscourseCuts(ChainParser()), Random])
def test_each_keeps_the_contract(make) -> None:
    check_sectioner(make)


def test_the_model_keeps_the_contract_but_for_their_number() -> None:
    check_sectioner(by_model, keeps_number=False)


def themed(n_each: int) -> tuple[list[str], Floats]:
    texts = [f"{word} {theme}" for theme in WORDS for word in (theme.split() * n_each)[:n_each]]
    return texts, HashingEncoder(64).encode(texts)


@pytest.mark.parametrize("n_each", [4, 9, 30])
def test_cohesion_cuts_where_the_subject_changes(n_each: int) -> None:
    texts, vectors = themed(n_each)
    assert Cohesion().starts(texts, vectors, 3) == [0, n_each, 2 * n_each]


def test_a_text_all_of_one_kind_is_still_cut_into_sections() -> None:
    vectors = unit_rows(np.ones((20, 4), dtype=np.float32))
    assert len(Cohesion().starts(["same words"] * 20, vectors, 4)) <= 4


def test_even_sections_differ_by_little() -> None:
    texts = ["x" * 10] * 12
    assert Even().starts(texts, np.zeros((12, 1), np.float32), 4) == [0, 3, 6, 9]


@given(st.lists(st.integers(1, 500), min_size=1, max_size=30), st.integers(1, 40))
def test_even_sections_are_as_many_as_asked_for(lengths: list[int], n: int) -> None:
    starts = Even().starts(["x" * length for length in lengths], np.zeros((len(lengths), 1), np.float32), n)
    assert len(starts) == len(set(starts)) == min(n, len(lengths))
    assert starts == sorted(starts)


@given(
    st.lists(st.tuples(st.integers(1, 100), st.floats(0, 3)), min_size=1, max_size=12),
    st.integers(1, 14),
    st.floats(0, 5),
)
def test_the_best_cuts_are_the_best_of_all(texts: list[tuple[int, float]], n: int, evenness: float) -> None:
    lengths = np.array([length for length, _ in texts], dtype=np.float64)
    strengths = np.array([strength for _, strength in texts[1:]])
    found = best_cuts(strengths, lengths, n, evenness)
    n = min(n, len(lengths))
    assert len(found) == n
    assert found == sorted(set(found))
    assert found[0] == 0
    assert found[-1] < len(lengths)

    ends = np.cumsum(lengths)

    def worth(starts: tuple[int, ...]) -> float:
        edges = np.array([0, *(ends[at - 1] for at in starts), ends[-1]]) / (ends[-1] / n)
        return float(sum(strengths[at - 1] for at in starts) - evenness * ((np.diff(edges) - 1) ** 2).sum())

    def is_near(starts: tuple[int, ...]) -> bool:
        places = [ends[at - 1] / (ends[-1] / n) for at in starts]
        sizes = np.diff([0, *places, n])
        return all(abs(place - i) < 1.5 for i, place in enumerate(places, 1)) and min(sizes) >= 0.25 + 1e-9

    ways = [way for way in combinations(range(1, len(lengths)), n - 1) if is_near(way)]
    if ways:
        assert worth(tuple(found[1:])) >= max(map(worth, ways)) - 1e-6


def test_the_top_cuts_of_a_tree_come_first() -> None:
    # A chain joins each text to all that follow: its first cuts stand at the beginning, and slivers are left alone.
    starts = DiscourseCuts(ChainParser()).starts(["word " * 5] * 40, np.zeros((40, 1), np.float32), 4)
    assert starts == [0, 3, 6, 9]
