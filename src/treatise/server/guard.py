"""The outermost layer of the server: request ids, hosts, keys, sizes, times, headers, access log and metrics.

It is plain ASGI, so that a request is refused before its body is read and a stream passes without a copy.
"""

import asyncio
import re
import secrets
import time
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

from anyio import CapacityLimiter, to_thread

from treatise.core.errors import TreatiseError
from treatise.server.config import is_loopback
from treatise.server.keys import LOCAL, Key, Scope
from treatise.server.logs import log_access, log_failure
from treatise.server.problems import ProblemError, bug, problem_logged, problem_response
from treatise.server.services import Services

Message = MutableMapping[str, Any]
AsgiScope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Asgi = Callable[[AsgiScope, Receive, Send], Awaitable[None]]

API: Final = "/api/v1"
"""Prefix of the endpoints of the library; ``/v1`` belongs to the OpenAI-compatible ones, ``/mcp`` to agents."""

PUBLIC_PATHS: Final = frozenset({"/healthz", "/readyz"})
"""Paths that need no key even on a public address; the page adds its files."""

PUBLIC_PREFIXES: Final = ("/static/",)

MAX_JSON_BYTES: Final = 1 << 20

_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)


@dataclass
class _Request:
    """One request on its way through."""

    scope: AsgiScope
    receive: Receive
    send: Send
    deadline: float
    max_bytes: int
    id: str
    started: float = field(default_factory=time.monotonic)
    n_bytes: int = 0
    status: int = 0
    refusal: ProblemError | None = None
    is_replaced: bool = False
    is_complete: bool = False

    @property
    def headers(self) -> dict[bytes, bytes]:
        """The last value of each header."""
        return dict(self.scope["headers"])

    def text(self, header: bytes) -> str:
        """A header as text; empty if absent."""
        return self.headers.get(header, b"").decode("latin-1")

    async def body(self) -> Message:
        """The next part of the body, within the limits of time and size."""
        if not self.n_bytes < 0:
            try:
                message = await asyncio.wait_for(self.receive(), max(0.0, self.deadline - time.monotonic()))
            except TimeoutError:
                self._refuse(ProblemError(408, "slow-upload", "the body did not arrive in time: send it again"))
                return {"type": "http.disconnect"}
            self._count(message)
            return message
        return await self.receive()

    def _count(self, message: Message) -> None:
        self.n_bytes += len(message.get("body", b""))
        if self.n_bytes > self.max_bytes:
            self._refuse(too_large(self.max_bytes))
            message.update(type="http.disconnect", body=b"", more_body=False)
        if not message.get("more_body"):
            self.n_bytes = -1  # complete: what follows waits for the client to leave, without a limit of time

    def _refuse(self, problem: ProblemError) -> None:
        self.refusal = self.refusal or problem
        self.n_bytes = -1

    async def reply(self, message: Message) -> None:
        """Sends a part of the reply, with the headers of every reply; a refusal replaces what the endpoint says."""
        if message["type"] == "http.response.start":
            if self.refusal is not None:
                self.is_replaced = True
                await self.refuse(self.refusal)
                return
            self.status = message["status"]
            message["headers"] = [*message.get("headers", ()), *_HEADERS, (b"x-request-id", self.id.encode())]
        self.is_complete = message["type"] == "http.response.body" and not message.get("more_body", False)
        if not self.is_replaced:
            await self.send(message)

    async def refuse(self, problem: ProblemError) -> None:
        """Replies with a problem."""
        self.refusal = None
        response = problem_response(problem, self.id)
        self.status = problem.status
        for name, value in (*_HEADERS, (b"x-request-id", self.id.encode()), (b"connection", b"close")):
            response.raw_headers.append((name, value))
        await response(self.scope, self.receive, self.send)


def too_large(max_bytes: int) -> ProblemError:
    """The problem of a body over the limit."""
    return ProblemError(413, "too-large", f"the body is over the limit of {max_bytes:,} bytes: send less at a time")


