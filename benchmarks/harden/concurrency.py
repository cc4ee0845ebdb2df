"""Concurrency on one library: four writers, eight readers, a process that forks, threads, a server and a watcher.

The server and the watcher, which load a model, take part from half a minute on.
"""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

from benchmarks.harden.campaign import Campaign
from benchmarks.harden.crashes import _text, library_at
from treatise.core.errors import DocumentNotFoundError, SourceError, StoreBusyError
from treatise.store import SqliteStore

N_WRITERS, N_READERS, N_THREADS, N_FILES = 4, 8, 4, 6
MIN_SECONDS_OF_SERVER = 30.0
START_S = 180.0


def run(campaign: Campaign) -> None:
    with tempfile.TemporaryDirectory(prefix="treatise-concurrency-") as folder:
        path = Path(folder) / "treatise.db"
        library_at(path).close()
        if campaign.seconds < MIN_SECONDS_OF_SERVER:
            _workers(campaign, path)
        else:
            with _serving(campaign, path), _watching(campaign, path):
                _workers(campaign, path)
            _check_watched(campaign, path)
        _check(campaign, path)


def _workers(campaign: Campaign, path: Path) -> None:
    roles = ["write"] * N_WRITERS + ["read"] * N_READERS + ["fork"]
    workers = [_start(path, role, number, campaign) for number, role in enumerate(roles)]
    _threads(campaign, path)
    for worker in workers:
        printed, errors = worker.communicate(timeout=campaign.seconds + 300)
        if worker.returncode:
            campaign.fault(errors[-1_000:])
        else:
            campaign.counts.update(json.loads(printed))


def _start(path: Path, role: str, number: int, campaign: Campaign) -> "subprocess.Popen[str]":
    program = "import sys; from benchmarks.harden.concurrency import work; work(*sys.argv[1:])"
    arguments = [str(path), role, str(campaign.seed * 100 + number), str(campaign.seconds)]
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def work(path: str, role: str, seed: str, seconds: str) -> None:
    """A process: prints its counts as JSON; any other error than those of a library in use ends it."""
    campaign, choices = Campaign(float(seconds), int(seed)), random.Random(int(seed))
    library = library_at(Path(path))
    while campaign.goes_on:
        try:
            {"write": _write, "read": _read, "fork": _fork}[role](library, choices)
            campaign.count(f"{role}s")
        except StoreBusyError:
            campaign.count("busy")
        except DocumentNotFoundError:
            campaign.count("removed meanwhile")
        except SourceError as error:
            if "index" not in str(error) and "removed" not in str(error):
                raise
            campaign.count("empty library")
    library.close()
    print(json.dumps(campaign.counts))


def _write(library: object, choices: random.Random) -> None:
    source = choices.randrange(20)
    if choices.random() < 0.2:
        for entry in library.documents():  # type: ignore[attr-defined]
            if f"/{source}" in entry.sources:
                library.remove(entry.id)  # type: ignore[attr-defined]
    else:
        library.index(f"/{source}", data=_text(source, choices.randrange(1, 50)))  # type: ignore[attr-defined]


def _fork(library: object, choices: random.Random) -> None:
    """A child and its parent use the same library object at once."""
    seed = choices.randrange(1 << 30)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            _patiently(library, random.Random(seed))
            status = 0
        finally:
            os._exit(status)
    _patiently(library, choices)
    _, status = os.waitpid(child, 0)
    assert status == 0, f"a forked child ended with {status}"


def _patiently(library: object, choices: random.Random) -> None:
    try:
        _write(library, choices)
        _read(library, choices)
    except (StoreBusyError, DocumentNotFoundError, SourceError):
        return


def _read(library: object, _choices: random.Random) -> None:
    evidence = library.search("What does part 1 say?")  # type: ignore[attr-defined]
    for passage in evidence.passages:
        text = library.document(passage.document).text  # type: ignore[attr-defined]
        assert passage.text in text, "a passage is not in its document"


