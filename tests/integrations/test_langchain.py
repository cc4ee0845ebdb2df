"""The parts for LangChain, by its own suites; they run where it is installed (``scripts/integrations``)."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("langchain_tests", reason="LangChain is not installed: scripts/integrations langchain")

from langchain_core.messages import ToolCall
from langchain_core.tools import ToolException
from langchain_tests.integration_tests import RetrieversIntegrationTests, ToolsIntegrationTests

import treatise
from tests.integrations.kettles import HUGE, NO_COUNTS, NO_QUESTIONS, can_fork, cancel, in_a_fork, in_two_loops
from treatise.core.errors import FilterError, QuestionError, SourceError
from treatise.integrations.langchain import TreatiseAnswerTool, TreatiseLoader, TreatiseRetriever

TEXT = "\n\n".join(f"# Part {n}\n\nKettle number {n} boils its water at {n} degrees." for n in range(60, 70))
QUESTION = "At how many degrees does the kettle boil its water?"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with treatise.open_library(store=tmp_path_factory.mktemp("langchain") / "library.db") as opened:
        opened.add(TEXT, "kettles.md")
        yield opened


class TestRetriever(RetrieversIntegrationTests):
    @pytest.fixture(autouse=True)
    def _library(self, library: Any) -> None:
        self.library = library

    @property
    def retriever_constructor(self) -> type[TreatiseRetriever]:
        return TreatiseRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"library": self.library}

    @property
    def retriever_query_example(self) -> str:
        return QUESTION


class TestTool(ToolsIntegrationTests):
    @pytest.fixture(autouse=True)
    def _library(self, library: Any) -> None:
        self.library = library

    @property
    def tool_constructor(self) -> type[TreatiseAnswerTool]:
        return TreatiseAnswerTool

    @property
    def tool_constructor_params(self) -> dict[str, Any]:
        return {"library": self.library}

    @property
    def tool_invoke_params_example(self) -> dict[str, Any]:
        return {"question": QUESTION}


def test_metadata_names_the_place_of_a_passage(library: Any) -> None:
    (found,) = TreatiseRetriever(library=library, k=1).invoke(QUESTION)
    document = library.document(found.metadata["document"])
    assert document.text[found.metadata["start"] : found.metadata["end"]] == found.page_content
    assert found.metadata["source"] == "kettles.md"
    assert found.metadata["section"].startswith("Part 6")


def test_questions_are_asked_in_batches(library: Any) -> None:
    batch = TreatiseRetriever(library=library, k=2).batch([QUESTION, "Which kettle is number 63?"])
    assert [len(found) for found in batch] == [2, 2]


def test_a_tools_message_has_the_record_as_its_artifact(library: Any) -> None:
    call = ToolCall(name="ask_documents", args={"question": QUESTION}, id="1", type="tool_call")
    message = TreatiseAnswerTool(library=library).invoke(call)
    assert message.artifact["citations"]
    assert "[1]" in message.content


def test_the_loader_yields_sections(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nOne.\n\n# B\n\nTwo.\n", encoding="utf-8")
    assert [one.metadata["section"] for one in TreatiseLoader(tmp_path / "a.md").load()] == ["A", "B"]


@pytest.mark.parametrize("question", NO_QUESTIONS)
def test_what_is_no_question_is_refused(library: Any, question: Any) -> None:
    retriever = TreatiseRetriever(library=library)
    with pytest.raises(QuestionError):
        retriever.invoke(question)
    with pytest.raises(QuestionError):
        asyncio.run(retriever.ainvoke(question))


def test_an_empty_batch_has_no_results(library: Any) -> None:
    assert TreatiseRetriever(library=library).batch([]) == []


def test_a_question_of_a_batch_that_fails_leaves_the_others(library: Any) -> None:
    first, second = TreatiseRetriever(library=library, k=1).batch([QUESTION, ""], return_exceptions=True)
    assert len(first) == 1
    assert isinstance(second, QuestionError)


@pytest.mark.parametrize("k", NO_COUNTS)
def test_what_is_no_number_of_passages_is_refused(library: Any, k: Any) -> None:
    with pytest.raises(QuestionError):
        TreatiseRetriever(library=library).invoke(QUESTION, k=k)


def test_a_huge_number_of_passages_returns_what_there_is(library: Any) -> None:
    assert TreatiseRetriever(library=library, k=HUGE).invoke(QUESTION)


def test_a_filter_that_is_not_valid_is_refused(library: Any) -> None:
    with pytest.raises(FilterError):
        TreatiseRetriever(library=library, where="year ===== 3").invoke(QUESTION)


@pytest.mark.parametrize("question", ["", " "])
def test_an_agent_reads_what_is_wrong_with_its_question(library: Any, question: str) -> None:
    with pytest.raises(ToolException, match="the question is empty"):
        TreatiseAnswerTool(library=library).invoke({"question": question})
    tool = TreatiseAnswerTool(library=library, handle_tool_error=True)
    call = ToolCall(name="ask_documents", args={"question": question}, id="1", type="tool_call")
    assert tool.invoke(call).status == "error"


@pytest.mark.parametrize("source", [None, b"a.md", 3, "missing.md"])
def test_what_is_no_file_is_not_loaded(source: Any) -> None:
    with pytest.raises(SourceError):
        TreatiseLoader(source).load()


def test_two_event_loops_share_a_library(library: Any) -> None:
    retriever = TreatiseRetriever(library=library, k=1)
    assert in_two_loops(lambda: retriever.ainvoke(QUESTION)) == [retriever.invoke(QUESTION)] * 4


def test_a_cancelled_task_leaves_a_library_that_answers(library: Any) -> None:
    cancel(lambda: TreatiseAnswerTool(library=library).ainvoke({"question": QUESTION}))
    assert TreatiseRetriever(library=library).invoke(QUESTION)


@can_fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_retrieves(library: Any) -> None:
    assert TreatiseRetriever(library=library).invoke(QUESTION)
    assert in_a_fork(lambda: TreatiseRetriever(library=library).invoke(QUESTION))
