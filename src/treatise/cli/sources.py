"""Resolves the sources on a command line: files, folders, object storage, web addresses and standard input."""

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, NoReturn, TypeVar, cast

import click

from treatise.cli.output import Output, show_json, warn
from treatise.cli.progress import progress_line
from treatise.core.errors import SourceError, SourceNotFoundError
from treatise.core.plurals import counted

if TYPE_CHECKING:
    from treatise.ingest.folders import FolderFilter
    from treatise.pipeline.library import Library
    from treatise.pipeline.reports import IndexReport

_Result = TypeVar("_Result")
Patterns = tuple[str, ...]
_Function = TypeVar("_Function", bound=Callable[..., object])

STDIN: Final = "-"
_WEB: Final = re.compile(r"https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Named:
    """One source document.

    Attributes:
        name: A path, a URL of object storage, a web address, or ``"-"``.
        folder: The folder in which it was found; empty if the user named the document.
        error: Why it cannot be read, if that is known already.
    """

    name: str
    folder: str = ""
    error: SourceError | None = None


@dataclass(frozen=True, slots=True)
class Sources:
    """The sources named on a command line.

    Attributes:
        names: Files, folders, URLs of object storage, and ``"-"``.
        folders: Which files of a folder are read; None for the default.
    """

    names: tuple[str, ...] = ()
    folders: "FolderFilter | None" = None


@dataclass(frozen=True, slots=True)
class Failure:
    """A source that could not be read, and why."""

    source: Named
    error: SourceError

    @property
    def reason(self) -> str:
        """The error's message."""
        return str(self.error)


@dataclass(slots=True)
class Outcomes(Generic[_Result]):
    """The outcome of reading a command's sources.

    Attributes:
        results: One per readable source.
        failures: One per unreadable source, already reported on standard error.
    """

    results: list[_Result] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)


def read_each(sources: Sources, read: Callable[[Named], _Result]) -> Outcomes[_Result]:
    """Applies ``read`` to each source document; unreadable ones are reported and skipped.

    A folder expands to the documents below it, sorted. Progress of reading is on standard error.
    """
    from treatise.ingest import listening

    outcomes: Outcomes[_Result] = Outcomes()
    with progress_line(_label(sources.names)) as progress, listening(progress):
        for named in _documents_behind(sources):
            try:
                outcomes.results.append(read(named))
            except SourceError as error:
                outcomes.failures.append(Failure(named, error))
                warn(f"error: {error}")
    return outcomes


def with_listed(sources: Sources, file: Path) -> Sources:
    """The sources, and those in a file of JSON lines.

    Raises:
        SourceError: Names a line that is no address, or a file that cannot be read.
    """
    from treatise.distribute import addresses_in

    return replace(sources, names=(*sources.names, *addresses_in(file)))


def exit_for(outcomes: Outcomes[_Result]) -> None:
    """Exits with status 1 if a source could not be read."""
    if not outcomes.failures:
        return
    if outcomes.results:
        n_sources = len(outcomes.failures) + len(outcomes.results)
        warn(f"{len(outcomes.failures):,} of {n_sources:,} sources could not be read; the others are done")
    sys.exit(1)


def exit_without_result(outcomes: Outcomes[_Result], output: Output) -> NoReturn:
    """Exits with status 1 because sources were unreadable; with ``--json`` the first error is the object."""
    if output.as_json and outcomes.failures:
        from treatise.records import error_record

        error = outcomes.failures[0].error
        show_json(error_record(error, str(error)))
    sys.exit(1)


def index_all_into(
    library: "Library",
    sources: Sources,
    *,
    before_each: Callable[[Named, bytes | None], object] | None = None,
    retry: bool = False,
    advice: Callable[[Failure], str] = lambda _: "",
) -> "Outcomes[IndexReport]":
    """Indexes the source documents, with progress on standard error.

    Unreadable documents are reported and do not stop the others; reports are in source order.
    ``before_each`` is called with each document and its bytes, None for a file. ``retry`` is ``Library.index_all``'s.
    ``advice`` is printed after the reason of a failure.
    """
    from treatise.ingest import listening

    outcomes: Outcomes[IndexReport] = Outcomes()
    named_of: dict[str, Named] = {}

    def fail(named: Named, error: SourceError) -> None:
        failure = Failure(named, error)
        outcomes.failures.append(failure)
        warn(f"error: {error}{advice(failure)}")

    def readable() -> "Iterator[tuple[str, bytes | None]]":
        for named in dict.fromkeys(_documents_behind(sources)):
            try:
                data = data_of(named)
                if before_each:
                    with listening(progress):
                        before_each(named, data)
            except SourceError as error:
                fail(named, error)
                continue
            named_of[named.name if data is not None else str(Path(named.name).absolute())] = named
            yield named.name, data

    with progress_line(_label(sources.names)) as progress:
        for name, result in library.index_all(readable(), progress=progress, retry=retry):
            if isinstance(result, SourceError):
                fail(named_of[name], result)
            else:
                outcomes.results.append(result)
    order = list(named_of)
    outcomes.results.sort(key=lambda report: order.index(report.source))
    return outcomes


