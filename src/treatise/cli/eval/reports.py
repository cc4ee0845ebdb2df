"""``treatise eval score|tables|report``: what other systems retrieved, and results made into tables and pages."""

from pathlib import Path

import click

from treatise.cli.eval.options import RunOptions, baseline_option, run_options, show_summary
from treatise.cli.options import named_files, output_options
from treatise.cli.output import line, show, show_json

_folder = click.Path(path_type=Path, file_okay=False)
_file = click.Path(path_type=Path, dir_okay=False)

_data_option = click.option(
    "--data", type=_file, metavar="FILE", help="The data file, where it is no longer where it was."
)


@click.command(
    epilog="""\b
Example:
  treatise eval score --dataset qasper --data qasper-dev-v0.3.json --out theirs/ peer.jsonl other=run7/contexts.jsonl

A file has a line {"question_id", "context"} or {"question_id", "passages": [best first, ...]} a question. A system is
called as its file is, or as NAME in NAME=FILE. Writes what `treatise eval retrieval` writes.
"""
)
@click.argument("systems", nargs=-1, required=True, metavar="[NAME=]FILE...")
@run_options("out", budgets="200,300,400")
@baseline_option
@output_options
def score(told: RunOptions, *, systems: tuple[str, ...], baseline: str | None, as_json: bool, no_color: bool) -> None:
    """Score contexts that other systems retrieved, cut at equal words."""
    from treatise.evaluate.run import contexts

    found = named_files(systems)
    summary = contexts.score(
        told.dataset, told.file, found, told.budgets, told.out, baseline=baseline, limit=told.limit
    )
    show_summary(summary, told.out, as_json=as_json, no_color=no_color)


@click.command(
    epilog="""\b
Example:
  treatise eval tables ours/ theirs/ --baseline flat-sentence --out tables/ --plots

Writes summary.json, .csv, .md and .tex (booktabs); with --plots METRIC.png and METRIC.svg, which needs
pip install 'treatise[eval]'.
"""
)
@click.argument("results", nargs=-1, required=True, type=_folder, metavar="DIR...")
@click.option("--out", required=True, type=_folder, metavar="DIR", help="For the tables.")
@click.option("--plots", is_flag=True, help="Draw each metric over the budgets too.")
@baseline_option
@_data_option
@output_options
def tables(  # noqa: PLR0913  (click hands over each option as an argument)
    *,
    results: tuple[Path, ...],
    out: Path,
    plots: bool,
    baseline: str | None,
    data: Path | None,
    as_json: bool,
    no_color: bool,
) -> None:
    """Put results of several runs on the same data into one table."""
    from treatise.evaluate.report.collect import collect, summary_of
    from treatise.evaluate.report.plots import write_plots
    from treatise.evaluate.report.tables import write_tables

    summary = summary_of(collect(results, data), baseline=baseline)
    out.mkdir(parents=True, exist_ok=True)
    write_tables(summary, out)
    if plots:
        write_plots(summary.rows, out)
    show_summary(summary, out, as_json=as_json, no_color=no_color)


@click.command(
    epilog="""\b
Example:
  treatise eval report results/ --out report.html

The page has everything in it and opens from disk: figures, the questions of each, and for a question the document with
what was retrieved and what is gold.
"""
)
@click.argument("results", nargs=-1, required=True, type=_folder, metavar="DIR...")
@click.option("--out", required=True, type=_file, metavar="FILE", help="The page.")
@click.option(
    "--documents",
    type=click.IntRange(min=0),
    metavar="N",
    help="The text of so many documents only, those of the lowest scores. Default: all.",
)
@baseline_option
@_data_option
@output_options
def report(  # noqa: PLR0913  (click hands over each option as an argument)
    *,
    results: tuple[Path, ...],
    out: Path,
    documents: int | None,
    baseline: str | None,
    data: Path | None,
    as_json: bool,
    no_color: bool,
) -> None:
    """Make one HTML page to click through results."""
    from treatise.evaluate.report.collect import collect
    from treatise.evaluate.report.html import report_html
    from treatise.evaluate.run.results import write_page

    html = report_html(collect(results, data), baseline=baseline, n_documents=documents)
    write_page(out, html)
    size = len(html.encode("utf-8"))
    if as_json:
        show_json({"file": str(out), "bytes": size})
    else:
        show([line(f"{out}: {size / 1e6:.1f} MB")], no_color=no_color)