class Guard:
    """Wraps the application.

    Args:
        app: The application.
        services: Of this worker, once it has started.
    """

    def __init__(self, app: Asgi, services: Callable[[], Services]) -> None:
        self._app = app
        self._services = services
        self._threads: CapacityLimiter | None = None

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """Serves one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        services = self._services()
        request = _opened(scope, receive, send, services)
        try:
            await self._serve(request, services)
        finally:
            _finish(request, services)

    async def _serve(self, request: _Request, services: Services) -> None:
        try:
            _check_host(request, services)
            _check_origin(request)
            _check_length(request)
            request.scope["state"]["key"] = await self._key(request, services)
            await self._app(request.scope, request.body, request.reply)
        except ProblemError as problem:
            await request.refuse(problem)
        except TreatiseError as error:
            await request.refuse(problem_logged(error, request.id))
        except Exception as error:
            log_failure(request.id, error)
            if request.status and not request.is_complete:
                raise  # the reply has begun: the connection must break, so that the client notices
            if not request.status:
                await request.refuse(bug())

    async def _key(self, request: _Request, services: Services) -> Key:
        header = request.text(b"authorization")
        if not header and (_is_public(request.scope["path"]) or not services.config.needs_key):
            return LOCAL if not services.config.needs_key else NOBODY
        if self._threads is None:
            self._threads = CapacityLimiter(8)  # of its own: full threads elsewhere must not delay health
        return await to_thread.run_sync(_checked_key, services, header, request, limiter=self._threads)


NOBODY: Final = Key("nobody", "nobody", Scope.READ)
"""The caller of public paths on a server that needs keys."""


def _opened(scope: AsgiScope, receive: Receive, send: Send, services: Services) -> _Request:
    found = dict(scope["headers"]).get(b"x-request-id", b"").decode("latin-1")
    request_id = found if _REQUEST_ID.fullmatch(found) else secrets.token_hex(8)
    scope["state"] = {**scope.get("state", {}), "request_id": request_id}
    is_upload = dict(scope["headers"]).get(b"content-type", b"").lower().startswith(b"multipart/form-data")
    max_bytes = services.config.max_upload_bytes + MAX_JSON_BYTES if is_upload else MAX_JSON_BYTES
    deadline = time.monotonic() + services.config.upload_timeout_s
    return _Request(scope, receive, send, deadline, max_bytes, request_id)


def _finish(request: _Request, services: Services) -> None:
    route = _route(request.scope)
    seconds = time.monotonic() - request.started
    method = request.scope["method"] if request.scope["method"] in _METHODS else "other"
    services.metrics.requests.labels(method, route, str(request.status or 499)).inc()
    services.metrics.seconds.labels(route).observe(seconds)
    key = request.scope["state"].get("key")
    log_access(
        request_id=request.id,
        method=method,
        path=request.scope["path"],
        status=request.status or 499,
        ms=round(1000 * seconds, 1),
        key=key.id if key else "",
    )


def _route(scope: AsgiScope) -> str:
    """The path of the endpoint with names in place of values; FastAPI leaves out the prefix of its router."""
    path = getattr(scope.get("route"), "path", "unmatched")
    return f"{API}{path}" if scope["path"].startswith(f"{API}/") and path != "unmatched" else path


_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def _check_host(request: _Request, services: Services) -> None:
    """Refuses foreign names in the Host header: a page whose name was rebound to this address sends its own name."""
    config = services.config
    host = _host_name(request.text(b"host"))
    allowed = {name.strip("[]").lower() for name in (*config.allowed_hosts, config.host)}
    if is_loopback(host) or host in allowed or (config.needs_key and not config.allowed_hosts):
        return
    detail = f"this server does not answer for the host {host!r}: add it to allowed_hosts if it should"
    raise ProblemError(421, "unknown-host", detail)


def _host_name(header: str) -> str:
    """The name in a Host header, in lower case and without the port; empty if it is malformed."""
    try:
        return urlsplit(f"//{header}").hostname or ""
    except ValueError:
        return ""


def _check_origin(request: _Request) -> None:
    """Refuses changes that a page of another site asks for."""
    if request.scope["method"] in _SAFE_METHODS:
        return
    origin = request.text(b"origin")
    is_foreign = bool(origin) and origin.lower().partition("://")[2] != request.text(b"host").lower()
    if is_foreign or request.text(b"sec-fetch-site") in ("cross-site", "same-site"):
        raise ProblemError(403, "cross-site", "this server takes no requests from pages of other sites")


def _check_length(request: _Request) -> None:
    length = request.text(b"content-length")
    if length.isdecimal() and int(length[:20]) > request.max_bytes:
        raise too_large(request.max_bytes)


def _is_public(path: str) -> bool:
    return path == "/" or path in PUBLIC_PATHS or path.startswith(PUBLIC_PREFIXES)


def _checked_key(services: Services, header: str, request: _Request) -> Key:
    """The key of the request.

    Raises:
        ProblemError: 401 without a valid one, 429 if it has made too many requests.
    """
    kind, _, text = header.partition(" ")
    key = services.keys.check(text.strip()) if kind.lower() == "bearer" else None
    if key is None and not services.config.needs_key:
        return LOCAL  # chat clients send some key always
    if key is None:
        if header:
            services.audit.add("", "refused", request.scope["path"], request.id)
        detail = "this needs a key: send the header Authorization: Bearer KEY (treatise keys add makes one)"
        raise ProblemError(401, "key", detail, headers={"WWW-Authenticate": 'Bearer realm="treatise"'})
    services.limits.request(key)
    return key
