"""``treatise eval``: recipes measured on data sets."""

from dataclasses import asdict
from pathlib import Path

import click

from treatise.cli.anatomy import anatomy
from treatise.cli.evaluate_data import data_option, datasets, fetch
from treatise.cli.evaluate_discorag import discorag
from treatise.cli.evaluate_scores import answers, ranks
from treatise.cli.evaluate_variants import segmentation, sweep
from treatise.cli.experiments import paper, run_file
from treatise.cli.generation import generation
from treatise.cli.options import numbers, output_options, reranker_option
from treatise.cli.output import line, show, show_json
from treatise.cli.progress import progress_line
from treatise.cli.ratings import rating_sheet, ratings
from treatise.cli.reports import report, score, tables


@click.group("eval", short_help="Measure recipes on data sets.")
def evaluation() -> None:
    """Measure recipes on data sets; see `treatise eval retrieval --help` and `treatise eval discorag --help`."""


evaluation.add_command(discorag)


for _command in (
    *(datasets, fetch, run_file, paper, answers, ranks, score, tables, report, rating_sheet, ratings),
    *(sweep, segmentation, anatomy, generation),
):
    evaluation.add_command(_command)


@evaluation.command(
    epilog="""\b
Example:
  treatise eval retrieval --dataset qasper --data qasper-dev-v0.3.json \\
    --recipes flat-sentence,treatise --budgets 200,300,400 --out results/

Writes results/RECIPE-BUDGET.jsonl, a line {"question_id", "context", "spans"} a question, and results/summary.json,
.csv, .md and .tex with means, intervals, and differences to the baseline. A run that was stopped goes on where it was.
Then: treatise eval report results/ --out report.html
"""
)
@click.option("--dataset", required=True, metavar="NAME", help="qasper, fairytaleqa, qmsum, policyqa, drcd, ...")
@data_option
@click.option(
    "--recipes",
    default="flat-sentence,treatise",
    show_default=True,
    metavar="A,B",
    help="Names of recipes.",
)
@click.option("--baseline", metavar="NAME", help="The recipe to compare with. Default: the first.")
@click.option(
    "--budgets", callback=numbers, default="200,300,400", show_default=True, metavar="N,M", help="Words of evidence."
)
@click.option(
    "--out", required=True, type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="For results."
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N documents.")
@click.option(
    "--cache", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Keep vectors for the next run."
)
@click.option("--encoder", metavar="URL|FOLDER", help="Another encoder than the built-in one.")
@reranker_option
@output_options
def retrieval(  # noqa: PLR0913  (click hands over each option as an argument)
    *,
    dataset: str,
    data: Path | None,
    recipes: str,
    baseline: str | None,
    budgets: tuple[int, ...],
    out: Path,
    limit: int | None,
    cache: Path | None,
    encoder: str | None,
    reranker: str | None,
    as_json: bool,
    no_color: bool,
) -> None:
    """Retrieve evidence for every question of a data set, and score it."""
    from treatise.compose import open_encoder, open_parser, open_reranker
    from treatise.evaluate.datasets import dataset_named
    from treatise.evaluate.found import data_file
    from treatise.evaluate.retrieval import RunProgress, run
    from treatise.recipes import recipe_named

    file = data_file(dataset_named(dataset), data)
    chosen = [recipe_named(name.strip()) for name in recipes.split(",")]
    if reranker and not any(one.reranking for one in chosen):
        raise click.UsageError(f"--reranker: none of {recipes} has a second stage; add treatise-reranked to --recipes")
    with progress_line(dataset) as draw:

        def show_progress(progress: RunProgress) -> None:
            if draw is not None:
                draw("documents", progress.done, progress.total)

        summary = run(
            dataset,
            file,
            chosen,
            budgets,
            out,
            encoder=open_encoder(encoder),
            parser=open_parser() if any(one.indexing.needs_parser for one in chosen) else None,
            reranker=open_reranker(reranker) if any(one.reranking for one in chosen) else None,
            baseline=baseline,
            progress=show_progress,
            limit=limit,
            cache=cache,
        )
    if as_json:
        show_json(asdict(summary))
    else:
        table = (out / "summary.md").read_text(encoding="utf-8")
        show((line(row, cut=True) for row in table.splitlines()), no_color=no_color)


@evaluation.command(
    epilog="""\b
Example:
  treatise eval summaries --dataset qmsum --data qmsum-val.jsonl --words 75 --out results/

Writes results/RECIPE-WORDS.jsonl, a line {"question_id", "context", "spans"} a question, and results/summary.json,
.csv, .md and .tex: ROUGE-L, -1 and -2 (best over the references) with intervals, and differences to the first baseline.
Needs treatise[eval].
"""
)
@click.option("--dataset", required=True, metavar="NAME", help="qmsum, squality: references are summaries.")
@data_option
@click.option("--recipes", default="summary", show_default=True, metavar="A,B", help="Names of recipes.")
@click.option(
    "--baselines",
    default="lead,random,lexrank,biased-lexrank",
    show_default=True,
    metavar="A,B",
    help="The first is what all else is compared with.",
)
@click.option("--words", callback=numbers, default="75", show_default=True, metavar="N,M", help="Longest summaries.")
@click.option(
    "--out", required=True, type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="For results."
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N documents.")
@click.option(
    "--cache", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Keep vectors for the next run."
)
@click.option("--encoder", metavar="URL|FOLDER", help="Another encoder than the built-in one.")
@click.option("--llm", metavar="URL|NAME", help="A language model to write the summaries.")
@click.option("--llm-model", metavar="MODEL", help="Which model to ask for at that URL.")
@output_options
def summaries(  # noqa: PLR0913  (click hands over each option as an argument)
    *,
    dataset: str,
    data: Path | None,
    recipes: str,
    baselines: str,
    words: tuple[int, ...],
    out: Path,
    limit: int | None,
    cache: Path | None,
    encoder: str | None,
    llm: str | None,
    llm_model: str | None,
    as_json: bool,
    no_color: bool,
) -> None:
    """Summarize every document of a data set on each of its questions, and score the summaries."""
    from treatise.compose import open_encoder, open_language_model, open_parser
    from treatise.evaluate.datasets import dataset_named
    from treatise.evaluate.found import data_file
    from treatise.evaluate.summaries import run
    from treatise.recipes import recipe_named

    file = data_file(dataset_named(dataset), data)
    chosen = [recipe_named(name.strip()) for name in recipes.split(",")]
    with progress_line(dataset) as draw:

        def report(done: int, total: int) -> None:
            if draw is not None:
                draw("documents", done, total)

        summary = run(
            dataset,
            file,
            chosen,
            words,
            out,
            encoder=open_encoder(encoder),
            parser=open_parser() if any(one.indexing.needs_parser for one in chosen) else None,
            model=open_language_model(llm, llm_model) if llm else None,
            baselines=tuple(name.strip() for name in baselines.split(",")),
            progress=report,
            limit=limit,
            cache=cache,
        )
    if as_json:
        show_json(asdict(summary))
    else:
        table = (out / "summary.md").read_text(encoding="utf-8")
        show((line(row, cut=True) for row in table.splitlines()), no_color=no_color)
