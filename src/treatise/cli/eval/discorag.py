"""``treatise eval discorag``: Disco-RAG, its baselines and ablations answering questions on conflicting documents."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from treatise.cli.eval.options import RunOptions, run_options, show_table
from treatise.cli.options import model_options, output_options
from treatise.cli.output import show_json
from treatise.cli.progress import progress_line

if TYPE_CHECKING:
    from treatise.core.recipe import Recipe
    from treatise.pipeline.library import Library

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
@run_options("out", recipes=_DEFAULT, datasets="ramdocs, wikicontradict, ...")
@click.option(
    "--unconstrained", is_flag=True, help="Tell the model the form of a reply in words alone, without a schema."
)
@model_options
@output_options
def discorag(
    told: RunOptions,
    *,
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
    from treatise.evaluate.run.discorag import Unconstrained, as_table, run_discorag

    def opened(recipe: "Recipe") -> "Library":
        library = open_library(store=told.out / "calls.db", recipe=recipe, llm=llm, llm_model=llm_model)
        if unconstrained and library.model is not None:
            return library.with_model(Unconstrained(library.model))
        return library

    file, chosen = told.file, told.chosen
    with progress_line(told.dataset) as draw:
        figures = run_discorag(told.dataset, file, chosen, told.out, opened=opened, limit=told.limit, progress=draw)
    if as_json:
        show_json({"recipes": [asdict(one) for one in figures]})
    else:
        show_table(as_table(figures), no_color=no_color)
