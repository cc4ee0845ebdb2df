"""RAPTOR's clusters: its laws, on vectors that do come in groups."""

from dataclasses import replace

import numpy as np
import pytest

from tests.builders import make_document
from tests.enhance.models import SENTENCES, condensing
from treatise.core.note import EXTRACTS, Origin
from treatise.core.words import n_tokens
from treatise.llm.budget import Budget
from treatise.llm.runner import LlmRunner
from treatise.pipeline.index import index_document
from treatise.pipeline.retrieve import retrieve
from treatise.recipes import RAPTOR
from treatise.testing import HashingEncoder
from treatise.tree import leaf_units
from treatise.tree.raptor import Raptor, cluster

pytest.importorskip("umap")
pytest.importorskip("sklearn")
pytestmark = pytest.mark.slow  # umap compiles itself on its first use

TOPICS = ("tea water leaf cup", "ship storm sail harbour", "court judge law verdict")


def grouped(n_each: int, seed: int = 0) -> np.ndarray:
    generator = np.random.default_rng(seed)
    middles = np.repeat(np.eye(3, 24), n_each, axis=0)
    return (middles + 0.05 * generator.standard_normal(middles.shape)).astype(np.float32)


def document(n_paragraphs: int = 30):
    return make_document(
        [[f"{TOPICS[i % 3]} {i} {SENTENCES[i]} " + "more words here " * 20] for i in range(n_paragraphs)]
    )


def test_every_item_stands_in_a_cluster_and_equal_input_gives_equal_clusters() -> None:
    vectors = grouped(12)
    first, second = (cluster(vectors, [50] * 36, Raptor()) for _ in range(2))
    assert [part.tolist() for part in first] == [part.tolist() for part in second]
    assert {item for part in first for item in part.tolist()} == set(range(36))


def test_what_belongs_together_is_found_together() -> None:
    found = cluster(grouped(12), [50] * 36, Raptor())
    assert all(len({item // 12 for item in part.tolist()}) == 1 for part in found)


def test_a_cluster_over_the_limit_of_tokens_is_clustered_again() -> None:
    vectors = grouped(12)
    loose = cluster(vectors, [50] * 36, Raptor())
    tight = cluster(vectors, [50] * 36, replace(Raptor(), max_tokens=300))
    assert max(map(len, tight)) <= max(map(len, loose))


@pytest.mark.parametrize("n_items", [1, 2, 3, 11])
def test_few_items_are_one_cluster(n_items: int) -> None:
    (only,) = cluster(grouped(4)[:n_items], [9_999] * n_items, Raptor())
    assert only.tolist() == list(range(n_items))


def test_leaves_have_a_hundred_tokens_at_most_where_the_text_lets_them() -> None:
    long = "a clause of some words, " * 60 + "and an end."
    units, _ = leaf_units(make_document([[long, *SENTENCES]]), RAPTOR.indexing.units)
    text = make_document([[long, *SENTENCES]]).text
    lengths = [n_tokens(text[unit.start : unit.end]) for unit in units]
    assert max(lengths) <= 100
    assert sum(lengths) / len(lengths) > 60


def test_the_graph_is_kept_as_it_is_with_notes_and_vectors_a_cluster() -> None:
    indexed = index_document(document(), RAPTOR.indexing, encoder=HashingEncoder(), runner=LlmRunner(condensing()))
    n_leaves = indexed.tree.n_units
    assert len(indexed.notes) == len(indexed.vectors) == indexed.n_nodes
    for number, one in enumerate(indexed.clusters):
        assert max(one.children) < n_leaves + number
        below = {unit for child in one.children for unit in indexed.units_under(child).tolist()}
        assert below == set(one.units)
    assert {note.origin for note in indexed.notes[n_leaves:]} == {Origin.SUMMARY}


def test_over_the_ceiling_and_without_a_model_clusters_are_extracts() -> None:
    for writer in (None, LlmRunner(condensing(), budget=Budget(max_calls=0))):
        indexed = index_document(document(), RAPTOR.indexing, encoder=HashingEncoder(), runner=writer)
        assert {note.origin for note in indexed.notes} <= EXTRACTS


def test_the_collapsed_tree_gives_the_text_of_the_ten_best_nodes() -> None:
    encoder = HashingEncoder()
    indexed = index_document(document(), RAPTOR.indexing, encoder=encoder, runner=LlmRunner(condensing()))
    evidence = retrieve([indexed], "ship storm sail", RAPTOR, encoder=encoder, max_words=100_000)
    best = np.argsort(-(indexed.vectors.astype(np.float32) @ encoder.encode(["ship storm sail"])[0]), kind="stable")[
        :10
    ]
    texts = {indexed.notes[node].text for node in best}
    assert {passage.text for passage in evidence.passages} <= texts
    assert any(passage.noted for passage in evidence.passages)
