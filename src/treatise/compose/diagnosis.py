"""What `treatise doctor` looks at: versions, models, the store, its documents, and optional dependencies."""

import os
import platform
import re
import shutil
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from treatise import __version__
from treatise.compose.places import MODELS
from treatise.compose.stores import open_store
from treatise.core.errors import MissingExtraError, SettingsError, StoreDamagedError, StoreError
from treatise.core.installed import MPNET_PACKAGES, install_command, mpnet_command
from treatise.core.plurals import counted
from treatise.settings import Settings, load_settings

if TYPE_CHECKING:
    from treatise.core.ports import Entry, Store
    from treatise.retrieve.sketches import NearDuplicates, Sketch

_LOW_DISK_BYTES: Final = 1 << 30
_MAX_PAIRS: Final = 20
_WITHOUT_DEPENDENCIES: Final = {"large": tuple(package.replace("_", "-") for package in MPNET_PACKAGES)}
"""Packages of weights, whose code is not used, by the extra that reads them."""
_REQUIREMENT: Final = re.compile(r"([\w.-]+).*extra\s*==\s*[\"']([\w-]+)[\"']")


class Health(StrEnum):
    """The result of a check."""

    OK = "ok"
    ADVICE = "advice"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Check:
    """The result of looking at one thing.

    Attributes:
        name: What was looked at.
        health: Whether something is to be done.
        found: What was found.
        advice: What to do; empty if nothing.
        kind: People see it in one line with others of its kind; empty if it has a line of its own.
    """

    name: str
    health: Health
    found: str
    advice: str = ""
    kind: Literal["", "model", "extra"] = ""


def versions() -> dict[str, str]:
    """Versions of Treatise, Python, the system, SQLite and the packages that Treatise needs."""
    needed = [re.split(r"[^\w.-]", each)[0] for each in _requirements() if "extra ==" not in each]
    packages = {name: found for name in sorted(needed) if (found := _version(name))}
    return {
        "treatise": __version__,
        "python": sys.version.split()[0],
        "system": platform.platform(),
        "sqlite": sqlite3.sqlite_version,
        **packages,
    }


def diagnose(store: Path | str | None = None, *, verifies: bool = False) -> Iterator[Check]:
    """Everything that `treatise doctor` checks; ``verifies`` reads every document and index of the store."""
    yield from _models()
    yield from _store(store, load_settings(), verifies=verifies)
    yield from _extras()


def _models() -> Iterator[Check]:
    from treatise.engines.hashes import SUMS, model_faults

    for folder in sorted(path for path in MODELS.iterdir() if path.is_dir()):
        faults = model_faults(folder)
        name = f"model {folder.name}"
        if faults:
            yield Check(name, Health.FAULT, f"damaged: {', '.join(faults)}", "pip install --force-reinstall treatise")
        elif not (folder / SUMS).is_file():
            yield Check(
                name, Health.ADVICE, f"without {SUMS}, so not checked", "pip install --force-reinstall treatise"
            )
        else:
            yield Check(name, Health.OK, "equals its hashes", kind="model")


def _store(url: Path | str | None, settings: Settings, *, verifies: bool) -> Iterator[Check]:
    try:
        store = open_store(url, settings, read_only=True)
    except (StoreError, SettingsError, MissingExtraError) as error:
        yield Check("store", Health.FAULT, str(error), "follow the message above; sources are never changed")
        return
    try:
        yield from _file(store)
        yield from _documents(store)
        if verifies:
            yield from _verified(store)
    except StoreError as error:
        yield Check("store", Health.FAULT, str(error), "move the file away and index your sources again")
    finally:
        store.close()


def _file(store: "Store") -> Iterator[Check]:
    path = getattr(store, "path", None)
    if not isinstance(path, Path):
        yield Check("store", Health.OK, str(getattr(store, "description", type(store).__name__)))
        return
    if not path.exists():
        yield Check("store", Health.OK, f"{path} does not exist yet", f"treatise index FILE --store {path}")
        return
    size = f"{path} has {path.stat().st_size / 2**20:,.1f} MB"
    if os.name == "posix" and path.stat().st_mode & 0o077:
        yield Check("store", Health.ADVICE, f"{size} and is open to other users", f"chmod 600 {path}")
    else:
        yield Check("store", Health.OK, size)
    free = shutil.disk_usage(path.parent).free
    if free < _LOW_DISK_BYTES:
        yield Check("disk", Health.ADVICE, f"{free >> 20:,} MB free beside the store", "free some space")
    if not os.access(path, os.W_OK) or not os.access(path.parent, os.W_OK):
        yield Check("permission", Health.ADVICE, "the store can be read and not written", "check its owner and mode")


