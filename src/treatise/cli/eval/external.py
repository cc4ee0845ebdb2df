"""``treatise eval answers``, ``ranks`` and ``score``: score files of answers and contexts from any system."""

from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from treatise.cli.eval.options import RunOptions, grouped, names, run_options, show_summary
from treatise.cli.options import named_files, output_option
from treatise.cli.output import Output

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from treatise.core.ports import CallCache, LanguageModel
    from treatise.evaluate.metrics.consistency import Entailment
    from treatise.evaluate.metrics.judges import Judges


_JUDGES_FILE: Final = "judges.db"


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """Options for the models that score answers."""

    judge: str | None
    nli: str | None
    reader: str | None
    bert: Path | None
    bert_layer: int
    attention: Path | None


judge_options = grouped(
    "judged",
    JudgeOptions,
    click.option("--judge", metavar="URL|NAME", help="A language model that rates each answer from 1 to 100."),
    click.option("--nli", metavar="FOLDER|URL|NAME", help="An entailment model: adds consistency with the documents."),
    click.option("--reader", metavar="URL|NAME", help="A language model that asks the answer what it says (ASQA)."),
    click.option(
        "--bert", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER", help="A model for BERTScore."
    ),
    click.option(
        "--bert-layer", type=click.IntRange(min=1), default=17, show_default=True, metavar="N", help="Its layer."
    ),
    click.option(
        "--attention",
        type=click.Path(path_type=Path),
        metavar="FILE|FOLDER",
        help="The answering model's weights, to read its attention (Disco-RAG, table 11).",
    ),
)


@click.command(
    epilog="""\b
Example:
  treatise eval answers --dataset quality:hard --out scores/ mine.jsonl theirs=run7/answers.jsonl

A file has one line {"question_id", "answer"} per question. Writes summary.json, .csv, .md and .tex with means,
intervals, and differences to the baseline. Metrics: answer_f1, exact_match, accuracy, rouge1, rougeL, bleu1, bleu4,
meteor, sari, str_em, ...: those that the data set is reported with, unless named.
"""
)
@click.argument("systems", nargs=-1, required=True, metavar="[NAME=]FILE...")
@run_options("out", "baseline", datasets="See `treatise eval datasets`.")
@click.option("--metrics", default="", metavar="A,B", help="Names of metrics.")
@judge_options
@output_option
def answers(
    options: RunOptions, *, systems: tuple[str, ...], metrics: str, judged: JudgeOptions, output: Output
) -> None:
    """Score the answers of systems, also by models that judge."""
    from treatise.evaluate.run.external_answers import score_answers

    with judges_calls(judged, options.out) as calls:
        judges = open_judges(judged, calls=calls)
        summary = score_answers(options.spec(), named_files(systems), metrics=names(metrics), judges=judges)
    show_summary(output, summary, options.out)


@contextmanager
def judges_calls(options: JudgeOptions, out: Path | None) -> "Iterator[CallCache | None]":
    """The finished calls of judges, kept in the folder of results; None without a judge or a folder."""
    from treatise.compose import open_store

    if out is None or not (options.judge or options.nli or options.reader):
        yield None
        return
    out.mkdir(parents=True, exist_ok=True)
    with closing(open_store(out / _JUDGES_FILE)) as store:
        yield store


def open_judges(
    options: JudgeOptions,
    metered: "Callable[[LanguageModel, str], LanguageModel] | None" = None,
    calls: "CallCache | None" = None,
) -> "Judges":
    """The models that the options name; ``metered`` wraps each language model, called with it and its name, and
    ``calls`` keeps their finished calls.
    """
    from treatise.compose import open_language_model
    from treatise.evaluate.metrics.attention import LocalAttention
    from treatise.evaluate.metrics.bert import BertScore
    from treatise.evaluate.metrics.judges import Judges
    from treatise.evaluate.metrics.readings import reader_by_model

    def model(name: str) -> "LanguageModel":
        opened = open_language_model(name)
        return metered(opened, name) if metered else opened

    return Judges(
        judge=model(options.judge) if options.judge else None,
        entailment=_open_entailment(options.nli, model, calls) if options.nli else None,
        bert=BertScore(options.bert, options.bert_layer) if options.bert else None,
        reader=reader_by_model(model(options.reader), calls) if options.reader else None,
        attention=LocalAttention(options.attention) if options.attention else None,
        calls=calls,
    )


def _open_entailment(name: str, model: "Callable[[str], LanguageModel]", calls: "CallCache | None") -> "Entailment":
    from treatise.evaluate.metrics.consistency import entailment_by_folder, entailment_by_model

    folder = Path(name)
    return entailment_by_folder(folder) if folder.is_dir() else entailment_by_model(model(name), calls)


@click.command(
    epilog="""\b
Example:
  treatise eval ranks --dataset qasper --out ranks/ results/treatise-300.jsonl results/bm25-300.jsonl

A file is one that `treatise eval retrieval` wrote, or a TREC run (.run) over the paragraphs of its --trec. Paragraphs
are ranked by their first passage; those with a marked place are right.
"""
)
@click.argument("systems", nargs=-1, required=True, metavar="[NAME=]FILE...")
@run_options("out", "baseline", datasets="See `treatise eval datasets`.")
@click.option(
    "--measures", default="R@5,R@10,nDCG@10,RR", show_default=True, metavar="A,B", help="As ir_measures names them."
)
@output_option
def ranks(options: RunOptions, *, systems: tuple[str, ...], measures: str, output: Output) -> None:
    """Score how early the marked paragraphs were found."""
    from treatise.evaluate.run.external_answers import score_ranks

    summary = score_ranks(options.spec(), named_files(systems), measures=names(measures))
    show_summary(output, summary, options.out)


@click.command(
    epilog="""\b
Example:
  treatise eval score --dataset qasper --data qasper-dev-v0.3.json --out theirs/ peer.jsonl other=run7/contexts.jsonl

A file has one line {"question_id", "context"} or {"question_id", "passages": [best first, ...]} per question. A
system is named after its file, or NAME in NAME=FILE. Writes what `treatise eval retrieval` writes.
"""
)
@click.argument("systems", nargs=-1, required=True, metavar="[NAME=]FILE...")
@run_options("out", "baseline", budgets="200,300,400")
@output_option
def score(options: RunOptions, *, systems: tuple[str, ...], output: Output) -> None:
    """Score contexts that other systems retrieved, cut to equal budgets."""
    from treatise.evaluate.run import external_contexts

    summary = external_contexts.score(options.spec(), named_files(systems))
    show_summary(output, summary, options.out)
