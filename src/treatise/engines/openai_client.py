"""Requests to a server that speaks OpenAI's protocol: bounded in number and time, retried, with one error per failure.

One retry policy: the client's own. It tries again after a refused connection, a time-out, 408, 409, 429 and 5xx, and
keeps to ``Retry-After``.
"""

import asyncio
import json
import re
import time
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

from treatise.core.errors import (
    EngineError,
    EngineUnavailableError,
    MissingExtraError,
    ModelReplyError,
    SettingsError,
)
from treatise.engines.http_guard import Secrets, guard_response, redirect_of, secrets_of
from treatise.llm.json_reply import parse_json

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI, OpenAIError

T = TypeVar("T")

MAX_EXCERPT = 300
"""Characters of a server's message that go into an error."""

_LONGEST_WAIT_S = 8.0
"""Longest wait of the client before a retry if the server sets no time."""

_LONGEST_RETRY_S = 120
"""The longest wait requested by a server that the client accepts; it fails at once if the server requests more."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model behind a URL.

    Attributes:
        url: Up to and including the version, as in ``http://localhost:8000/v1``.
        model: The model's name there; empty if the server has only one.
        api_key: Sent with each request; empty if the server needs none.
        timeout_s: Time limit of one attempt.
        max_retries: Retries after the first attempt.
        concurrency: Maximum requests in flight.

    Raises:
        SettingsError: If the URL is not one, or a number is out of range.
    """

    url: str
    model: str = ""
    api_key: str = field(default="", repr=False)
    timeout_s: float = 120.0
    max_retries: int = 4
    concurrency: int = 4

    def __post_init__(self) -> None:
        if not re.match(r"https?://[^/\s]", self.url):
            raise SettingsError(f"{self.url!r} is not the URL of a server, such as http://localhost:8000/v1")
        if self.timeout_s <= 0 or self.max_retries < 0 or self.concurrency < 1:
            raise SettingsError("timeout_s and concurrency are above 0, max_retries is not below it")

    @property
    def secrets(self) -> Secrets:
        """The key and the password, to be left out of whatever the server repeats."""
        return secrets_of(self.api_key, self.url)

    def __str__(self) -> str:
        """Model and URL for messages, without user name and password."""
        url = re.sub(r"//[^/]*@", "//", self.url)
        return f"{self.model} at {url}" if self.model else url


Job = Callable[["AsyncOpenAI"], Awaitable[T]]
"""One job for a server; it may send several requests, one after the other."""


def in_parallel(endpoint: Endpoint, jobs: Sequence[Job[T]]) -> Generator[tuple[int, T | EngineError], None, None]:
    """Index and result, or error, of each job, as they end.

    The jobs run on their own thread: the caller may already have an event loop. Closing the iterator, or Ctrl-C
    while it waits, cancels requests in flight.

    Raises:
        MissingExtraError: If ``openai`` is not installed.
    """
    if not jobs:
        return
    results: SimpleQueue[tuple[int, T | Exception]] = SimpleQueue()
    loop, stop = asyncio.new_event_loop(), asyncio.Event()
    thread = Thread(target=_drive, args=(loop, _run(endpoint, jobs, results, stop)), daemon=True)
    thread.start()
    try:
        for _ in jobs:
            index, result = results.get()
            if isinstance(result, Exception) and not isinstance(result, EngineError):
                raise result
            yield index, result
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()


def one(endpoint: Endpoint, job: Job[T]) -> T:
    """The job's result.

    Raises:
        EngineError: If it failed.
    """
    with closing(in_parallel(endpoint, [job])) as results:
        _, result = next(results)
    if isinstance(result, EngineError):
        raise result
    return result


def only_model(endpoint: Endpoint) -> str:
    """The name of the model that the server offers.

    Raises:
        SettingsError: If it offers several, or none.
    """

    async def listed(client: "AsyncOpenAI") -> list[str]:
        reply = parsed(endpoint, (await client.models.with_raw_response.list()).text)
        try:
            return [model["id"] for model in reply["data"]]
        except (KeyError, TypeError) as error:
            raise ModelReplyError(f"{endpoint}: expected a list of models, found {excerpt(reply)}") from error

    names = one(endpoint, listed)
    if len(names) != 1:
        raise SettingsError(f"{endpoint} offers {len(names)} models, name one of them: {excerpt(', '.join(names))}")
    return names[0]


def parsed(endpoint: Endpoint, body: str) -> dict[str, Any]:
    """The JSON object of a reply, without the key if the server repeats it.

    Raises:
        ModelReplyError: If it is not one, or nested too deeply.
    """
    secrets = endpoint.secrets
    with suppress(ValueError, RecursionError):
        reply = parse_json(body)
        if isinstance(reply, dict):
            text = json.dumps(reply, ensure_ascii=False) if secrets.values else ""
            clean = secrets.redact(text)
            return reply if clean == text else dict(parse_json(clean))
    found = excerpt(secrets.redact(body))
    raise ModelReplyError(f"{endpoint}: expected a JSON object, found {found}; does the URL end in /v1?")