def _threads(campaign: Campaign, path: Path) -> None:
    """Threads that share one store."""
    with SqliteStore(path) as store:

        def read() -> None:
            while campaign.goes_on:
                try:
                    for entry in store.entries():
                        for key in entry.index_keys:
                            store.get(entry.id, key)
                    campaign.count("thread reads")
                except DocumentNotFoundError:
                    campaign.count("removed meanwhile")
                except Exception as error:
                    campaign.fault(f"thread: {type(error).__name__}: {error}")

        threads = [threading.Thread(target=read) for _ in range(N_THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


@contextmanager
def _serving(campaign: Campaign, path: Path) -> Iterator[None]:
    """A server over the library, asked and given documents all the time; every document that it took is there."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    environment = os.environ | {"TREATISE_STORE": str(path), "HOME": str(path.parent)}
    command = [sys.executable, "-m", "treatise", "serve", "--port", str(port)]
    log = path.with_name("server.log").open("w+")
    server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=log)
    ends = threading.Event()
    client = threading.Thread(target=_client, args=(campaign, address, ends))
    try:
        _wait_until_ready(address)
        client.start()
        yield
    finally:
        ends.set()
        if client.ident:
            client.join()
        server.send_signal(signal.SIGTERM)
        if (status := server.wait(timeout=120)) not in (0, -signal.SIGTERM):
            campaign.fault(f"the server ended with {status}")
        for failure in _failures(log):
            campaign.fault(f"the server's log: {failure}")


def _failures(log: TextIO) -> Iterator[str]:
    """The message and the end of the traceback of each failure in a log of the server."""
    with log:
        log.seek(0)
        for line in log:
            with suppress(ValueError):  # what the command line prints is no record
                record = json.loads(line)
                if trace := record.get("traceback", ""):
                    yield f"{record['message']} …{trace[-1_500:]}"


def _wait_until_ready(address: str) -> None:
    end = time.monotonic() + START_S
    while True:
        try:
            urllib.request.urlopen(f"{address}/readyz", timeout=10).close()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)
        else:
            return


def _client(campaign: Campaign, address: str, ends: threading.Event) -> None:
    taken: list[str] = []
    number = 0
    while not ends.is_set():
        number += 1
        name = f"upload-{number}.txt"
        if number % 5 == 0:
            status, reply = _asked(
                f"{address}/api/v1/documents", _form(name, _text(number, 1)), "multipart/form-data; boundary=b"
            )
            taken += [name] if status == 202 else []
        else:
            question = json.dumps({"question": "What does part 1 say?"}).encode()
            status, reply = _asked(f"{address}/api/v1/ask", question)
        campaign.count(f"replies {status}")
        if status >= 500 and status != 503:
            campaign.fault(f"the server answered {status}: {reply[:300]!r}")
    end = time.monotonic() + START_S
    while (missing := set(taken) - _listed(address)) and time.monotonic() < end:
        time.sleep(1.0)
    campaign.count("uploads", len(taken))
    if missing:
        campaign.fault(f"accepted and no documents: {sorted(missing)[:5]}")


def _listed(address: str) -> set[str]:
    with urllib.request.urlopen(f"{address}/api/v1/documents?limit=1000", timeout=60) as reply:
        listed: list[dict[str, Any]] = json.load(reply)["documents"]
    return {Path(source).name for entry in listed for source in entry["sources"]}


def _form(name: str, data: bytes) -> bytes:
    head = f'--b\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\nContent-Type: text/plain\r\n\r\n'
    return head.encode() + data + b"\r\n--b--\r\n"


def _asked(url: str, data: bytes, kind: str = "application/json") -> tuple[int, bytes]:
    request = urllib.request.Request(url, data, {"Content-Type": kind})
    try:
        with urllib.request.urlopen(request, timeout=120) as reply:
            return reply.status, reply.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


@contextmanager
def _watching(campaign: Campaign, path: Path) -> Iterator[None]:
    """A watcher of a folder whose files are written, changed and deleted all the time."""
    (folder := _watched(path)).mkdir()
    environment = os.environ | {"TREATISE_STORE": str(path), "HOME": str(path.parent)}
    command = [sys.executable, "-m", "treatise", "watch", str(folder), "--every", "0.5"]
    watcher = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    ends = threading.Event()
    changer = threading.Thread(target=_change_files, args=(campaign, folder, ends))
    changer.start()
    try:
        yield
    finally:
        ends.set()
        changer.join()
        if watcher.poll() is not None:
            campaign.fault(f"the watcher ended: {(watcher.stderr.read() if watcher.stderr else '')[-500:]}")
        watcher.terminate()  # what is started in the background ignores SIGINT
        _, errors = watcher.communicate(timeout=120)
        if "Traceback" in errors or "a bug in Treatise" in errors:
            campaign.fault(f"the watcher: {errors[-500:]}")


def _change_files(campaign: Campaign, folder: Path, ends: threading.Event) -> None:
    choices = random.Random(campaign.seed)
    while not ends.wait(1.0):
        file = folder / f"{choices.randrange(N_FILES)}.txt"
        if choices.random() < 0.3:
            file.unlink(missing_ok=True)
        else:
            file.write_bytes(_text(choices.randrange(100), choices.randrange(100)))
        campaign.count("files changed")


def _watched(path: Path) -> Path:
    return path.with_name("watched")


def _check_watched(campaign: Campaign, path: Path) -> None:
    """After a last look of the watcher the library holds the files as they are."""
    environment = os.environ | {"TREATISE_STORE": str(path), "HOME": str(path.parent)}
    command = [sys.executable, "-m", "treatise", "watch", str(_watched(path)), "--once"]
    subprocess.run(command, env=environment, check=True, capture_output=True, timeout=START_S)
    with library_at(path) as library:
        held = {
            source: library.document(entry.id).text.strip()
            for entry in library.documents()
            for source in entry.sources
            if Path(source).parent == _watched(path)
        }
    files = {str(file): file.read_text(encoding="utf-8").strip() for file in _watched(path).iterdir()}
    campaign.count("watched files compared", len(files))
    if held != files:
        campaign.fault(f"watched {sorted(files)}, held {sorted(held)}")


def _check(campaign: Campaign, path: Path) -> None:
    library = library_at(path)
    for entry in library.documents():
        campaign.count("documents left")
        if len(entry.sources) < 1:
            campaign.fault(f"{entry.id} has no source")
        for key in entry.index_keys:
            if library.store.get(entry.id, key) is None:
                campaign.fault(f"{entry.id} lacks {key}")
    for fault in library.store.check():
        campaign.fault(fault)
    library.close()
