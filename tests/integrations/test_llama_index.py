"""The parts for LlamaIndex; they run where it is installed (``scripts/integrations``)."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llama_index.core", reason="LlamaIndex is not installed: scripts/integrations llama-index")

from llama_index.core.schema import QueryBundle

import treatise
from tests.integrations.kettles import (
    HUGE,
    NO_COUNTS,
    ODD_METADATA,
    can_fork,
    cancel,
    in_a_fork,
    in_two_loops,
)
from treatise.core.errors import QuestionError, SourceError
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


@pytest.mark.parametrize("question", ["", " \n", b"Why?", 3])
def test_what_is_no_question_is_refused(library: Any, question: Any) -> None:
    with pytest.raises(QuestionError):
        TreatiseRetriever(library).retrieve(QueryBundle(question))
    with pytest.raises(QuestionError):
        TreatiseQueryEngine(library).query(QueryBundle(question))


@pytest.mark.parametrize("k", NO_COUNTS)
def test_what_is_no_number_of_passages_is_refused(library: Any, k: Any) -> None:
    with pytest.raises(QuestionError):
        TreatiseRetriever(library, similarity_top_k=k).retrieve(QUESTION)


def test_a_huge_number_of_passages_returns_what_there_is(library: Any) -> None:
    assert TreatiseRetriever(library, similarity_top_k=HUGE).retrieve(QUESTION)


@pytest.mark.parametrize("source", [None, b"a.md", 3, "missing.md"])
def test_what_is_no_file_is_not_read(source: Any) -> None:
    with pytest.raises(SourceError):
        TreatiseReader().load_data(source)


def test_metadata_that_are_no_texts_are_kept(tmp_path: Path) -> None:
    from llama_index.core import Document

    (tmp_path / "a.md").write_text("# A\n\nOne.\n", encoding="utf-8")
    (read,) = TreatiseReader().load_data(tmp_path / "a.md", ODD_METADATA)
    (node,) = TreatiseNodeParser(include_metadata=True)([Document(text="The kettle is hot.", metadata=ODD_METADATA)])
    for one in (read, node):
        assert {key: one.metadata[key] for key in ODD_METADATA} == ODD_METADATA
    assert TreatiseNodeParser()([]) == []


def test_two_event_loops_share_a_library(library: Any) -> None:
    retriever, engine = TreatiseRetriever(library, similarity_top_k=1), TreatiseQueryEngine(library)
    found = in_two_loops(lambda: retriever.aretrieve(QUESTION))
    assert [one[0].text for one in found] == [retriever.retrieve(QUESTION)[0].text] * 4
    assert {str(one) for one in in_two_loops(lambda: engine.aquery(QUESTION))} == {str(engine.query(QUESTION))}


def test_a_cancelled_task_leaves_a_library_that_answers(library: Any) -> None:
    cancel(lambda: TreatiseQueryEngine(library).aquery(QUESTION))
    assert TreatiseQueryEngine(library).query(QUESTION).source_nodes


@can_fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_retrieves(library: Any) -> None:
    assert TreatiseRetriever(library).retrieve(QUESTION)
    assert in_a_fork(lambda: TreatiseRetriever(library).retrieve(QUESTION))
