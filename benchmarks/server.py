"""The server under load: answers per second, waiting times, memory, overhead over the library, first event of a stream.

    python benchmarks/server.py FOLDER [--documents 100] [--clients 32] [--seconds 300] [--store FILE] [--out FILE]

FOLDER holds text or Markdown files. Each is split at blank lines into documents of about ``--words`` words until there
are ``--documents``. Questions are beginnings of sentences of those documents. Prints one JSON object. Compare times
within one run only: the machine may be busy.
"""

import argparse
import http.client
import json
import multiprocessing
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

from treatise import open_library
from treatise.core.evidence import Evidence
from treatise.pipeline.library import Library
from treatise.pipeline.query import AnswerListener


def main() -> None:
    """Runs the measurement."""
    options = _options()
    with tempfile.TemporaryDirectory() as folder:
        store = options.store or Path(folder) / "library.db"
        library = open_library(store=store)
        _fill(library, options)
        questions = _questions(library, 200)
        figures: dict[str, Any] = {"documents": len(library.documents()), "cores": os.cpu_count()}
        with _server(store) as (process, url), _client(url) as client:
            figures["overhead"] = _overhead(library, client, questions)
            figures["processor_ms"] = _processor(client, process.pid, questions[:60])
            figures["first_event_ms"] = _first_events(library, client, questions[60:100])
            if options.seconds:
                figures |= _under_load(url, process, questions, options)
        library.close()
    text = json.dumps(figures, indent=2)
    print(text)
    if options.out:
        options.out.write_text(text)


def _under_load(
    url: str, process: "subprocess.Popen[bytes]", questions: Sequence[str], options: argparse.Namespace
) -> dict[str, Any]:
    """One client, then many, then more than may wait."""
    one = _load(url, process, questions, clients=1, seconds=min(20, options.seconds))
    many = _load(url, process, questions, clients=options.clients, seconds=options.seconds)
    limit_ms = round(4 * one["median_ms"] * options.clients / 2, 1)
    return {
        "one_client": one,
        "load": many,
        "overload": _overload(url, questions),
        "p99_limit_ms": limit_ms,
        "p99_within_limit": many["p99_ms"] <= limit_ms,
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--documents", type=int, default=100)
    parser.add_argument("--words", type=int, default=1_000)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=300.0, help="of load; 0 for none")
    parser.add_argument("--store", type=Path, help="kept between runs")
    parser.add_argument("--out", type=Path)
    return parser.parse_args()


def _fill(library: Library, options: argparse.Namespace) -> None:
    known = len(library.documents())
    for number, text in enumerate(_texts(options.folder, options.words)):
        if number >= options.documents:
            return
        if number >= known:
            library.index(f"{number}.txt", data=text.encode("utf-8", "replace"))


def _texts(folder: Path, words: int) -> Iterator[str]:
    """Runs of paragraphs of about so many words."""
    for path in sorted(one for one in folder.rglob("*") if one.suffix in (".txt", ".md")):
        run: list[str] = []
        for paragraph in path.read_text(encoding="utf-8", errors="replace").split("\n\n"):
            run.append(paragraph)
            if sum(len(one.split()) for one in run) >= words:
                yield "\n\n".join(run)
                run = []


def _questions(library: Library, n: int) -> list[str]:
    """Beginnings of sentences from all documents, in a fixed random order."""
    chosen = random.Random(0)
    found = []
    for entry in library.documents():
        document = library.document(entry.id)
        sentences = [document.quote(s.start, s.end) for spans in document.readable_sentences() for s in spans]
        long = [one for one in sentences if len(one.split()) > 8]
        found += [" ".join(one.split()[:10]) for one in chosen.sample(long, min(5, len(long)))]
    chosen.shuffle(found)
    return found[:n]


@contextmanager
def _server(store: Path) -> Iterator[tuple["subprocess.Popen[bytes]", str]]:
    port = 20_000 + os.getpid() % 20_000
    command = [sys.executable, "-m", "treatise", "serve", "--store", str(store), "--port", str(port)]
    url = f"http://127.0.0.1:{port}"
    environment = {**os.environ, "TREATISE_SERVER_HEALTH_PORT": str(port + 1)}
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as process:
        try:
            while True:
                with suppress(httpx.TransportError):
                    if httpx.get(f"{url}/readyz", timeout=10).status_code == 200:
                        break
                time.sleep(0.2)
            yield process, url
        finally:
            process.terminate()


