"""The tools as a server of the Model Context Protocol: over standard input and output, or at ``/mcp`` of the server."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, Protocol, TypeVar

import anyio.to_thread
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import MCPServerError, ResourceNotFoundError, ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from treatise import __version__
from treatise.core.errors import TreatiseError
from treatise.records import Record
from treatise.server.tools import MAX_ENTRIES, Tools

if TYPE_CHECKING:
    from treatise.pipeline.library import Library

_Result = TypeVar("_Result")
_AnyContext = Context[Any, Any]

_READ_ONLY: Final = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_INSTRUCTIONS: Final = """\
A library of long documents. `ask` answers a question with exact citations, and says so if the documents do not answer
it. `search` returns passages to reason over. `list_documents`, `outline` and `read` show what there is: long lists and
texts come in parts, so follow `next_offset` and `next_start`. Cite the document, page and section that a reply names.
"""

Question = Annotated[str, Field(description="A question in plain words.")]
DocumentId = Annotated[str, Field(description="A document's id, from list_documents, or the beginning of it.")]
DocumentIds = Annotated[list[str] | None, Field(description="Ids of documents; absent for the whole library.")]
Where = Annotated[str, Field(description="A filter over metadata, such as: year >= 2020 and type = 'report'.")]
Words = Annotated[int, Field(description="Maximum words of evidence or summary.", ge=1, le=20_000)]
Offset = Annotated[int, Field(description="How many to skip: next_offset of the reply before.", ge=0)]
Limit = Annotated[int, Field(description="Maximum number in this reply.", ge=1, le=MAX_ENTRIES)]


class Host(Protocol):
    """Runs the tools for the agent of a request."""

    def run(self, context: _AnyContext, work: Callable[[Tools], _Result]) -> Awaitable[_Result]:
        """The result of the work with the agent's tools, made in a thread; errors are ``TreatiseError``."""


@dataclass(frozen=True, slots=True)
class LocalHost:
    """Runs the tools for the one agent that started the process; it may read the whole library."""

    library: "Library"

    async def run(self, context: _AnyContext, work: Callable[[Tools], _Result]) -> _Result:  # noqa: ARG002  (see Host)
        """See ``Host.run``."""
        return await anyio.to_thread.run_sync(work, Tools(self.library))


def make_mcp_server(host: Host) -> MCPServer[Any]:
    """A server of the tools that a host runs."""
    server: MCPServer[Any] = MCPServer(
        "treatise", title="Treatise", instructions=_INSTRUCTIONS, version=__version__, log_level="WARNING"
    )
    _add_questions(server, host)
    _add_reading(server, host)
    _add_resources(server, host)
    return server


def _add_questions(server: MCPServer[Any], host: Host) -> None:
    @server.tool(annotations=_READ_ONLY)
    async def ask(
        question: Question,
        context: _AnyContext,
        documents: DocumentIds = None,
        where: Where = "",
        max_words: Words = 300,
    ) -> dict[str, Any]:
        """Answer a question from the documents, with citations (document, page, section, exact quote)."""
        return await _run(host, context, lambda tools: tools.ask(question, documents or (), where, max_words))

    @server.tool(annotations=_READ_ONLY)
    async def search(
        question: Question,
        context: _AnyContext,
        documents: DocumentIds = None,
        where: Where = "",
        max_words: Words = 300,
    ) -> dict[str, Any]:
        """Find the passages that answer a question, best first, without writing an answer."""
        return await _run(host, context, lambda tools: tools.search(question, documents or (), where, max_words))

    @server.tool(annotations=_READ_ONLY)
    async def summarize(
        document: DocumentId, context: _AnyContext, question: str = "", max_words: Words = 150
    ) -> dict[str, Any]:
        """Summarize a document, or what it says about a question; every sentence is cited."""
        return await _run(host, context, lambda tools: tools.summarize(document, question, max_words))


def _add_reading(server: MCPServer[Any], host: Host) -> None:
    @server.tool(annotations=_READ_ONLY)
    async def list_documents(
        context: _AnyContext, where: Where = "", offset: Offset = 0, limit: Limit = MAX_ENTRIES
    ) -> dict[str, Any]:
        """List the documents of the library."""
        return await _run(host, context, lambda tools: tools.list_documents(where, offset, limit))

    @server.tool(annotations=_READ_ONLY)
    async def outline(
        document: DocumentId, context: _AnyContext, offset: Offset = 0, limit: Limit = MAX_ENTRIES
    ) -> dict[str, Any]:
        """List the sections of a document with their numbers and pages."""
        return await _run(host, context, lambda tools: tools.outline(document, offset, limit))

    @server.tool(annotations=_READ_ONLY)
    async def read(
        document: DocumentId,
        context: _AnyContext,
        section: Annotated[int | None, Field(description="A section's number, from outline.")] = None,
        page: Annotated[int | None, Field(description="A page's number, from 1.")] = None,
        start: Annotated[int | None, Field(description="First character, such as next_start.")] = None,
        end: Annotated[int | None, Field(description="The character after the last one.")] = None,
    ) -> dict[str, Any]:
        """Read a section, a page or a span of a document, at most 6,000 characters per call."""
        return await _run(host, context, lambda tools: tools.read(document, section, page, start, end))


def _add_resources(server: MCPServer[Any], host: Host) -> None:
    @server.resource("treatise://documents{?offset}", mime_type="application/json")
    async def documents(context: _AnyContext, offset: int = 0) -> Record:
        """Documents of the library, in parts."""
        return await _resource(host, context, lambda tools: tools.list_documents(offset=offset))

    @server.resource("treatise://documents/{document}", mime_type="application/json")
    async def document(document: str, context: _AnyContext) -> Record:
        """A document's outline and the beginning of its text."""
        return await _resource(
            host, context, lambda tools: tools.outline(document) | {"text": tools.read(document)["text"]}
        )

    @server.resource("treatise://documents/{document}/{start}-{end}", mime_type="text/plain")
    async def span(document: str, start: int, end: int, context: _AnyContext) -> str:
        """A span of a document's text, such as a citation's."""
        return str((await _resource(host, context, lambda tools: tools.read(document, start=start, end=end)))["text"])


async def _run(
    host: Host, context: _AnyContext, work: Callable[[Tools], Record], refusal: type[MCPServerError] = ToolError
) -> Record:
    """The reply, or its error as a refusal; the protocol's library hides errors that are not deliberate."""
    try:
        return await host.run(context, work)
    except TreatiseError as error:
        raise refusal(str(error)) from error


_resource = partial(_run, refusal=ResourceNotFoundError)
