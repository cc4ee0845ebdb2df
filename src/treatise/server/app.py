"""The application: its endpoints, its errors, its start and end."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from threading import Event, Thread, current_thread, main_thread
from types import FrameType
from typing import Any, Final

from anyio import to_thread
from fastapi import APIRouter, FastAPI
from mcp.server import MCPServer

from treatise import __version__
from treatise.server.agents import add_agents, running
from treatise.server.guard import API, Guard
from treatise.server.liveness import beat
from treatise.server.openapi import describe
from treatise.server.problems import add_problem_handlers
from treatise.server.replies import RecordResponse
from treatise.server.routes import (
    conversations,
    documents,
    health,
    jobs,
    keys,
    openai,
    page,
    pages,
    questions,
    recipes,
    structure,
)
from treatise.server.services import Services

ROUTERS: Final[tuple[tuple[str, APIRouter], ...]] = (
    ("", health.router),
    (API, pages.router),  # before the documents, whose pages/{page} would take pages/1.png
    (API, documents.router),
    (API, structure.router),
    (API, jobs.router),
    (API, questions.router),
    (API, conversations.router),
    (API, keys.router),
    (API, recipes.router),
    ("", openai.router),
    ("", page.router),
)
"""Every router with its prefix; the page comes last."""

_DESCRIPTION: Final = """Questions over long documents, answered by their discourse structure with exact citations.

Offsets are characters of a document's text, half-open. Errors are `application/problem+json`. On a loopback address no
key is needed; elsewhere send `Authorization: Bearer KEY`.
"""


def create_app(make: Callable[[], Services]) -> Guard:
    """The application as ASGI. ``make`` is called when the server starts, in the process that serves."""
    api = FastAPI(
        title="Treatise",
        version=__version__,
        description=_DESCRIPTION,
        openapi_url=f"{API}/openapi.json",
        docs_url=None,  # its page loads scripts from elsewhere, which the content policy forbids
        redoc_url=None,
        redirect_slashes=False,
        default_response_class=RecordResponse,
    )
    add_problem_handlers(api)
    api.openapi = describe(api)  # type: ignore[method-assign]  # FastAPI's way to change the document
    for prefix, router in ROUTERS:
        api.include_router(router, prefix=prefix)
    agents = add_agents(api, lambda: _services(api))
    api.router.lifespan_context = _lifespan(make, agents)
    return Guard(api, lambda: _services(api))


@contextmanager
def stopping_at_signals(stopping: Event) -> Iterator[None]:
    """Sets the event at SIGTERM and SIGINT, before the server's own handler: streams that follow a job end at once."""
    if current_thread() is not main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}

    def stop(number: int, frame: FrameType | None) -> None:
        stopping.set()
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    for number in before:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _services(api: FastAPI) -> Services:
    found: Services = api.state.services
    return found


def _lifespan(make: Callable[[], Services], agents: MCPServer[Any]) -> Callable[[FastAPI], Any]:
    """Opens the services at the start, and closes them at the end."""

    @asynccontextmanager
    async def lifespan(api: FastAPI) -> AsyncIterator[None]:
        services = api.state.services = make()
        services.jobs.start(services.config.job_threads)
        Thread(target=services.retention.run, args=(services.stopping,), name="retention", daemon=True).start()
        heart = asyncio.ensure_future(beat())
        with stopping_at_signals(services.stopping):
            try:
                async with running(agents):
                    yield
            finally:
                await to_thread.run_sync(services.close)
                heart.cancel()

    return lifespan
