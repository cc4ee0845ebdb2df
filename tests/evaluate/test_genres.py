"""The benchmark of parsers on genres that they were trained without."""

import importlib
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="training needs torch: pip install 'treatise[train]'")

from treatise.core.tree import Nuclearity, build_tree
from treatise.parse.parseval import genre
from treatise.parse.rows import Level, Text, TreeRow
from treatise.train.treebanks import TreebankDocument

FOLDER = Path(__file__).parents[2] / "benchmarks"
TREE = build_tree(2, [(0, 1, 2, Nuclearity.NS, "elaboration")])


def document(name: str) -> TreebankDocument:
    return TreebankDocument(None, TreeRow(Text(name, "en", Level.SENTENCE, (("A.", "B."),)), TREE))


def test_the_parts_of_seen_genres_are_as_large_and_hold_a_share_of_each_genre(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))
    genres = importlib.import_module("genres")
    sizes = {"bio": 4, "court": 4, "news": 8}
    documents = [document(f"GUM_{kind}_{n}") for kind, size in sizes.items() for n in range(size)]
    unseen = genres.by_genre(documents)
    seen = genres.evenly(documents, {part: len(held) for part, held in unseen.items()})
    assert {part: len(held) for part, held in seen.items()} == sizes
    assert sorted(one.id for held in seen.values() for one in held) == sorted(one.id for one in documents)
    assert Counter(genre(one.id) for one in seen["news"]) == {"news": 4, "court": 2, "bio": 2}
