"""``treatise eval summaries``: generate and score summaries of a data set's documents."""

import click

from treatise.cli.eval.options import RunOptions, names, run_options, show_summary
from treatise.cli.options import numbers, output_option
from treatise.cli.output import Output


@click.command(
    epilog="""\b
Example:
  treatise eval summaries --dataset qmsum --data qmsum-val.jsonl --words 75 --out results/

Writes results/RECIPE-WORDS.jsonl with one line {"question_id", "context", "spans"} per question, and
results/summary.json, .csv, .md and .tex: ROUGE-L, -1 and -2 (best over the references) with intervals, and differences
to the first baseline. Needs treatise[eval].
"""
)
@run_options(
    *("out", "cache", "encoder", "model"),
    recipes="summary",
    datasets="qmsum, squality: their references are summaries.",
)
@click.option(
    "--baselines",
    default="lead,random,lexrank,biased-lexrank",
    show_default=True,
    metavar="A,B",
    help="Baselines; all else is compared with the first.",
)
@click.option(
    "--words", callback=numbers, default="75", show_default=True, metavar="N,M", help="Maximum words of a summary."
)
@output_option
def summaries(options: RunOptions, *, baselines: str, words: tuple[int, ...], output: Output) -> None:
    """Summarize every document of a data set on each of its questions, and score the summaries."""
    from treatise.evaluate.run.summaries import run

    with options.opened_spec(budgets=words) as spec:
        summary = run(spec, baselines=names(baselines))
    show_summary(output, summary, options.out)
