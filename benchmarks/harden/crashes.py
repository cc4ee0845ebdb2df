"""Crashes: `kill -9` at random moments and at each write and sync, power cuts, full and broken disks.

The campaign runs itself again below a shim (`faults.c`, compiled with cc), and forks a child per trial. The child
indexes, updates, removes, asks with another recipe and saves calls, and reports each operation that is done. Then the
parent checks: every listed document is whole and equal to a clean index, every finished operation was kept, at most the
one in flight was added, and the library can be written.
"""

import ctypes
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import rmtree

import numpy as np

from benchmarks.harden.campaign import Campaign
from treatise.core.errors import StoreError
from treatise.core.note import CallOutcome
from treatise.pipeline.engines import Engines
from treatise.pipeline.library import Library
from treatise.pipeline.system import System
from treatise.recipes import BALANCED, FLAT_SENTENCE
from treatise.store import SqliteStore, opening, schema
from treatise.testing import HashingEncoder

KINDS = {"killed at random": 0, "killed at a write": 1, "power cuts": 2, "full disks": 3, "broken disks": 4}
N_SOURCES = 6
_MEMORY = "/dev/shm"  # syncs are cheap there, and the shim decides what they keep
_SHIM = "TREATISE_HARDEN_SHIM"


def run(campaign: Campaign) -> None:
    if _SHIM not in os.environ:
        _run_below_shim(campaign)
        return
    shim = ctypes.CDLL(os.environ[_SHIM])
    choices = random.Random(campaign.seed)
    folder = Path(tempfile.mkdtemp(prefix="treatise-crashes-", dir=_MEMORY if Path(_MEMORY).is_dir() else None))
    try:
        while campaign.goes_on:
            name = choices.choice(list(KINDS))
            _trial(campaign, Trial(folder / "treatise.db", name, choices.randrange(1 << 30)), shim)
    finally:
        rmtree(folder, ignore_errors=True)


def _run_below_shim(campaign: Campaign) -> None:
    """Compiles the shim and runs the campaign in a process that has it."""
    with tempfile.TemporaryDirectory() as folder:
        shim = Path(folder) / "faults.so"
        source = Path(__file__).with_name("faults.c")
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", shim, source, "-ldl"], check=True)
        command = [sys.executable, "-m", "benchmarks.harden", "crashes"]
        options = ["--seconds", str(campaign.seconds), "--seed", str(campaign.seed)]
        environment = {**os.environ, "LD_PRELOAD": str(shim), _SHIM: str(shim)}
        done = subprocess.run([*command, *options], env=environment, capture_output=True, text=True, check=False)
    if not done.stdout.strip():
        campaign.fault(f"the campaign itself ended with {done.returncode}: {done.stderr[-1_000:]}")
        return
    record = json.loads(done.stdout.strip().splitlines()[-1])
    campaign.faults += record.pop("examples")
    campaign.counts.update({key: value for key, value in record.items() if key not in ("campaign", "seed", "seconds")})


@dataclass(frozen=True)
class Trial:
    """One library, one kind of fault, and the seed of everything that happens."""

    path: Path
    kind: str
    seed: int


def _trial(campaign: Campaign, trial: Trial, shim: ctypes.CDLL) -> None:
    for file in trial.path.parent.iterdir():
        file.unlink()
    if trial.seed % 4 == 0:
        _write_old_store(trial.path)
    journal, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(journal)
        _work(trial, theirs, shim)
    os.close(theirs)
    if trial.kind == "killed at random":
        time.sleep(random.Random(trial.seed).uniform(0.0, 0.5))
        os.kill(child, signal.SIGKILL)
    with os.fdopen(journal) as stream:
        done = [json.loads(line) for line in stream if line.endswith("\n")]
    os.waitpid(child, 0)
    campaign.count(trial.kind)
    campaign.count("operations", sum(one["is_done"] for one in done))
    for problem in _problems(trial, done):
        campaign.fault(f"{trial}: {problem}")
    campaign.count("documents compared", len(_expected(done)[0]))


def _write_old_store(path: Path) -> None:
    """An empty library of an earlier version, so that opening it migrates."""
    newest = schema.MIGRATIONS
    try:
        schema.MIGRATIONS = newest[:3]
        opening.open_for_writing(path, 1.0).close()
    finally:
        schema.MIGRATIONS = newest


def _text(source: int, version: int) -> bytes:
    return "\n\n".join(
        f"Part {part} of source {source} in version {version} says {part * version}. It is followed by more words."
        for part in range(1 + (source + version) % 5)
    ).encode()


def library_at(path: Path) -> Library:
    return Library(SqliteStore(path), System(FLAT_SENTENCE, Engines(HashingEncoder(32))))


