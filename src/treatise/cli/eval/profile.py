"""``treatise eval anatomy``, and what ``show --anatomy`` prints: the tree nodes that retrieval finds."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from treatise.cli.eval.options import RunOptions, run_options
from treatise.cli.options import output_option
from treatise.cli.output import Line, Output, line, show, show_json
from treatise.core.plurals import counted

if TYPE_CHECKING:
    from treatise.retrieve import RetrievalProfile


@click.command(
    epilog="""\b
Example:
  treatise eval anatomy --dataset qasper --data qasper-dev-v0.3.json --recipes bisection,disretrieval-nuclei

Tables 6 and 7 of the DISRetrieval paper: the depth of the inner nodes that are found, their number of leaves, their
share of the nodes that are found, and their relations compared with those of the whole documents. For one document of
your library: treatise show ID --anatomy QUESTION.
"""
)
@run_options("cache", "encoder", recipes="disretrieval-nuclei")
@click.option(
    "--top-k", type=click.IntRange(min=1), default=20, show_default=True, metavar="K", help="Nodes per question."
)
@output_option
def anatomy(options: RunOptions, *, top_k: int, output: Output) -> None:
    """Print which nodes are found for the questions of a data set."""
    from treatise.evaluate.run.node_profile import profile_nodes

    with options.opened_spec(llm="") as spec:
        rows = profile_nodes(spec, top_k=top_k)
    if output.as_json:
        show_json({"anatomies": [{"recipe": row.recipe} | asdict(row.profile) for row in rows]})
    else:
        lines = (each for row in rows for each in anatomy_lines(row.recipe, row.profile))
        show(lines, no_color=output.no_color)


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
    if found.depths:
        depths = ", ".join(f"{depth} {share:.0%}" for depth, share in found.depths.items())
        yield line(f"depths: {depths}", indent=2)
    for relation in _relations(found):
        share, of_all = found.relations_found.get(relation, 0.0), found.relations_all.get(relation, 0.0)
        yield line(f"{relation:<14} {share:>6.1%} of those found, {of_all:>6.1%} of all", indent=2)


def _relations(found: "RetrievalProfile") -> Sequence[str]:
    return list(dict.fromkeys([*found.relations_found, *found.relations_all]))