def index_again(library: "Library", documents: Sequence[str] | None, where: str = "") -> None:
    """Indexes documents whose indexes are another recipe's, model's or version's, with a note and progress."""
    missing = library.unindexed(documents, where)
    if not missing:
        return
    kept = "each question does so: the library cannot be written" if library.store.read_only else "once"
    lacking = counted(len(missing), "document", "has", "have")
    warn(f"{lacking} no index by this recipe and this version of Treatise: indexing {kept}")
    with progress_line("library") as progress:
        for n_done, document_id in enumerate(missing):
            if progress:
                progress("documents", n_done, len(missing))
            library.indexed(document_id)


def data_of(named: Named) -> bytes | None:
    """The bytes of standard input, an object or a web address; None for a file, which the library reads itself.

    Raises:
        SourceNotFoundError: A folder without documents, a missing file, or an address that cannot be fetched.
        SourceTooLargeError: Standard input or a server yields more than the limit.
        SourceError: An object cannot be read.
        MissingExtraError: If fsspec is not installed.
    """
    if named.error is not None:
        raise named.error
    if named.name == STDIN:
        from treatise.ingest.streams import read_stream

        return read_stream(sys.stdin.buffer, STDIN)
    if is_web(named.name):
        from treatise.engines.web import fetch

        return fetch(named.name)
    if is_object(named.name):
        from treatise.distribute import read_source

        return read_source(named.name)[0]
    if is_folder(named.name):
        raise SourceNotFoundError(f"{named.name}: no document that can be read in this folder; see --include")
    if not exists(named.name):
        raise SourceNotFoundError(f"{named.name:.200}: there is no such file")
    return None


def is_web(name: str) -> bool:
    """Whether the name is a web address."""
    return _WEB.match(name) is not None


def is_object(name: str) -> bool:
    """Whether the name is a URL of object storage, a file or a folder there."""
    return "://" in name and not is_web(name)


def exists(name: str) -> bool:
    """Whether a file or folder with that name exists; False if the name is too long."""
    return os.path.exists(name)  # noqa: PTH110  (pathlib raises)


def is_folder(name: str) -> bool:
    """Whether a folder with that name exists; False if the name is too long."""
    return os.path.isdir(name)  # noqa: PTH112  (pathlib raises)


def is_file(name: str) -> bool:
    """Whether a file with that name exists; False if the name is too long."""
    return os.path.isfile(name)  # noqa: PTH113  (pathlib raises)


def folder_options(function: _Function) -> _Function:
    """Adds ``--include``, ``--exclude`` and ``--follow-links``, passed as the argument ``sources``."""

    @wraps(function)
    def command(
        sources: tuple[str, ...], *, include: Patterns, exclude: Patterns, follow_links: bool, **rest: Any
    ) -> None:
        from treatise.ingest.folders import FolderFilter

        if any(name.lower().endswith(".pdf") for name in sources):
            from treatise.ingest.isolated import prepare

            prepare()  # its process starts while the models are loaded
        function(sources=Sources(sources, FolderFilter(include, exclude, follow_links)), **rest)

    options = (
        click.option("--include", multiple=True, metavar="PATTERN", help="In folders: only files such as '*.log'."),
        click.option("--exclude", multiple=True, metavar="PATTERN", help="In folders: leave out, such as 'drafts/'."),
        click.option("--follow-links", is_flag=True, help="In folders: follow links that lead outside."),
    )
    decorated: Any = command
    for option in reversed(options):
        decorated = option(decorated)
    return cast(_Function, decorated)


def _show_formats(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    """Prints the table of formats and exits."""
    if not value or context.resilient_parsing:
        return
    from treatise.ingest.formats import FORMATS

    rows = list(FORMATS.values())
    if context.params.get("as_json"):
        show_json({"formats": [{"name": row.name, "label": row.label, "suffixes": row.suffixes} for row in rows]})
    else:
        click.echo("\n".join(f"{row.label:24} {' '.join(row.suffixes)}" for row in rows))
    context.exit()


formats_option = click.option(
    "--formats", is_flag=True, expose_value=False, callback=_show_formats, help="Print what can be read."
)


def _label(names: Sequence[str]) -> str:
    return Path(names[0]).name if len(names) == 1 else f"{len(names):,} sources"


def _documents_behind(sources: Sources) -> Iterator[Named]:
    """The documents below a folder; else the name itself, also if there is none: ``data_of`` reports the error.

    Skipped files are summarised in a line on standard error.
    """
    for name in sources.names:
        if is_object(name):
            yield from _objects_behind(name)
            continue
        if name == STDIN or not is_folder(name):
            yield Named(name)
            continue
        from treatise.ingest.folders import FolderFilter, list_folder

        listing = list_folder(Path(name), sources.folders or FolderFilter())
        if note := listing.note():
            warn(f"{name}: passed over {note}")
        yield from [Named(str(path), folder=name) for path in listing.files] or [Named(name)]


def _objects_behind(name: str) -> list[Named]:
    """The documents behind a URL of object storage; the URL itself, with the reason, if there is none."""
    from treatise.distribute import documents_behind

    try:
        return [Named(found, folder="" if found == name else name) for found in documents_behind(name)]
    except SourceError as error:
        return [Named(name, error=error)]
