"""Parseval against an implementation of its definition written another way, and against the reference scorer."""

import json
import subprocess
import sys
from dataclasses import astuple

import pytest
from held import held
from hypothesis import given, settings
from hypothesis import strategies as st

from treatise.core.errors import DataError
from treatise.core.tree import DiscourseTree, Nuclearity, build_tree
from treatise.parse.parseval import by_group, difference, genre, parseval, report, segmentation_f1
from treatise.parse.rows import tree_nodes
from treatise.tree import random_splits

LAW = settings(deadline=None, max_examples=60)
REFERENCE = held("score/parseval.py")


@st.composite
def trees(draw: st.DrawFn, n_units: int) -> DiscourseTree:
    shape = random_splits([n_units], draw(st.integers(0, 9)))
    labels = st.tuples(st.sampled_from(list(Nuclearity)), st.sampled_from(["joint", "causal"]))
    return build_tree(n_units, [(start, split, end, *draw(labels)) for start, split, end, _ in shape.joins()])


@st.composite
def corpora(draw: st.DrawFn) -> tuple[dict[str, DiscourseTree], dict[str, DiscourseTree]]:
    """Gold and predicted trees of some documents; some predictions are missing."""
    gold, predicted = {}, {}
    for i in range(draw(st.integers(0, 4))):
        n_units = draw(st.integers(1, 7))
        gold[f"GUM_news_{i}"] = draw(trees(n_units))
        if draw(st.booleans()):
            predicted[f"GUM_news_{i}"] = draw(trees(n_units))
    return gold, predicted


def by_definition(gold: dict[str, DiscourseTree], predicted: dict[str, DiscourseTree]) -> tuple[float, ...]:
    """F1 of sets of labelled spans, one label set a figure."""
    figures = []
    for keys in ((), ("nuclearity",), ("relation",), ("nuclearity", "relation")):
        want, got = (
            {
                (name, *(node[key] for key in ("start", "end", *keys)))
                for name in trees
                for node in tree_nodes(trees[name])
            }
            for trees in (gold, predicted)
        )
        precision, recall = (len(want & got) / len(side) if side else 0 for side in (got, want))
        figures.append(200 * precision * recall / (precision + recall) if precision + recall else 0.0)
    return tuple(figures)


@LAW
@given(corpora())
def test_the_figures_are_f1_of_labelled_spans(case: tuple[dict, dict]) -> None:
    gold, predicted = case
    assert astuple(parseval(gold, predicted)) == pytest.approx(by_definition(gold, predicted))


@pytest.mark.skipif(REFERENCE is None, reason="TREATISE_DATA leads to no score/parseval.py")
@settings(deadline=None, max_examples=10)
@given(case=corpora())
def test_the_figures_are_those_of_the_reference_scorer(tmp_path_factory: pytest.TempPathFactory, case: tuple) -> None:
    gold, predicted = case
    folder = tmp_path_factory.mktemp("parseval")
    for name, side in (("gold", gold), ("predicted", predicted)):
        lines = [json.dumps({"id": key, "tree": tree_nodes(tree)}) + "\n" for key, tree in side.items()]
        (folder / f"{name}.jsonl").write_text("".join(lines), "utf-8")
    command = [sys.executable, str(REFERENCE), str(folder / "gold.jsonl"), str(folder / "predicted.jsonl")]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert [float(value) for value in printed[1::2]] == [round(v, 1) for v in astuple(parseval(gold, predicted))]


@LAW
@given(corpora())
def test_a_tree_agrees_wholly_with_itself(case: tuple[dict, dict]) -> None:
    gold, _ = case
    has_nodes = any(tree.n_units > 1 for tree in gold.values())
    assert astuple(parseval(gold, gold)) == ((100,) * 4 if has_nodes else (0,) * 4)


@LAW
@given(corpora())
def test_intervals_hold_the_figures_of_equal_documents_and_repeat(case: tuple[dict, dict]) -> None:
    gold, predicted = case
    first = report(gold, predicted, n_samples=50)
    assert first == report(gold, predicted, n_samples=50)
    assert all(0 <= interval.low <= interval.high <= 100 for interval in first.intervals.values())
    assert first.n_documents == len(gold)


@LAW
@given(corpora())
def test_a_difference_is_that_of_the_figures_and_none_to_itself(case: tuple[dict, dict]) -> None:
    gold, predicted = case
    found = difference(gold, predicted, gold, n_samples=20).figures
    wanted = [b - a for a, b in zip(astuple(parseval(gold, predicted)), astuple(parseval(gold, gold)), strict=True)]
    assert astuple(found) == pytest.approx(wanted)
    itself = difference(gold, gold, gold, n_samples=20)
    assert {(one.low, one.high) for one in itself.intervals.values()} <= {(0, 0)}


def test_one_document_has_an_interval_of_no_width() -> None:
    tree = build_tree(2, [(0, 1, 2, Nuclearity.NS, "causal")])
    interval = report({"a": tree}, {"a": tree}).intervals["full"]
    assert (interval.low, interval.high) == (100, 100)


def test_documents_are_reported_by_genre() -> None:
    tree = build_tree(2, [(0, 1, 2, Nuclearity.NS, "causal")])
    reports = by_group({"GUM_news_a": tree, "GUM_news_b": tree, "GUM_bio_c": tree}, {"GUM_bio_c": tree}, genre)
    assert {name: (r.n_documents, r.figures.full) for name, r in reports.items()} == {"bio": (1, 100), "news": (2, 0)}


def test_a_tree_over_other_units_is_refused_by_name() -> None:
    tree = build_tree(2, [(0, 1, 2, Nuclearity.NS, "causal")])
    with pytest.raises(DataError, match="a: the predicted tree has 1 units, the gold tree 2"):
        parseval({"a": tree}, {"a": build_tree(1, [])})


def test_boundaries_are_counted_inside_sentences_and_with_their_beginnings() -> None:
    gold = [["He left", "because it rained", "."], ["Yes."]]
    figures = segmentation_f1(gold, [["He", "left", "because it rained ."], ["Yes."]])
    assert figures.inside == pytest.approx(50)  # one of two found, one of two right
    assert figures.starts == pytest.approx(75)  # three of four, the two beginnings of sentences among them


@LAW
@given(st.lists(st.lists(st.text("ab ", min_size=1).filter(str.strip), min_size=1, max_size=4), max_size=4))
def test_a_segmentation_agrees_wholly_with_itself_whatever_its_spacing(gold: list[list[str]]) -> None:
    respaced = [[f" {edu.replace('a', 'a ')}" for edu in sentence] for sentence in gold]
    figures = segmentation_f1(gold, respaced)
    assert figures.starts == (100 if gold else 0)
    assert figures.inside == (100 if any(len(sentence) > 1 for sentence in gold) else 0)


def test_a_changed_sentence_is_refused() -> None:
    with pytest.raises(DataError, match="sentence 1 was changed"):
        segmentation_f1([["a"]], [["b"]])
    with pytest.raises(DataError, match="1 gold sentences, but 0"):
        segmentation_f1([["a"]], [])
