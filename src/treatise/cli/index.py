"""``treatise index`` and ``treatise update``."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import click

from treatise.cli.estimate import estimate_lines, estimates_together
from treatise.cli.estimate import read as read_to_estimate
from treatise.cli.explain import explanation_lines, read_named
from treatise.cli.options import (
    Labels,
    LibraryOptions,
    ceiling_options,
    label_option,
    library_options,
    model_options,
    opened_library,
    output_option,
)
from treatise.cli.output import Line, Output, line, warn
from treatise.cli.places import short_source
from treatise.cli.progress import duration, progress_line
from treatise.cli.ray import index_on_ray_into
from treatise.cli.sources import (
    STDIN,
    Failure,
    Named,
    Outcomes,
    Sources,
    data_of,
    exists,
    exit_for,
    folder_options,
    formats_option,
    index_all_into,
    is_object,
    read_each,
    with_listed,
)
from treatise.cli.spending import chunks_text, notes_text, spending_of, spending_text
from treatise.core.errors import SourceNotFoundError
from treatise.core.plurals import counted
from treatise.records import estimates_record, index_record

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
  treatise index paper.pdf --explain    how it was read
  treatise index books/ --estimate      words, seconds, model calls
  treatise index notes/ --exclude 'drafts/' --include '*.md'
  treatise index s3://texts/reports/
  treatise index s3://texts/ --ray auto --store postgresql://me@server/texts
\b
With notes written by a language model:
  treatise index book.epub --recipe disretrieval-thrifty --llm ollama --llm-model llama3.2 --estimate
  treatise index book.epub --recipe disretrieval-thrifty --llm ollama --llm-model llama3.2 --max-calls 100

In a folder, files of known types are read (--formats); hidden files, files that .gitignore names, and links that lead
outside are not. Unchanged documents of the library cost nothing. A file that cannot be read is reported and skipped;
the others are indexed, and the exit status is 1. No call to a model is repeated: an interrupted run continues where it
stopped.
""",
)
@click.argument("sources", nargs=-1, metavar="SOURCE...")
@click.option("--explain", is_flag=True, help="Also print how each source was read.")
@formats_option
@click.option("--estimate", is_flag=True, help="Print what indexing would cost, without indexing.")
@click.option(
    "--fit-calls",
    type=click.IntRange(min=0),
    metavar="N",
    help="Raise the recipe's tau until these sources need an estimated N calls at most.",
)
@click.option(
    "--ray",
    metavar="ADDRESS",
    help="Index on a Ray cluster: local, local:4 for 4 workers here, or an address such as auto or host:6379.",
)
@click.option(
    "--sources-from",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help='Also the sources in lines of JSON such as {"source": "s3://texts/a.pdf"}.',
)
@label_option
@click.option("--retry", is_flag=True, help="Write again the notes that were rejected or over budget.")
@folder_options
@model_options
@ceiling_options
@library_options
@output_option
def index(  # noqa: PLR0913  (one parameter per option)
    sources: Sources,
    *,
    explain: bool,
    estimate: bool,
    fit_calls: int | None,
    ray: str | None,
    sources_from: Path | None,
    retry: bool,
    labels: Labels,
    output: Output,
    **options: Unpack[LibraryOptions],
) -> None:
    """Read SOURCEs into the library, ready for questions.

    A SOURCE is a file, a folder, a URL of object storage such as s3://texts/, or - for standard input.
    """
    if not sources.names and sources_from is None:
        raise click.UsageError("Missing argument 'SOURCE...'.")
    if ray is not None:
        if explain or estimate or retry or fit_calls is not None or STDIN in sources.names:
            raise click.UsageError("--ray reads files and URLs, without --explain, --estimate, --fit-calls and --retry")
        with opened_library(**options) as library:
            outcomes = index_on_ray_into(library, sources, sources_from, ray, options)
            _label(library, [report.document for report in outcomes.results], labels)
            _show_outcomes(library, outcomes, output)
        exit_for(outcomes)
        return
    if sources_from is not None:
        sources = with_listed(sources, sources_from)
    if explain and estimate:
        raise click.UsageError("--explain indexes and --estimate does not: use one of them")
    if fit_calls is not None and STDIN in sources.names:
        raise click.UsageError(
            "--fit-calls reads its sources twice, and standard input allows one reading: name a file"
        )
    with opened_library(**options) as library:
        if fit_calls is not None:
            library = library.with_recipe(_fitted(library, sources, fit_calls))
        if estimate:
            _estimate(library, sources, output)
        else:
            _index(library, sources, output, explain=explain, retry=retry, labels=labels)


