"""The parts for LlamaIndex; they run where it is installed (``scripts/integrations``)."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llama_index.core", reason="LlamaIndex is not installed: scripts/integrations llama-index")

import treatise
from treatise.core.errors import TreatiseError
from treatise.integrations.llama_index import (
    TreatiseNodeParser,
    TreatiseQueryEngine,
    TreatiseReader,
    TreatiseRetriever,
)

TEXT = "\n\n".join(f"# Part {n}\n\nKettle number {n} boils its water at {n} degrees." for n in range(60, 70))
QUESTION = "At how many degrees does the kettle boil its water?"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with treatise.open_library(store=tmp_path_factory.mktemp("llama") / "library.db") as opened:
        opened.add(TEXT, "kettles.md")
        yield opened


def test_nodes_are_the_librarys_passages(library: Any) -> None:
    nodes = TreatiseRetriever(library, similarity_top_k=3).retrieve(QUESTION)
    expected = library.search(QUESTION).passages[:3]
    assert [node.text for node in nodes] == [passage.text for passage in expected]
    assert nodes[0].metadata["section"].startswith("Part 6")
    again = asyncio.run(TreatiseRetriever(library, similarity_top_k=3).aretrieve(QUESTION))
    assert [node.text for node in again] == [node.text for node in nodes]


def test_an_answer_has_its_evidence_and_its_record(library: Any) -> None:
    response = TreatiseQueryEngine(library).query(QUESTION)
    assert str(response) == library.ask(QUESTION).text
    assert response.source_nodes
    assert response.metadata["citations"]
    assert str(asyncio.run(TreatiseQueryEngine(library).aquery(QUESTION))) == str(response)


def test_the_retriever_works_in_llama_indexs_own_query_engine(library: Any) -> None:
    from llama_index.core.llms import MockLLM
    from llama_index.core.query_engine import RetrieverQueryEngine

    engine = RetrieverQueryEngine.from_args(TreatiseRetriever(library, similarity_top_k=2), llm=MockLLM())
    assert len(engine.query(QUESTION).source_nodes) == 2


def test_the_reader_yields_sections(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nOne.\n\n# B\n\nTwo.\n", encoding="utf-8")
    found = TreatiseReader().load_data(tmp_path / "a.md", {"mine": 1})
    assert [(one.metadata["section"], one.metadata["mine"]) for one in found] == [("A", 1), ("B", 1)]


def test_the_node_parser_yields_sentences_with_their_relations() -> None:
    from llama_index.core import Document
    from llama_index.core.schema import MetadataMode, NodeRelationship

    text = "The kettle is broken. Its cord was cut. So nobody can boil water."
    document = Document(text=text, metadata={"year": 2024})
    nodes = TreatiseNodeParser(include_metadata=True)([document])
    assert [node.get_content(MetadataMode.NONE) for node in nodes] == treatise_sentences(text)
    assert all(text[node.start_char_idx : node.end_char_idx] == node.text for node in nodes)
    assert {node.metadata["year"] for node in nodes} == {2024}
    heads = [node for node in nodes if NodeRelationship.PARENT not in node.relationships]
    assert len(heads) == 1
    related = [node.metadata["relation"] for node in nodes if node is not heads[0]]
    assert len(related) == len(nodes) - 1
    assert {node.source_node.node_id for node in nodes} == {document.node_id}


def treatise_sentences(text: str) -> list[str]:
    return list(treatise.parse_text(text, units="sentence").units)


def test_a_document_without_text_has_no_nodes() -> None:
    from llama_index.core import Document

    assert TreatiseNodeParser()([Document(text="  ")]) == []


@pytest.mark.parametrize("question", [None, b"Why?", "", 3])
def test_what_is_no_question_is_refused(library: Any, question: Any) -> None:
    with pytest.raises((TreatiseError, ValueError, TypeError, AttributeError)):
        TreatiseRetriever(library).retrieve(question)
