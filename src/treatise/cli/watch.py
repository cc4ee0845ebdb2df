"""``treatise watch``: keeps the library up to date with folders while it runs."""

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from treatise.cli.options import (
    FiniteRange,
    LibraryOptions,
    ceiling_options,
    library_options,
    model_options,
    opened_library,
)
from treatise.cli.places import short_source
from treatise.cli.sources import Sources, folder_options, index_all_into, is_folder
from treatise.core.errors import SourceNotFoundError

if TYPE_CHECKING:
    from treatise.pipeline.library import Library

_States = dict[str, tuple[int, int]]
"""Modification time in nanoseconds and size of each document, by its path."""


@click.command(
    short_help="Keep the library up to date with folders.",
    epilog="""\b
Examples:
  treatise watch notes/                  until Ctrl-C
  treatise watch notes/ --every 60
  treatise watch notes/ --once           index what has changed, remove what is gone, and end

New and changed files are indexed when they have not changed for one interval, so that a file is not read while it is
written. A document whose file was deleted is removed; one that has other files stays.
If a FOLDER itself is gone, as on a disk that is not mounted, its documents stay.
""",
)
@click.argument("sources", nargs=-1, required=True, metavar="FOLDER...")
@click.option("--every", type=FiniteRange(0.1, 86_400), default=5.0, show_default=True, help="Seconds between looks.")
@click.option("--once", is_flag=True, help="Look once and end.")
@folder_options
@model_options
@ceiling_options
@library_options
def watch(sources: Sources, *, every: float, once: bool, **options: Unpack[LibraryOptions]) -> None:
    """Index new and changed documents of the FOLDERs as they appear, and remove those whose files are deleted."""
    for name in sources.names:
        if not is_folder(name):
            raise SourceNotFoundError(f"{name:.200}: there is no such folder; watch reads folders only")
    with opened_library(**options) as library:
        known = look(sources)
        _bring_up_to_date(library, sources, {}, known)
        while not once:
            known = _wait_for_change(library, sources, known, every)


def look(sources: Sources) -> _States:
    """The documents of the folders, as they are now; a file that is deleted meanwhile is left out."""
    from treatise.ingest.folders import FolderFilter, list_folder

    found: _States = {}
    for name in sources.names:
        for path in list_folder(Path(name), sources.folders or FolderFilter()).files:
            try:
                state = os.stat(path)  # noqa: PTH116  (pathlib raises for names that are too long)
            except OSError:
                continue
            found[str(path.absolute())] = state.st_mtime_ns, state.st_size
    return found


def _wait_for_change(library: "Library", sources: Sources, known: _States, every: float) -> _States:
    """Looks until something has changed and then stayed as it is for one interval; indexes it, and returns it."""
    while (seen := _after(every, sources)) == known:
        pass
    while (later := _after(every, sources)) != seen:
        seen = later
    _bring_up_to_date(library, sources, known, seen)
    return seen


def _after(every: float, sources: Sources) -> _States:
    time.sleep(every)
    return look(sources)


def _bring_up_to_date(library: "Library", sources: Sources, known: _States, seen: _States) -> None:
    from treatise.pipeline.reports import Outcome

    changed = tuple(name for name, state in seen.items() if known.get(name) != state)
    if changed:
        for report in index_all_into(library, Sources(changed, sources.folders)).results:
            if report.outcome is not Outcome.UNCHANGED:
                click.echo(f"{report.document}  {report.outcome}  {short_source(report.source)}")
    _remove_deleted(library, sources, seen)


def _remove_deleted(library: "Library", sources: Sources, seen: _States) -> None:
    """Removes the documents all of whose files were in these folders and are gone.

    A folder that is gone itself may be a disk that is not mounted: its documents stay.
    """
    folders = tuple(f"{Path(name).absolute()}{os.sep}" for name in sources.names if is_folder(name))
    for entry in library.documents():
        if entry.sources and all(_is_gone(source, folders, seen) for source in entry.sources):
            library.remove(entry.id)
            click.echo(f"{entry.id}  removed  {short_source(entry.sources[0])}")


def _is_gone(source: str, folders: tuple[str, ...], seen: _States) -> bool:
    return source.startswith(folders) and source not in seen and _is_missing(source)


def _is_missing(path: str) -> bool:
    """Whether there is no such file; False if its folder cannot be looked into."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        return False
    return False
