"""``treatise eval``: recipes measured on data sets."""

from dataclasses import asdict
from pathlib import Path

import click

from treatise.cli.evaluate_discorag import discorag
from treatise.cli.options import output_options
from treatise.cli.output import line, show, show_json
from treatise.cli.progress import progress_line


def _numbers(_context: click.Context, _parameter: click.Parameter, text: str) -> tuple[int, ...]:
    """Whole numbers above 0 from a text with commas between them."""
    try:
        numbers = tuple(int(part) for part in text.split(","))
    except ValueError:
        numbers = ()
    if not numbers or min(numbers) < 1:
        raise click.BadParameter(f"{text!r} is not a list of numbers above 0, such as 200,300,400")
    return numbers


@click.group("eval", short_help="Measure recipes on data sets.")
def evaluation() -> None:
    """Measure recipes on data sets; see `treatise eval retrieval --help` and `treatise eval discorag --help`."""


evaluation.add_command(discorag)


@evaluation.command(
    epilog="""\b
Example:
  treatise eval retrieval --dataset qasper --data qasper-dev-v0.3.json \\
    --recipes flat-sentence,treatise --budgets 200,300,400 --out results/

Writes results/RECIPE-BUDGET.jsonl, a line {"question_id", "context", "spans"} a question, and results/summary.json,
.csv and .md with means, intervals, and differences to the first recipe. A run that was stopped goes on where it was.
"""
)
@click.option("--dataset", required=True, metavar="NAME", help="qasper, fairytaleqa, qmsum, policyqa, drcd, ...")
@click.option(
    "--data",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The data set's file, gzipped or not.",
)
@click.option(
    "--recipes",
    default="flat-sentence,treatise",
    show_default=True,
    metavar="A,B",
    help="Names of recipes; the first is the baseline.",
)
@click.option(
    "--budgets", callback=_numbers, default="200,300,400", show_default=True, metavar="N,M", help="Words of evidence."
)
@click.option(
    "--out", required=True, type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="For results."
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N documents.")
@click.option(
    "--cache", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Keep vectors for the next run."
)
@click.option("--encoder", metavar="URL|FOLDER", help="Another encoder than the built-in one.")
@output_options
def retrieval(  # noqa: PLR0913  (click hands over each option as an argument)
    *,
    dataset: str,
    data: Path,
    recipes: str,
    budgets: tuple[int, ...],
    out: Path,
    limit: int | None,
    cache: Path | None,
    encoder: str | None,
    as_json: bool,
    no_color: bool,
) -> None:
    """Retrieve evidence for every question of a data set, and score it."""
    from treatise.compose import open_encoder, open_parser
    from treatise.core.recipe import TreeShape
    from treatise.evaluate.retrieval import RunProgress, run
    from treatise.recipes import recipe_named

    chosen = [recipe_named(name.strip()) for name in recipes.split(",")]
    with progress_line(dataset) as draw:

        def report(progress: RunProgress) -> None:
            if draw is not None:
                draw("documents", progress.done, progress.total)

        summary = run(
            dataset,
            data,
            chosen,
            budgets,
            out,
            encoder=open_encoder(encoder),
            parser=open_parser() if any(one.indexing.tree is TreeShape.DISCOURSE for one in chosen) else None,
            progress=report,
            limit=limit,
            cache=cache,
        )
    if as_json:
        show_json(asdict(summary))
    else:
        table = (out / "summary.md").read_text(encoding="utf-8")
        show((line(row, cut=True) for row in table.splitlines()), no_color=no_color)
