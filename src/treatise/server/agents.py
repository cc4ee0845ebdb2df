"""The agents of a server: the tools at ``/mcp``, within what each caller's key allows."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from fastapi import FastAPI
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings

from treatise.core.errors import DocumentNotFoundError, TreatiseError
from treatise.server.asking import Asking
from treatise.server.keys import Key
from treatise.server.mcp import make_mcp_server
from treatise.server.problems import ProblemError, problem_of
from treatise.server.services import Services
from treatise.server.tools import Tools

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class ServedHost:
    """Runs the tools among the other questions of a worker, on the documents of the caller's key.

    Attributes:
        services: Of the worker, once it has started.
    """

    services: Callable[[], Services]

    async def run(self, context: Context[Any, Any], work: Callable[[Tools], _Result]) -> _Result:
        """See ``mcp.Host.run``."""
        services = self.services()
        key: Key = context.request_context.request.scope["state"]["key"]  # type: ignore[union-attr]  # there is one
        try:
            return _public(services, await services.answer(lambda: work(_tools(services, key))))
        except ProblemError as problem:
            raise ToolError(problem.detail) from problem
        except DocumentNotFoundError as error:
            raise ToolError("there is no such document: list_documents lists them") from error
        except TreatiseError as error:
            raise ToolError(services.redactor.text(problem_of(error).detail)) from error


def add_agents(api: FastAPI, services: Callable[[], Services]) -> MCPServer[Any]:
    """Adds the endpoint ``/mcp``; ``running`` must be entered while it serves. The guard has checked host and key."""
    server = make_mcp_server(ServedHost(services))
    unguarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app = server.streamable_http_app(stateless_http=True, json_response=True, transport_security=unguarded)
    api.router.routes.extend(app.routes)
    return server


@asynccontextmanager
async def running(server: MCPServer[Any]) -> AsyncIterator[None]:
    """The server of ``add_agents`` at work."""
    async with server.session_manager.run():
        yield


def _public(services: Services, result: _Result) -> _Result:
    """The result of a tool; its notes name no places of the server."""
    if isinstance(result, dict) and "notes" in result:
        result["notes"] = services.redactor.texts(result["notes"])
    return result


def _tools(services: Services, key: Key) -> Tools:
    readable = partial(services.entries, key, "") if key.collections else None
    library, asking = services.library(), Asking(services, key)
    return Tools(library, readable, lambda: asking.check_model(library), asking.count)
