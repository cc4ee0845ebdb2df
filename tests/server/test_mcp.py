"""The tools of an agent, called by the protocol's own client."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

pytest.importorskip("mcp", reason="the extra `server` is not installed")

from mcp import ClientSession, StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client

from treatise.compose import open_library
from treatise.pipeline.library import Library
from treatise.server.mcp import LocalHost, make_mcp_server
from treatise.server.tools import MAX_CHARACTERS

TEA = "# Tea\n\nOn tea.\n\n## Making\n\nWater boils at 100 degrees. Tea is steeped for three minutes.\n\n## Keeping\n\n"
LONG = "".join(f"Tin number {number} keeps its leaves dry. " for number in range(400))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """A library with one document of three sections, the last of which is longer than a reply."""
    path = tmp_path_factory.mktemp("mcp")
    file = path / "tea.md"
    file.write_text(TEA + LONG, encoding="utf-8")
    with_tea = open_library(store=path / "library.db")
    with_tea.index(file)
    yield with_tea
    with_tea.close()


def _called(library: Library, tool: str, **arguments: Any) -> Any:
    """The result of a tool, through the protocol's client."""

    async def call() -> Any:
        async with Client(make_mcp_server(LocalHost(library))) as client:
            return await client.call_tool(tool, arguments)

    return anyio.run(call)


def _record(library: Library, tool: str, **arguments: Any) -> dict[str, Any]:
    result = _called(library, tool, **arguments)
    assert not result.is_error, result.content
    record: dict[str, Any] = result.structured_content
    assert json.loads(result.content[0].text) == record
    return record


def test_an_answer_is_the_librarys_with_the_place_of_each_quote(library: Library) -> None:
    record = _record(library, "ask", question="When does water boil?")
    answer = library.ask("When does water boil?")
    assert record["answer"] == answer.text
    assert record["found"]
    document = library.document(record["citations"][0]["document"])
    for citation in record["citations"]:
        assert document.text[citation["start"] : citation["end"]] == citation["quote"]
        assert citation["section"] == "Tea > Making"


def test_search_returns_the_librarys_passages_within_the_budget(library: Library) -> None:
    record = _record(library, "search", question="When does water boil?", max_words=20)
    expected = library.search("When does water boil?", max_words=20)
    assert [passage["text"] for passage in record["passages"]] == [passage.text for passage in expected.passages]


def test_no_reply_contains_a_path_of_this_machine(library: Library, tmp_path_factory: pytest.TempPathFactory) -> None:
    document = library.documents()[0].id
    for tool, arguments in (
        ("list_documents", {}),
        ("ask", {"question": "When does water boil?"}),
        ("search", {"question": "When does water boil?"}),
        ("summarize", {"document": document}),
        ("outline", {"document": document}),
        ("read", {"document": document}),
    ):
        assert str(tmp_path_factory.getbasetemp()) not in json.dumps(_record(library, tool, **arguments))


def test_a_long_text_is_read_in_parts_without_a_gap(library: Library) -> None:
    document = library.documents()[0].id
    sections = _record(library, "outline", document=document)["sections"]
    number = next(section["section"] for section in sections if section["title"] == "Keeping")
    part = _record(library, "read", document=document, section=number)
    first, texts = part["start"], [part["text"]]
    while part["next_start"] is not None:
        part = _record(library, "read", document=document, start=part["next_start"], end=part["end"])
        texts.append(part["text"])
    assert all(len(text) <= MAX_CHARACTERS for text in texts)
    assert len(texts) > 1
    assert "".join(texts) == library.document(document).text[first : part["end"]]


def test_a_filter_chooses_documents(library: Library) -> None:
    assert _record(library, "list_documents", where="words > 100")["total"] == 1
    assert _record(library, "list_documents", where="words < 100")["total"] == 0
    assert _called(library, "ask", question="When does water boil?", where="words < 100").is_error


def test_lists_come_in_parts(library: Library) -> None:
    document = library.documents()[0].id
    part = _record(library, "outline", document=document, limit=2)
    assert len(part["sections"]) == 2
    rest = _record(library, "outline", document=document, offset=part["next_offset"])
    whole = _record(library, "outline", document=document)
    assert part["sections"] + rest["sections"] == whole["sections"]
    assert whole["next_offset"] is None


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("ask", {"question": ""}, "the question is empty"),
        ("ask", {"question": "Why?", "documents": ["zzzz"]}, "zzzz"),
        ("read", {"document": "zzzz"}, "zzzz"),
        ("search", {"question": "Why?", "max_words": 0}, "greater than or equal to 1"),
        ("search", {"question": ["a", "list"]}, "valid string"),
        ("list_documents", {"offset": -1}, "greater than or equal to 0"),
        ("list_documents", {"where": "words >"}, "words >"),
        ("nothing", {}, "nothing"),
    ],
)
def test_a_wrong_call_is_an_error_that_names_what_was_wrong(library: Library, tool, arguments, expected) -> None:
    result = _called(library, tool, **arguments)
    assert result.is_error
    assert expected in result.content[0].text


@pytest.mark.parametrize("arguments", [{"section": 99}, {"page": 1}, {"start": 5, "end": 2}, {"section": 1, "page": 1}])
def test_a_place_that_does_not_exist_is_an_error(library: Library, arguments: dict[str, int]) -> None:
    result = _called(library, "read", document=library.documents()[0].id, **arguments)
    assert result.is_error


def test_documents_and_spans_are_resources(library: Library) -> None:
    document = library.documents()[0].id

    async def read() -> tuple[Any, Any, Any]:
        async with Client(make_mcp_server(LocalHost(library))) as client:
            whole = await client.read_resource("treatise://documents")
            one = await client.read_resource(f"treatise://documents/{document}")
            span = await client.read_resource(f"treatise://documents/{document}/2-5")
            return whole, one, span

    whole, one, span = anyio.run(read)
    assert json.loads(whole.contents[0].text)["documents"][0]["document"] == document
    assert json.loads(one.contents[0].text)["sections"]
    assert span.contents[0].text == "Tea"


def test_the_command_speaks_the_protocol_on_standard_output(tmp_path: Path, library: Library) -> None:
    command = ["-m", "treatise", "mcp", "--store", str(library.store.path)]  # type: ignore[attr-defined]

    async def converse() -> tuple[list[str], Any]:
        parameters = StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))
        async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            tools = [tool.name for tool in (await session.list_tools()).tools]
            return tools, await session.call_tool("ask", {"question": "When does water boil?"})

    tools, result = anyio.run(converse)
    assert tools == ["ask", "search", "summarize", "list_documents", "outline", "read"]
    assert "100 degrees" in result.structured_content["answer"]
