"""The parts for PyTerrier; they run where it is installed, and start no Java (``scripts/integrations pyterrier``)."""

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("pyterrier", reason="PyTerrier is not installed: scripts/integrations pyterrier")

import pandas
import pyterrier

import treatise
from tests.integrations.kettles import (
    HUGE,
    NO_COUNTS,
    NO_QUESTIONS,
    ODD_METADATA,
    QUESTION,
    can_fork,
    in_a_fork,
    kettles,
)
from treatise.core.errors import DataError, TreatiseError
from treatise.integrations.pyterrier import TreatiseIndexer, TreatiseRetriever

TOPICS = pandas.DataFrame([{"qid": "1", "query": QUESTION}, {"qid": "2", "query": "Which kettle boils at 66 degrees?"}])


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with kettles(tmp_path_factory.mktemp("terrier")) as opened:
        yield opened


def test_results_are_the_librarys_passages_in_its_order(library: Any) -> None:
    found = TreatiseRetriever(library, num_results=3)(TOPICS)
    first = found[found.qid == "1"]
    assert list(first.text) == [one.text for one in library.search(QUESTION).passages[:3]]
    assert list(first["rank"]) == [0, 1, 2]
    assert list(first.score) == sorted(first.score, reverse=True)
    assert not pyterrier.java.started()


def test_a_transformer_works_in_pipelines_and_experiments(library: Any) -> None:
    retriever = TreatiseRetriever(library)
    relevant = [
        {"qid": qid, "docno": docno, "label": 1}
        for qid, docno in retriever(TOPICS).groupby("qid").docno.first().items()
    ]
    table = pyterrier.Experiment([retriever % 5], TOPICS, pandas.DataFrame(relevant), ["recip_rank"], names=["ours"])
    assert list(table.recip_rank) == [1.0]
    assert len((retriever % 1)(TOPICS)) == len(TOPICS)
    assert set(pyterrier.inspect.transformer_outputs(retriever, ["qid", "query"])) >= {"qid", "docno", "score", "text"}


def test_documents_are_ranked_by_their_best_passage(tmp_path: Any) -> None:
    documents = [{"docno": f"d{n}", "text": f"Kettle number {n} boils at {n} degrees. " * 3} for n in range(5)]
    with treatise.open_library(store=tmp_path / "library.db") as library:
        TreatiseIndexer(library).index(documents)
        found = TreatiseRetriever(library, items="documents", num_results=2).search(
            "At what does kettle number 3 boil?"
        )
        assert found.docno.is_unique
        assert found.docno[0] == "d3"
        assert len(found) == 2


def test_no_queries_give_no_results_with_the_same_columns(library: Any) -> None:
    retriever = TreatiseRetriever(library)
    assert list(retriever(TOPICS.iloc[:0]).columns) == list(retriever(TOPICS).columns)


def test_a_query_keeps_its_other_columns(library: Any) -> None:
    found = TreatiseRetriever(library)(TOPICS.assign(narrative="Kettles."))
    assert set(found.narrative) == {"Kettles."}


@pytest.mark.parametrize("query", NO_QUESTIONS)
def test_what_is_no_question_is_refused(library: Any, query: object) -> None:
    with pytest.raises(TreatiseError):
        TreatiseRetriever(library)(pandas.DataFrame([{"qid": "1", "query": query}]))


@pytest.mark.parametrize(
    "document",
    [{}, {"docno": "1"}, {"docno": 1, "text": "a"}, {"docno": "", "text": "a"}, {"docno": "1", "text": b"a"}],
)
def test_a_document_without_a_text_or_a_name_is_refused(library: Any, document: dict[str, object]) -> None:
    with pytest.raises(DataError, match="document 1"):
        TreatiseIndexer(library).index([document])


def test_items_of_another_kind_are_refused(library: Any) -> None:
    with pytest.raises(DataError, match="passages, documents"):
        TreatiseRetriever(library, items="sentences")


@pytest.mark.parametrize("k", NO_COUNTS)
@pytest.mark.parametrize("items", ["passages", "documents"])
def test_what_is_no_number_of_results_is_refused(library: Any, items: str, k: Any) -> None:
    with pytest.raises(TreatiseError):
        TreatiseRetriever(library, items=items, num_results=k)(TOPICS)


@pytest.mark.parametrize("items", ["passages", "documents"])
def test_a_huge_number_of_results_returns_what_there_is(library: Any, items: str) -> None:
    assert len(TreatiseRetriever(library, items=items, num_results=HUGE)(TOPICS)) >= len(TOPICS)


def test_columns_that_are_no_texts_are_kept(library: Any) -> None:
    topics = pandas.DataFrame([{"qid": "1", "query": QUESTION, **ODD_METADATA}])
    found = TreatiseRetriever(library, num_results=1)(topics).iloc[0]
    assert found.year == ODD_METADATA["year"]
    assert found.tags == ODD_METADATA["tags"]


def test_documents_may_have_more_than_a_text(tmp_path: Any) -> None:
    with treatise.open_library(store=tmp_path / "library.db") as library:
        TreatiseIndexer(library).index([{"docno": "1", "text": "Kettles boil.", **ODD_METADATA}])
        TreatiseIndexer(library).index([])
        assert len(library.documents()) == 1


@can_fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_retrieves(library: Any) -> None:
    assert len(TreatiseRetriever(library)(TOPICS))
    assert in_a_fork(lambda: len(TreatiseRetriever(library)(TOPICS)))
