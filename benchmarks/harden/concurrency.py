"""Concurrency: four writers and eight readers in processes of their own, and threads, on one library."""

import json
import random
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from benchmarks.harden.campaign import Campaign
from benchmarks.harden.crashes import _text, library_at
from treatise.core.errors import DocumentNotFoundError, SourceError, StoreBusyError
from treatise.store import SqliteStore

N_WRITERS, N_READERS, N_THREADS = 4, 8, 4


def run(campaign: Campaign) -> None:
    with tempfile.TemporaryDirectory(prefix="treatise-concurrency-") as folder:
        path = Path(folder) / "treatise.db"
        library_at(path).close()
        roles = ["write"] * N_WRITERS + ["read"] * N_READERS
        workers = [_start(path, role, number, campaign) for number, role in enumerate(roles)]
        _threads(campaign, path)
        for worker in workers:
            printed, errors = worker.communicate(timeout=campaign.seconds + 300)
            if worker.returncode:
                campaign.fault(errors[-1_000:])
            else:
                campaign.counts.update(json.loads(printed))
        _check(campaign, path)


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
            _write(library, choices) if role == "write" else _read(library)
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


def _read(library: object) -> None:
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
