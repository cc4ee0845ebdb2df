"""A parser against a treebank: the figures of a run, and those of each genre."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evaluate.scripted_engines import random_joins
from tests.evaluate.specs import make_spec
from treatise.core.tree import Nuclearity, build_tree
from treatise.evaluate.run.parsing import Parsing, run
from treatise.parse.parser import TransitionParser
from treatise.parse.parseval import Counting, Parseval, parseval
from treatise.parse.scorer import NullScorer
from treatise.testing import ScriptedModel

_ROW = {
    "lang": "en",
    "level": "sentence",
    "paragraphs": [["Spring came.", "It rained.", "Rivers rose."]],
    "tree": [
        {"start": 0, "split": 1, "end": 3, "nuclearity": "NN", "relation": "joint"},
        {"start": 1, "split": 2, "end": 3, "nuclearity": "SN", "relation": "causal"},
    ],
}


def _parsed(ids: list[str], folder: Path) -> Parsing:
    data = folder / "treebank.jsonl"
    data.write_text("".join(json.dumps(_ROW | {"id": one}) + "\n" for one in ids), "utf-8")
    return run(make_spec("treebank", data, (), (), folder / "out"), text_parser=TransitionParser(NullScorer()))


def test_several_genres_are_told_apart(tmp_path: Path) -> None:
    found = _parsed(["GUM_bio_a", "GUM_news_a", "GUM_news_b"], tmp_path)
    assert {name: one.n_documents for name, one in found.genres["right-branching"].items()} == {"bio": 1, "news": 2}
    table = (tmp_path / "out" / "summary.md").read_text("utf-8")
    assert "| bio | 1 | 100.0 / 50.0 |" in table
    assert "| news | 2 | 100.0 / 50.0 |" in table


@pytest.mark.parametrize("ids", [["GUM_news_a", "GUM_news_b"], ["a", "b"]])
def test_no_table_where_there_is_one_genre_or_none(ids: list[str], tmp_path: Path) -> None:
    assert not _parsed(ids, tmp_path).genres
    assert "span / full" not in (tmp_path / "out" / "summary.md").read_text("utf-8")


_JOINS = {"a": ["1 2 3 both SEQUENCE", "2 3 3 right CAUSE"], "b": ["1 2 3 left CONDITION"]}


def _model(replies: dict[str, list[str]]) -> ScriptedModel:
    """Replies by the first unit of the text."""

    def say(messages) -> str:
        key = next(name for name in replies if f"1 Spring {name}." in messages[1].content)
        return json.dumps({"joins": replies[key]})

    return ScriptedModel(say)


def _treebank(folder: Path) -> Path:
    data = folder / "treebank.jsonl"
    rows = [_ROW | {"id": one, "paragraphs": [[f"Spring {one}.", "It rained.", "Rivers rose."]]} for one in _JOINS]
    data.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return data


def test_trees_of_a_language_model_are_scored_beside_those_of_the_parser(tmp_path: Path) -> None:
    model = _model(_JOINS)
    spec = replace(make_spec("treebank", _treebank(tmp_path), (), (), tmp_path / "out"), model=model)
    found = run(spec, text_parser=TransitionParser(NullScorer()))
    assert found.without_tree == {"right-branching": 0, "transition/null": 0, "scripted": 1}
    figures = found.trees["scripted"].figures
    assert (figures.span, figures.full) == (pytest.approx(200 * 2 / 6), pytest.approx(200 * 2 / 6))
    assert "| scripted | 2 | 1 |" in (tmp_path / "out" / "summary.md").read_text("utf-8")
    n_calls = len(model.prompts)
    assert n_calls == 3  # the rejected reply is requested once more
    run(spec, text_parser=TransitionParser(NullScorer()))
    assert len(model.prompts) == n_calls  # finished calls are kept


def test_rst_parseval_counts_units_and_puts_relations_at_satellites() -> None:
    gold = build_tree(3, [(0, 1, 3, Nuclearity.NS, "causal"), (1, 2, 3, Nuclearity.NN, "joint")])
    assert parseval({"a": gold}, {"a": gold}, Counting.RST) == Parseval(100, 100, 100, 100)
    other = build_tree(3, [(0, 2, 3, Nuclearity.NS, "causal"), (0, 1, 2, Nuclearity.NN, "joint")])
    # Of the nodes 0, 1, 2 and 1-3, the three units are shared. Roles: 0 is N/, against N/joint; 1 is N/joint in both;
    # 2 is N/joint against S/causal.
    found = parseval({"a": gold}, {"a": other}, Counting.RST)
    assert found == Parseval(75, 50, 25, 25)
    assert parseval({"a": gold}, {"a": other}).span == 50


@given(st.integers(2, 12), st.randoms())
def test_rst_parseval_of_a_tree_with_itself_is_full_and_spans_are_at_least_those_of_original_parseval(
    n, random
) -> None:
    gold, other = (build_tree(n, random_joins(n, random)) for _ in range(2))
    assert parseval({"a": gold}, {"a": gold}, Counting.RST).full == 100
    by_units, by_joins = (parseval({"a": gold}, {"a": other}, one).span for one in (Counting.RST, Counting.ORIGINAL))
    assert by_units >= 50
    assert by_units >= (by_joins * (n - 1) - 100 + 100 * n) / (2 * n - 2) - 1e-6
