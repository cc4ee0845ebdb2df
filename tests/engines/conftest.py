"""A server on loopback that answers, or misbehaves, as a test tells it to."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

import pytest

QUICK_RETRY = {"retry-after-ms": "5"}


@dataclass(frozen=True)
class Answer:
    """An HTTP answer. ``hang`` sends nothing until the test is over; ``die`` breaks off in the middle of the body."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hang: bool = False
    die: bool = False


Respond = Callable[[str, dict[str, Any]], Answer]


class Server(ThreadingHTTPServer):
    """Calls ``respond(path, request body)`` for each request, and keeps what was asked."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, respond: Respond) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.respond = respond
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self.keys: list[str | None] = []
        self.over = Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is what some tests want."""


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.answer({})

    def do_POST(self) -> None:
        self.answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def answer(self, request: dict[str, Any]) -> None:
        self.server.requests.append((self.path, request))
        self.server.keys.append(self.headers["Authorization"])
        answer = self.server.respond(self.path, request)
        if answer.hang:
            self.server.over.wait(10)
            self.close_connection = True
            return
        body = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
        self.send_response(answer.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if answer.die else body)
        self.close_connection = answer.die

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Respond], Server]]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    servers: list[Server] = []

    def start(respond: Respond) -> Server:
        server = Server(respond)
        servers.append(server)
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return server

    yield start
    for server in servers:
        server.over.set()
        server.shutdown()
        server.server_close()