@click.command(
    short_help="Read changed documents again.",
    epilog="""\b
Examples:
  treatise update paper.md     if it has changed
  treatise update              all changed sources of the library

The old content is replaced in one step; an unchanged source costs nothing. Vectors and notes of unchanged text are
taken from the previous index of a changed source.
""",
)
@click.argument("sources", nargs=-1, metavar="[SOURCE...]")
@folder_options
@model_options
@ceiling_options
@library_options
@output_option
def update(sources: Sources, *, output: Output, **options: Unpack[LibraryOptions]) -> None:
    """Read changed SOURCEs again; without a SOURCE, all sources of the library."""
    with opened_library(**options) as library:
        named = sources if sources.names else _known_files(library)
        outcomes = index_all_into(library, named, advice=_advice_on_missing(library))
        if not sources.names:
            with progress_line("reading openings") as progress:
                library.read_openings(progress)
        _show_outcomes(library, outcomes, output)
    exit_for(outcomes)


def _fitted(library: "Library", sources: Sources, n_calls: int) -> "Recipe":
    """The library's recipe with a tau that fits; prints its name, which questions need."""
    found = read_each(sources, lambda named: read_named(named, data_of(named))[0])
    recipe = library.system.recipe_within(found.results, n_calls)
    if recipe != library.recipe:
        warn(f"tau is {recipe.indexing.notes.tau.words} words: ask with --recipe {recipe.slug}")
    return recipe


def _estimate(library: "Library", sources: Sources, output: Output) -> None:
    outcomes = read_each(sources, lambda named: read_to_estimate(library, named))
    estimates, total = estimates_together(library, outcomes.results)
    output.show(estimates_record(estimates, total, _failures(outcomes)), estimate_lines(estimates, total))
    exit_for(outcomes)


def _index(
    library: "Library",
    sources: Sources,
    output: Output,
    *,
    explain: bool,
    retry: bool,
    labels: Labels,
) -> None:
    explanations: list[Report] = []

    def read(named: Named, data: bytes | None) -> None:
        explanations.append(read_named(named, data)[1])

    outcomes = index_all_into(library, sources, before_each=read if explain else None, retry=retry)
    ids = [report.document for report in outcomes.results]
    _label(library, ids, labels)
    chunks = _parse_chunks(library, ids)
    _show_outcomes(library, outcomes, output, explanations, chunks)
    exit_for(outcomes)


def _label(library: "Library", ids: Sequence[str], labels: Labels) -> None:
    """Adds tags and collections to those that the documents have."""
    if not any(labels.values()):
        return
    before = {entry.id: entry.metadata for entry in library.documents()}
    for id_ in dict.fromkeys(ids):
        added = {key: (*before[id_].get(key, ()), *values) for key, values in labels.items() if values}
        library.tag(id_, **added)


def _show_outcomes(
    library: "Library",
    outcomes: Outcomes["IndexReport"],
    output: Output,
    explanations: "Sequence[Report]" = (),
    chunks: "ChunkReport | None" = None,
) -> None:
    price = library.system.budget.price
    spending = spending_of(outcomes.results, chunks)
    record = index_record(
        outcomes.results, _failures(outcomes), spending, price=price, chunks=chunks, explanations=explanations
    )
    totals = filter(None, [chunks_text(chunks), spending_text(spending, price)])
    output.show(record, [*explanation_lines(explanations), *_outcome_lines(outcomes.results), *map(line, totals)])


def _failures(outcomes: Outcomes[Any]) -> list[tuple[str, str]]:
    return [(failure.source.name, failure.reason) for failure in outcomes.failures]


def _parse_chunks(library: "Library", documents: Sequence[str]) -> "ChunkReport":
    """Parses chunks now, if the recipe has trees in them, so that no question waits for it."""
    with progress_line("parse chunks") as draw:
        return library.parse_chunks(documents, draw)


def _known_files(library: "Library") -> Sources:
    """Every file of the library; says how many other sources there are, which stay as they are."""
    from treatise.ingest.files import is_file_name

    sources = [source for entry in library.documents() for source in entry.sources]
    files = [source for source in sources if is_file_name(source)]
    if others := [source for source in sources if not is_file_name(source)]:
        rest = f"{len(others):,}, such as {others[0]}; a URL is read again if you name it"
        warn(f"sources that are no files of this machine stay as they are: {rest}")
    return Sources(tuple(files))


def _advice_on_missing(library: "Library") -> Callable[[Failure], str]:
    """How to remove a document whose files are all missing: it is still searched."""
    orphans = {
        source: entry.id
        for entry in library.documents()
        if not any(map(exists, entry.sources))
        for source in entry.sources
    }

    def advice(failure: Failure) -> str:
        name = failure.source.name
        is_gone = isinstance(failure.error, SourceNotFoundError)
        id_ = orphans.get(name if is_object(name) else str(Path(name).absolute())) if is_gone else None
        return f"; it is still indexed: treatise remove {id_}" if id_ else ""

    return advice


def _outcome_lines(reports: "Sequence[IndexReport]") -> Iterator[Line]:
    for report in reports:
        size = f", {counted(report.n_words, 'word')} in {duration(report.seconds)}" if report.n_words else ""
        yield line((report.document, "bold cyan"), f"  {report.outcome}  {short_source(report.source)}", (size, "dim"))
        if notes := notes_text(report):
            yield line((notes, "dim"), indent=2)