def _overhead(library: Library, client: httpx.Client, questions: Sequence[str]) -> dict[str, float]:
    """The same questions through the library and over HTTP, now one first and now the other; both have read before."""
    for question in questions[:3]:
        library.ask(question)
        _ask(client, question)
    ways = {"direct": lambda question: library.ask(question), "served": lambda question: _ask(client, question)}
    times: dict[str, list[float]] = {name: [] for name in ways}
    for number, question in enumerate(questions[:60]):
        for name in sorted(ways, reverse=number % 2 == 0):
            times[name].append(_ms(lambda name=name, question=question: ways[name](question)))
    direct, served = times["direct"], times["served"]
    differences = sorted(a - b for a, b in zip(served, direct, strict=True))
    return {
        "library_median_ms": round(statistics.median(direct), 2),
        "server_median_ms": round(statistics.median(served), 2),
        "median_difference_ms": round(statistics.median(differences), 2),
        "quartiles_ms": [round(one, 2) for one in statistics.quantiles(differences, n=4)],
        "n": len(differences),
    }


def _processor(client: httpx.Client, pid: int, questions: Sequence[str]) -> dict[str, Any]:
    """Processor time of a question by thread of the server: the event loop's is what the server adds to the library.

    The question's own thread answers it and writes its JSON. Other programs hardly disturb these figures.
    """
    loop, whole = [], []
    for question in questions:
        before = _thread_s(pid, pid), sum(_thread_s(pid, one) for one in _threads(pid))
        _ask(client, question)
        loop.append(1000 * (_thread_s(pid, pid) - before[0]))
        whole.append(1000 * (sum(_thread_s(pid, one) for one in _threads(pid)) - before[1]))
    return {
        "event_loop_median": round(statistics.median(loop), 2),
        "event_loop_quartiles": [round(one, 2) for one in statistics.quantiles(loop, n=4)],
        "all_threads_median": round(statistics.median(whole), 2),
        "n": len(loop),
    }


def _threads(pid: int) -> list[int]:
    return [int(one.name) for one in Path(f"/proc/{pid}/task").iterdir()]


def _thread_s(pid: int, thread: int) -> float:
    """Processor time of a thread so far, to the nanosecond."""
    return int(Path(f"/proc/{pid}/task/{thread}/schedstat").read_text().split()[0]) / 1e9


def _first_events(library: Library, client: httpx.Client, questions: Sequence[str]) -> dict[str, Any]:
    """Time to the first event of a stream, beside the time at which the library knows the evidence; in turn."""
    known, first, rest = [], [], []
    for question in questions:
        known.append(_evidence_ms(library, question))
        began = time.monotonic()
        with client.stream("POST", "/api/v1/ask/stream", json={"question": question}) as reply:
            lines = reply.iter_lines()
            next(line for line in lines if line.startswith("event: evidence"))
            at = time.monotonic()
            for _ in lines:
                pass
        first.append(1000 * (at - began))
        rest.append(1000 * (time.monotonic() - at))
    after = [a - b for a, b in zip(first, known, strict=True)]
    return {
        "median": round(statistics.median(first), 1),
        "evidence_known_median": round(statistics.median(known), 1),
        "after_evidence_median": round(statistics.median(after), 1),
        "after_evidence_max": round(max(after), 1),
        "to_the_end_median": round(statistics.median(rest), 1),
        "n": len(after),
    }


class _Clock(AnswerListener):
    """Notes when the evidence of an answer is known."""

    at = 0.0

    def evidence(self, _: Evidence) -> None:
        self.at = time.monotonic()


def _evidence_ms(library: Library, question: str) -> float:
    clock, began = _Clock(), time.monotonic()
    library.ask(question, listener=clock)
    return 1000 * (clock.at - began)


