"""Indexing on a Ray cluster from the command line."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from treatise.cli.options import LibraryOptions
from treatise.cli.output import warn
from treatise.cli.progress import progress_line
from treatise.cli.sources import Failure, Named, Outcomes, Sources
from treatise.core.errors import SourceError
from treatise.core.plurals import counted

if TYPE_CHECKING:
    from treatise.pipeline.library import Library
    from treatise.pipeline.reports import IndexReport


def index_on_ray_into(
    library: "Library", sources: Sources, listed_in: Path | None, address: str, options: LibraryOptions
) -> "Outcomes[IndexReport]":
    """Indexes the documents behind sources and in a list on a cluster; failures are reported and skipped."""
    from treatise.compose import engines_for_workers
    from treatise.distribute import index_on_ray

    open_engines = engines_for_workers(
        library.recipe,
        encoder=options.get("encoder"),
        prior=options.get("prior"),
        parser=options.get("parser"),
        segmenter=options.get("segmenter"),
    )
    outcomes: Outcomes[IndexReport] = Outcomes()
    names = list(_documents(sources, listed_in, outcomes))
    with progress_line(counted(len(names), "document")) as progress:
        found = index_on_ray(library, names, address=address, open_engines=open_engines, progress=progress)
        for name, result in found:
            if isinstance(result, SourceError):
                _fail(outcomes, name, result)
            else:
                outcomes.results.append(result)
    return outcomes


def _documents(sources: Sources, listed_in: Path | None, outcomes: "Outcomes[IndexReport]") -> Iterator[str]:
    from treatise.distribute import addresses_in, documents_behind

    for name in sources.names:
        try:
            yield from documents_behind(name, sources.folders)
        except SourceError as error:
            _fail(outcomes, name, error)
    if listed_in is not None:
        yield from addresses_in(listed_in)


def _fail(outcomes: "Outcomes[IndexReport]", name: str, error: SourceError) -> None:
    outcomes.failures.append(Failure(Named(name), error))
    warn(f"error: {error}")
