"""The components for Haystack; they run where it is installed (``scripts/integrations``)."""

import asyncio
from pathlib import Path

import pytest

pytest.importorskip("haystack", reason="Haystack is not installed: scripts/integrations haystack")

from haystack import Pipeline

import treatise
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
