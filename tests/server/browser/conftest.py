"""A real server with the models that ship, and a real browser; skipped with a reason where either is missing."""

import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.ingest.pdf_writer import Text, pdf
from treatise.settings import Settings

uvicorn = pytest.importorskip("uvicorn", reason="the server needs treatise[server]")
pytest.importorskip("fastapi", reason="the server needs treatise[server]")
playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need playwright")

CHROMIUM = Path(os.environ.get("TREATISE_CHROMIUM", "/usr/bin/chromium"))
STARTUP_S = 60
TIMEOUT_MS = 60_000
"""Of every wait: a busy machine takes its time. Waits are by locators, since the content policy forbids the text that
``wait_for_function`` evaluates from the second look on."""

expect = playwright.expect
expect.set_options(timeout=TIMEOUT_MS)
COUNT_CLICKS = "window.clicks = 0; addEventListener('click', e => { if (e.isTrusted) window.clicks += 1; }, true)"

TEA = """# Tea

## Making

Water boils at 100 degrees. Green tea wants cooler water, about 70 degrees, because hotter water makes it bitter. Let it
stand for two minutes. If you like it stronger, take more leaves, but do not wait longer.

## Keeping

Keep the leaves in a tin. Light and air make tea stale within weeks.
"""
COFFEE = """# Coffee

Coffee beans are roasted at 220 degrees. They keep for a month. Grind them just before brewing.
"""
LEASES = {
    "lease.txt": "The lease of the Harbour Street office ends on 30 June 2024. The rent is 4,000 euros a month.\n",
    "amendment.txt": "The lease of the Harbour Street office does not end on 30 June 2024. The rent is 4,500 euros.\n",
}
LONG_PAGES = 200
FOUND_PAGE = 137
FOUND = "The harpsichord in the library was tuned by Ottoline Vermeer in March."
FOUND_AT = Text(80, 500, FOUND, 12)
FILLER = "This page reports nothing that anybody would ask about, and it does so at some length."


def long_manual() -> bytes:
    """A PDF of 200 pages, one of which has the sentence to find."""
    pages = [[Text(60, 780, f"Report, part {n}", 14, "bold"), Text(60, 740, FILLER)] for n in range(1, LONG_PAGES + 1)]
    pages[FOUND_PAGE - 1].append(FOUND_AT)
    return pdf(pages, title="Annual report of the music department")


@dataclass
class Running:
    """A server in this process."""

    url: str
    client: httpx.Client

    def upload(self, files: dict[str, bytes]) -> dict[str, Any]:
        """Uploads files, waits until they are read, and returns the job."""
        parts = [("files", (name, data)) for name, data in files.items()]
        job = self.client.post("/api/v1/documents", files=parts).raise_for_status().json()
        while job["status"] in ("queued", "running"):
            time.sleep(0.05)
            job = self.client.get(f"/api/v1/jobs/{job['job']}").json()
        assert job["status"] == "done", job
        return job


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with documents: Markdown, texts that contradict each other, and a long PDF."""
    with _running(tmp_path_factory.mktemp("server")) as running:
        texts = {"tea.md": TEA, "coffee.md": COFFEE, **LEASES}
        running.upload({name: text.encode() for name, text in texts.items()})
        running.upload({"manual.pdf": long_manual()})
        yield running


class _running:  # noqa: N801  (used as a function in ``with``)
    def __init__(self, folder: Path, **config: Any) -> None:
        self._folder, self._config = folder, config

    def __enter__(self) -> Running:
        from treatise.server.app import create_app
        from treatise.server.config import ServerConfig
        from treatise.server.run import services_maker

        settings = Settings(store=self._folder / "library.db")
        app = create_app(services_maker(ServerConfig(**self._config), settings))
        self._server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None, timeout_graceful_shutdown=2))
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        deadline = time.monotonic() + STARTUP_S
        while not self._server.started:
            assert self._thread.is_alive(), "the server did not start"
            assert time.monotonic() < deadline, "the server did not start in time"
            time.sleep(0.02)
        url = f"http://127.0.0.1:{self._server.servers[0].sockets[0].getsockname()[1]}"
        self._client = httpx.Client(base_url=url, timeout=60)
        return Running(url, self._client)

    def __exit__(self, *_: object) -> None:
        self._client.close()
        self._server.should_exit = True
        self._thread.join(15)


@pytest.fixture(scope="session")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, str]]:
    """A server that asks for a key, and a key that it takes."""
    from treatise.server.keys import Keys, Scope
    from treatise.server.state import State

    folder = tmp_path_factory.mktemp("guarded")
    state = State(folder / "library.db.server")
    secret, _ = Keys(state).add("reader", Scope.WRITE)
    state.close()
    with _running(folder, require_key=True) as running:
        yield running, secret


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """Chromium. It ends with this folder: its event loop would stop other tests from running one."""
    if not CHROMIUM.exists():
        pytest.skip(f"no browser at {CHROMIUM}: install chromium, or set TREATISE_CHROMIUM")
    with playwright.sync_playwright() as runner:
        browser = runner.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Any, server: Running) -> Iterator[Any]:
    """Opens the page in a window of its own. Errors of its scripts and refusals of the content policy fail the test."""
    contexts: list[Any] = []
    errors: list[str] = []

    def begin(url: str = "", *, path: str = "/", ready: bool = True, **options: Any) -> Any:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", **options})
        contexts.append(context)
        context.set_default_timeout(TIMEOUT_MS)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: _is_fault(message) and errors.append(message.text))
        page.add_init_script(COUNT_CLICKS)
        page.goto((url or server.url) + path)
        if ready:
            page.wait_for_selector("html[data-ready]")
        return page

    yield begin
    for context in contexts:
        context.close()
    assert errors == []


def _is_fault(message: Any) -> bool:
    """Failed requests are reported by the page itself."""
    return message.type == "error" and "Failed to load resource" not in message.text


def ask(page: Any, question: str) -> Any:
    """Asks, waits for the answer and for the end of its stream, and returns its part of the page."""
    n = page.locator(".turn").count()
    page.fill("#question", question)
    page.press("#question", "Enter")
    turn = page.locator(".turn").nth(n)
    turn.and_(page.locator("[aria-busy=false]")).wait_for()
    page.locator("#ask:not(.stop)").wait_for()  # until then Enter asks nothing
    return turn
