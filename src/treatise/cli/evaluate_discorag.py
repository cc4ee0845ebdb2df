"""``treatise eval discorag``: Disco-RAG, its baselines and ablations answering questions on conflicting documents."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from treatise.cli.evaluate_data import data_option
from treatise.cli.options import model_options, output_options
from treatise.cli.output import line, show, show_json
from treatise.cli.progress import progress_line

if TYPE_CHECKING:
    from treatise.core.recipe import Recipe
    from treatise.pipeline import Library

_DEFAULT = (
    "standard-rag,retrieve-and-plan,plan-and-retrieve,discourse-markers,disco-rag,disco-rag-sparse,disco-rag-local"
)


@click.command(
    epilog="""\b
Examples:
  treatise eval discorag --dataset ramdocs --data ramdocs.jsonl --out results/
  treatise eval discorag --dataset ramdocs --data ramdocs.jsonl --out results/ --llm http://localhost:8000/v1
  treatise eval discorag --dataset wikicontradict --data dev.jsonl --out ablations/ \\
    --recipes disco-rag,disco-rag-no-tree,disco-rag-no-graph,disco-rag-no-plan,disco-rag-flipped-nuclei

Writes OUT/RECIPE.jsonl, a line a question, and OUT/summary.json and .md. A run that was stopped goes on where it was;
calls of a model are kept in OUT/calls.db.
"""
)
@click.option("--dataset", required=True, metavar="NAME", help="ramdocs, wikicontradict, ...")
@data_option
@click.option("--recipes", default=_DEFAULT, show_default=True, metavar="A,B", help="Names of recipes.")
@click.option(
    "--out", required=True, type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="For results."
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N questions of the file.")
@click.option(
    "--unconstrained", is_flag=True, help="Tell the model the form of a reply in words alone, without a schema."
)
@model_options
@output_options
def discorag(  # noqa: PLR0913  (click hands over each option as an argument)
    *,
    dataset: str,
    data: Path | None,
    recipes: str,
    out: Path,
    limit: int | None,
    unconstrained: bool,
    llm: str | None,
    llm_model: str | None,
    as_json: bool,
    no_color: bool,
) -> None:
    """Answer questions on documents that disagree, and say what answers hold and cost.

    Without --llm every recipe runs offline. Give each model and form of run a folder of its own.
    """
    from treatise.compose import open_library
    from treatise.evaluate.datasets import dataset_named
    from treatise.evaluate.discorag import Unconstrained, as_table, run_discorag
    from treatise.evaluate.found import data_file
    from treatise.recipes import recipe_named

    def opened(recipe: "Recipe") -> "Library":
        library = open_library(store=out / "calls.db", recipe=recipe, llm=llm, llm_model=llm_model)
        if unconstrained and library.model is not None:
            library.model = Unconstrained(library.model)
        return library

    file = data_file(dataset_named(dataset), data)
    chosen = [recipe_named(name.strip()) for name in recipes.split(",")]
    with progress_line(dataset) as draw:
        figures = run_discorag(dataset, file, chosen, out, opened=opened, limit=limit, progress=draw)
    if as_json:
        show_json({"recipes": [asdict(one) for one in figures]})
    else:
        show((line(row, cut=True) for row in as_table(figures).splitlines()), no_color=no_color)
