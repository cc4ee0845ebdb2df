"""Crashes: `kill -9` at random moments and at each write, sync and rename, power cuts, full, broken and read-only disks.

The campaign runs itself again below a shim (`faults.c`, compiled with cc), and forks a child per trial. The child
indexes, updates, removes, asks with another recipe, saves calls, searches through the index over all documents beside
the library, exports, imports and copies, and reports each operation that is done. Then the parent checks: every listed
document is whole and equal to a clean index, every finished operation was kept, at most the one in flight was added,
the index over all documents equals one that is made anew, every export is complete or absent, an interrupted copy goes
on, and the library can be written.
"""

import ctypes
import json
import logging
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from shutil import copyfile, rmtree

import numpy as np

from benchmarks.harden.campaign import Campaign
from treatise.core.errors import StoreError
from treatise.core.note import CallOutcome
from treatise.core.ports import Entry
from treatise.pipeline.candidates import Candidates
from treatise.pipeline.corpus import CorpusIndex
from treatise.pipeline.engines import Engines
from treatise.pipeline.library import Library
from treatise.pipeline.system import System
from treatise.recipes import BALANCED, FLAT_SENTENCE
from treatise.retrieve.corpus import Candidates as Found
from treatise.retrieve.corpus import CorpusQuery
from treatise.store import SqliteStore
from treatise.store.copy import copy_library, export_to_file, import_from_file
from treatise.testing import HashingEncoder

KINDS = {
    "killed at random": 0,
    "killed at a write": 1,
    "power cuts": 2,
    "full disks": 3,
    "broken disks": 4,
    "quotas": 5,
    "read-only disks": 6,
}
OPERATIONS = ("index",) * 5 + ("remove", "remove", "ask", "save", "find", "find", "export", "import", "copy")
QUESTIONS = ("What does part 1 say?", "Which source says 12?", "What is followed by more words?")
N_SOURCES = 6
N_OPERATIONS = 14
MAX_CALL = 160
"""The last call of the disk at which a fault begins."""
_MEMORY = "/dev/shm"  # syncs are cheap there, and the shim decides what they keep
_SHIM = "TREATISE_HARDEN_SHIM"


def run(campaign: Campaign) -> None:
    if _SHIM not in os.environ:
        _run_below_shim(campaign)
        return
    shim = ctypes.CDLL(os.environ[_SHIM])
    choices = random.Random(campaign.seed)
    folder = Path(tempfile.mkdtemp(prefix="treatise-crashes-", dir=_MEMORY if Path(_MEMORY).is_dir() else None))
    logging.getLogger("treatise").setLevel(logging.ERROR)  # a side index that cannot be written is a warning
    try:
        others = Others.written(folder / "others")
        (folder / "trial").mkdir()
        while campaign.goes_on:
            name = choices.choice(list(KINDS))
            trial = Trial(folder / "trial" / "treatise.db", name, choices.randrange(1 << 30), others)
            _trial(campaign, trial, shim)
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


@dataclass(frozen=True, slots=True)
class Others:
    """Libraries that are there before any trial.

    Attributes:
        old: One of an earlier version, with documents.
        imported, copied: Exported ones, for `import` and for `migrate`.
    """

    old: Path
    imported: Path
    copied: Path

    @classmethod
    def written(cls, folder: Path) -> "Others":
        folder.mkdir()
        others = cls(*(folder / f"{name}.library" for name in ("old", "imported", "copied")))
        for path, number in ((others.imported, 100), (others.copied, 200), (others.old, 0)):
            with closing(SqliteStore(whole := folder / "whole.db")) as store:
                library = Library(store, _system())
                for source in range(number, number + 3):
                    library.index(f"/{source}", data=_text(source, 0))
                store.export(path)
            whole.unlink()
        _downgrade(others.old)
        return others


@dataclass(frozen=True)
class Trial:
    """One library, one kind of fault, the seed of everything that happens, and libraries to copy from."""

    path: Path
    kind: str
    seed: int
    others: Others = field(repr=False)

    @property
    def begins_old(self) -> bool:
        """Whether the library is one of an earlier version, so that opening it migrates."""
        return self.seed % 4 == 0

    @property
    def start(self) -> list[dict[str, object]]:
        """What was done before."""
        before = [{"operation": "index", "source": source, "version": 0, "is_done": True} for source in range(3)]
        return before if self.begins_old else []


