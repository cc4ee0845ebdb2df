"""From what the user names to what the library reads: files, folders and standard input."""

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from treatise.cli.output import warn
from treatise.cli.progress import progress_line
from treatise.core.errors import SourceError, SourceNotFoundError

if TYPE_CHECKING:
    from treatise.pipeline.library import Library
    from treatise.pipeline.reports import IndexReport

_Result = TypeVar("_Result")

STDIN: Final = "-"
_WEB: Final = re.compile(r"https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Named:
    """One document to read.

    Attributes:
        name: A path, or ``"-"``.
        folder: The folder through which it was found; empty where the user named it.
    """

    name: str
    folder: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """A source that could not be read, and why."""

    source: Named
    reason: str


@dataclass(slots=True)
class Outcomes(Generic[_Result]):
    """What became of the sources of a command.

    Attributes:
        results: One for each source that could be read.
        failures: One for each that could not; it has been reported on standard error.
    """

    results: list[_Result] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)


def read_each(names: Sequence[str], read: Callable[[Named], _Result]) -> Outcomes[_Result]:
    """Applies ``read`` to each document behind the names; one that cannot be read is reported and does not stop it.

    A folder stands for all files below it, sorted, hidden ones left out.
    """
    outcomes: Outcomes[_Result] = Outcomes()
    for named in (named for name in names for named in _documents_behind(name)):
        try:
            outcomes.results.append(read(named))
        except SourceError as error:
            outcomes.failures.append(Failure(named, str(error)))
            warn(f"error: {error}")
    return outcomes


def exit_for(outcomes: Outcomes[_Result]) -> None:
    """Ends the command with status 1 where a source could not be read."""
    if not outcomes.failures:
        return
    if outcomes.results:
        n_sources = len(outcomes.failures) + len(outcomes.results)
        warn(f"{len(outcomes.failures):,} of {n_sources:,} sources could not be read; the others are done")
    sys.exit(1)


def index_all_into(
    library: "Library",
    names: Sequence[str],
    *,
    before_each: Callable[[Named, bytes | None], object] | None = None,
    retry: bool = False,
) -> "Outcomes[IndexReport]":
    """Makes the documents behind the names ready for questions, with progress on standard error.

    One that cannot be read is reported and does not stop the others; reports stand in the order of the names.
    ``before_each`` is called with each document and its bytes, None for a file. ``retry`` is ``Library.index_all``'s.
    """
    outcomes: Outcomes[IndexReport] = Outcomes()
    named_of: dict[str, Named] = {}

    def fail(named: Named, error: SourceError) -> None:
        outcomes.failures.append(Failure(named, str(error)))
        warn(f"error: {error}")

    def readable() -> "Iterator[tuple[str, bytes | None]]":
        for named in dict.fromkeys(named for name in names for named in _documents_behind(name)):
            try:
                data = data_of(named)
                if before_each:
                    before_each(named, data)
            except SourceError as error:
                fail(named, error)
                continue
            named_of[named.name if data is not None else str(Path(named.name).absolute())] = named
            yield named.name, data

    with progress_line(Path(names[0]).name if len(names) == 1 else f"{len(names):,} sources") as progress:
        for name, result in library.index_all(readable(), progress=progress, retry=retry):
            if isinstance(result, SourceError):
                fail(named_of[name], result)
            else:
                outcomes.results.append(result)
    order = list(named_of)
    outcomes.results.sort(key=lambda report: order.index(report.source))
    return outcomes


def data_of(named: Named) -> bytes | None:
    """Standard input's bytes; None for a file, which the library reads for itself.

    Raises:
        SourceNotFoundError: Where the name is a web address, a folder without a file, or too long to be a name.
    """
    if named.name == STDIN:
        return sys.stdin.buffer.read()
    if _WEB.match(named.name):
        raise SourceNotFoundError(
            f"{named.name} is a web address, and Treatise reads files only: curl -L ADDRESS | treatise ask - QUESTION"
        )
    if is_folder(named.name):
        raise SourceNotFoundError(f"{named.name}: there is no file in this folder")
    if not exists(named.name):
        raise SourceNotFoundError(f"{named.name:.200}: there is no such file")
    return None


def exists(name: str) -> bool:
    """Whether there is a file or folder of that name; False, and no error, where it is too long for one."""
    return os.path.exists(name)  # noqa: PTH110  (pathlib raises)


def is_folder(name: str) -> bool:
    """Whether there is a folder of that name; False, and no error, where it is too long for one."""
    return os.path.isdir(name)  # noqa: PTH112  (pathlib raises)


def is_file(name: str) -> bool:
    """Whether there is a file of that name; False, and no error, where it is too long for one."""
    return os.path.isfile(name)  # noqa: PTH113  (pathlib raises)


def _documents_behind(name: str) -> list[Named]:
    """The files below a folder, sorted; else the name itself, also for a folder without any: ``data_of`` says why."""
    files = sorted(_files_below(Path(name))) if name != STDIN and is_folder(name) else []
    return [Named(str(path), folder=name) for path in files] or [Named(name)]


def _files_below(folder: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(parent, name) for name in files if not name.startswith("."))
