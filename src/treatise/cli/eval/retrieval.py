"""``treatise eval retrieval``: retrieve and score evidence for a data set's questions."""

import click

from treatise.cli.eval.options import RunOptions, run_options, show_summary
from treatise.cli.options import output_option
from treatise.cli.output import Output


@click.command(
    epilog="""\b
Example:
  treatise eval retrieval --dataset qasper --data qasper-dev-v0.3.json \\
    --recipes flat-sentence,treatise --budgets 200,300,400 --out results/

Writes results/RECIPE-BUDGET.jsonl with one line {"question_id", "context", "spans"} per question, and
results/summary.json, .csv, .md and .tex with means, intervals, and differences to the baseline. A stopped run resumes.
Then: treatise eval report results/ --out report.html
"""
)
@run_options(
    *("out", "cache", "encoder", "baseline", "reranker", "model"),
    recipes="flat-sentence,treatise",
    budgets="200,300,400",
)
@output_option
def retrieval(options: RunOptions, *, output: Output) -> None:
    """Retrieve evidence for every question of a data set, and score it."""
    from treatise.evaluate.run.retrieval import run

    with options.opened_spec(llm="") as spec:
        summary = run(spec)
    show_summary(output, summary, options.out)