def _trial(campaign: Campaign, trial: Trial, shim: ctypes.CDLL) -> None:
    for file in trial.path.parent.iterdir():
        file.unlink()
    if trial.begins_old:
        copyfile(trial.others.old, trial.path)
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
        done = trial.start + [json.loads(line) for line in stream if line.endswith("\n")]
    os.waitpid(child, 0)
    campaign.count(trial.kind)
    campaign.count("operations", sum(bool(one["is_done"]) for one in done))
    for problem in _problems(campaign, trial, done):
        campaign.fault(f"{trial}: {problem}")
    campaign.count("documents compared", len(_expected(done)[0]))


def _downgrade(path: Path) -> None:
    """Makes the library one of schema 3."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("DROP TABLE checksums; DROP TABLE metadata; PRAGMA user_version = 3;")


def _text(source: int, version: int) -> bytes:
    return "\n\n".join(
        f"Part {part} of source {source} in version {version} says {part * version}. It is followed by more words."
        for part in range(1 + (source + version) % 5)
    ).encode()


def library_at(path: Path) -> Library:
    return Library(SqliteStore(path), _system())


def _system() -> System:
    return System(FLAT_SENTENCE, Engines(HashingEncoder(32)))


def _work(trial: Trial, journal: int, shim: ctypes.CDLL) -> None:
    """The child: never returns. Reports the beginning and the end of each operation."""
    choices = random.Random(trial.seed)
    try:
        if KINDS[trial.kind]:
            shim.fault_arm(ctypes.c_long(choices.randrange(1, MAX_CALL)), KINDS[trial.kind], trial.seed % 10_000 + 1)
        while True:
            try:
                library = library_at(trial.path)
                break
            except StoreError:
                _repair(shim)
        for number in range(N_OPERATIONS):
            report = {
                "operation": choices.choice(OPERATIONS),
                "source": choices.randrange(N_SOURCES),
                "version": number,
            }
            _write(journal, report | {"is_done": False})
            try:
                _operate(library, trial, **report)
            except StoreError:
                _repair(shim)
                library = library_at(trial.path)
                if report["operation"] != "copy":
                    continue
                _operate(library, trial, **report)  # a copy keeps what it had done, and goes on there
            _write(journal, report | {"is_done": True})
        os._exit(0)
    except BaseException as error:
        _write(journal, {"operation": f"failed: {type(error).__name__}: {error}", "is_done": False})
        os._exit(1)


def _repair(shim: ctypes.CDLL) -> None:
    """The disk has room again, and can be written."""
    shim.fault_arm(ctypes.c_long(-1), 0, 1)


def _operate(library: Library, trial: Trial, operation: str, source: int, version: int) -> None:
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
    elif operation == "find" and library.documents():
        candidates(library).choose(QUESTIONS[0])
    elif operation == "export":
        export_to_file(library.store, _export(trial, version))
    elif operation == "import":
        import_from_file(library.store, trial.others.imported)
    elif operation == "copy":
        _copy(library, trial)


def candidates(library: Library) -> Candidates:
    """Chooses documents by the index over all documents, however small the library is."""
    return Candidates(library.store, library.system, library.indexed)


def _copy(library: Library, trial: Trial) -> None:
    with closing(SqliteStore(trial.others.copied, read_only=True)) as source:
        copy_library(source, library.store)


def _export(trial: Trial, version: int) -> Path:
    return trial.path.with_name(f"{trial.path.name}.export-{version}")


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
        match one["operation"]:
            case "index":
                sources[name] = _text(int(one["source"]), version)
            case "remove":
                sources.pop(name, None)
            case "save":
                calls.add(f"key {version}")
            case "import":
                sources |= {f"/{source}": _text(source, 0) for source in range(100, 103)}
            case "copy":
                sources |= {f"/{source}": _text(source, 0) for source in range(200, 203)}
    return sources, calls


def _possible(done: list[dict[str, object]]) -> list[dict[str, bytes]]:
    """What the library may hold: the operation in flight happened, or not; a copy happened in part."""
    sources, _ = _expected(done)
    if not done or done[-1]["is_done"]:
        return [sources]
    if done[-1]["operation"] == "copy":
        return [sources | {f"/{one}": _text(one, 0) for one in range(200, 200 + n)} for n in range(4)]
    return [sources, _expected([*done, done[-1] | {"is_done": True}])[0]]


def _problems(campaign: Campaign, trial: Trial, done: list[dict[str, object]]) -> "list[str]":
    if any(str(one["operation"]).startswith("failed") for one in done):
        return [str(done[-1]["operation"])]
    try:
        return list(_found_problems(campaign, trial, done))
    except Exception as error:
        return [f"{type(error).__name__}: {error}"]


def _found_problems(campaign: Campaign, trial: Trial, done: list[dict[str, object]]) -> Iterator[str]:
    sources, calls = _expected(done)
    with closing(library_at(trial.path)) as library:
        if (found := texts_of(library)) not in _possible(done):
            yield f"sources {sorted(found)} differ from those that were reported, {sorted(sources)}"
        if any(not entry.sources for entry in library.documents()):
            yield "a document without a source"
        for entry in library.documents():
            yield from found_in_indexes(library, entry)
        if trial.kind != "power cuts" and (lost := calls - set(library.store.finished(sorted(calls)))):
            yield f"lost calls: {sorted(lost)}"
        yield from library.store.check()
        yield from found_in_side_index(campaign, library)
        yield from _exports(campaign, trial, done)
        _copy(library, trial)
        if not {f"/{source}" for source in range(200, 203)} <= texts_of(library).keys():
            yield "a copy did not go on"
        library.index("/after", data=b"The library can be written.")
        yield from found_in_side_index(campaign, library)
    with closing(sqlite3.connect(trial.path)) as connection:
        if connection.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            yield "integrity check"


def texts_of(library: Library) -> dict[str, bytes]:
    return {
        source: library.store.document(entry.id).text.encode()
        for entry in library.documents()
        for source in entry.sources
    }


def found_in_indexes(library: Library, entry: Entry) -> Iterator[str]:
    for key in entry.index_keys:
        if library.store.get(entry.id, key) is None:
            yield f"{entry.id} lists the index {key} and does not have it"
    stored = library.store.get(entry.id, library.system.index_key)
    (clean,) = library.system.index([library.store.document(entry.id)])
    if stored is not None and not np.array_equal(np.asarray(stored.vectors), np.asarray(clean.vectors)):
        yield f"{entry.id} differs from a clean index"


def found_in_side_index(campaign: Campaign, library: Library) -> Iterator[str]:
    """The index beside the library, whatever a crash has left of it, against one that is made anew in memory."""
    system = library.system
    beside = candidates(library).index.current()
    anew = CorpusIndex(library.store, system.index_key, library.indexed, None).current()
    campaign.count("side indexes compared")
    if beside.ids != anew.ids or beside.n_rows != anew.n_rows:
        yield f"the index over all documents holds {sorted(beside.ids)}, the library {sorted(anew.ids)}"
        return
    for question in QUESTIONS:
        vector = system.engines.encoder.encode_questions([question])[0]
        query = CorpusQuery(question, vector, system.recipe.scoring, n_documents=3)
        first, second = (one.find(query) for one in (beside, anew))
        if not np.isclose(first.statistics.mean_length, second.statistics.mean_length) or not np.allclose(
            _best_scores(library, question, first), _best_scores(library, question, second), atol=1e-4
        ):
            yield f"the index over all documents finds {first.documents}, made anew {second.documents}"


def _best_scores(library: Library, question: str, found: Found) -> list[float]:
    """The score of each found document's best passage, ascending: of documents that tie, either may be found."""
    evidence = (
        library.system.search(question, [library.indexed(id_)], corpus=found.statistics) for id_ in found.documents
    )
    return sorted(max(passage.score for passage in one.passages) for one in evidence)


def _exports(campaign: Campaign, trial: Trial, done: list[dict[str, object]]) -> Iterator[str]:
    """Finished exports hold what the library held; one in flight is absent or complete, and can be made again."""
    for number, one in enumerate(done):
        if one["operation"] != "export":
            continue
        path = _export(trial, int(one["version"]))
        is_last = number == len(done) - 1
        if path.exists():
            campaign.count("exports compared")
            with closing(library_at(path)) as exported:
                if texts_of(exported) != _expected(done[:number])[0] or exported.store.check():
                    yield f"{path.name} is not what the library held"
        elif one["is_done"] and not (trial.kind == "power cuts" and not done[-1]["is_done"]):
            yield f"{path.name} was reported and is lost"
        elif is_last:
            with closing(SqliteStore(trial.path)) as store:
                export_to_file(store, path)
