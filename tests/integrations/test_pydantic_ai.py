"""The tools for Pydantic AI; they run where it is installed (``scripts/integrations pydantic_ai``)."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("pydantic_ai", reason="Pydantic AI is not installed: scripts/integrations pydantic_ai")

from pydantic_ai import Agent, UnexpectedModelBehavior
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel

from tests.integrations.kettles import QUESTION, can_fork, cancel, in_a_fork, in_two_loops, kettles
from treatise.core.errors import StoreError
from treatise.integrations.pydantic_ai import treatise_tools


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with kettles(tmp_path_factory.mktemp("pydantic")) as opened:
        yield opened


def calling(tool: str, *questions: object) -> FunctionModel:
    """A model that calls the tool with each question, then repeats what it was told last."""
    left = list(questions)

    def reply(messages: Any, _info: Any) -> ModelResponse:
        if left:
            return ModelResponse([ToolCallPart(tool, {"question": left.pop(0)})])
        return ModelResponse([TextPart(str(messages[-1].parts[0].content))])

    return FunctionModel(reply)


def test_an_agent_gets_an_answer_and_the_program_its_record(library: Any) -> None:
    run = Agent(calling("ask_documents", QUESTION), tools=treatise_tools(library)).run_sync("Ask.")
    (part,) = (part for one in run.all_messages() for part in one.parts if isinstance(part, ToolReturnPart))
    assert part.metadata["citations"][0]["quote"] in run.output
    assert part.metadata["answer"] == library.ask(QUESTION, max_words=300).text


def test_an_agent_searches(library: Any) -> None:
    run = Agent(calling("search_documents", QUESTION), tools=treatise_tools(library)).run_sync("Search.")
    assert run.output.startswith("[1] kettles.md, Part 63\n")


@pytest.mark.parametrize("question", ["", None, ["Why?"], 3])
def test_a_question_that_cannot_be_read_is_asked_again(library: Any, question: object) -> None:
    run = Agent(calling("ask_documents", question, QUESTION), tools=treatise_tools(library)).run_sync("Ask.")
    calls = [part for one in run.all_messages() for part in one.parts if isinstance(part, ToolCallPart)]
    assert len(calls) == 2
    assert "63 degrees" in run.output


def test_an_agent_that_never_asks_a_question_ends(library: Any) -> None:
    with pytest.raises(UnexpectedModelBehavior):
        Agent(calling("ask_documents", *[""] * 9), tools=treatise_tools(library)).run_sync("Ask.")


def test_a_library_that_fails_ends_the_run(tmp_path: Any) -> None:
    with kettles(tmp_path) as closed:
        tools = treatise_tools(closed)
    with pytest.raises(StoreError):
        Agent(calling("ask_documents", QUESTION), tools=tools).run_sync("Ask.")


def test_two_runs_at_once_do_not_wait_for_each_other(library: Any) -> None:
    async def both() -> list[str]:
        agents = [Agent(calling("ask_documents", QUESTION), tools=treatise_tools(library)) for _ in range(2)]
        return [run.output for run in await asyncio.gather(*(agent.run("Ask.") for agent in agents))]

    first, second = asyncio.run(both())
    assert first == second


def test_two_event_loops_share_a_library(library: Any) -> None:
    async def ask() -> str:
        return (await Agent(calling("ask_documents", QUESTION), tools=treatise_tools(library)).run("Ask.")).output

    assert set(in_two_loops(ask)) == {asyncio.run(ask())}


def test_a_cancelled_run_leaves_a_library_that_answers(library: Any) -> None:
    cancel(lambda: Agent(calling("ask_documents", QUESTION), tools=treatise_tools(library)).run("Ask."))
    assert library.ask(QUESTION).found


@can_fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_asks(library: Any) -> None:
    assert library.ask(QUESTION).found
    assert in_a_fork(
        lambda: Agent(calling("ask_documents", QUESTION), tools=treatise_tools(library)).run_sync("Ask.").output
    )
