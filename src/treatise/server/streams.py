"""Server-sent events: one JSON object per event, a ping while nothing happens."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, Final

from fastapi.sse import KEEPALIVE_COMMENT, format_sse_event
from starlette.responses import StreamingResponse

from treatise.core.errors import TreatiseError
from treatise.server.logs import log_failure
from treatise.server.problems import ProblemError, problem_logged
from treatise.server.replies import json_bytes
from treatise.server.services import Services

PING_S: Final = 15.0
_HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


STREAM_REPLY: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "Server-sent events; `data` is one JSON object.",
        "content": {
            "text/event-stream": {
                "schema": {
                    "type": "object",
                    "properties": {name: {"type": "string"} for name in ("event", "data", "id")},
                }
            }
        },
    }
}
"""The ``responses`` of an endpoint that streams events."""


class EventStream(StreamingResponse):
    """A reply of server-sent events; FastAPI's class is for endpoints that yield, which cannot reply 404."""

    media_type = "text/event-stream"


@dataclass(frozen=True, slots=True)
class Event:
    """One event: its name, its object, and an id that a client may resume after."""

    name: str
    data: Any
    id: str | None = None

    def wire(self) -> bytes:
        """The bytes of the event."""
        return format_sse_event(event=self.name, data_str=json_bytes(self.data).decode("utf-8"), id=self.id)


Emit = Callable[[str, Any], None]
"""Sends an event from a thread, by name and object."""


class ClientGoneError(Exception):
    """The client closed the stream: the work may end."""


def event_stream(events: AsyncIterator[Event]) -> EventStream:
    """The reply that sends these events."""
    return EventStream(_with_pings(events), headers=_HEADERS)


async def worked_events(services: Services, work: Callable[[Emit], None], request_id: str) -> AsyncIterator[Event]:
    """The events that a question emits from its thread; a problem is the last event if it fails.

    Raises:
        ProblemError: 429 if too many questions are waiting: a reply with that status, not an event.
    """
    queue: asyncio.Queue[Event | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    is_gone = threading.Event()

    def emit(name: str, data: Any) -> None:
        if is_gone.is_set() and name == "evidence":
            raise ClientGoneError  # later the tokens are spent: the work ends and counts them
        loop.call_soon_threadsafe(queue.put_nowait, Event(name, data))

    task = asyncio.ensure_future(services.answer(lambda: work(emit)))
    task.add_done_callback(lambda _: queue.put_nowait(None))
    await asyncio.sleep(0)  # the first step of the task: the question is admitted or refused
    if task.done() and isinstance(refused := task.exception(), ProblemError):
        raise refused

    async def events() -> AsyncIterator[Event]:
        try:
            while (event := await queue.get()) is not None:
                yield event
            if problem := _problem(task, services, request_id):
                yield Event("problem", problem.record(request_id))
        finally:
            is_gone.set()
            task.cancel()

    return events()


def _problem(task: "asyncio.Future[None]", services: Services, request_id: str) -> ProblemError | None:
    error = task.exception()
    if error is None or isinstance(error, ProblemError):
        return error
    if not isinstance(error, TreatiseError):
        log_failure(request_id, error)
        return ProblemError(500, "internal", "a bug in Treatise: please report it with the server's log")
    problem = problem_logged(error, request_id)
    problem.detail = services.redactor.text(problem.detail)
    return problem


async def _with_pings(events: AsyncIterator[Event]) -> AsyncIterator[bytes]:
    """The events as bytes; a comment whenever none came for a while, so that proxies keep the connection."""
    following = asyncio.ensure_future(anext(events))
    try:
        while True:
            done, _ = await asyncio.wait((following,), timeout=PING_S)
            if not done:
                yield KEEPALIVE_COMMENT
                continue
            try:
                yield following.result().wire()
            except StopAsyncIteration:
                return
            following = asyncio.ensure_future(anext(events))
    finally:
        following.cancel()
