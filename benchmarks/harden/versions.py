"""Two versions of the program on one library at once, and each alone on a library of the other.

Earlier versions are taken from the history of the repository. Every finished operation of either is kept, every document
is whole, every index equals a clean one or is absent, and the index over all documents is never believed when it is of
another version. A version that cannot read a library says so in one line and changes nothing.
"""

import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.harden import either_version
from benchmarks.harden.campaign import Campaign
from benchmarks.harden.crashes import found_in_indexes, found_in_side_index, texts_of
from benchmarks.harden.either_version import library_at, text_of
from treatise.core.note import CallOutcome
from treatise.pipeline.library import Library
from treatise.store import SqliteStore
from treatise.store.copy import export_to_file, import_from_file

ROOT: Final = Path(__file__).parents[2]
EARLIER: Final = {
    "schema 3, no index over all documents": "fe4a6ba87983a03cf7716d735e944168accc2ea7",
    "schema 5, index over all documents 1": "2f183d41cc1f62a1425ebc767be3f3be404e28fa",
}
SECONDS: Final = 4.0
"""How long two versions work on one library."""

_COMMANDS: Final = (
    ["list"], ["list", "--json"], ["show", "ID"], ["remove", "ID"], ["export", "COPY"], ["doctor"], ["tag", "ID", "red"],
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Version:
    """An earlier version of the program.

    Attributes:
        name: What it has.
        source: Its `src`.
    """

    name: str
    source: Path

    def run(self, *arguments: str, **options: Any) -> "subprocess.Popen[str]":
        """A Python of this version."""
        environment = os.environ | {"PYTHONPATH": str(self.source)}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen([sys.executable, *arguments], env=environment, text=True, **pipes, **options)


def run(campaign: Campaign) -> None:
    with tempfile.TemporaryDirectory(prefix="treatise-versions-") as folder:
        versions = list(_earlier(campaign, Path(folder)))
        choices = random.Random(campaign.seed)
        while versions and (campaign.goes_on or not campaign.counts["rounds"]):
            place = Path(folder) / f"round-{campaign.counts['rounds']}"
            place.mkdir()
            _together(campaign, choices.choice(versions), place / "treatise.db", choices)
        for number, version in enumerate(versions):
            _strangers(campaign, version, Path(folder) / f"strangers-{number}")


def _earlier(campaign: Campaign, folder: Path) -> Iterator[Version]:
    """The programs of earlier commits, as far as the history has them."""
    for number, (name, commit) in enumerate(EARLIER.items()):
        place = folder / f"program-{number}"
        place.mkdir()
        packed = subprocess.run(["git", "archive", commit, "src"], cwd=ROOT, capture_output=True, check=False)
        if packed.returncode:
            campaign.count("versions that the history lacks")
            continue
        subprocess.run(["tar", "-x", "-C", place], input=packed.stdout, check=True)
        campaign.count("earlier versions")
        yield Version(name, place / "src")


def _together(campaign: Campaign, version: Version, path: Path, choices: random.Random) -> None:
    """Two processes of the earlier version and two of this one on one library; the earlier version begins."""
    this = Version("this", Path(sys.modules["treatise"].__path__[0]).parent)
    workers = [(version, "a"), (version, "b"), (this, "c"), (this, "d")]
    if choices.random() < 0.3:
        workers.reverse()
    seconds = min(SECONDS, max(1.0, campaign.seconds / 4))
    started = []
    for number, (program, prefix) in enumerate(workers):
        arguments = [str(path), prefix, str(choices.randrange(1 << 30)), str(seconds)]
        started.append((program, program.run(either_version.__file__, *arguments)))
        if number == 0:
            started[0][1].stdout.readline()  # type: ignore[union-attr]  # the library is there
    done: list[dict[str, Any]] = []
    for program, process in started:
        printed, errors = process.communicate(timeout=seconds + 300)
        lines = [json.loads(line) for line in printed.splitlines()]
        done += lines
        campaign.count("operations", len(lines))
        if process.returncode:
            campaign.fault(f"{program.name}: {errors[-1_000:]}")
        for refused in (one for one in lines if one["operation"] == "refused"):
            campaign.count("refused by a version")
            if "schema" not in refused["message"] or program is this:
                campaign.fault(f"{program.name} is refused: {refused['message']}")
    campaign.count("rounds")
    for problem in _problems(campaign, path, done):
        campaign.fault(f"{version.name}: {problem}")


def _problems(campaign: Campaign, path: Path, done: list[dict[str, Any]]) -> Iterator[str]:
    """What this version finds wrong after both have ended."""
    expected: dict[str, bytes] = {}
    calls = set()
    for one in done:
        match one["operation"]:
            case "index":
                expected[one["source"]] = text_of(one["source"], one["version"])
            case "remove":
                expected.pop(one["source"], None)
            case "save":
                calls.add(f"{one['source']} {one['version']}")
    with closing(library_at(str(path))) as library:
        found = texts_of(library)
        for source in sorted(expected.keys() | found.keys()):
            if expected.get(source) != found.get(source):
                yield f"{source} is {found.get(source)!r}, expected {expected.get(source)!r}"
        if lost := calls - set(library.store.finished(sorted(calls))):
            yield f"lost calls: {sorted(lost)}"
        for entry in library.documents():
            campaign.count("documents compared")
            if not entry.sources:
                yield "a document without a source"
            yield from found_in_indexes(library, entry)
        yield from library.store.check()
        yield from found_in_side_index(campaign, library)


def _strangers(campaign: Campaign, version: Version, folder: Path) -> None:
    """Each version alone with a library of the other."""
    folder.mkdir()
    theirs, ours = folder / "theirs.db", folder / "ours.db"
    worker = version.run(either_version.__file__, str(theirs), "a", "1", "1.5")
    _, errors = worker.communicate(timeout=300)
    if worker.returncode:
        campaign.fault(f"{version.name}: {errors[-500:]}")
    with closing(library_at(str(ours))) as library:
        library.index("/kept", data=b"Water boils at 100 degrees.")
        library.store.save("kept", CallOutcome(("one",), 1, 1))
        id_ = library.documents()[0].id
    for command in _COMMANDS if campaign.seconds >= 30 else _COMMANDS[:1]:
        _refused(campaign, version, ours, id_, command)
    _read_by_this(campaign, version, theirs)


def _refused(campaign: Campaign, version: Version, path: Path, id_: str, command: list[str]) -> None:
    """The earlier version does its work, or says in one line that the library is of a newer one; then nothing changes."""
    with tempfile.TemporaryDirectory() as home:
        (Path(home) / "copy").mkdir()
        library = Path(home) / "library.db"
        library.write_bytes(path.read_bytes())
        values = {"ID": id_, "COPY": str(Path(home) / "copy" / "library")}
        before = hashlib.sha256(library.read_bytes()).hexdigest()
        arguments = [values.get(one, one) for one in command]
        environment = {"HOME": home, "TREATISE_STORE": str(library)}
        os.environ |= environment
        process = version.run("-m", "treatise", *arguments, cwd=home)
        printed, errors = process.communicate(timeout=300)
        campaign.count("commands of earlier versions")
        what = f"{version.name}: {' '.join(command)}: "
        if "Traceback" in errors or "a bug in" in errors or "a fault of" in errors:
            campaign.fault(f"{what}{errors[-500:]}")
        if "schema" in printed + errors:
            campaign.count("refused in a line")
            if hashlib.sha256(library.read_bytes()).hexdigest() != before or any((Path(home) / "copy").iterdir()):
                campaign.fault(f"{what}changed what it refused")
        with closing(library_at(str(library))) as mended:
            for fault in mended.store.check():
                campaign.fault(f"{what}{fault}")


def _read_by_this(campaign: Campaign, version: Version, path: Path) -> None:
    """This version reads a library of the earlier one without changing it, imports it, exports it, and migrates it."""
    before = path.read_bytes()
    with closing(SqliteStore(path, read_only=True)) as store:
        expected = {entry.id: store.document(entry.id).text for entry in store.entries()}
        export_to_file(store, path.with_name("exported"))
    if path.read_bytes() != before:
        campaign.fault(f"{version.name}: a reader changed the library")
    for name, source in (("imported.db", path), ("again.db", path.with_name("exported"))):
        with closing(SqliteStore(path.with_name(name))) as target:
            import_from_file(target, source)
            if {entry.id: target.document(entry.id).text for entry in target.entries()} != expected:
                campaign.fault(f"{version.name}: {name} differs")
    with closing(library_at(str(path))) as library:
        if {entry.id: library.document(entry.id).text for entry in library.documents()} != expected:
            campaign.fault(f"{version.name}: migration lost documents")
        _count_compared(campaign, library)


def _count_compared(campaign: Campaign, library: Library) -> None:
    for problem in found_in_side_index(campaign, library):
        campaign.fault(problem)
    campaign.count("documents migrated", len(library.documents()))
