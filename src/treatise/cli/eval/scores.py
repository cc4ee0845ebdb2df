"""``treatise eval answers`` and ``ranks``: files of answers and of contexts, scored."""

from pathlib import Path

import click

from treatise.cli.eval.options import RunOptions, baseline_option, names, run_options, show_summary
from treatise.cli.options import named_files, output_options


@click.command(
    epilog="""\b
Example:
  treatise eval answers --dataset quality:hard --out scores/ mine.jsonl theirs=run7/answers.jsonl

A file has a line {"question_id", "answer"} a question. Writes summary.json, .csv, .md and .tex with means, intervals,
and differences to the baseline. Metrics: answer_f1, exact_match, accuracy, rouge1, rougeL, bleu1, bleu4, meteor, sari,
str_em, ...: those that the data set is reported with, unless named.
"""
)
@click.argument("systems", nargs=-1, required=True, metavar="[NAME=]FILE...")
@run_options("out", datasets="See `treatise eval datasets`.")
@click.option("--metrics", default="", metavar="A,B", help="Names of metrics.")
@click.option("--judge", metavar="URL|NAME", help="A language model that rates each answer from 1 to 100.")
@click.option("--nli", metavar="FOLDER|URL|NAME", help="A model of entailment: adds consistency with what was read.")
@click.option("--reader", metavar="URL|NAME", help="A language model that asks the answer what it says (ASQA).")
@click.option(
    "--bert", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER", help="A model for BERTScore."
)
@click.option("--bert-layer", type=click.IntRange(min=1), default=17, show_default=True, metavar="N", help="Its layer.")
@baseline_option
@output_options
def answers(  # noqa: PLR0913  (click hands over each option as an argument)
    told: RunOptions,
    *,
    systems: tuple[str, ...],
    metrics: str,
    judge: str | None,
    nli: str | None,
    reader: str | None,
    bert: Path | None,
    bert_layer: int,
    baseline: str | None,
    as_json: bool,
    no_color: bool,
) -> None:
    """Score the answers of systems, also by models that judge."""
    from treatise.compose import open_language_model
    from treatise.evaluate.metrics.bert import BertScore
    from treatise.evaluate.metrics.consistency import entailment_by_folder, entailment_by_model
    from treatise.evaluate.metrics.readings import reader_by_model
    from treatise.evaluate.run.scores import Judges, score_answers

    entailment = None
    if nli:
        folder = Path(nli)
        entailment = entailment_by_folder(folder) if folder.is_dir() else entailment_by_model(open_language_model(nli))
    judges = Judges(
        judge=open_language_model(judge) if judge else None,
        entailment=entailment,
        bert=BertScore(bert, bert_layer) if bert else None,
        reader=reader_by_model(open_language_model(reader)) if reader else None,
    )
    summary = score_answers(
        told.dataset,
        told.file,
        named_files(systems),
        told.out,
        metrics=names(metrics),
        judges=judges,
        baseline=baseline,
        limit=told.limit,
    )
    show_summary(summary, told.out, as_json=as_json, no_color=no_color)


@click.command(
    epilog="""\b
Example:
  treatise eval ranks --dataset qasper --out ranks/ results/treatise-300.jsonl results/bm25-300.jsonl

A file is one that `treatise eval retrieval` wrote. What is ranked are the paragraphs, in the order in which the
passages lead to them; right are those with a marked place.
"""
)
@click.argument("systems", nargs=-1, required=True, metavar="[NAME=]FILE...")
@run_options("out", datasets="See `treatise eval datasets`.")
@click.option(
    "--measures", default="R@5,R@10,nDCG@10,RR", show_default=True, metavar="A,B", help="As ir_measures names them."
)
@baseline_option
@output_options
def ranks(
    told: RunOptions,
    *,
    systems: tuple[str, ...],
    measures: str,
    baseline: str | None,
    as_json: bool,
    no_color: bool,
) -> None:
    """Score how early the marked paragraphs were found."""
    from treatise.evaluate.run.scores import score_ranks

    summary = score_ranks(
        told.dataset,
        told.file,
        named_files(systems),
        told.out,
        measures=names(measures),
        baseline=baseline,
        limit=told.limit,
    )
    show_summary(summary, told.out, as_json=as_json, no_color=no_color)
