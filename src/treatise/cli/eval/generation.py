"""``treatise eval generation``: generate and score answers to a data set's questions."""

import click

from treatise.cli.eval.options import RunOptions, run_options, show_summary
from treatise.cli.options import output_option
from treatise.cli.output import Output


@click.command(
    epilog="""\b
Example:
  treatise eval generation --dataset qasper --data qasper-dev-v0.3.json --recipes flat-sentence,treatise \\
    --llm ollama --llm-model llama3.2 --out answers/

Short answers are scored by token F1 (over characters in Chinese), options by the letter named first and by the nearest
option. Without --llm answers are quoted from the evidence. Writes answers/RECIPE-BUDGET.jsonl and answers/summary.json,
.csv and .md. A stopped run resumes.
"""
)
@run_options(
    *("out", "cache", "encoder", "questions_each", "reranker", "prior", "open_domain", "model"),
    recipes="flat-sentence,treatise",
    budgets="400",
    datasets="qasper, quality, narrativeqa, multifieldqa_zh, ...",
)
@output_option
def generation(options: RunOptions, *, output: Output) -> None:
    """Answer every question of a data set, and score the answers."""
    from treatise.evaluate.run.generation import run

    with options.opened_spec() as spec:
        summary = run(spec)
    show_summary(output, summary, options.out)
