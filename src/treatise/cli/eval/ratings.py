"""``treatise eval rating-sheet`` and ``ratings``: blind human ratings of answers."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from treatise.cli.eval.options import data_option, grouped, show_table
from treatise.cli.options import named_files, output_option
from treatise.cli.output import Output, line, show, show_json
from treatise.core.plurals import counted

if TYPE_CHECKING:
    from treatise.evaluate.data.dataset import LabelledDocument

_file = click.Path(path_type=Path, dir_okay=False)


@dataclass(frozen=True, slots=True)
class SheetOptions:
    """The options of a rating sheet."""

    out: Path
    key: Path | None
    dataset: str | None
    data: Path | None
    criteria: str
    sample: int | None
    seed: int


@click.command(
    "rating-sheet",
    epilog="""\b
Example:
  treatise eval rating-sheet mine=a.jsonl theirs=b.jsonl --dataset qasper --data qasper.json \\
    --sample 15 --out sheet.html

A file has one line {"question_id", "answer"} (or "summary", "context") per question; without --dataset also "question",
and "source" if raters are to read one. sheet.html goes to the raters: it names no system, keeps finished ratings, and
saves a CSV file. sheet.key.json stays with you. Then: treatise eval ratings sheet.key.json *.csv
""",
)
@click.argument("systems", nargs=-1, required=True, metavar="[NAME=]FILE...")
@grouped(
    "options",
    SheetOptions,
    click.option("--out", required=True, type=_file, metavar="FILE", help="The page for raters."),
    click.option("--key", type=_file, metavar="FILE", help="Maps answers to systems. Default: FILE.key.json."),
    click.option("--dataset", metavar="NAME", help="The source of questions and documents."),
    data_option,
    click.option(
        "--criteria",
        default="quality",
        show_default=True,
        metavar="NAME|FILE",
        help="quality, structure, translation (the papers'), or a JSON file of that form.",
    ),
    click.option("--sample", type=click.IntRange(min=1), metavar="N", help="Draw N questions by the seed."),
    click.option("--seed", type=int, default=0, show_default=True, help="Seed of the sample and of every order."),
)
@output_option
def rating_sheet(options: SheetOptions, *, systems: tuple[str, ...], output: Output) -> None:
    """Make a blind sheet on which people rate answers."""
    from treatise.evaluate.report import rating_sheet as sheets
    from treatise.evaluate.run.results import write_page

    items = sheets.read_items(named_files(systems), _documents(options))
    criteria = sheets.criteria_named(options.criteria)
    sheet = sheets.rating_sheet(items, criteria, seed=options.seed, sample=options.sample)
    out = options.out
    key = options.key or out.with_suffix(".key.json")
    write_page(out, sheet.html)
    write_page(key, json.dumps(sheet.key, indent=1, ensure_ascii=False) + "\n")
    if output.as_json:
        show_json({"file": str(out), "key": str(key), "sheet": sheet.key["sheet"], "items": len(sheet.key["items"])})
    else:
        n_items, n_systems = len(sheet.key["items"]), len(sheet.key["systems"])
        text = f"{out}: {counted(n_items, 'question')}, {counted(n_systems, 'answer')} each. Key: {key}"
        show([line(text)], no_color=output.no_color)


def _documents(options: SheetOptions) -> "list[LabelledDocument]":
    from treatise.evaluate.data.files import data_file
    from treatise.evaluate.data.registry import dataset_named, load_documents

    if not options.dataset:
        return []
    dataset = dataset_named(options.dataset)
    return load_documents(dataset, data_file(dataset, options.data))


@click.command(
    epilog="""\b
Example:
  treatise eval ratings sheet.key.json anna.csv ben.csv --baseline standard-rag
"""
)
@click.argument("key", type=_file, metavar="KEY.json")
@click.argument("files", nargs=-1, required=True, type=_file, metavar="RATINGS.csv...")
@click.option("--baseline", metavar="NAME", help="The system to compare with. Default: the first by name.")
@output_option
def ratings(*, key: Path, files: tuple[Path, ...], baseline: str | None, output: Output) -> None:
    """Summarize the ratings: means with intervals, tests, and Fleiss' kappa."""
    from treatise.evaluate.report.ratings import as_markdown, read_ratings, summarize_ratings

    known, found = read_ratings(key, files)
    summary = summarize_ratings(known, found, baseline=baseline)
    show_table(output, asdict(summary), as_markdown(summary))
