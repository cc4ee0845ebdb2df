"""Several workers over one library."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.conftest import TEA, serving

QUESTION = {"question": "When does water boil?"}


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


def _asked(url: str) -> Any:
    """The answer over a connection of its own, which any worker may take."""
    return httpx.post(f"{url}/api/v1/ask", json=QUESTION, timeout=120).raise_for_status().json()
