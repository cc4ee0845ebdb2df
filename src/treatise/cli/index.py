"""``treatise index`` and ``treatise update``: sources into the library."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from treatise.cli.estimate import estimate_lines, estimates_record, estimates_together
from treatise.cli.estimate import read as read_to_estimate
from treatise.cli.explain import explanation_lines, explanation_record, read_named
from treatise.cli.options import (
    LibraryOptions,
    ceiling_options,
    library_options,
    model_options,
    opened_library,
    output_options,
)
from treatise.cli.output import Line, line, show, show_json, warn
from treatise.cli.places import short_source
from treatise.cli.progress import duration, progress_line
from treatise.cli.sources import STDIN, Named, Outcomes, data_of, exists, exit_for, index_all_into, read_each
from treatise.cli.spending import chunks_text, notes_text, spending_of, spending_text
from treatise.records import failure_record, outcomes_record

if TYPE_CHECKING:
    from treatise.core.recipe import Recipe
    from treatise.ingest import Report
    from treatise.pipeline.library import Library
    from treatise.pipeline.reports import ChunkReport, IndexReport


@click.command(
    short_help="Read documents into the library.",
    epilog="""\b
Examples:
  treatise index paper.pdf
  treatise index reports/ --recipe flat-sentence
  treatise index paper.pdf --explain    what was understood of it
  treatise index books/ --estimate      words, seconds, model calls
\b
With notes that a language model writes:
  treatise index book.epub --recipe disretrieval-thrifty --llm ollama --llm-model llama3.2 --estimate
  treatise index book.epub --recipe disretrieval-thrifty --llm ollama --llm-model llama3.2 --max-calls 100

What is in the library already, and has not changed, costs nothing. A file that cannot be read is reported and left
out; the others are indexed, and the exit status is 1. No call of a model is made twice: a run that was stopped goes on
where it was.
""",
)
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("--explain", is_flag=True, help="Print what was understood of each source as well.")
@click.option("--estimate", is_flag=True, help="Print what indexing would cost, and index nothing.")
@click.option(
    "--fit-calls",
    type=click.IntRange(min=0),
    metavar="N",
    help="Raise the recipe's tau until these sources take at most N calls, by estimate.",
)
@click.option("--retry", is_flag=True, help="Ask again for notes that did not fit, or were beyond a ceiling.")
@model_options
@ceiling_options
@library_options
@output_options
def index(  # noqa: PLR0913  (click hands over each option as an argument)
    sources: tuple[str, ...],
    *,
    explain: bool,
    estimate: bool,
    fit_calls: int | None,
    retry: bool,
    as_json: bool,
    no_color: bool,
    **options: Unpack[LibraryOptions],
) -> None:
    """Read SOURCEs into the library, so that questions about them are answered at once.

    A SOURCE is a file, a folder, or - for standard input.
    """
    if explain and estimate:
        raise click.UsageError("--explain indexes and --estimate does not: give one of them")
    if fit_calls is not None and STDIN in sources:
        raise click.UsageError("--fit-calls reads its sources twice, and standard input can be read once: name a file")
    with opened_library(**options) as library:
        if fit_calls is not None:
            library = library.with_recipe(_fitted(library, sources, fit_calls))
        if estimate:
            _estimate(library, sources, as_json=as_json, no_color=no_color)
        else:
            _index(library, sources, explain=explain, retry=retry, as_json=as_json, no_color=no_color)


@click.command(
    short_help="Read again what has changed.",
    epilog="""\b
Examples:
  treatise update paper.md     read it again, if it has changed
  treatise update              every source of the library that has changed

The old content is replaced in one step; an unchanged source costs nothing. Of a changed one, what is made from
unchanged text is taken from its former index: vectors, and notes with the calls that wrote them.
""",
)
@click.argument("sources", nargs=-1, metavar="[SOURCE...]")
@model_options
@ceiling_options
@library_options
@output_options
def update(sources: tuple[str, ...], *, as_json: bool, no_color: bool, **options: Unpack[LibraryOptions]) -> None:
    """Read SOURCEs again where they have changed; all of the library's where none is named."""
    with opened_library(**options) as library:
        outcomes = index_all_into(library, sources or _known_sources(library))
        _show_outcomes(library, outcomes, as_json=as_json, no_color=no_color)
        _warn_of_gone(library, outcomes)
    exit_for(outcomes)