def _documents(store: "Store") -> Iterator[Check]:
    from treatise.ingest.files import is_file_name, is_unchanged

    entries = store.entries()
    keys = Counter(key for entry in entries for key in entry.index_keys)
    indexes = ", ".join(f"{n:,} of {key}" for key, n in keys.most_common()) or "none"
    yield Check("documents", Health.OK, f"{counted(len(entries), 'document')}; indexes: {indexes}")
    sources = [source for entry in entries for source in entry.sources]
    known = [(source, store.state(source)) for source in sources if is_file_name(source)]
    if others := [source for source in sources if not is_file_name(source)]:
        found = f"no files of this machine, so not looked at: {len(others):,}, such as {others[0]}"
        yield Check("other sources", Health.OK, found)
    missing = {source: None for source, _ in known if not Path(source).exists()}
    stale = [
        source for source, found in known if found and Path(source).exists() and not is_unchanged(source, found[1])
    ]
    if stale:
        found = f"{counted(len(stale), 'source', 'was', 'were')} changed, or read by an earlier version: {stale[0]}"
        yield Check("stale", Health.ADVICE, found, "treatise update")
    if missing:
        found = f"{counted(len(missing), 'source', 'is', 'are')} missing: {next(iter(missing))}"
        yield Check("missing", Health.ADVICE, found, "treatise remove ID, or restore the files")


def _verified(store: "Store") -> Iterator[Check]:
    """Reads everything: documents by their ids, which are hashes, and indexes by their checksums.

    Documents that have most of their wording in common are named.
    """
    from treatise.retrieve.sketches import near_duplicates, sketch

    for fault in store.check():
        yield Check("file", Health.FAULT, fault, "move the file away and index your sources again")
    entries = store.entries()
    n_faults = 0
    sketches: dict[str, Sketch] = {}
    for entry in entries:
        for key in entry.index_keys:
            try:
                indexed = store.get(entry.id, key)
                if indexed and entry.id not in sketches:
                    sketches[entry.id] = sketch(indexed.document.text)
            except StoreDamagedError as error:
                n_faults += 1
                source = next(iter(entry.sources), entry.id)
                yield Check(f"document {entry.id}", Health.FAULT, str(error), f"treatise index {source}")
    if not n_faults:
        yield Check("verified", Health.OK, f"{counted(len(entries), 'document')} with all indexes, as written")
    yield from _near_duplicates(entries, near_duplicates(sketches))


def _near_duplicates(entries: "Sequence[Entry]", pairs: "Sequence[NearDuplicates]") -> Iterator[Check]:
    names = {entry.id: next(iter(entry.sources), entry.id) for entry in entries}
    for pair in pairs[:_MAX_PAIRS]:
        found = f"{names[pair.first]} and {names[pair.second]} have {pair.resemblance:.0%} of their wording in common"
        yield Check("near-duplicates", Health.ADVICE, found, f"treatise remove {pair.second}, if one is enough")
    if len(pairs) > _MAX_PAIRS:
        yield Check("near-duplicates", Health.ADVICE, f"{len(pairs) - _MAX_PAIRS:,} more pairs of documents")


def _extras() -> Iterator[Check]:
    needs: dict[str, list[str]] = {}
    for requirement in _requirements():
        if found := _REQUIREMENT.match(requirement):
            needs.setdefault(found.group(2), []).append(found.group(1))
    for extra, names in sorted(needs.items()):
        names.extend(_WITHOUT_DEPENDENCIES.get(extra, ()))
        missing = [name for name in names if not _version(name)]
        state = f"needs {', '.join(missing)}" if missing else "installed"
        needs_more = bool(missing) and extra in _WITHOUT_DEPENDENCIES
        beside = f" && {mpnet_command()}" if needs_more else ""
        advice = f"{install_command(extra)}{beside} if you want it" if missing else ""
        yield Check(f"extra {extra}", Health.OK, state, advice, kind="" if needs_more else "extra")


def _requirements() -> list[str]:
    try:
        return metadata.requires("treatise") or []
    except metadata.PackageNotFoundError:
        return []


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""