def _work(trial: Trial, journal: int, shim: ctypes.CDLL) -> None:
    """The child: never returns. Reports the beginning and the end of each operation."""
    choices = random.Random(trial.seed)
    try:
        if KINDS[trial.kind]:
            shim.fault_arm(ctypes.c_long(choices.randrange(1, 60)), KINDS[trial.kind], trial.seed % 10_000 + 1)
        while True:
            try:
                library = library_at(trial.path)
                break
            except StoreError:
                shim.fault_arm(ctypes.c_long(-1), 0, 1)  # the disk has room again
        for number in range(12):
            operation, source = (
                choices.choice(("index", "index", "index", "remove", "ask", "save")),
                choices.randrange(N_SOURCES),
            )
            report = {"operation": operation, "source": source, "version": number}
            _write(journal, report | {"is_done": False})
            try:
                _operate(library, **report)
            except StoreError:
                shim.fault_arm(ctypes.c_long(-1), 0, 1)
                library = library_at(trial.path)
                continue
            _write(journal, report | {"is_done": True})
        os._exit(0)
    except BaseException as error:
        _write(journal, {"operation": f"failed: {type(error).__name__}: {error}", "is_done": False})
        os._exit(1)


def _operate(library: Library, operation: str, source: int, version: int) -> None:
    if operation == "index":
        library.index(f"/{source}", data=_text(source, version))
    elif operation == "remove":
        for entry in library.documents():
            if f"/{source}" in entry.sources:
                library.remove(entry.id)
    elif operation == "ask" and library.documents():
        library.with_recipe(BALANCED_FLAT).search("What does part 1 say?")
    elif operation == "save":
        library.store.save(f"key {version}", CallOutcome((f"text {version}",), 1, 1))


BALANCED_FLAT = replace(BALANCED, name="HARDEN")


def _write(journal: int, report: dict[str, object]) -> None:
    os.write(journal, (json.dumps(report) + "\n").encode())


def _expected(done: list[dict[str, object]]) -> tuple[dict[str, bytes], set[str]]:
    """The content of each source, and the saved calls, after all finished operations."""
    sources: dict[str, bytes] = {}
    calls: set[str] = set()
    for one in done:
        if not one["is_done"]:
            continue
        name, version = f"/{one['source']}", int(one["version"])
        if one["operation"] == "index":
            sources[name] = _text(int(one["source"]), version)
        elif one["operation"] == "remove":
            sources.pop(name, None)
        elif one["operation"] == "save":
            calls.add(f"key {version}")
    return sources, calls


def _problems(trial: Trial, done: list[dict[str, object]]) -> "list[str]":
    if any(str(one["operation"]).startswith("failed") for one in done):
        return [str(done[-1]["operation"])]
    try:
        return list(_found_problems(trial, done))
    except Exception as error:
        return [f"{type(error).__name__}: {error}"]


def _found_problems(trial: Trial, done: list[dict[str, object]]) -> "list[str]":
    problems = []
    sources, calls = _expected(done)
    possible = [sources]
    if done and not done[-1]["is_done"]:  # it was in flight: it happened, or not
        possible.append(_expected([*done, done[-1] | {"is_done": True}])[0])
    library = library_at(trial.path)
    try:
        found = {source: entry for entry in library.documents() for source in entry.sources}
        texts = {source: library.store.document(entry.id).text.encode() for source, entry in found.items()}
        if texts not in possible:
            problems.append(f"sources {sorted(texts)} differ from those that were reported, {sorted(sources)}")
        if sum(len(entry.sources) for entry in library.documents()) != len(found) or any(
            not entry.sources for entry in library.documents()
        ):
            problems.append("a document without a source")
        for entry in library.documents():
            missing = [key for key in entry.index_keys if library.store.get(entry.id, key) is None]
            problems += [f"{entry.id} lists the index {key} and does not have it" for key in missing]
            stored = library.store.get(entry.id, library.system.index_key)
            (clean,) = library.system.index([library.store.document(entry.id)])
            if stored is not None and not np.array_equal(np.asarray(stored.vectors), np.asarray(clean.vectors)):
                problems.append(f"{entry.id} differs from a clean index")
        if lost := calls - set(library.store.finished(sorted(calls))):
            problems.append(f"lost calls: {sorted(lost)}" if trial.kind != "power cuts" else "")
        problems += library.store.check()
        library.index("/after", data=b"The library can be written.")
    finally:
        library.close()
    connection = sqlite3.connect(trial.path)
    if connection.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
        problems.append("integrity check")
    connection.close()
    return [problem for problem in problems if problem]