def _fitted(library: "Library", sources: Sequence[str], n_calls: int) -> "Recipe":
    """The library's recipe with the tau that fits; says which it is, since questions must name it."""
    found = read_each(sources, lambda named: read_named(named, data_of(named))[0])
    recipe = library.system.recipe_within(found.results, n_calls)
    if recipe != library.recipe:
        warn(f"tau of {recipe.indexing.notes.tau.words} words: ask with --recipe {recipe.slug}")
    return recipe


def _estimate(library: "Library", sources: Sequence[str], *, as_json: bool, no_color: bool) -> None:
    outcomes = read_each(sources, lambda named: read_to_estimate(library, named))
    estimates, total = estimates_together(library, outcomes.results)
    if as_json:
        failed = [failure_record(failure) for failure in outcomes.failures]
        show_json(estimates_record(estimates, total) | {"failed": failed})
    else:
        show(estimate_lines(estimates, total), no_color=no_color)
    exit_for(outcomes)


def _index(
    library: "Library", sources: Sequence[str], *, explain: bool, retry: bool, as_json: bool, no_color: bool
) -> None:
    reports: list[Report] = []

    def note(named: Named, data: bytes | None) -> None:
        reports.append(read_named(named, data)[1])

    outcomes = index_all_into(library, sources, before_each=note if explain else None, retry=retry)
    chunks = _parse_chunks(library, [report.document for report in outcomes.results])
    _show_outcomes(library, outcomes, reports, chunks, as_json=as_json, no_color=no_color)
    exit_for(outcomes)


def _show_outcomes(
    library: "Library",
    outcomes: Outcomes["IndexReport"],
    reports: "Sequence[Report]" = (),
    chunks: "ChunkReport | None" = None,
    *,
    as_json: bool,
    no_color: bool,
) -> None:
    price = library.system.budget.price
    if as_json:
        explained = {"explained": [explanation_record(report) for report in reports]} if reports else {}
        show_json(outcomes_record(outcomes, price, chunks) | explained)
    else:
        last = [chunks_text(chunks), spending_text(spending_of(outcomes.results, chunks), price)]
        lines = [*explanation_lines(reports), *_outcome_lines(outcomes.results), *map(line, filter(None, last))]
        show(lines, no_color=no_color)


def _parse_chunks(library: "Library", documents: Sequence[str]) -> "ChunkReport":
    """Recipes with trees in their chunks have them made here, so that no question waits for them."""
    with progress_line("parse chunks") as draw:
        return library.parse_chunks(documents, draw)


def _known_sources(library: "Library") -> list[str]:
    """Every source of the library that is a file; standard input cannot be read again."""
    sources = (source for entry in library.documents() for source in entry.sources)
    return [source for source in sources if source != STDIN]


def _warn_of_gone(library: "Library", outcomes: Outcomes["IndexReport"]) -> None:
    """Says how a document is taken out whose files are all gone: until then it is asked like any other."""
    unread = (str(Path(failure.source.name).absolute()) for failure in outcomes.failures)
    gone = {source for source in unread if not exists(source)}
    for entry in library.documents():
        if entry.sources and gone.issuperset(entry.sources):
            warn(f"{short_source(entry.sources[0])} is gone and still answers: treatise remove {entry.id}")


def _outcome_lines(reports: "Sequence[IndexReport]") -> Iterator[Line]:
    for report in reports:
        size = f", {report.n_words:,} words in {duration(report.seconds)}" if report.n_words else ""
        yield line((report.document, "bold cyan"), f"  {report.outcome}  {short_source(report.source)}", (size, "dim"))
        if notes := notes_text(report):
            yield line((notes, "dim"), indent=2)
