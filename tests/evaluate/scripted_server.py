"""A language model behind OpenAI's protocol whose replies are scripted; it counts requests, and can end its client."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from time import sleep
from typing import Any, Final

from tests.evaluate.scripted_engines import speak
from treatise.core.ports import Message

SAVING_S: Final = 1.0
"""Time for a client to keep the replies that it has, before it is killed."""


class ScriptedServer(ThreadingHTTPServer):
    """Replies with ``say`` to every request.

    Attributes:
        answered: The prompts that got a reply, in order.
        url: Its address, as for ``--llm``.
    """

    daemon_threads = True
    block_on_close = False

    def __init__(self, say: Callable[[Sequence[Message]], str] = speak) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answered: list[str] = []
        self.url = f"http://127.0.0.1:{self.server_port}/v1"
        self._say = say
        self._lock = Lock()
        self._last: int | None = None
        self._on_last: Callable[[], object] | None = None
        self._is_silent = Event()

    def fall_silent(self, after: int, then: Callable[[], object]) -> None:
        """Answers ``after`` more requests. At the next it lets the client keep what it has, and calls ``then``."""
        self._last, self._on_last = len(self.answered) + after, then
        self._is_silent.clear()

    def speak_again(self) -> None:
        """Answers all further requests."""
        self._last = self._on_last = None

    def reply(self, request: dict[str, Any]) -> str | None:
        """The reply to a request; None if there is none."""
        messages = [Message(one["role"], one["content"]) for one in request["messages"]]
        with self._lock:
            if self._last is None or len(self.answered) < self._last:
                self.answered.append(json.dumps(request["messages"]))
                return self._say(messages)
            is_first = not self._is_silent.is_set()
            self._is_silent.set()
        if is_first and self._on_last:
            sleep(SAVING_S)
            self._on_last()
        return None

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A killed client hangs up."""


class _Handler(BaseHTTPRequestHandler):
    server: ScriptedServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = self.server.reply(request)
        if text is None:
            self.close_connection = True
            return
        n_prompt = sum(len(one["content"]) for one in request["messages"]) // 4
        usage = {"prompt_tokens": n_prompt, "completion_tokens": len(text) // 4}
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        body = json.dumps({"choices": [choice], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def scripted_server(say: Callable[[Sequence[Message]], str] = speak) -> Iterator[ScriptedServer]:
    """A server that ends with the block."""
    server = ScriptedServer(say)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
