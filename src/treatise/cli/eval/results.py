"""``treatise eval tables`` and ``report``: results of several runs as one table, or as a page."""

from dataclasses import dataclass
from pathlib import Path

import click

from treatise.cli.eval.options import baseline_option, grouped, show_summary
from treatise.cli.options import output_option
from treatise.cli.output import Output, line, show, show_json

_folder = click.Path(path_type=Path, file_okay=False)
_file = click.Path(path_type=Path, dir_okay=False)


@dataclass(frozen=True, slots=True)
class ResultsOptions:
    """The input of a table or page.

    Attributes:
        results: Result folders.
        baseline: The recipe or system to compare with.
        data: The data file, if it has moved.
    """

    results: tuple[Path, ...]
    baseline: str | None
    data: Path | None


_results_options = grouped(
    "options",
    ResultsOptions,
    click.argument("results", nargs=-1, required=True, type=_folder, metavar="DIR..."),
    baseline_option,
    click.option("--data", type=_file, metavar="FILE", help="The data file, if it was moved."),
)


@click.command(
    epilog="""\b
Example:
  treatise eval tables ours/ theirs/ --baseline flat-sentence --out tables/ --plots

Writes summary.json, .csv, .md and .tex (booktabs); with --plots METRIC.png and METRIC.svg, which needs
the extra eval.
"""
)
@_results_options
@click.option("--out", required=True, type=_folder, metavar="DIR", help="The folder for the tables.")
@click.option("--plots", is_flag=True, help="Also plot each metric over the budgets.")
@output_option
def tables(options: ResultsOptions, *, out: Path, plots: bool, output: Output) -> None:
    """Put results of several runs on the same data into one table."""
    from treatise.evaluate.report.collect import collect, summary_of
    from treatise.evaluate.report.plots import write_plots
    from treatise.evaluate.report.tables import write_tables

    summary = summary_of(collect(options.results, options.data), baseline=options.baseline)
    out.mkdir(parents=True, exist_ok=True)
    write_tables(summary, out)
    if plots:
        write_plots(summary.rows, out)
    show_summary(output, summary, out)


@click.command(
    epilog="""\b
Example:
  treatise eval report results/ --out report.html

The page is self-contained and opens from disk: figures, the questions of each, and for a question the document with
what was retrieved and what is gold.
"""
)
@_results_options
@click.option("--out", required=True, type=_file, metavar="FILE", help="The page.")
@click.option(
    "--documents",
    type=click.IntRange(min=0),
    metavar="N",
    help="Include the text of only N documents, those with the lowest scores. Default: all.",
)
@output_option
def report(options: ResultsOptions, *, out: Path, documents: int | None, output: Output) -> None:
    """Make one HTML page to click through results."""
    from treatise.evaluate.report.collect import collect
    from treatise.evaluate.report.html import report_html
    from treatise.evaluate.run.results import write_page

    html = report_html(collect(options.results, options.data), baseline=options.baseline, n_documents=documents)
    write_page(out, html)
    size = len(html.encode("utf-8"))
    if output.as_json:
        show_json({"file": str(out), "bytes": size})
    else:
        show([line(f"{out}: {size / 1e6:.1f} MB")], no_color=output.no_color)
