"""``treatise index`` and ``treatise update``: sources into the library."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Unpack

import click

from treatise.cli.estimate import estimate as estimate_source
from treatise.cli.estimate import estimate_lines, estimates_record
from treatise.cli.explain import explanation_lines, explanation_record, read_named
from treatise.cli.options import LibraryOptions, library_options, opened_library, output_options
from treatise.cli.output import Line, line, show, show_json
from treatise.cli.places import short_source
from treatise.cli.progress import duration, progress_line
from treatise.cli.records import failure_record, outcomes_record
from treatise.cli.sources import STDIN, Named, data_of, exit_for, index_data_into, index_into, read_each

if TYPE_CHECKING:
    from treatise.ingest import Report
    from treatise.pipeline import IndexReport, Library


@click.command(
    short_help="Read documents into the library.",
    epilog="""\b
Examples:
  treatise index paper.pdf
  treatise index reports/ --recipe flat-sentence
  treatise index paper.pdf --explain    what was understood of it
  treatise index books/ --estimate      words, seconds, model calls

What is in the library already, and has not changed, costs nothing. A file that cannot be read is reported and left
out; the others are indexed, and the exit status is 1.
""",
)
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("--explain", is_flag=True, help="Print what was understood of each source as well.")
@click.option("--estimate", is_flag=True, help="Print what indexing would cost, and index nothing.")
@library_options
@output_options
def index(
    sources: tuple[str, ...],
    *,
    explain: bool,
    estimate: bool,
    as_json: bool,
    no_color: bool,
    **options: Unpack[LibraryOptions],
) -> None:
    """Read SOURCEs into the library, so that questions about them are answered at once.

    A SOURCE is a file, a folder, or - for standard input.
    """
    if explain and estimate:
        raise click.UsageError("--explain indexes and --estimate does not: give one of them")
    with opened_library(**options) as library:
        if estimate:
            _estimate(library, sources, as_json=as_json, no_color=no_color)
        else:
            _index(library, sources, explain=explain, as_json=as_json, no_color=no_color)


@click.command(
    short_help="Read again what has changed.",
    epilog="""\b
Examples:
  treatise update paper.md     read it again, if it has changed
  treatise update              every source of the library that has changed

The old content is replaced in one step; an unchanged source costs nothing.
""",
)
@click.argument("sources", nargs=-1, metavar="[SOURCE...]")
@library_options
@output_options
def update(sources: tuple[str, ...], *, as_json: bool, no_color: bool, **options: Unpack[LibraryOptions]) -> None:
    """Read SOURCEs again where they have changed; all of the library's where none is named."""
    with opened_library(**options) as library:
        outcomes = read_each(sources or _known_sources(library), lambda named: index_into(library, named))
    if as_json:
        show_json(outcomes_record(outcomes))
    else:
        show(_outcome_lines(outcomes.results), no_color=no_color)
    exit_for(outcomes)


def _estimate(library: "Library", sources: Sequence[str], *, as_json: bool, no_color: bool) -> None:
    outcomes = read_each(sources, lambda named: estimate_source(library, named))
    if as_json:
        failed = [failure_record(failure) for failure in outcomes.failures]
        show_json(estimates_record(outcomes.results) | {"failed": failed})
    else:
        show(estimate_lines(outcomes.results), no_color=no_color)
    exit_for(outcomes)


def _index(library: "Library", sources: Sequence[str], *, explain: bool, as_json: bool, no_color: bool) -> None:
    reports: list[Report] = []

    def read(named: Named) -> "IndexReport":
        data = data_of(named)
        if explain:
            reports.append(read_named(named, data)[1])
        return index_data_into(library, named, data)

    outcomes = read_each(sources, read)
    _parse_chunks(library, [report.document for report in outcomes.results])
    explained = {"explained": [explanation_record(report) for report in reports]} if explain else {}
    if as_json:
        show_json(outcomes_record(outcomes) | explained)
    else:
        show([*explanation_lines(reports), *_outcome_lines(outcomes.results)], no_color=no_color)
    exit_for(outcomes)


def _parse_chunks(library: "Library", documents: Sequence[str]) -> None:
    """Recipes with trees in their chunks have them made here, so that no question waits for them."""
    with progress_line("parse chunks") as draw:
        library.parse_chunks(documents, draw)


def _known_sources(library: "Library") -> list[str]:
    """Every source of the library that is a file; standard input cannot be read again."""
    sources = (source for entry in library.documents() for source in entry.sources)
    return [source for source in sources if source != STDIN]


def _outcome_lines(reports: Iterable["IndexReport"]) -> Iterator[Line]:
    for report in reports:
        size = f", {report.n_words:,} words in {duration(report.seconds)}" if report.n_words else ""
        yield line((report.document, "bold cyan"), f"  {report.outcome}  {short_source(report.source)}", (size, "dim"))
