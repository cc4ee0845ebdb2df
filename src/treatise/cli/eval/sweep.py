"""``treatise eval sweep``: vary the fields of one recipe."""

from dataclasses import asdict

import click

from treatise.cli.eval.options import RunOptions, run_options, show_table
from treatise.cli.options import output_option
from treatise.cli.output import Output


@click.command(
    epilog="""\b
Examples:
  treatise eval sweep --dataset qasper --data qasper-dev-v0.3.json --recipe htsir \\
    --vary leaf_words=50,100,150 --vary group_leaves=2,3,4,5 --budgets 300 --out sweep/
  treatise eval sweep --dataset qmsum --data qmsum-val.jsonl --recipe htsir \\
    --vary layers=leaf,group,section,leaf+group,leaf+section,group+section,leaf+group+section --out layers/

A field is a dotted path such as indexing.sections.leaf_words, or its unambiguous end. Every combination is
measured. Writes sweep/sweep.md and sweep.csv beside what `treatise eval retrieval` writes.
"""
)
@run_options("out", "cache", "encoder", "prior", "open_domain", budgets="200,300,400")
@click.option("--recipe", default="htsir", show_default=True, metavar="NAME", help="The recipe to vary.")
@click.option(
    "--vary",
    multiple=True,
    required=True,
    metavar="FIELD=A,B",
    help="A field and its values; repeat for others.",
)
@output_option
def sweep(options: RunOptions, *, recipe: str, vary: tuple[str, ...], output: Output) -> None:
    """Measure a recipe with some of its fields varied: lengths, layers, weights, or any other."""
    from treatise.evaluate.run.results import write_whole
    from treatise.evaluate.run.retrieval import run
    from treatise.evaluate.run.sweep import as_csv, as_markdown, read_axis, varied
    from treatise.recipes import recipe_named

    base = recipe_named(recipe)
    axes = [read_axis(base, text) for text in vary]
    points = varied(base, axes)
    with options.opened_spec([point.recipe for point in points], llm="") as spec:
        summary = run(spec)
    table = as_markdown(axes, points, summary.rows)
    write_whole(options.out / "sweep.md", table)
    write_whole(options.out / "sweep.csv", as_csv(axes, points, summary.rows))
    show_table(output, asdict(summary), table)
