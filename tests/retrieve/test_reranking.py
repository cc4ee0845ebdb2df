"""The second stage: its order, its share, its limits, and what happens where it fails."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from tests.builders import make_indexed
from treatise.core.errors import EngineUnavailableError, RecipeError
from treatise.core.evidence import Evidence
from treatise.core.ports import Reranker
from treatise.core.recipe import Balanced, Flat, Indexing, Recipe, Reranking, Selection
from treatise.pipeline.index import index_document
from treatise.pipeline.retrieve import retrieve
from treatise.testing import FailingReranker, HashingEncoder, ScriptedReranker

SENTENCES = [f"Alpha beta gamma number {n} says thing {n}." for n in range(12)]
QUESTION = "What does alpha beta say of thing 3?"
FLAT = Recipe("X", Indexing(tree=Flat()), selection=Selection(expand=False), reranking=Reranking(6, 0))
TREE = replace(FLAT, indexing=Indexing(tree=Balanced()), selection=Selection(leaf_top_k=2))


def found(recipe: Recipe, reranker: Reranker | None, max_words: int = 500) -> Evidence:
    encoder = HashingEncoder()
    document = make_indexed([["Heading of alpha beta"], SENTENCES[:6], SENTENCES[6:]]).document
    indexed = index_document(document, recipe.indexing, encoder=encoder)
    return retrieve([indexed], QUESTION, recipe, encoder=encoder, max_words=max_words, reranker=reranker)


def texts(evidence: Evidence) -> list[str]:
    return [passage.text for passage in evidence.passages]


def by_number(_: str, text: str) -> float:
    return float(text.rsplit(maxsplit=1)[-1].strip(".") if text[-2].isdigit() else -1)


def test_only_the_candidates_are_read_and_they_come_in_the_new_order() -> None:
    first = texts(found(replace(FLAT, reranking=None), None))
    reranker = ScriptedReranker(by_number)
    second = texts(found(FLAT, reranker))
    ((question, read),) = reranker.asked
    assert question == QUESTION
    assert list(read) == first[:6]
    best = max(read, key=lambda text: by_number("", text))
    assert second[0] == best
    assert sorted(second) == sorted(first)


def test_the_share_of_the_first_stage_pulls_towards_its_order() -> None:
    first = texts(found(replace(FLAT, reranking=None), None))
    little = replace(FLAT, reranking=Reranking(6, 0, weight=0.01))
    assert texts(found(little, ScriptedReranker(by_number))) == first


def test_as_many_nodes_are_left_as_are_kept() -> None:
    assert len(found(replace(FLAT, reranking=Reranking(6, 3)), ScriptedReranker(by_number)).passages) == 3


def test_a_node_without_a_note_is_read_as_what_it_would_give() -> None:
    reranker = ScriptedReranker()
    found(replace(TREE, reranking=Reranking(40, 0)), reranker)
    ((_, read),) = reranker.asked
    assert max(text.count("Alpha") for text in read) == 2
    assert all(any(sentence in text for sentence in SENTENCES) or "Heading" in text for text in read)


def test_what_several_nodes_would_give_alike_is_read_once() -> None:
    reranker = ScriptedReranker()
    found(replace(TREE, selection=Selection(leaf_top_k=1), reranking=Reranking(40, 0)), reranker)
    ((_, read),) = reranker.asked
    assert len(read) == len(set(read)) < 2 * len(SENTENCES)


def test_equal_scores_leave_the_candidates_behind_no_one() -> None:
    evidence = found(FLAT, ScriptedReranker(lambda question, text: 0.0))
    assert not evidence.notes
    assert len(evidence.passages) == len(texts(found(replace(FLAT, reranking=None), None)))


class Gives:
    name = "broken"

    def __init__(self, make: Callable[[int], Sequence[float]]) -> None:
        self._make = make

    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        return self._make(len(texts))


def times_out(n: int) -> Sequence[float]:
    raise TimeoutError("20 s are over")


@pytest.mark.parametrize(
    ("reranker", "says"),
    [
        (Gives(lambda n: [1.0] * (n - 1)), "5 scores for 6"),
        (Gives(lambda n: [1.0] * (n + 1)), "7 scores for 6"),
        (Gives(lambda n: [math.nan] + [1.0] * (n - 1)), "1 of 6 scores that are not finite"),
        (Gives(lambda n: [math.inf] * n), "6 of 6"),
        (Gives(times_out), "20 s are over"),
        (FailingReranker(EngineUnavailableError("m at http://x gave no answer")), "gave no answer"),
        (None, "no reranker is configured"),
    ],
)
def test_where_it_fails_the_first_stage_stands_and_a_note_says_why(reranker: Reranker | None, says: str) -> None:
    evidence = found(FLAT, reranker)
    assert texts(evidence) == texts(found(replace(FLAT, reranking=None), None))
    (note,) = evidence.notes
    assert says in note


@pytest.mark.parametrize(
    "numbers", [(0, 0, 1.0), (5, 6, 1.0), (5, -1, 1.0), (5, 5, 0.0), (5, 5, 1.1), (5, 5, math.nan)]
)
def test_what_cannot_be_is_refused(numbers: tuple[int, int, float]) -> None:
    with pytest.raises(RecipeError, match="n_candidates of at least 1"):
        Reranking(*numbers)
