"""The tools for smolagents; they run where it is installed (``scripts/integrations smolagents``)."""

from asyncio import to_thread
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("smolagents", reason="smolagents is not installed: scripts/integrations smolagents")

from smolagents import CodeAgent, Model, ToolCallingAgent
from smolagents.models import (
    ChatMessage,
    ChatMessageToolCall,
    ChatMessageToolCallFunction,
    MessageRole,
)

from tests.integrations.kettles import NO_QUESTIONS, QUESTION, can_fork, cancel, in_a_fork, in_two_loops, kettles
from treatise.core.errors import QuestionError
from treatise.integrations.smolagents import TreatiseAnswerTool, TreatiseSearchTool


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with kettles(tmp_path_factory.mktemp("smol")) as opened:
        yield opened


class Scripted(Model):
    """A model that sends these messages, one after the other."""

    def __init__(self, *messages: ChatMessage) -> None:
        super().__init__()
        self.left = list(messages)

    def generate(self, messages: Any, **_: Any) -> ChatMessage:
        return self.left.pop(0)


def call(tool: str, **arguments: str) -> ChatMessage:
    function = ChatMessageToolCallFunction(name=tool, arguments=arguments)
    return ChatMessage(
        role=MessageRole.ASSISTANT,
        content="",
        tool_calls=[ChatMessageToolCall(function=function, id="1", type="function")],
    )


def test_a_code_agent_prints_an_answer(library: Any) -> None:
    code = f"<code>\nfinal_answer(ask_documents(question={QUESTION!r}))\n</code>"
    model = Scripted(ChatMessage(role=MessageRole.ASSISTANT, content=code))
    said = CodeAgent([TreatiseAnswerTool(library)], model, verbosity_level=0).run("Ask.")
    assert library.ask(QUESTION, max_words=300).citations[0].quote in said


def test_a_tool_calling_agent_searches(library: Any) -> None:
    model = Scripted(call("search_documents", question=QUESTION), call("final_answer", answer="done"))
    agent = ToolCallingAgent([TreatiseSearchTool(library)], model, verbosity_level=0)
    assert agent.run("Search.") == "done"
    assert "Part 63" in str(agent.memory.steps)


def test_an_empty_question_is_reported_to_the_agent(library: Any) -> None:
    model = Scripted(call("ask_documents", question=""), call("final_answer", answer="done"))
    agent = ToolCallingAgent([TreatiseAnswerTool(library)], model, verbosity_level=0)
    assert agent.run("Ask.") == "done"
    assert "the question is empty" in str(agent.memory.steps)


@pytest.mark.parametrize("question", NO_QUESTIONS)
def test_what_is_no_question_is_refused(library: Any, question: object) -> None:
    with pytest.raises(QuestionError):
        TreatiseAnswerTool(library).forward(question)  # type: ignore[arg-type]


def test_two_event_loops_share_a_library(library: Any) -> None:
    tool = TreatiseAnswerTool(library)
    assert set(in_two_loops(lambda: to_thread(tool, question=QUESTION))) == {tool(question=QUESTION)}


def test_a_cancelled_task_leaves_a_tool_that_answers(library: Any) -> None:
    tool = TreatiseAnswerTool(library)
    cancel(lambda: to_thread(tool, question=QUESTION))
    assert "63 degrees" in tool(question=QUESTION)


@can_fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_asks(library: Any) -> None:
    assert TreatiseAnswerTool(library)(question=QUESTION)
    assert in_a_fork(lambda: TreatiseAnswerTool(library)(question=QUESTION))