def excerpt(found: object) -> str:
    """The beginning of an unexpected value, quoted, for messages."""
    try:
        text = found if isinstance(found, str) else json.dumps(found)
    except RecursionError:
        text = "JSON nested too deeply"
    return repr(text if len(text) <= MAX_EXCERPT else f"{text[:MAX_EXCERPT]}…")


async def _run(
    endpoint: Endpoint,
    jobs: Sequence[Job[T]],
    results: "SimpleQueue[tuple[int, T | Exception]]",
    stop: asyncio.Event,
) -> None:
    """Runs until all jobs are done or ``stop`` is set; then no request is in flight, and the connections are closed."""
    slots = asyncio.Semaphore(endpoint.concurrency)

    async def report(client: "AsyncOpenAI", index: int, job: Job[T]) -> None:
        async with slots:
            results.put((index, await _result(endpoint, client, job)))

    try:
        async with _client(endpoint) as client:
            work = asyncio.gather(*(report(client, index, job) for index, job in enumerate(jobs)))
            stopped = asyncio.create_task(stop.wait())
            ends: list[asyncio.Future[Any]] = [work, stopped]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            for end in ends:
                end.cancel()
            await asyncio.gather(*ends, return_exceptions=True)
    except Exception as error:  # passed to the caller's thread, which raises it
        results.put((-1, error))


def _drive(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, None]) -> None:
    loop.run_until_complete(work)
    # As in asyncio.run: ends the threads of name lookups.
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.run_until_complete(loop.shutdown_default_executor())


def _client(endpoint: Endpoint) -> "AsyncOpenAI":
    with _extra():
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient
    http = DefaultAsyncHttpxClient(timeout=endpoint.timeout_s, event_hooks={"response": [guard_response]})
    return AsyncOpenAI(http_client=http, **_options(endpoint))


@contextmanager
def _extra() -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise MissingExtraError("a language model or encoder behind a URL", "llm") from error


def _options(endpoint: Endpoint) -> dict[str, Any]:
    return {
        "base_url": endpoint.url,
        "api_key": endpoint.api_key or "none",  # without one the client would send OPENAI_API_KEY to any server
        "timeout": endpoint.timeout_s,
        "max_retries": endpoint.max_retries,
        "default_headers": {"Accept-Encoding": "identity"},  # a small compressed reply may unpack to any size
    }


async def _result(endpoint: Endpoint, client: "AsyncOpenAI", job: Job[T]) -> T | Exception:
    """The job's result or error, in bounded time even if the server sends single bytes slowly."""
    from openai import OpenAIError

    waits_s = max(endpoint.timeout_s, _LONGEST_WAIT_S * endpoint.max_retries)
    deadline_s = endpoint.timeout_s * (endpoint.max_retries + 1) + waits_s
    try:
        async with asyncio.timeout(deadline_s):
            return await job(client)
    except TimeoutError:
        return EngineUnavailableError(f"{endpoint} did not end its answer within {deadline_s:g} s: raise timeout_s")
    except OpenAIError as error:
        return _translated(endpoint, error)
    except Exception as error:  # one job's failure does not stop the others
        return error


def _translated(endpoint: Endpoint, error: "OpenAIError") -> EngineError:
    import openai

    attempts = "1 attempt" if endpoint.max_retries == 0 else f"{endpoint.max_retries + 1} attempts"
    match error:
        case openai.APITimeoutError():
            finding = f"gave no answer within {endpoint.timeout_s:g} s in {attempts}: raise timeout_s"
        case openai.APIConnectionError():
            finding = f"cannot be reached ({error.__cause__ or error}) in {attempts}: is the server running?"
        case openai.AuthenticationError() | openai.PermissionDeniedError():
            finding = f"refuses the key, put yours into TREATISE_API_KEY: {_said(error)}"
        case openai.NotFoundError():
            finding = f"is not there, check the URL (it mostly ends in /v1) and the model's name: {_said(error)}"
        case openai.RateLimitError():
            finding = f"is over its rate limit or quota{_wait(error) or f' after {attempts}'}: {_said(error)}"
        case openai.APIStatusError() if target := redirect_of(error.response.headers):
            finding = f"redirects to {target}, another server, which was sent nothing: name its URL if you trust it"
        case openai.APIStatusError():
            finding = f"answered {error.status_code}: {_said(error)}"
        case _:
            finding = f"failed: {excerpt(str(error))}"
    translated = EngineUnavailableError(endpoint.secrets.redact(f"{endpoint} {finding}"))
    error.args = (str(translated),)  # printed by --traceback, and as the server said it
    translated.__cause__ = error
    return translated


def _wait(error: "APIStatusError") -> str:
    """The wait requested by the server, if longer than the client's retries allow; otherwise empty."""
    asked_s = _seconds(error.response.headers.get("retry-after", ""))
    return f" and asks for a wait of {asked_s:,.0f} s" if asked_s > _LONGEST_RETRY_S else ""


def _seconds(retry_after: str) -> float:
    """The seconds in a ``Retry-After`` header, which is a number or a date; 0 if it is neither."""
    with suppress(ValueError, OverflowError):
        return float(retry_after)
    with suppress(ValueError, TypeError, OverflowError):
        return parsedate_to_datetime(retry_after).timestamp() - time.time()
    return 0.0


def _said(error: "APIStatusError") -> str:
    return excerpt(error.message)
