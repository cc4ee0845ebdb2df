"""``treatise index`` and ``treatise update``: sources into the library."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Unpack

import click

from treatise.cli.explain import explanation_lines, explanation_record, explanation_of
from treatise.cli.options import LibraryOptions, library_options, opened_library, output_options
from treatise.cli.output import Line, line, show, show_json, warn
from treatise.cli.places import short_source
from treatise.cli.progress import duration
from treatise.cli.records import outcomes_record
from treatise.cli.sources import STDIN, Named, Outcomes, data_of, index_data_into, index_into, read_all

if TYPE_CHECKING:
    from treatise.ingest import Report
    from treatise.pipeline import IndexReport, Library


@click.command(
    epilog="""\b
Examples:
  treatise index paper.pdf
  treatise index reports/ --recipe flat-sentence
  treatise index paper.pdf --explain      what was understood: title, pages, headings, longest sentence
  treatise index books/ --estimate        words, sentences, seconds and model calls; nothing is kept

\b
What is in the library already, and has not changed, costs nothing. A file that cannot be read is reported and left
out; the others are indexed, and the exit status is 1.
"""
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
    if estimate:
        from treatise.cli.estimate import show_estimates

        show_estimates(sources, as_json=as_json, no_color=no_color, **options)
        return
    reports: list[Report] = []

    def read(named: Named) -> "IndexReport":
        data = data_of(named)
        if explain:
            reports.append(explanation_of(named, data))
        return index_data_into(library, named, data)

    with opened_library(**options) as library:
        outcomes = read_all(sources, read)
    if as_json:
        explained = {"explained": [explanation_record(report) for report in reports]} if explain else {}
        show_json(outcomes_record(outcomes) | explained)
    else:
        show(explanation_lines(reports), no_color=no_color)
        show(_outcome_lines(outcomes), no_color=no_color)
    _exit(outcomes)


@click.command(
    epilog="""\b
Examples:
  treatise update paper.md     read it again, if it has changed
  treatise update              every source of the library that has changed

\b
The old content is replaced in one step; an unchanged source costs nothing.
"""
)
@click.argument("sources", nargs=-1, metavar="[SOURCE...]")
@library_options
@output_options
def update(sources: tuple[str, ...], *, as_json: bool, no_color: bool, **options: Unpack[LibraryOptions]) -> None:
    """Read SOURCEs again where they have changed; all of the library's where none is named."""
    with opened_library(**options) as library:
        outcomes = read_all(sources or _known_sources(library), lambda named: index_into(library, named))
    if as_json:
        show_json(outcomes_record(outcomes))
    else:
        show(_outcome_lines(outcomes), no_color=no_color)
    _exit(outcomes)


def _known_sources(library: "Library") -> list[str]:
    """Every source of the library that is a file; standard input cannot be read again."""
    sources = (source for entry in library.documents() for source in entry.sources)
    return [source for source in sources if source != STDIN]


def _outcome_lines(outcomes: Outcomes) -> Iterator[Line]:
    for report in outcomes.reports:
        size = f", {report.n_words:,} words in {duration(report.seconds)}" if report.n_words else ""
        yield line(
            (report.document, "bold cyan"), f"  {report.outcome}  {short_source(report.source)}", (size, "dim")
        )


def _exit(outcomes: Outcomes) -> None:
    if outcomes.failures:
        n_sources = len(outcomes.reports) + len(outcomes.failures)
        warn(f"{len(outcomes.failures)} of {n_sources} sources could not be read; the others are in the library")
        sys.exit(1)
