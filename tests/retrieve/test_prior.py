"""The prior of documents: the same in both stages, and only among many."""

from dataclasses import replace

import numpy as np
import pytest

from tests.builders import indexed_documents
from treatise.core.corpus import OpeningCosines, Scale
from treatise.core.indexed import IndexedDocument
from treatise.core.recipe import Scoring
from treatise.retrieve.corpus import Corpus, CorpusQuery
from treatise.retrieve.fusion import cosines, node_scores
from treatise.retrieve.outline import outline
from treatise.retrieve.prior import (
    MIN_DOCUMENTS,
    N_OPENING,
    cosines_read,
    in_whole,
    opening,
    opening_cosine,
    statistics_of,
)
from treatise.retrieve.segments import segment_of

SCORING = Scoring(dense=1.0, bm25=0.3, opening=2, whole=1)
QUESTION = "water boils at which temperature"


@pytest.fixture(scope="module")
def documents() -> list[IndexedDocument]:
    return indexed_documents(12)


@pytest.fixture(scope="module")
def vector(documents: list[IndexedDocument]) -> np.ndarray:
    return opening(documents[5])


def scores(indexed: list[IndexedDocument], vector: np.ndarray, scoring: Scoring, **given: object) -> list[np.ndarray]:
    nearness = [cosines(one, vector) for one in indexed]
    return node_scores(
        indexed, [outline(one) for one in indexed], nearness, question=QUESTION, scoring=scoring, **given
    )


def test_the_first_stage_has_the_statistics_of_all_documents(
    documents: list[IndexedDocument], vector: np.ndarray
) -> None:
    found = Corpus([segment_of(documents[:7]), segment_of(documents[7:])]).find(
        CorpusQuery(QUESTION, vector, SCORING, n_documents=2)
    )
    expected = statistics_of(documents, QUESTION)
    assert found.statistics.documents is not None
    assert found.statistics.documents.n_with == expected.n_with
    assert found.statistics.documents.bm25.deviation == pytest.approx(expected.bm25.deviation)


def test_a_node_gains_the_same_among_candidates_as_among_all_documents(
    documents: list[IndexedDocument], vector: np.ndarray
) -> None:
    whole = scores(documents, vector, SCORING)
    corpus = Corpus([segment_of(documents)]).find(CorpusQuery(QUESTION, vector, SCORING, n_documents=2)).statistics
    some = scores(documents[4:7], vector, SCORING, corpus=corpus)
    for of_all, of_some in zip(whole[4:7], some, strict=True):
        assert of_some == pytest.approx(of_all, abs=0.05)


def test_the_document_whose_opening_is_asked_for_comes_first(
    documents: list[IndexedDocument], vector: np.ndarray
) -> None:
    plain = scores(documents, vector, replace(SCORING, opening=0, whole=0))
    with_prior = scores(documents, vector, SCORING)
    gains = [float((after - before).mean()) for before, after in zip(plain, with_prior, strict=True)]
    assert int(np.argmax(gains)) == 5
    assert opening_cosine(documents[5], cosines(documents[5], vector)) == pytest.approx(1, abs=1e-3)


def test_few_documents_are_not_preferred_to_each_other(documents: list[IndexedDocument], vector: np.ndarray) -> None:
    few = documents[: MIN_DOCUMENTS - 1]
    for plain, with_prior in zip(
        scores(few, vector, replace(SCORING, opening=0, whole=0)), scores(few, vector, SCORING), strict=True
    ):
        assert np.array_equal(plain, with_prior)
    assert (
        Corpus([segment_of(few)]).find(CorpusQuery(QUESTION, vector, SCORING, n_documents=2)).statistics.documents
        is None
    )


def test_a_word_of_the_opening_counts_more_than_one_of_the_rest() -> None:
    leaves, counts = np.array([0, N_OPENING - 1, N_OPENING]), np.array([1, 1, 1], dtype=np.uint16)
    first, last, after = in_whole(leaves, counts).tolist()
    assert first == last > after == 1


def test_a_count_at_the_limit_of_its_type_does_not_wrap() -> None:
    assert in_whole(np.array([0]), np.array([65_535], dtype=np.uint16)).item() > 65_535


def test_the_scale_of_whole_documents_is_the_same_from_the_index_and_from_the_documents(
    documents: list[IndexedDocument], vector: np.ndarray
) -> None:
    found = Corpus([segment_of(documents[:5]), segment_of(documents[5:])]).find(
        CorpusQuery(QUESTION, vector, SCORING, n_documents=2)
    )
    expected = statistics_of(documents, QUESTION).bm25
    assert found.statistics.documents is not None
    assert found.statistics.documents.bm25.mean == pytest.approx(expected.mean)


def test_openings_read_as_texts_replace_those_of_leaves_in_both_stages(
    documents: list[IndexedDocument], vector: np.ndarray
) -> None:
    meant = documents[8].document.id
    read = OpeningCosines({one.document.id: float(one.document.id == meant) for one in documents}, Scale(0.2, 0.1))
    scoring = replace(SCORING, whole=0)
    plain = scores(documents, vector, replace(SCORING, opening=0, whole=0))
    gains = [
        float((after - before).mean())
        for before, after in zip(plain, scores(documents, vector, scoring, openings=read), strict=True)
    ]
    assert gains == pytest.approx([2 * (8 if one.document.id == meant else -2) for one in documents], abs=1e-3)
    query = CorpusQuery(QUESTION, vector, scoring, n_documents=2, openings=read)
    for segments in ([documents], [documents[:5], documents[5:]]):
        found = Corpus([segment_of(some) for some in segments]).find(query)
        assert found.documents[0] == meant
        assert found.statistics.priors[meant] == pytest.approx(16, abs=1e-3)


def test_an_opening_that_was_not_read_leaves_the_usual_prior(
    documents: list[IndexedDocument], vector: np.ndarray
) -> None:
    read = OpeningCosines({one.document.id: 0.5 for one in documents[1:]}, Scale(0.2, 0.1))
    assert cosines_read([documents[0].document.id], read) is None
    for usual, found in zip(
        scores(documents, vector, SCORING), scores(documents, vector, SCORING, openings=read), strict=True
    ):
        assert np.array_equal(usual, found)
    query = CorpusQuery(QUESTION, vector, SCORING, n_documents=2)
    corpus = Corpus([segment_of(documents)])
    assert corpus.find(replace(query, openings=read)).statistics.priors == corpus.find(query).statistics.priors
    whole = OpeningCosines({one.document.id: n / 12 for n, one in enumerate(documents)}, Scale(0.2, 0.1))
    statistics = corpus.find(replace(query, openings=whole)).statistics
    for of_all, of_one in zip(
        scores(documents, vector, SCORING, openings=whole),
        [scores([one], vector, SCORING, corpus=replace(statistics, priors={}))[0] for one in documents],
        strict=True,
    ):
        assert of_one == pytest.approx(of_all, abs=0.05)
    removed = Corpus([segment_of(documents)], [[documents[0].document.id]])
    assert set(removed.find(replace(query, openings=read)).statistics.priors) <= {*read.cosines}
