"""The OpenAI-compatible endpoints and the tools at ``/mcp``, over the wire, with the real clients."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

pytest.importorskip("fastapi", reason="the extra `server` is not installed")

import httpx
import openai
import uvicorn
from mcp.client import Client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

from treatise.compose import open_library
from treatise.core.errors import EngineError
from treatise.server.app import create_app
from treatise.server.config import ServerConfig
from treatise.server.keys import Limits
from treatise.server.run import services_maker
from treatise.settings import Settings
from treatise.testing import ScriptedModel

TEA = "# Tea\n\n## Making\n\nWater boils at 100 degrees. Tea is steeped for three minutes.\n\n## Kinds\n\n\
Green tea is brewed at 70 degrees. Black tea is brewed at 95 degrees.\n"
COLD = "How hot is green tea brewed?"
ASKED = [{"role": "user", "content": "When does water boil?"}]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with one document."""
    folder = tmp_path_factory.mktemp("served")
    (folder / "tea.md").write_text(TEA, encoding="utf-8")
    library = open_library(store=folder / "library.db")
    library.index(folder / "tea.md")
    library.close()
    return folder / "library.db"


@pytest.fixture(scope="module")
def url(store: Path) -> Iterator[str]:
    """The address of a server of that library."""
    app = create_app(services_maker(ServerConfig(port=0), Settings(store=store)))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None, lifespan="on"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def client(url: str) -> Iterator[openai.OpenAI]:
    """OpenAI's own client, pointed at the server."""
    with openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0, timeout=60) as opened:
        yield opened


@pytest.fixture(scope="module", params=["whole", "stream"])
def reply(request: pytest.FixtureRequest, client: openai.OpenAI) -> tuple[str, list[Any]]:
    """Text and annotations of an answer, whole or from a stream."""
    if request.param == "whole":
        message = client.chat.completions.create(model="treatise", messages=ASKED).choices[0].message
        return message.content, [annotation.model_dump() for annotation in message.annotations]
    chunks = list(client.chat.completions.create(model="treatise", messages=ASKED, stream=True))
    assert [chunk.choices[0].finish_reason for chunk in chunks][-1] == "stop"
    deltas = [chunk.choices[0].delta for chunk in chunks]
    return "".join(delta.content or "" for delta in deltas), deltas[-1].model_extra["annotations"]


def test_the_library_is_a_model(client: openai.OpenAI) -> None:
    assert [model.id for model in client.models.list()] == ["treatise"]
    assert client.models.retrieve("treatise").owned_by == "treatise"


def test_a_collection_is_a_model(store: Path, client: openai.OpenAI) -> None:
    with open_library(store=store) as library:
        coffee = library.add("Coffee is brewed when the water boils at 92 degrees.", "coffee.txt").document
        library.tag(coffee, collection="coffees")
        try:
            assert [model.id for model in client.models.list()] == ["treatise", "coffees"]
            reply = client.chat.completions.create(model="coffees", messages=ASKED)
            assert "92 degrees" in reply.choices[0].message.content
            assert "100 degrees" not in reply.choices[0].message.content
        finally:
            library.remove(coffee)


def test_an_answer_is_that_of_the_api_with_its_sources(reply: tuple[str, list[Any]], url: str) -> None:
    text, _ = reply
    record = httpx.post(f"{url}/api/v1/ask", json={"question": ASKED[0]["content"]}, timeout=60).json()
    assert record["statements"][0]["text"] in text
    assert "tea.md · Tea > Making" in text
    assert str(Path.home()) not in text


def test_annotations_name_the_place_of_each_citation(reply: tuple[str, list[Any]], url: str) -> None:
    text, annotations = reply
    assert annotations
    for annotation in annotations:
        cited = annotation["url_citation"]
        assert text[cited["start_index"] : cited["end_index"]].endswith(cited["title"])
        place = dict(pair.split("=") for pair in cited["url"].split("#")[1].split("&"))
        found = httpx.get(f"{url}/api/v1/documents/{place['document']}/text", params=place, timeout=60).json()
        assert found["text"].strip() in TEA


def test_a_stream_may_end_with_its_usage(client: openai.OpenAI) -> None:
    options = {"include_usage": True}
    stream = client.chat.completions.create(model="treatise", messages=ASKED, stream=True, stream_options=options)
    assert list(stream)[-1].usage.total_tokens == 0


def test_text_in_parts_and_sampling_settings_are_accepted(client: openai.OpenAI) -> None:
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "When does water boil?"}]},
    ]
    reply = client.chat.completions.create(model="treatise", messages=messages, temperature=0.2, max_tokens=50)
    assert "100 degrees" in reply.choices[0].message.content


