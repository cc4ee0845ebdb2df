"""A parser against a treebank: the figures of a run, and those of each genre."""

import json
from pathlib import Path

import pytest

from tests.evaluate.specs import make_spec
from treatise.evaluate.run.parsing import Parsing, run
from treatise.parse.parser import TransitionParser
from treatise.parse.scorer import NullScorer

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
