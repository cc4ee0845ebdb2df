"""``treatise eval generation``: answers to a data set's questions, scored."""

import click

from treatise.cli.eval.options import RunOptions, documents_line, run_options, show_summary
from treatise.cli.options import model_options, output_options, reranker_option


@click.command(
    epilog="""\b
Example:
  treatise eval generation --dataset qasper --data qasper-dev-v0.3.json --recipes flat-sentence,treatise \\
    --llm ollama --llm-model llama3.2 --out answers/

Short answers are scored by token F1 (over characters in Chinese), options by the letter named first and by the nearest
option. Without --llm answers are quoted from the evidence. Writes answers/RECIPE-BUDGET.jsonl and answers/summary.json,
.csv and .md. A run that was stopped goes on where it was.
"""
)
@run_options(
    *("out", "cache", "encoder"),
    recipes="flat-sentence,treatise",
    budgets="400",
    datasets="qasper, quality, narrativeqa, multifieldqa_zh, ...",
)
@click.option("--questions-each", type=click.IntRange(min=1), metavar="N", help="Only the first N questions of each.")
@reranker_option
@model_options
@output_options
def generation(  # noqa: PLR0913  (click hands over each option as an argument)
    told: RunOptions,
    *,
    questions_each: int | None,
    reranker: str | None,
    llm: str | None,
    llm_model: str | None,
    as_json: bool,
    no_color: bool,
) -> None:
    """Answer every question of a data set, and score the answers."""
    from treatise.compose import open_engines
    from treatise.evaluate.run.generation import run

    file, chosen = told.file, told.chosen_with(reranker)
    engines = open_engines(chosen, encoder=told.encoder, reranker=reranker, llm=llm, llm_model=llm_model)
    with documents_line(told.dataset) as progress:
        summary = run(
            told.dataset,
            file,
            chosen,
            told.budgets,
            told.out,
            model=engines.model,
            encoder=engines.encoder,
            parser=engines.parser,
            reranker=engines.reranker,
            progress=progress,
            limit=told.limit,
            questions_each=questions_each,
            cache=told.cache,
        )
    show_summary(summary, told.out, as_json=as_json, no_color=no_color)
