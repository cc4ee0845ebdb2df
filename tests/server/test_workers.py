"""Several workers over one library."""

import os
import signal
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.conftest import TEA, serving

QUESTION = {"question": "When does water boil?"}
N_FILES = 6


def _workers(pid: int) -> set[int]:
    """The workers of a server: its children that are Python processes of multiprocessing."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return {int(one) for one in children if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()}


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds workers in /proc, which only Linux has")
def test_workers_share_library_jobs_and_keys_and_one_that_dies_is_replaced(tmp_path: Path) -> None:
    with serving(tmp_path, "--workers", "2") as (process, client):
        first = _workers(process.pid)
        assert len(first) == 2
        job = client.post("/api/v1/documents", files={"files": ("tea.md", TEA)}).json()["job"]
        with client.stream("GET", f"/api/v1/jobs/{job}/events") as events:
            assert '"status":"done"' in [line for line in events.iter_lines() if line.startswith("data: ")][-1]
        with ThreadPoolExecutor(8) as threads:
            answers = list(threads.map(lambda _: _asked(str(client.base_url)), range(16)))
        assert len({one["answer"] for one in answers}) == 1
        assert answers[0]["citations"][0]["quote"] in TEA
        os.kill(min(first), signal.SIGKILL)
        deadline = time.monotonic() + 60
        while len(_workers(process.pid) - {min(first)}) < 2:
            assert time.monotonic() < deadline, "no worker took the place of the one that died"
            time.sleep(0.1)
        assert _asked(str(client.base_url))["answer"] == answers[0]["answer"]
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) in (0, -signal.SIGTERM)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds workers in /proc, which only Linux has")
def test_workers_end_when_their_server_is_killed(tmp_path: Path) -> None:
    with serving(tmp_path, "--workers", "2") as (process, _):
        workers = _workers(process.pid)
        assert len(workers) == 2
        process.kill()
        process.wait()
        deadline = time.monotonic() + 60
        while any(Path(f"/proc/{one}").exists() for one in workers):
            assert time.monotonic() < deadline, "a worker holds the port"
            time.sleep(0.1)


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where the workers keep the library."""
    url: str = request.getfixturevalue("postgres_library") if request.param == "postgres" else str(tmp_path / "l.db")
    return url


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds workers in /proc, which only Linux has")
def test_a_worker_killed_in_a_job_loses_nothing_and_tears_nothing(store: str, tmp_path: Path) -> None:
    texts = {f"{n}.txt": f"The pump of station {n} runs at {n + 40} hertz. " * 300 for n in range(N_FILES)}
    state = tmp_path / "state"
    with serving(tmp_path, "--store", store, "--state", str(state), "--workers", "2") as (process, client):
        files = [("files", (name, text)) for name, text in texts.items()]
        job = client.post("/api/v1/documents", files=files).json()["job"]
        statuses: list[int] = []
        threads = [threading.Thread(target=_ask_until_ended, args=(client, job, statuses)) for _ in range(3)]
        for thread in threads:
            thread.start()
        killed = _worker_of(state, job)
        assert killed in _workers(process.pid)
        os.kill(killed, signal.SIGKILL)
        for thread in threads:
            thread.join()
        found = _job(client, job)
        assert (found["status"], found["attempts"]) == ("done", 2)
        documents = client.get("/api/v1/documents").json()["documents"]
        assert sorted(one["sources"][0] for one in documents) == sorted(texts)
        for one in documents:
            text = client.get(f"/api/v1/documents/{one['document']}/text").json()["text"]
            assert text.strip() == texts[one["sources"][0]].strip()
        assert set(statuses) <= {200, 422}, "an empty library refuses questions; nothing else went wrong"
        assert 200 in statuses
        url, question = str(client.base_url), "At how many hertz does the pump of station 3 run?"
        answers = {_asked(url, question)["answer"] for _ in range(6)}
        assert len(answers) == 1
        assert "43 hertz" in answers.pop()


def _ask_until_ended(client: httpx.Client, job: str, statuses: list[int]) -> None:
    """Asks over new connections until the job has ended; those to a killed worker break, which is no reply."""
    question = {"question": "At how many hertz does the pump run?"}
    url = str(client.base_url)
    for _ in range(600):
        with suppress(httpx.TransportError):
            statuses.append(httpx.post(f"{url}/api/v1/ask", json=question, timeout=120).status_code)
            if httpx.get(f"{url}/api/v1/jobs/{job}", timeout=60).json()["status"] not in ("queued", "running"):
                return
        time.sleep(0.2)


def _worker_of(state: Path, job: str) -> int:
    """The worker that runs the job, once one of its files is done."""
    with closing(sqlite3.connect(state / "server.db", timeout=30)) as connection:
        for _ in range(3000):
            found = connection.execute("SELECT owner, progress FROM jobs WHERE id = ?", (job,)).fetchone()
            if found[0] and '"status": "done"' in found[1]:
                return int(found[0].split(":")[1])
            time.sleep(0.02)
    raise AssertionError("no file was done in a minute")


def _job(client: httpx.Client, job: str) -> Any:
    """The job once it has ended; a kept connection to a killed worker breaks once."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        with suppress(httpx.TransportError):
            found = client.get(f"/api/v1/jobs/{job}").json()
            if found["status"] not in ("queued", "running"):
                return found
        time.sleep(0.2)
    raise AssertionError("the job did not end")


def _asked(url: str, question: str = QUESTION["question"]) -> Any:
    """The answer over a connection of its own, which any worker may take."""
    return httpx.post(f"{url}/api/v1/ask", json={"question": question}, timeout=120).raise_for_status().json()
