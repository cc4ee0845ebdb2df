"""Faults of a model's server against every command that asks one.

Whatever the server does, a command ends in bounded time with an answer (quoted, with the reason) or a message; the key
stands in no output, record or store; and no request reaches another host.
"""

import json
import os
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from threading import Thread
from typing import Any, Final

from click.testing import CliRunner

from benchmarks.harden.campaign import Campaign
from benchmarks.harden.secrecy import run_once
from treatise.cli import treatise

KEY: Final = "sk-harden-0123456789"
MAX_SECONDS: Final = 60.0
FAULTS: Final = (
    "401", "404", "429", "500", "503", "far", "hang", "drip", "cut", "garbage", "html", "empty", "deep", "10 MB",
    "wrong type", "null", "list", "redirect", "echo", "not HTTP", "wrong length", "gzip", "surrogate", "nan", "none there",
)  # fmt: skip
COMMANDS: Final = (
    ["ask", "FILE", "When does water boil?", "--llm", "URL", "--llm-model", "m"],
    ["ask", "FILE", "When does water boil?", "--llm", "URL"],
    ["ask", "FILE", "When does water boil?", "--llm", "URL", "--llm-model", "m", "--json"],
    ["ask", "FILE", "When does water boil?", "--recipe", "disco-rag", "--llm", "URL", "--llm-model", "m"],
    ["summarize", "FILE", "--llm", "URL", "--llm-model", "m"],
    ["index", "FILE", "--recipe", "disretrieval-thrifty", "--llm", "URL", "--llm-model", "m"],
    ["ask", "FILE", "When does water boil?", "--encoder", "URL"],
    ["search", "boil", "--reranker", "URL"],
)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "_Server"

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self._answer()

    def log_message(self, *_: object) -> None:
        pass

    def _answer(self) -> None:
        fault = self.server.fault
        if fault.isdigit():
            self._send(int(fault), json.dumps({"error": {"message": f"bad {KEY}"}}).encode())
        elif fault == "far":
            self._send(429, b"{}", {"Retry-After": "Fri, 31 Dec 2100 23:59:59 GMT"})
        elif fault == "redirect":
            self._send(307, b"{}", {"Location": self.server.elsewhere})
        elif fault == "hang":
            time.sleep(3)
            self.close_connection = True
        elif fault == "drip":
            self._head(200, 10_000)
            for _ in range(30):
                self.wfile.write(b" ")
                time.sleep(0.1)
            self.close_connection = True
        elif fault in ("cut", "wrong length"):
            self._head(200, 500)
            self.wfile.write(b'{"choices": [')
            self.close_connection = True
        elif fault == "not HTTP":
            self.wfile.write(b"\x00\xff nonsense\r\n\r\n")
            self.close_connection = True
        elif fault == "gzip":
            self._send(200, b"\x1f\x8b" + os.urandom(100), {"Content-Encoding": "gzip"})
        else:
            self._send(200, _BODIES[fault])

    def _head(self, status: int, length: int, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def _send(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self._head(status, len(body), headers)
        self.wfile.write(body)


def _said(content: Any) -> bytes:
    return json.dumps({"choices": [{"message": {"content": content}}], "data": [{"id": "m"}]}).encode()


_BODIES: Final = {
    "garbage": os.urandom(5_000),
    "html": f"<html>{KEY}</html>".encode(),
    "empty": b"",
    "deep": b"[" * 200_000,
    "10 MB": _said("x " * 5_000_000),
    "wrong type": _said({"a": [1]}),
    "null": b"null",
    "list": b"[]",
    "echo": _said(f"The key is {KEY}. Water boils at 100 degrees [1]."),
    "surrogate": b'{"choices": [{"message": {"content": "\\ud800 [1]."}}]}',
    "nan": b'{"choices": NaN, "data": [{"index": 0, "embedding": [NaN]}], "results": [{"index": 0, "relevance_score": NaN}]}',
}


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    fault = "500"
    elsewhere = ""

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


def run(campaign: Campaign) -> None:
    cases = list(product(FAULTS, COMMANDS))
    random.Random(campaign.seed).shuffle(cases)
    os.environ |= {"TREATISE_API_KEY": KEY, "TREATISE_TIMEOUT_S": "1", "NO_PROXY": "127.0.0.1"}
    with tempfile.TemporaryDirectory() as folder, _serving() as server, _serving() as other:
        server.elsewhere = f"http://127.0.0.1:{other.server_port}/v1/stolen"
        other.fault = "echo"
        file = Path(folder) / "tea.md"
        os.environ["TREATISE_STORE"] = str(Path(folder) / "once.db")
        file.write_text("# Tea\n\nWater boils at 100 degrees. Keep the leaves dry and cool.\n")
        run_once(campaign, Path(folder), str(file), KEY)
        for number, (fault, command) in enumerate(cases):
            if not campaign.goes_on:
                break
            server.fault = fault
            url = f"http://127.0.0.1:{9 if fault == 'none there' else server.server_port}/v1"
            os.environ["TREATISE_STORE"] = str(Path(folder) / f"{number}.db")
            _one(campaign, fault, [one.replace("FILE", str(file)).replace("URL", url) for one in command], str(file))
        _check_store(campaign, Path(folder))
    for name in ("TREATISE_API_KEY", "TREATISE_TIMEOUT_S", "TREATISE_STORE"):
        del os.environ[name]


def _one(campaign: Campaign, fault: str, command: list[str], file: str) -> None:
    if command[0] == "search":
        CliRunner().invoke(treatise, ["index", file])
    started = time.monotonic()
    done = CliRunner().invoke(treatise, command)
    campaign.count("commands")
    campaign.count("answered" if done.exit_code == 0 else "failed with a message")
    shown = done.stdout + done.stderr
    what = f"{fault}: {' '.join(command)[:120]}: "
    if KEY in shown:
        campaign.fault(f"{what}the key is shown")
    if "a bug in Treatise" in shown or (done.exception and not isinstance(done.exception, SystemExit)):
        campaign.fault(f"{what}{done.exception!r} {shown[-400:]}")
    if time.monotonic() - started > MAX_SECONDS:
        campaign.fault(f"{what}{time.monotonic() - started:.0f} s")
    if "stolen" in shown and fault != "redirect":
        campaign.fault(f"{what}another host was asked")
    if command[0] == "ask" and "--llm" in command and done.exit_code:
        campaign.fault(f"{what}no fallback: {shown[-300:]}")


def _check_store(campaign: Campaign, folder: Path) -> None:
    for path in folder.glob("*.db*"):
        campaign.count("stores searched for the key")
        if KEY.encode() in path.read_bytes():
            campaign.fault(f"{path.name} holds the key")


@contextmanager
def _serving() -> Iterator[_Server]:
    server = _Server(("127.0.0.1", 0), _Handler)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
