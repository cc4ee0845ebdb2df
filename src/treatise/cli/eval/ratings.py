"""``treatise eval rating-sheet|ratings``: answers rated by people who do not know whose they are."""

import json
from dataclasses import asdict
from pathlib import Path

import click

from treatise.cli.eval.options import data_option
from treatise.cli.options import named_files, output_options
from treatise.cli.output import line, show, show_json

_file = click.Path(path_type=Path, dir_okay=False)


@click.command(
    "rating-sheet",
    epilog="""\b
Example:
  treatise eval rating-sheet mine=a.jsonl theirs=b.jsonl --dataset qasper --data qasper.json \\
    --sample 15 --out sheet.html

A file has a line {"question_id", "answer"} (or "summary", "context") a question; without --dataset also "question",
and "source" where raters are to read one. sheet.html goes to the raters: it names no system, keeps what was rated,
and saves a CSV file. sheet.key.json stays with you. Then: treatise eval ratings sheet.key.json *.csv
""",
)
@click.argument("systems", nargs=-1, required=True, metavar="[NAME=]FILE...")
@click.option("--out", required=True, type=_file, metavar="FILE", help="The page for raters.")
@click.option("--key", type=_file, metavar="FILE", help="Which system is which. Default: FILE.key.json.")
@click.option("--dataset", metavar="NAME", help="Where questions and documents come from.")
@data_option
@click.option(
    "--criteria",
    default="quality",
    show_default=True,
    metavar="NAME|FILE",
    help="quality, structure, translation (the papers'), or a JSON file of that form.",
)
@click.option("--sample", type=click.IntRange(min=1), metavar="N", help="So many questions, drawn by the seed.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of what is drawn, and of every order.")
@output_options
def rating_sheet(  # noqa: PLR0913  (click hands over each option as an argument)
    *,
    systems: tuple[str, ...],
    out: Path,
    key: Path | None,
    dataset: str | None,
    data: Path | None,
    criteria: str,
    sample: int | None,
    seed: int,
    as_json: bool,
    no_color: bool,
) -> None:
    """Make a blind sheet on which people rate answers."""
    from treatise.evaluate.data.files import data_file
    from treatise.evaluate.data.registry import dataset_named, load_documents
    from treatise.evaluate.report import rating_sheet as sheets
    from treatise.evaluate.run.results import write_page

    chosen = dataset_named(dataset) if dataset else None
    documents = load_documents(chosen, data_file(chosen, data)) if chosen else []
    items = sheets.read_items(named_files(systems), documents)
    sheet = sheets.rating_sheet(items, sheets.criteria_named(criteria), seed=seed, sample=sample)
    key = key or out.with_suffix(".key.json")
    write_page(out, sheet.html)
    write_page(key, json.dumps(sheet.key, indent=1, ensure_ascii=False) + "\n")
    if as_json:
        show_json({"file": str(out), "key": str(key), "sheet": sheet.key["sheet"], "items": len(sheet.key["items"])})
    else:
        n_items, n_systems = len(sheet.key["items"]), len(sheet.key["systems"])
        show([line(f"{out}: {n_items} questions, {n_systems} answers each. Key: {key}")], no_color=no_color)


@click.command(
    epilog="""\b
Example:
  treatise eval ratings sheet.key.json anna.csv ben.csv --baseline standard-rag
"""
)
@click.argument("key", type=_file, metavar="KEY.json")
@click.argument("files", nargs=-1, required=True, type=_file, metavar="RATINGS.csv...")
@click.option("--baseline", metavar="NAME", help="The system to compare with. Default: the first by name.")
@output_options
def ratings(*, key: Path, files: tuple[Path, ...], baseline: str | None, as_json: bool, no_color: bool) -> None:
    """Sum up what raters gave: means with intervals, tests, and Fleiss' kappa."""
    from treatise.evaluate.report.ratings import as_markdown, read_ratings, summarize_ratings

    known, found = read_ratings(key, files)
    summary = summarize_ratings(known, found, baseline=baseline)
    if as_json:
        show_json(asdict(summary))
    else:
        show((line(row, cut=True) for row in as_markdown(summary).splitlines()), no_color=no_color)
