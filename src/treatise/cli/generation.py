"""``treatise eval generation``: answers to a data set's questions, scored."""

from dataclasses import asdict
from pathlib import Path

import click

from treatise.cli.evaluate_data import data_option
from treatise.cli.options import model_options, numbers, output_options
from treatise.cli.output import line, show, show_json
from treatise.cli.progress import progress_line


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
@click.option("--dataset", required=True, metavar="NAME", help="qasper, quality, narrativeqa, multifieldqa_zh, ...")
@data_option
@click.option("--recipes", default="flat-sentence,treatise", show_default=True, metavar="A,B", help="Names of recipes.")
@click.option("--budgets", callback=numbers, default="400", show_default=True, metavar="N,M", help="Words of evidence.")
@click.option(
    "--out", required=True, type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="For results."
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N documents.")
@click.option("--questions-each", type=click.IntRange(min=1), metavar="N", help="Only the first N questions of each.")
@click.option(
    "--cache", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Keep vectors for the next run."
)
@model_options
@output_options
def generation(  # noqa: PLR0913  (click hands over each option as an argument)
    *,
    dataset: str,
    data: Path | None,
    recipes: str,
    budgets: tuple[int, ...],
    out: Path,
    limit: int | None,
    questions_each: int | None,
    cache: Path | None,
    llm: str | None,
    llm_model: str | None,
    as_json: bool,
    no_color: bool,
) -> None:
    """Answer every question of a data set, and score the answers."""
    from treatise.compose import open_encoder, open_language_model, open_parser
    from treatise.evaluate.datasets import dataset_named
    from treatise.evaluate.found import data_file
    from treatise.evaluate.generation import run
    from treatise.recipes import recipe_named
    from treatise.settings import load_settings

    chosen = [recipe_named(name.strip()) for name in recipes.split(",")]
    named = load_settings().llm if llm is None else llm
    with progress_line(dataset) as draw:
        summary = run(
            dataset,
            data_file(dataset_named(dataset), data),
            chosen,
            budgets,
            out,
            model=open_language_model(named, llm_model) if named else None,
            encoder=open_encoder(),
            parser=open_parser() if any(one.indexing.needs_parser for one in chosen) else None,
            progress=(lambda done, total: draw("documents", done, total)) if draw else None,
            limit=limit,
            questions_each=questions_each,
            cache=cache,
        )
    if as_json:
        show_json(asdict(summary))
    else:
        table = (out / "summary.md").read_text(encoding="utf-8")
        show((line(row, cut=True) for row in table.splitlines()), no_color=no_color)
