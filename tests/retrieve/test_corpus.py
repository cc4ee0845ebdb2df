"""The first stage over a library, against brute force over all leaves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders import indexed_documents
from treatise.core.indexed import IndexedDocument
from treatise.core.recipe import Scoring
from treatise.retrieve import rows, segments
from treatise.retrieve.corpus import Corpus, CorpusQuery
from treatise.retrieve.lexical import Collection, bm25
from treatise.retrieve.segments import Segment, merge, segment_of
from treatise.retrieve.signs import N_BITS, Planes, Signs

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
    found = Corpus([segment_of(documents)]).find(CorpusQuery(QUESTION, vector, SCORING, n_documents=2)).statistics
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
    found = Corpus([segment_of(documents)]).find(CorpusQuery(QUESTION, vector, SCORING, n_documents=3)).documents
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
        parts.find(CorpusQuery(QUESTION, vector, SCORING, n_documents=4)),
        Corpus([merged]).find(CorpusQuery(QUESTION, vector, SCORING, n_documents=4)),
        Corpus([segment_of(documents)]).find(
            CorpusQuery(QUESTION, vector, SCORING, n_documents=4, among={one.document.id for one in documents} - gone)
        ),
    ]
    for other in found[1:]:
        assert other.documents == found[0].documents
        assert other.statistics.n_with == found[0].statistics.n_with
        assert other.statistics.mean_length == pytest.approx(found[0].statistics.mean_length)
        assert other.statistics.cosines.mean == pytest.approx(found[0].statistics.cosines.mean, abs=1e-5)
        assert other.statistics.bm25.deviation == pytest.approx(found[0].statistics.bm25.deviation, abs=1e-4)


def coded(monkeypatch: pytest.MonkeyPatch, parts: list[Segment], *, n_near: int) -> Segment:
    """The segments merged with codes, few though their rows are, and searched by these."""
    monkeypatch.setattr(segments, "MIN_CODED", 1)
    monkeypatch.setattr(rows, "MIN_NEAR", n_near)
    return merge(parts, [np.ones(len(one.ids), dtype=bool) for one in parts])


def test_codes_find_the_nearest_vectors_of_many(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = indexed_documents(200)
    merged = coded(monkeypatch, [segment_of(documents)], n_near=20)
    assert merged.codes.shape == (N_BITS // 64, len(merged.vectors))
    hits = 0
    for one in documents[::10]:
        vector = one.vectors[one.tree.leaf_nodes[0]].astype(np.float32)
        hits += one.document.id in Corpus([merged]).find(CorpusQuery("", vector, SCORING, n_documents=1)).documents
    assert hits == 20


@pytest.mark.parametrize("removed", [0, 40])
def test_documents_added_to_coded_ones_are_found_before_and_after_merging(
    removed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = indexed_documents(200)
    gone = {one.document.id for one in documents[:removed]}
    first = coded(monkeypatch, [segment_of(documents[:170])], n_near=20)
    parts = Corpus([first, segment_of(documents[170:])], [gone, gone])
    merged = merge([first, segment_of(documents[170:])], parts.is_live)
    assert np.array_equal(merged.normals, first.normals)
    n_kept = sum(len(one.units) for one in documents[removed:170])
    assert np.array_equal(merged.codes[:, :n_kept], first.codes[:, first.codes.shape[1] - n_kept :])
    for one in documents[removed::9]:
        vector = one.vectors[one.tree.leaf_nodes[0]].astype(np.float32)
        for corpus in (parts, Corpus([merged])):
            assert one.document.id in corpus.find(CorpusQuery("", vector, SCORING, n_documents=1)).documents


def test_codes_search_what_a_filter_admits(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = indexed_documents(200)
    corpus = Corpus([coded(monkeypatch, [segment_of(documents)], n_near=20)])
    among = {one.document.id for one in documents[::4]}
    for one in documents[::8]:
        vector = one.vectors[one.tree.leaf_nodes[0]].astype(np.float32)
        found = corpus.find(CorpusQuery("", vector, SCORING, n_documents=3, among=among)).documents
        assert found[0] == one.document.id
        assert set(found) <= among


def test_nothing_is_found_in_nothing(vector: np.ndarray, documents: list[IndexedDocument]) -> None:
    assert Corpus(()).find(CorpusQuery(QUESTION, vector, SCORING, n_documents=3)).documents == ()
    corpus = Corpus([segment_of(documents)])
    assert corpus.find(CorpusQuery(QUESTION, vector, SCORING, n_documents=3, among=())).documents == ()


def clustered(n: int, dim: int) -> np.ndarray:
    """Vectors of length 1 around thirty centres that have a mean in common, as those of texts."""
    generator = np.random.default_rng(3)
    centres = generator.standard_normal((30, dim)) + 2 * generator.standard_normal(dim)
    vectors = centres[generator.integers(0, 30, n)] + 0.8 * generator.standard_normal((n, dim))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize("dim", [48, 384])
def test_near_rows_by_codes_hold_nearly_all_nearest_vectors(dim: int) -> None:
    vectors = clustered(5_000, dim)
    planes = Planes.of(vectors[::2])
    codes, shares = planes.codes(vectors), []
    for vector in vectors[::250]:
        found = Signs(codes, planes.code_of_question(vector), None).nearest(500)
        assert 400 <= len(found) <= 800
        shares.append(np.isin(np.argsort(-(vectors @ vector))[:20], found).mean())
    assert np.mean(shares) > 0.95


def test_estimates_of_codes_rank_as_cosines_do() -> None:
    vectors = clustered(5_000, 384)
    planes = Planes.of(vectors)
    signs = Signs(planes.codes(vectors), planes.code_of_question(vectors[0]), None)
    cosines = vectors @ vectors[0]
    expected = (cosines - cosines.mean()) / cosines.std()
    assert np.corrcoef(signs.standardised(np.arange(5_000)), expected)[0, 1] > 0.85
