"""``treatise eval anatomy``, and what ``show --anatomy`` prints: which nodes retrieval finds."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from treatise.cli.eval.options import RunOptions, documents_line, run_options
from treatise.cli.options import output_options
from treatise.cli.output import Line, counted, line, show, show_json

if TYPE_CHECKING:
    from treatise.retrieve import RetrievalProfile


@click.command(
    epilog="""\b
Example:
  treatise eval anatomy --dataset qasper --data qasper-dev-v0.3.json --recipes bisection,disretrieval-nuclei

Tables 6 and 7 of the paper on DISRetrieval: how deep the inner nodes lie that are found, how many leaves they have,
which share of the nodes found they are, and their relations against those of the whole documents. For one document of
your library: treatise show ID --anatomy QUESTION.
"""
)
@run_options("cache", "encoder", recipes="disretrieval-nuclei")
@click.option(
    "--top-k", type=click.IntRange(min=1), default=20, show_default=True, metavar="K", help="Nodes a question."
)
@output_options
def anatomy(told: RunOptions, *, top_k: int, as_json: bool, no_color: bool) -> None:
    """Print which nodes are found for the questions of a data set."""
    from treatise.compose import open_engines
    from treatise.evaluate.run.profile import anatomies

    file, chosen = told.file, told.chosen
    engines = open_engines(chosen, encoder=told.encoder, llm="")
    with documents_line(told.dataset) as progress:
        rows = anatomies(
            told.dataset,
            file,
            chosen,
            encoder=engines.encoder,
            parser=engines.parser,
            limit=told.limit,
            top_k=top_k,
            cache=told.cache,
            progress=progress,
        )
    if as_json:
        show_json({"anatomies": [{"recipe": row.recipe} | asdict(row.anatomy) for row in rows]})
    else:
        show((each for row in rows for each in anatomy_lines(row.recipe, row.anatomy)), no_color=no_color)


def anatomy_lines(name: str, found: "RetrievalProfile") -> Iterator[Line]:
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


def _relations(found: "RetrievalProfile") -> Sequence[str]:
    return list(dict.fromkeys([*found.relations_found, *found.relations_all]))
