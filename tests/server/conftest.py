"""A real server on a free port, with small parts in place of models."""

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

import treatise
from tests.pipeline.test_index import ChainParser
from treatise.compose import open_store
from treatise.core.recipe import Recipe
from treatise.pipeline.engines import Engines
from treatise.pipeline.library import Library
from treatise.pipeline.system import System
from treatise.recipes import TREATISE, recipe_named
from treatise.server.app import create_app
from treatise.server.config import ServerConfig
from treatise.server.services import Services, make_services
from treatise.testing import HashingEncoder

TEA = """# Tea

## Making

Water boils at 100 degrees. Green tea wants cooler water, about 70 degrees. Let it stand for two minutes.

## Keeping

Keep the leaves in a tin. Light and air make tea stale within weeks.
"""
COFFEE = "Coffee beans are roasted at 220 degrees. They keep for a month. Grind them just before brewing.\n"


@dataclass
class RunningServer:
    """A server in this process.

    Attributes:
        client: Speaks to it.
        services: Its parts.
    """

    client: httpx.Client
    services: Services
    stop: Callable[[], None] = field(repr=False)

    def index(self, name: str, text: str) -> str:
        """Indexes a text without HTTP, which is faster, and returns the document's id."""
        return self.services.library().index(f"/srv/{name}", data=text.encode()).document

    def upload(self, **files: str | bytes) -> dict[str, Any]:
        """Uploads files by name (``tea_md`` for ``tea.md``), waits for the job, and returns it."""
        parts = [("files", (name.replace("_", "."), data)) for name, data in files.items()]
        made = self.client.post("/api/v1/documents", files=parts)
        assert made.status_code == 202, made.text
        return self.finished(made.json()["job"])

    def finished(self, job: str, timeout_s: float = 120.0) -> dict[str, Any]:
        """A job once it has ended."""
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            found: dict[str, Any] = self.client.get(f"/api/v1/jobs/{job}").json()
            if found["status"] not in ("queued", "running"):
                return found
            time.sleep(0.05)
        raise AssertionError(f"the job did not end: {found}")


Start = Callable[..., RunningServer]


def opener(folder: Path, store: str = "", **engines: Any) -> Callable[[str], Library]:
    """Opens libraries over one store, in a folder unless it is a URL, with a hashing encoder."""

    def opened(name: str) -> Library:
        recipe: Recipe = recipe_named(name) if name else TREATISE
        parts = Engines(**{"encoder": HashingEncoder(), "parser": ChainParser(), **engines})
        return Library(open_store(store or folder / "library.db"), System(recipe, parts))

    return opened


@contextmanager
def running(folder: Path, config: ServerConfig, headers: dict[str, str], engines: dict[str, Any]) -> Iterator[Any]:
    """A server over a folder while the block runs."""
    made: list[Services] = []

    def make() -> Services:
        made.append(make_services(config, opener(folder, **engines), folder / "state"))
        return made[0]

    server = uvicorn.Server(uvicorn.Config(create_app(make), port=0, log_config=None, timeout_graceful_shutdown=5))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]

    def stop() -> None:
        server.should_exit = True
        thread.join(15)

    with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=20) as client:
        try:
            yield RunningServer(client, made[0], stop)
        finally:
            stop()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts servers over one folder; they stop at the end of the test."""
    opened = []

    def begin(headers: dict[str, str] | None = None, engines: dict[str, Any] | None = None, **config: Any) -> Any:
        context = running(tmp_path, ServerConfig(**config), headers or {}, engines or {})
        opened.append(context)
        return context.__enter__()

    yield begin
    for context in reversed(opened):
        context.__exit__(None, None, None)


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server with two documents, for tests that change nothing."""
    with running(tmp_path_factory.mktemp("server"), ServerConfig(), {}, {}) as server:
        server.upload(tea_md=TEA, coffee_txt=COFFEE)
        yield server


@pytest.fixture
def ids(shared: RunningServer) -> dict[str, str]:
    """Ids of the documents of ``shared``, by file name."""
    found = shared.client.get("/api/v1/documents").json()["documents"]
    return {one["sources"][0]: one["document"] for one in found}


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[tuple["subprocess.Popen[bytes]", httpx.Client]]:
    """The command ``treatise serve`` over a folder, once it answers; stopped at the end if it still runs."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("TREATISE_")}
    environment["PYTHONPATH"] = str(Path(treatise.__file__).parents[1])
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "treatise",
        "serve",
        "--store",
        str(folder / "l.db"),
        "--port",
        str(port),
        *options,
    ]
    with (
        subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as process,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client,
    ):
        try:
            _wait_until_ready(process, client)
            yield process, client
        finally:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(30)
            process.kill()


def _wait_until_ready(process: "subprocess.Popen[bytes]", client: httpx.Client) -> None:
    for _ in range(600):
        assert process.poll() is None, "the server ended"
        with suppress(httpx.TransportError):
            if client.get("/readyz").status_code == 200:
                return
        time.sleep(0.1)
    raise AssertionError("the server did not start")
