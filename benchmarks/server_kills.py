"""Kills the server again and again during uploads, jobs and answers, and looks for torn documents.

    python benchmarks/server_kills.py [--kills 100] [--minutes 60] [--seed 0]

Each round starts the server over the same library, uploads and asks (whole and as a stream) for a random time, and
sends SIGKILL. At the end the server runs until no job is left. Checked: every upload that was answered 202 is one
document, every document has the exact text of an upload, no job has failed, every reply that arrived whole is valid,
and every stream ended with its answer or with a broken connection.
"""

import argparse
import collections
import json
import multiprocessing
import os
import random
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

from treatise.server.config import ServerConfig
from treatise.server.run import serve
from treatise.settings import Settings

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["treatise.server.run", "treatise.engines", "onnxruntime", "tokenizers", "httpx"])


def main() -> None:
    """Runs the rounds, and prints one JSON object; ends with status 1 if anything is torn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=60.0, help="No further kill after this time.")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    chosen = random.Random(options.seed)
    seen = Seen()
    with tempfile.TemporaryDirectory() as folder:
        end, kills = time.monotonic() + 60 * options.minutes, 0
        while kills < options.kills and time.monotonic() < end:
            with serving(Path(folder)) as (process, url):
                work(url, seen, kills, chosen.uniform(0.1, 10.0))
                process.kill()
            kills += 1
            print(f"{kills} kills, {seen.figures()}", file=sys.stderr, flush=True)
        with serving(Path(folder)) as (process, url), httpx.Client(base_url=url, timeout=60) as client:
            left = finish(client)
            faults, ended = check(client, seen), outcome(client)
    figures = {"kills": kills, **seen.figures(), "jobs_left_at_the_last_start": left, **ended, "faults": faults}
    print(json.dumps(figures, indent=2))
    sys.exit(bool(faults))


class Seen:
    """What clients saw.

    Attributes:
        sent: The text of each upload, by file name.
        accepted: Names of the uploads that were answered 202.
        replies, streams: Whole answers and whole streams.
        refused, broken: Questions to the empty library, and requests whose connection broke.
        strange: Replies that were none of these.
    """

    def __init__(self) -> None:
        self.sent: dict[str, str] = {}
        self.accepted: set[str] = set()
        self.replies = 0
        self.streams = 0
        self.refused = 0
        self.broken = 0
        self.strange: list[str] = []

    def figures(self) -> dict[str, Any]:
        """Counts."""
        counts = {"uploads": len(self.sent), "accepted": len(self.accepted)}
        answers = {"answers": self.replies, "streams": self.streams, "refused": self.refused}
        return {**counts, **answers, "broken_connections": self.broken}

    def reply(self, status: int, text: str) -> bool:
        """Whether a reply is an answer; counts the refusals of the empty library, and keeps what is strange."""
        self.refused += (is_refused := "urn:treatise:problem:no-documents" in text)
        if status != 200 and not is_refused:
            self.strange.append(f"ask {status}: {text[:200]}")
        return status == 200 and not is_refused


def work(url: str, seen: Seen, number: int, seconds: float) -> None:
    """Uploads and asks in threads, for so long; the threads end when their connection breaks."""
    threads = [
        threading.Thread(target=target, args=(url, seen, number), daemon=True) for target in (upload, ask, stream)
    ]
    for thread in threads:
        thread.start()
    time.sleep(seconds)


def upload(url: str, seen: Seen, number: int) -> None:
    """Uploads one new document after the other."""
    with httpx.Client(base_url=url, timeout=60) as client:
        for i in range(1000):
            name = f"{number}-{i}.txt"
            text = f"Document {number} of part {i}. " + "Water boils at 100 degrees. Tea wants less. " * 200
            seen.sent[name] = text
            try:
                reply = client.post("/api/v1/documents", files={"files": (name, text)})
            except httpx.TransportError:
                seen.broken += 1
                return
            if reply.status_code == 202:
                seen.accepted.add(name)
            else:
                seen.strange.append(f"upload {reply.status_code}: {reply.text[:200]}")
            time.sleep(1.0)  # reading a file takes longer


def ask(url: str, seen: Seen, _number: int) -> None:
    """Asks one question after the other; an empty library refuses them."""
    with httpx.Client(base_url=url, timeout=60) as client:
        while True:
            try:
                reply = client.post("/api/v1/ask", json={"question": "When does water boil?"})
                json.loads(reply.text)
            except httpx.TransportError:
                seen.broken += 1
                return
            except ValueError:
                seen.strange.append(f"half a reply: {reply.text[-100:]}")
                return
            seen.replies += seen.reply(reply.status_code, reply.text)


def stream(url: str, seen: Seen, _number: int) -> None:
    """Asks for one stream after the other; one that ends in peace ends with its answer."""
    with httpx.Client(base_url=url, timeout=60) as client:
        while True:
            try:
                reply = client.post("/api/v1/ask/stream", json={"question": "When does water boil?"})
            except httpx.TransportError:
                seen.broken += 1
                return
            is_answer = seen.reply(reply.status_code, reply.text)
            seen.streams += is_answer
            if is_answer and "event: answer" not in reply.text.splitlines():
                seen.strange.append(f"stream: {reply.text[-200:]}")


def finish(client: httpx.Client) -> int:
    """Waits until every job has ended; returns how many were left at first."""
    left = sum(job["status"] in ("queued", "running") for job in jobs(client))
    while any(job["status"] in ("queued", "running") for job in jobs(client)):
        time.sleep(0.5)
    return left


def outcome(client: httpx.Client) -> dict[str, Any]:
    """How the jobs ended, the most attempts that one took, and the number of documents."""
    found = jobs(client)
    attempts = collections.Counter(job["attempts"] for job in found)
    status = dict(collections.Counter(job["status"] for job in found))
    return {"jobs": status, "attempts": dict(sorted(attempts.items())), "documents": len(documents(client))}


def jobs(client: httpx.Client) -> list[dict[str, Any]]:
    """The newest jobs, more than a run makes."""
    found: list[dict[str, Any]] = client.get("/api/v1/jobs", params={"limit": 1000}).json()["jobs"]
    return found


def documents(client: httpx.Client) -> dict[str, str]:
    """The id of every document by its file name."""
    found: dict[str, str] = {}
    after: str | None = ""
    while after is not None:
        part = client.get("/api/v1/documents", params={"limit": 1000, "after": after}).json()
        found |= {entry["sources"][0]: entry["document"] for entry in part["documents"]}
        after = part["next"]
    return found


def check(client: httpx.Client, seen: Seen) -> list[str]:
    """What is wrong with the library after all."""
    faults = [*seen.strange]
    faults += [f"job {job['job']}: {job['status']} {job['error']}" for job in jobs(client) if job["status"] != "done"]
    ids = documents(client)
    faults += [f"{name} was accepted and is no document" for name in seen.accepted if name not in ids]
    for name, document in ids.items():
        if client.get(f"/api/v1/documents/{document}/text").json()["text"] != seen.sent.get(name):
            faults.append(f"{name} is torn")
    return faults


def serve_quietly(folder: Path, port: int) -> None:
    """The server over a library in a folder, in the process that is to be killed."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    serve(ServerConfig(port=port, log_level="error"), Settings(store=folder / "l.db"))


@contextmanager
def serving(folder: Path) -> Iterator[tuple[Any, str]]:
    """The server once it answers, forked from a process that has imported it; killed at the end."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = FORKS.Process(target=serve_quietly, args=(folder, port))
    process.start()
    try:
        while process.is_alive():
            with suppress(httpx.TransportError):
                if httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=10).status_code == 200:
                    break
            time.sleep(0.1)
        yield process, f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.join()


if __name__ == "__main__":
    main()
