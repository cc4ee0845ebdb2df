"""Long runs: random operations on a library in a file, against a library in a dictionary; memory, handles and disk flat.

Hypothesis drives the same machine in the tests, and shrinks what it finds; here it runs for as long as it is told to.
"""

import os
import random
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.harden.campaign import Campaign
from benchmarks.harden.crashes import library_at
from treatise.core.errors import DocumentNotFoundError, SourceError
from treatise.pipeline.library import Library

SOURCES: Final = tuple(f"/{folder}/{number}" for folder in "ab" for number in range(4))
"""Texts without a heading are titled by the file: equal texts in files of one name are one document."""

TEXTS: Final = tuple(
    "\n\n".join(f"Text {number} says in part {part} that {number * part} is true." for part in range(1 + number % 4))
    for number in range(24)
)
OPERATIONS: Final = ("index", "index", "index", "remove", "search", "list", "read", "reopen")


@dataclass
class Machine:
    """A library, and what it must hold: the text of each source."""

    path: Path
    texts: dict[str, str] = field(default_factory=dict)
    library: Library = field(init=False)

    def __post_init__(self) -> None:
        self.library = library_at(self.path)

    def step(self, operation: str, source: str, text: str) -> None:
        """One operation on both; an AssertionError says how they differ."""
        getattr(self, f"_{operation}")(source, text)

    def close(self) -> None:
        self.library.close()

    def _index(self, source: str, text: str) -> None:
        before = self.texts.get(source)
        report = self.library.index(source, data=text.encode())
        assert (report.outcome == "unchanged") == (before == text), f"{source} was {report.outcome}"
        self.texts[source] = text

    def _remove(self, source: str, _text: str) -> None:
        text = self.texts.get(source)
        if text is None:
            return
        (entry,) = (entry for entry in self.library.documents() if source in entry.sources)
        same = {one for one, other in self.texts.items() if other == text and Path(one).name == Path(source).name}
        assert set(entry.sources) == same, f"{entry.sources} share a document, expected {sorted(same)}"
        self.library.remove(entry.id)
        self.texts = {one: other for one, other in self.texts.items() if one not in same}

    def _search(self, _source: str, text: str) -> None:
        try:
            evidence = self.library.search(text[:40], max_words=50)
        except SourceError:
            assert not self.texts, "a library with documents finds none to search"
            return
        held = set(self.texts.values())
        assert all(any(passage.text in one for one in held) for passage in evidence.passages)
        if text in held:
            assert evidence.passages, "a text that is there was not found"

    def _list(self, _source: str, _text: str) -> None:
        listed = {source for entry in self.library.documents() for source in entry.sources}
        assert listed == set(self.texts), f"listed {sorted(listed)}, expected {sorted(self.texts)}"

    def _read(self, source: str, _text: str) -> None:
        found = {one: entry.id for entry in self.library.documents() for one in entry.sources}
        if source in self.texts:
            assert self.library.document(found[source]).text == self.texts[source]
            return
        try:
            self.library.store.document("f" * 12)
        except DocumentNotFoundError:
            return
        raise AssertionError("a document that was never put is there")

    def _reopen(self, _source: str, _text: str) -> None:
        self.library.close()
        self.library = library_at(self.path)


def run(campaign: Campaign) -> None:
    choices = random.Random(campaign.seed)
    with tempfile.TemporaryDirectory(
        prefix="treatise-long-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None
    ) as folder:
        machine = Machine(Path(folder) / "treatise.db")
        early: tuple[int, int, int] | None = None
        while campaign.goes_on:
            step = choices.choice(OPERATIONS), choices.choice(SOURCES), choices.choice(TEXTS)
            try:
                machine.step(*step)
            except Exception as error:
                campaign.fault(
                    f"operation {campaign.counts['operations']}: {step[:2]}: {type(error).__name__}: {error}"
                )
            campaign.count("operations")
            if campaign.counts["operations"] == 2_000:
                early = _usage(Path(folder))
        machine.close()
        late = _usage(Path(folder))
    for name, now, before in zip(("MB of memory", "open files", "MB of disk"), late, early or late, strict=True):
        campaign.counts[f"{name}, early"], campaign.counts[f"{name}, late"] = before, now
        if now > 1.5 * before + 20:
            campaign.fault(f"{name} grew from {before} to {now}")


def _usage(folder: Path) -> tuple[int, int, int]:
    """Memory in MB, open files, and disk in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1]) if Path("/proc/self/statm").exists() else 0
    handles = len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").exists() else 0
    disk = sum(file.stat().st_size for file in folder.iterdir())
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20, handles, disk >> 20
