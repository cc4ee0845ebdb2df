"""The first stage over a library, against brute force over all leaves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders import indexed_documents
from treatise.core.indexed import IndexedDocument
from treatise.core.recipe import Scoring
from treatise.retrieve import corpus as corpus_module
from treatise.retrieve.corpus import Corpus
from treatise.retrieve.lexical import Collection, bm25
from treatise.retrieve.segments import codes_of, merge, segment_of
from treatise.retrieve.signs import sign_distances

SCORING = Scoring(dense=1.0, bm25=0.3)
QUESTION = "water boils at which temperature"


@pytest.fixture(scope="module")
def documents() -> list[IndexedDocument]:
    return indexed_documents(12)


@pytest.fixture(scope="module")
def vector(documents: list[IndexedDocument]) -> np.ndarray:
    found = documents[3].vectors[2].astype(np.float32) + documents[7].vectors[0].astype(np.float32)
    return found / np.linalg.norm(found)


def brute_force(documents: list[IndexedDocument], vector: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Cosine and BM25 of every leaf."""
    together = Collection.of([one.lexicon for one in documents], QUESTION, {one.document.language for one in documents})
    cosines = [one.vectors[one.tree.leaf_nodes].astype(np.float32) @ vector for one in documents]
    words = [
        bm25(one.lexicon, QUESTION, one.tree.ranges, one.document.language, together)[one.tree.leaf_nodes]
        for one in documents
    ]
    return np.concatenate(cosines), np.concatenate(words)


def test_statistics_are_those_of_all_leaves(documents: list[IndexedDocument], vector: np.ndarray) -> None:
    cosines, words = brute_force(documents, vector)
    found = Corpus([segment_of(documents)]).find(QUESTION, vector, SCORING, n_documents=2).statistics
    assert found.n_units == len(cosines)
    assert found.cosines.mean == pytest.approx(cosines.mean(), abs=2e-3)
    assert found.cosines.deviation == pytest.approx(cosines.std(), abs=2e-3)
    assert found.bm25.mean == pytest.approx(words.mean(), rel=1e-4)
    assert found.bm25.deviation == pytest.approx(words.std(), rel=1e-3)


def test_the_candidates_are_the_documents_with_the_best_leaves(
    documents: list[IndexedDocument], vector: np.ndarray
) -> None:
    cosines, words = brute_force(documents, vector)
    total = (cosines - cosines.mean()) / cosines.std() + 0.3 * (words - words.mean()) / max(words.std(), 1e-9)
    owner = np.repeat(np.arange(len(documents)), [len(one.units) for one in documents])
    best = sorted(range(len(documents)), key=lambda number: -total[owner == number].max())
    found = Corpus([segment_of(documents)]).find(QUESTION, vector, SCORING, n_documents=3).documents
    assert set(found) == {documents[number].document.id for number in best[:3]}


@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_how_documents_are_split_and_merged_does_not_matter(data: st.DataObject) -> None:
    documents = indexed_documents(12)
    vector = documents[5].vectors[0].astype(np.float32)
    cuts = sorted(data.draw(st.sets(st.integers(1, 11), max_size=4)))
    runs = [documents[a:b] for a, b in zip([0, *cuts], [*cuts, 12], strict=True)]
    gone = data.draw(st.sets(st.sampled_from([one.document.id for one in documents]), max_size=11))
    segments = [segment_of(run) for run in runs]
    parts = Corpus(segments, [gone] * len(segments))
    merged = merge(segments, parts.is_live)
    alone = segment_of([one for one in documents if one.document.id not in gone])
    for name, array in alone.arrays.items():
        assert np.array_equal(merged.arrays[name], array), name
    found = [
        parts.find(QUESTION, vector, SCORING, n_documents=4),
        Corpus([merged]).find(QUESTION, vector, SCORING, n_documents=4),
        Corpus([segment_of(documents)]).find(
            QUESTION, vector, SCORING, n_documents=4, among={one.document.id for one in documents} - gone
        ),
    ]
    for other in found[1:]:
        assert other.documents == found[0].documents
        assert other.statistics.n_with == found[0].statistics.n_with
        assert other.statistics.mean_length == pytest.approx(found[0].statistics.mean_length)
        assert other.statistics.cosines.mean == pytest.approx(found[0].statistics.cosines.mean, abs=1e-5)
        assert other.statistics.bm25.deviation == pytest.approx(found[0].statistics.bm25.deviation, abs=1e-4)


def test_signs_find_the_nearest_vectors_of_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus_module, "N_NEAR", 20)
    documents = indexed_documents(200)
    corpus = Corpus([segment_of(documents)])
    hits = 0
    for one in documents[::10]:
        vector = one.vectors[one.tree.leaf_nodes[0]].astype(np.float32)
        hits += one.document.id in corpus.find("", vector, SCORING, n_documents=1).documents
    assert hits == 20


def test_nothing_is_found_in_nothing(vector: np.ndarray, documents: list[IndexedDocument]) -> None:
    assert Corpus(()).find(QUESTION, vector, SCORING, n_documents=3).documents == ()
    corpus = Corpus([segment_of(documents)])
    assert corpus.find(QUESTION, vector, SCORING, n_documents=3, among=()).documents == ()


def test_the_distance_of_codes_is_the_number_of_components_with_other_signs() -> None:
    generator = np.random.default_rng(3)
    vectors = generator.standard_normal((70, 100)).astype(np.float32)
    other = generator.standard_normal((1, 100)).astype(np.float32)
    found = sign_distances(np.ascontiguousarray(codes_of(vectors).T), codes_of(other)[0])
    assert np.array_equal(found, ((vectors > 0) != (other > 0)).sum(axis=1))