def _load(
    url: str, process: "subprocess.Popen[bytes]", questions: Sequence[str], *, clients: int, seconds: float
) -> dict[str, Any]:
    """Clients that ask one question after the other; health and memory are looked at meanwhile."""
    end = time.monotonic() + seconds
    times: list[float] = []
    statuses: list[int] = []

    def work(number: int) -> None:
        mine = random.Random(number)
        with _client(url) as client:
            while time.monotonic() < end:
                began = time.monotonic()
                statuses.append(_ask(client, mine.choice(questions)))
                times.append(1000 * (time.monotonic() - began))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(clients)]
    with _probing(url) as health:
        for thread in threads:
            thread.start()
        memory = _memory_until(process, end)
        for thread in threads:
            thread.join()
    later = memory[len(memory) // 5 :] or memory
    ordered = sorted(times)
    return {
        "clients": clients,
        "seconds": seconds,
        "answers": len(times),
        "errors": sum(status != 200 for status in statuses),
        "per_second": round(len(times) / seconds, 1),
        "median_ms": round(statistics.median(ordered), 1),
        "p99_ms": round(ordered[int(0.99 * (len(ordered) - 1))], 1),
        **health,
        "load_average": round(os.getloadavg()[0], 1),
        "memory_mb": {"first": round(later[0]), "max": round(max(later)), "last": round(later[-1])},
        "memory_change_percent": round(100 * (max(later) - min(later)) / later[0], 1),
    }


def _memory_until(process: "subprocess.Popen[bytes]", end: float) -> list[float]:
    """The server's memory, every half second."""
    memory = [_memory_mb(process.pid)]
    while time.monotonic() < end:
        time.sleep(0.5)
        memory.append(_memory_mb(process.pid))
    return memory


@contextmanager
def _probing(url: str) -> Iterator[dict[str, Any]]:
    """Figures of health while the block runs, on the server's port and on that of health; filled at its end."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    prober = spawn.Process(target=_probe, args=(int(url.rpartition(":")[2]), theirs))
    prober.start()
    ours.recv()  # it has begun
    figures: dict[str, Any] = {}
    try:
        yield figures
    finally:
        ours.send("end")
        figures.update(ours.recv())
        prober.join()


def _probe(port: int, pipe: Any) -> None:
    """Asks for health every quarter of a second until the pipe says something, and sends the figures."""
    times: dict[str, list[float]] = {"health": [], "health_port": []}
    pipe.send("begun")
    while not pipe.poll(0.25):
        times["health"].append(_ms(lambda: _get_health(port)))
        times["health_port"].append(_ms(lambda: _get_health(port + 1)))
    figures = {}
    for name, found in times.items():
        ordered = sorted(found)
        figures[f"{name}_median_ms"] = round(statistics.median(ordered), 1)
        figures[f"{name}_p99_ms"] = round(ordered[int(0.99 * (len(ordered) - 1))], 1)
        figures[f"{name}_max_ms"] = round(ordered[-1], 1)
    pipe.send({**figures, "health_n": len(times["health"])})


def _get_health(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/healthz")
    reply = connection.getresponse()
    reply.read()
    connection.close()
    assert reply.status == 200, reply.status


def _overload(url: str, questions: Sequence[str]) -> dict[str, Any]:
    """More clients than the server lets wait, all at once."""
    replies: list[tuple[int, str | None]] = []

    def work(client: httpx.Client, number: int) -> None:
        reply = client.post("/api/v1/ask", json={"question": questions[number % len(questions)]})
        replies.append((reply.status_code, reply.headers.get("retry-after")))

    clients = [_client(url) for _ in range(100)]
    threads = [threading.Thread(target=work, args=(client, number)) for number, client in enumerate(clients)]
    with _probing(url) as health:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for client in clients:
        client.close()
    statuses = [status for status, _ in replies]
    return {
        "replies": {str(status): statuses.count(status) for status in sorted(set(statuses))},
        "refused_without_retry_after": sum(status == 429 and not wait for status, wait in replies),
        **health,
    }


def _client(url: str) -> httpx.Client:
    """A client; without certificates, which take longer to read than an answer."""
    return httpx.Client(base_url=url, timeout=120, verify=False)


def _ask(client: httpx.Client, question: str) -> int:
    return client.post("/api/v1/ask", json={"question": question}).status_code


def _ms(work: Any) -> float:
    began = time.monotonic()
    work()
    return 1000 * (time.monotonic() - began)


def _memory_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    main()
