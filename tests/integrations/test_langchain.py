"""The parts for LangChain, by its own suites; they run where it is installed (``scripts/integrations``)."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("langchain_tests", reason="LangChain is not installed: scripts/integrations langchain")

from langchain_core.messages import ToolCall
from langchain_tests.integration_tests import RetrieversIntegrationTests, ToolsIntegrationTests

import treatise
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
