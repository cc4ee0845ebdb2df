"""The components for Haystack; they run where it is installed (``scripts/integrations``)."""

import asyncio
import importlib
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("haystack", reason="Haystack is not installed: scripts/integrations haystack")

from haystack import Pipeline

import treatise
from tests.integrations.kettles import HUGE, NO_COUNTS, NO_QUESTIONS, can_fork, cancel, in_a_fork, in_two_loops
from treatise.core.errors import FilterError, QuestionError
from treatise.integrations.haystack import TreatiseAnswerer, TreatiseRetriever

TEXT = "\n\n".join(f"# Part {n}\n\nKettle number {n} boils its water at {n} degrees." for n in range(60, 70))
QUESTION = "At how many degrees does the kettle boil its water?"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("haystack") / "library.db"
    with treatise.open_library(store=path) as library:
        library.add(TEXT, "kettles.md")
    return path


def test_a_pipeline_survives_its_own_yaml(store: Path) -> None:
    pipeline = Pipeline()
    pipeline.add_component("retriever", TreatiseRetriever(store=str(store), top_k=2))
    again = Pipeline.loads(pipeline.dumps(), allowed_modules=["treatise.integrations.haystack"])
    first, second = (one.run({"retriever": {"query": QUESTION}})["retriever"]["documents"] for one in (pipeline, again))
    assert [one.content for one in first] == [one.content for one in second]
    assert len(first) == 2
    assert first[0].meta["section"].startswith("Part 6")


def test_arguments_of_a_run_replace_those_of_the_component(store: Path) -> None:
    retriever = TreatiseRetriever(store=str(store), top_k=2)
    assert len(retriever.run(query=QUESTION, top_k=1)["documents"]) == 1
    assert len(asyncio.run(retriever.run_async(query=QUESTION))["documents"]) == 2
    retriever.close()


def test_an_answer_has_its_documents_and_its_record(store: Path) -> None:
    answerer = TreatiseAnswerer(store=str(store))
    (answer,) = answerer.run(query=QUESTION)["answers"]
    assert answer.documents
    assert answer.meta["citations"]
    assert answer.data == asyncio.run(answerer.run_async(query=QUESTION))["answers"][0].data
    answerer.close()


@pytest.mark.parametrize("query", NO_QUESTIONS)
def test_what_is_no_question_is_refused(store: Path, query: Any) -> None:
    for part in (TreatiseRetriever(store=str(store)), TreatiseAnswerer(store=str(store))):
        with pytest.raises(QuestionError):
            part.run(query=query)
        with pytest.raises(QuestionError):
            asyncio.run(part.run_async(query=query))
        part.close()


@pytest.mark.parametrize("k", NO_COUNTS)
def test_what_is_no_number_of_passages_is_refused(store: Path, k: Any) -> None:
    retriever = TreatiseRetriever(store=str(store))
    with pytest.raises(QuestionError):
        retriever.run(query=QUESTION, top_k=k)
    retriever.close()


def test_a_huge_number_of_passages_returns_what_there_is(store: Path) -> None:
    retriever = TreatiseRetriever(store=str(store), top_k=HUGE)
    assert retriever.run(query=QUESTION)["documents"]
    retriever.close()


@pytest.mark.parametrize("where", ["year ===== 3", 3, {"field": "year", "operator": "==", "value": 3}])
def test_what_is_no_filter_is_refused(store: Path, where: Any) -> None:
    retriever = TreatiseRetriever(store=str(store), where=where)
    with pytest.raises(FilterError):
        retriever.run(query=QUESTION)
    retriever.close()


def test_two_event_loops_share_a_component(store: Path) -> None:
    retriever = TreatiseRetriever(store=str(store), top_k=1)
    assert in_two_loops(lambda: retriever.run_async(query=QUESTION)) == [retriever.run(query=QUESTION)] * 4
    retriever.close()


def test_a_cancelled_task_leaves_a_component_that_answers(store: Path) -> None:
    answerer = TreatiseAnswerer(store=str(store))
    answerer.warm_up()
    cancel(lambda: answerer.run_async(query=QUESTION))
    assert answerer.run(query=QUESTION)["answers"]
    answerer.close()


def test_an_asynchronous_pipeline_runs_the_component(store: Path) -> None:
    pipeline = Pipeline() if hasattr(Pipeline, "run_async") else importlib.import_module("haystack").AsyncPipeline()
    pipeline.add_component("retriever", TreatiseRetriever(store=str(store), top_k=1))
    found = asyncio.run(pipeline.run_async({"retriever": {"query": QUESTION}}))
    assert len(found["retriever"]["documents"]) == 1


@can_fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_retrieves(store: Path) -> None:
    retriever = TreatiseRetriever(store=str(store), top_k=1)
    assert retriever.run(query=QUESTION)["documents"]
    assert in_a_fork(lambda: retriever.run(query=QUESTION)["documents"])
    retriever.close()
