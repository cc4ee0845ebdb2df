"""The tools for the OpenAI Agents SDK; they run where it is installed (``scripts/integrations openai_agents``)."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

pytest.importorskip("agents", reason="the OpenAI Agents SDK is not installed: scripts/integrations openai_agents")

from agents import Agent, Model, ModelResponse, RunConfig, Runner, Usage
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from tests.integrations.kettles import QUESTION, can_fork, cancel, in_a_fork, in_two_loops, kettles
from treatise.integrations.openai_agents import treatise_tools


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with kettles(tmp_path_factory.mktemp("agents")) as opened:
        yield opened


class Calling(Model):
    """A model that calls the tool once, then repeats what it was told."""

    def __init__(self, tool: str, arguments: str) -> None:
        call = {"arguments": arguments, "call_id": "1", "name": tool, "type": "function_call"}
        self.left = [ResponseFunctionToolCall.model_validate(call)]

    async def get_response(self, system_instructions: Any, input: Any, *_: Any, **__: Any) -> ModelResponse:  # noqa: A002
        if self.left:
            return ModelResponse(output=[self.left.pop()], usage=Usage(), response_id=None)
        text = ResponseOutputText(text=str(input[-1]["output"]), type="output_text", annotations=[])
        said = ResponseOutputMessage(id="1", type="message", role="assistant", content=[text], status="completed")
        return ModelResponse(output=[said], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        raise NotImplementedError


async def asked(library: Any, tool: str, arguments: str) -> str:
    agent = Agent(name="reader", model=Calling(tool, arguments), tools=treatise_tools(library))
    return str((await Runner.run(agent, "Ask.", run_config=RunConfig(tracing_disabled=True))).final_output)


def output(library: Any, tool: str, arguments: str) -> str:
    return asyncio.run(asked(library, tool, arguments))


def test_an_agent_gets_an_answer_with_its_places(library: Any) -> None:
    said = output(library, "ask_documents", json.dumps({"question": QUESTION}))
    assert library.ask(QUESTION, max_words=300).citations[0].quote in said


def test_an_agent_searches(library: Any) -> None:
    assert output(library, "search_documents", json.dumps({"question": QUESTION})).startswith("[1] kettles.md, Part 63")


def test_the_schema_is_strict_and_names_the_question(library: Any) -> None:
    for tool in treatise_tools(library):
        assert tool.strict_json_schema
        assert list(tool.params_json_schema["properties"]) == tool.params_json_schema["required"] == ["question"]


def test_an_empty_question_is_explained_to_the_model(library: Any) -> None:
    assert "the question is empty" in output(library, "ask_documents", json.dumps({"question": ""}))


@pytest.mark.parametrize("arguments", ['{"question": null}', '{"question": ["Why?"]}', "{}"])
def test_arguments_of_another_form_are_reported_to_the_model(library: Any, arguments: str) -> None:
    assert "error" in output(library, "ask_documents", arguments).lower()


def test_two_event_loops_share_a_library(library: Any) -> None:
    arguments = json.dumps({"question": QUESTION})
    found = in_two_loops(lambda: asked(library, "ask_documents", arguments))
    assert set(found) == {output(library, "ask_documents", arguments)}


def test_a_cancelled_run_leaves_a_library_that_answers(library: Any) -> None:
    cancel(lambda: asked(library, "ask_documents", json.dumps({"question": QUESTION})))
    assert library.ask(QUESTION).found


@can_fork
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_asks(library: Any) -> None:
    assert library.ask(QUESTION).found
    assert in_a_fork(lambda: output(library, "ask_documents", json.dumps({"question": QUESTION})))
