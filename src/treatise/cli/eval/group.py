"""``treatise eval``: recipes measured on data sets."""

import click

from treatise.cli.eval.data import datasets, fetch
from treatise.cli.eval.discorag import discorag
from treatise.cli.eval.experiments import paper, run_file
from treatise.cli.eval.generation import generation
from treatise.cli.eval.options import RunOptions, baseline_option, documents_line, names, run_options, show_summary
from treatise.cli.eval.profile import anatomy
from treatise.cli.eval.ratings import rating_sheet, ratings
from treatise.cli.eval.reports import report, score, tables
from treatise.cli.eval.scores import answers, ranks
from treatise.cli.eval.variants import segmentation, sweep
from treatise.cli.options import numbers, output_options, reranker_option


@click.group("eval", short_help="Measure recipes on data sets.")
def evaluation() -> None:
    """Measure recipes on data sets; see `treatise eval retrieval --help` and `treatise eval discorag --help`."""


for _command in (
    *(datasets, fetch, run_file, paper, answers, ranks, score, tables, report, rating_sheet, ratings),
    *(discorag, sweep, segmentation, anatomy, generation),
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
@run_options("out", "cache", "encoder", recipes="flat-sentence,treatise", budgets="200,300,400")
@baseline_option
@reranker_option
@click.option("--llm", metavar="URL|NAME|FILE", help="The language model for --reranker listwise.")
@click.option("--llm-model", metavar="MODEL", help="Which model to ask for at that URL.")
@output_options
def retrieval(  # noqa: PLR0913  (click hands over each option as an argument)
    told: RunOptions,
    *,
    baseline: str | None,
    reranker: str | None,
    llm: str | None,
    llm_model: str | None,
    as_json: bool,
    no_color: bool,
) -> None:
    """Retrieve evidence for every question of a data set, and score it."""
    from treatise.compose import open_engines
    from treatise.evaluate.run.retrieval import run

    file, chosen = told.file, told.chosen_with(reranker)
    engines = open_engines(chosen, encoder=told.encoder, reranker=reranker, llm=llm or "", llm_model=llm_model)
    with documents_line(told.dataset) as progress:
        summary = run(
            told.dataset,
            file,
            chosen,
            told.budgets,
            told.out,
            encoder=engines.encoder,
            parser=engines.parser,
            reranker=engines.reranker,
            baseline=baseline,
            progress=progress,
            limit=told.limit,
            cache=told.cache,
        )
    show_summary(summary, told.out, as_json=as_json, no_color=no_color)


@evaluation.command(
    epilog="""\b
Example:
  treatise eval summaries --dataset qmsum --data qmsum-val.jsonl --words 75 --out results/

Writes results/RECIPE-WORDS.jsonl, a line {"question_id", "context", "spans"} a question, and results/summary.json,
.csv, .md and .tex: ROUGE-L, -1 and -2 (best over the references) with intervals, and differences to the first baseline.
Needs treatise[eval].
"""
)
@run_options("out", "cache", "encoder", recipes="summary", datasets="qmsum, squality: references are summaries.")
@click.option(
    "--baselines",
    default="lead,random,lexrank,biased-lexrank",
    show_default=True,
    metavar="A,B",
    help="The first is what all else is compared with.",
)
@click.option("--words", callback=numbers, default="75", show_default=True, metavar="N,M", help="Longest summaries.")
@click.option("--llm", metavar="URL|NAME", help="A language model to write the summaries.")
@click.option("--llm-model", metavar="MODEL", help="Which model to ask for at that URL.")
@output_options
def summaries(  # noqa: PLR0913  (click hands over each option as an argument)
    told: RunOptions,
    *,
    baselines: str,
    words: tuple[int, ...],
    llm: str | None,
    llm_model: str | None,
    as_json: bool,
    no_color: bool,
) -> None:
    """Summarize every document of a data set on each of its questions, and score the summaries."""
    from treatise.compose import open_engines
    from treatise.evaluate.run.summaries import run

    file, chosen = told.file, told.chosen
    engines = open_engines(chosen, encoder=told.encoder, llm=llm, llm_model=llm_model)
    with documents_line(told.dataset) as progress:
        summary = run(
            told.dataset,
            file,
            chosen,
            words,
            told.out,
            encoder=engines.encoder,
            parser=engines.parser,
            model=engines.model,
            baselines=names(baselines),
            progress=progress,
            limit=told.limit,
            cache=told.cache,
        )
    show_summary(summary, told.out, as_json=as_json, no_color=no_color)
