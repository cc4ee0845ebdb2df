"""``treatise eval anatomy``, and what ``show --anatomy`` prints: which nodes retrieval finds."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from treatise.cli.evaluate_data import data_option
from treatise.cli.options import output_options
from treatise.cli.output import Line, counted, line, show, show_json
from treatise.cli.progress import progress_line

if TYPE_CHECKING:
    from treatise.retrieve import Anatomy


@click.command(
    epilog="""\b
Example:
  treatise eval anatomy --dataset qasper --data qasper-dev-v0.3.json --recipes bisection,disretrieval-nuclei

Tables 6 and 7 of the paper on DISRetrieval: how deep the inner nodes lie that are found, how many leaves they have,
which share of the nodes found they are, and their relations against those of the whole documents. For one document of
your library: treatise show ID --anatomy QUESTION.
"""
)
@click.option("--dataset", required=True, metavar="NAME", help="qasper, fairytaleqa, qmsum, policyqa, drcd, ...")
@data_option
@click.option("--recipes", default="disretrieval-nuclei", show_default=True, metavar="A,B", help="Names of recipes.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N documents.")
@click.option(
    "--top-k", type=click.IntRange(min=1), default=20, show_default=True, metavar="K", help="Nodes a question."
)
@click.option(
    "--cache", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Keep vectors for the next run."
)
@output_options
def anatomy(  # noqa: PLR0913  (click hands over each option as an argument)
    *,
    dataset: str,
    data: Path | None,
    recipes: str,
    limit: int | None,
    top_k: int,
    cache: Path | None,
    as_json: bool,
    no_color: bool,
) -> None:
    """Print which nodes are found for the questions of a data set."""
    from treatise.compose import open_encoder, open_parser
    from treatise.evaluate.anatomy import anatomies
    from treatise.evaluate.datasets import dataset_named
    from treatise.evaluate.found import data_file
    from treatise.recipes import recipe_named

    chosen = [recipe_named(name.strip()) for name in recipes.split(",")]
    with progress_line(dataset) as draw:
        rows = anatomies(
            dataset,
            data_file(dataset_named(dataset), data),
            chosen,
            encoder=open_encoder(),
            parser=open_parser() if any(one.indexing.needs_parser for one in chosen) else None,
            limit=limit,
            top_k=top_k,
            cache=cache,
            progress=(lambda done, total: draw("documents", done, total)) if draw else None,
        )
    if as_json:
        show_json({"anatomies": [{"recipe": row.recipe} | asdict(row.anatomy) for row in rows]})
    else:
        show((each for row in rows for each in anatomy_lines(row.recipe, row.anatomy)), no_color=no_color)


def anatomy_lines(name: str, found: "Anatomy") -> Iterator[Line]:
    """The statistics as lines: table 7, then table 6."""
    yield line(
        (name, "bold"), f": {counted(found.n_questions, 'question')}, sentences of {found.sentence_words:.1f} words"
    )
    yield line(
        f"inner nodes found: {found.inner_share:.1%} of the nodes, depth {found.depth:.2f}, "
        f"{found.leaves_per_node:.2f} leaves each",
        indent=2,
    )
    for relation in _relations(found):
        share, of_all = found.relations_found.get(relation, 0.0), found.relations_all.get(relation, 0.0)
        yield line(f"{relation:<14} {share:>6.1%} of those found, {of_all:>6.1%} of all", indent=2)


def _relations(found: "Anatomy") -> Sequence[str]:
    return list(dict.fromkeys([*found.relations_found, *found.relations_all]))
