"""``treatise eval answers`` and ``ranks``: files of answers and of contexts, scored."""

from dataclasses import asdict
from pathlib import Path

import click

from treatise.cli.evaluate_data import data_option
from treatise.cli.options import named_files, output_options
from treatise.cli.output import line, show, show_json

_dataset_option = click.option("--dataset", required=True, metavar="NAME", help="See `treatise eval datasets`.")
_out_option = click.option(
    "--out", required=True, type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="For the tables."
)
_baseline_option = click.option("--baseline", metavar="NAME", help="The system to compare with. Default: the first.")
_limit_option = click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N documents.")


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
@_dataset_option
@data_option
@_out_option
@click.option("--metrics", default="", metavar="A,B", help="Names of metrics.")
@click.option("--judge", metavar="URL|NAME", help="A language model that rates each answer from 1 to 100.")
@click.option("--nli", metavar="FOLDER|URL|NAME", help="A model of entailment: adds consistency with what was read.")
@click.option("--reader", metavar="URL|NAME", help="A language model that asks the answer what it says (ASQA).")
@click.option(
    "--bert", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER", help="A model for BERTScore."
)
@click.option("--bert-layer", type=click.IntRange(min=1), default=17, show_default=True, metavar="N", help="Its layer.")
@_baseline_option
@_limit_option
@output_options
def answers(  # noqa: PLR0913  (click hands over each option as an argument)
    *,
    systems: tuple[str, ...],
    dataset: str,
    data: Path | None,
    out: Path,
    metrics: str,
    judge: str | None,
    nli: str | None,
    reader: str | None,
    bert: Path | None,
    bert_layer: int,
    baseline: str | None,
    limit: int | None,
    as_json: bool,
    no_color: bool,
) -> None:
    """Score the answers of systems, also by models that judge."""
    from treatise.compose import open_language_model
    from treatise.evaluate.datasets import dataset_named
    from treatise.evaluate.found import data_file
    from treatise.evaluate.metrics.bert import BertScore
    from treatise.evaluate.metrics.consistency import entailment_by_folder, entailment_by_model
    from treatise.evaluate.metrics.readings import reader_by_model
    from treatise.evaluate.scores import Judges, score_answers

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
        dataset,
        data_file(dataset_named(dataset), data),
        named_files(systems),
        out,
        metrics=[name.strip() for name in metrics.split(",") if name.strip()],
        judges=judges,
        baseline=baseline,
        limit=limit,
    )
    _show(asdict(summary), out, as_json=as_json, no_color=no_color)


@click.command(
    epilog="""\b
Example:
  treatise eval ranks --dataset qasper --out ranks/ results/treatise-300.jsonl results/bm25-300.jsonl

A file is one that `treatise eval retrieval` wrote. What is ranked are the paragraphs, in the order in which the
passages lead to them; right are those with a marked place.
"""
)
@click.argument("systems", nargs=-1, required=True, metavar="[NAME=]FILE...")
@_dataset_option
@data_option
@_out_option
@click.option(
    "--measures", default="R@5,R@10,nDCG@10,RR", show_default=True, metavar="A,B", help="As ir_measures names them."
)
@_baseline_option
@_limit_option
@output_options
def ranks(  # noqa: PLR0913  (click hands over each option as an argument)
    *,
    systems: tuple[str, ...],
    dataset: str,
    data: Path | None,
    out: Path,
    measures: str,
    baseline: str | None,
    limit: int | None,
    as_json: bool,
    no_color: bool,
) -> None:
    """Score how early the marked paragraphs were found."""
    from treatise.evaluate.datasets import dataset_named
    from treatise.evaluate.found import data_file
    from treatise.evaluate.scores import score_ranks

    summary = score_ranks(
        dataset,
        data_file(dataset_named(dataset), data),
        named_files(systems),
        out,
        measures=[name.strip() for name in measures.split(",")],
        baseline=baseline,
        limit=limit,
    )
    _show(asdict(summary), out, as_json=as_json, no_color=no_color)


def _show(summary: dict[str, object], out: Path, *, as_json: bool, no_color: bool) -> None:
    if as_json:
        show_json(summary)
    else:
        table = (out / "summary.md").read_text(encoding="utf-8")
        show((line(row, cut=True) for row in table.splitlines()), no_color=no_color)