def test_a_follow_up_is_read_with_the_chat_before_it(client: openai.OpenAI) -> None:
    first = client.chat.completions.create(model="treatise", messages=[{"role": "user", "content": COLD}])
    chat = [{"role": "user", "content": COLD}, {"role": "assistant", "content": first.choices[0].message.content}]
    reply = client.chat.completions.create(
        model="treatise", messages=[*chat, {"role": "user", "content": "And black tea?"}]
    )
    assert reply.model_extra["treatise"]["question"] == "How hot is black tea brewed?"
    assert "95 degrees" in reply.choices[0].message.content


def _asking(content: object) -> dict[str, Any]:
    return {"model": "treatise", "messages": [{"role": "user", "content": content}]}


@pytest.mark.parametrize(
    ("body", "error", "expected"),
    [
        ({"model": "other", "messages": ASKED}, openai.NotFoundError, "there is no model 'other'"),
        (
            {"model": "treatise", "messages": [{"role": "user", "content": " "}]},
            openai.UnprocessableEntityError,
            "no question",
        ),
        ({"model": "treatise", "messages": []}, openai.BadRequestError, "messages"),
        ({"model": "treatise", "messages": ASKED, "n": 2}, openai.BadRequestError, "n: "),
        (
            {
                "model": "treatise",
                "messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}],
            },
            openai.UnprocessableEntityError,
            "image_url",
        ),
        ({"model": "treatise", "messages": [{"role": "user", "content": "why " * 20_000}]}, openai.APIStatusError, ""),
    ],
)
def test_errors_have_the_shape_that_clients_expect(client: openai.OpenAI, body, error, expected) -> None:
    with pytest.raises(error) as caught:
        client.chat.completions.create(**body)
    assert expected in caught.value.body["message"]
    assert caught.value.body["code"]


def test_an_agent_calls_the_tools_over_http(url: str) -> None:
    async def call() -> tuple[list[str], Any, Any]:
        async with Client(f"{url}/mcp") as agent:
            tools = [tool.name for tool in (await agent.list_tools()).tools]
            answer = await agent.call_tool("ask", {"question": "When does water boil?"})
            return tools, answer, await agent.call_tool("read", {"document": "zzzz"})

    tools, answer, missing = anyio.run(call)
    assert "outline" in tools
    assert "100 degrees" in answer.structured_content["answer"]
    assert missing.is_error


def test_agents_of_other_sites_are_refused(url: str) -> None:
    headers = {"Origin": "https://elsewhere.example", "Accept": "application/json, text/event-stream"}
    assert httpx.post(f"{url}/mcp", json={}, headers=headers).status_code == 403
    assert httpx.post(f"{url}/mcp", json={}, headers={"Host": "rebound.example"}).status_code == 421


def test_the_tools_of_an_agent_count_against_the_limits_of_its_key(start: Any) -> None:
    model = ScriptedModel(lambda _: "Water boils at 100 degrees [1].")
    server = start(engines={"model": model}, require_key=True)
    server.index("tea.txt", "Water boils at 100 degrees.")
    text, key = server.services.keys.add("agent", limits=Limits(tokens_per_day=1))

    first, second = (_asked_by_an_agent(server, text) for _ in range(2))
    assert not first.is_error, first.content
    assert server.services.limits.used(key)["tokens"] > 1
    assert second.is_error
    assert "1 tokens per day" in second.content[0].text


def test_the_notes_of_a_tool_name_no_folder_of_the_server(start: Any, tmp_path: Path) -> None:
    def fail(_: Any) -> str:
        raise EngineError(f"{tmp_path}/model.gguf cannot be read")

    server = start(engines={"model": ScriptedModel(fail)})
    server.index("tea.txt", "Water boils at 100 degrees.")
    (note, *_) = _asked_by_an_agent(server).structured_content["notes"]
    assert "model.gguf cannot be read" in note
    assert str(tmp_path) not in note


def _asked_by_an_agent(server: Any, key: str = "") -> Any:
    """The result of the tool ``ask``, through the protocol's client."""

    async def call() -> Any:
        async with create_mcp_http_client(headers={"Authorization": f"Bearer {key}"} if key else {}) as http:
            transport = streamable_http_client(str(server.client.base_url.join("/mcp")), http_client=http)
            async with Client(transport) as agent:
                return await agent.call_tool("ask", {"question": "When does water boil?"})

    return anyio.run(call)
