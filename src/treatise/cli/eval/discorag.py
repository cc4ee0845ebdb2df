"""``treatise eval discorag``: Disco-RAG, its baselines and ablations answering questions on conflicting documents."""

from dataclasses import asdict

import click

from treatise.cli.eval.options import RunOptions, run_options, show_table
from treatise.cli.options import output_option
from treatise.cli.output import Output

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

Writes OUT/RECIPE.jsonl with one line per question, and OUT/summary.json and .md. A stopped run resumes; finished calls
of a model are kept in OUT/calls.db.
"""
)
@run_options("out", "model", recipes=_DEFAULT, datasets="ramdocs, wikicontradict, ...")
@click.option(
    "--unconstrained", is_flag=True, help="Describe the form of a reply to the model in words alone, without a schema."
)
@output_option
def discorag(options: RunOptions, *, unconstrained: bool, output: Output) -> None:
    """Answer questions on documents that disagree, and score what answers contain and cost.

    Without --llm every recipe runs offline. Use one folder per model and form of run.
    """
    from treatise.evaluate.run.discorag import as_table, run_discorag, without_schemas

    with options.opened_spec() as spec:
        figures = run_discorag(without_schemas(spec) if unconstrained else spec)
    show_table(output, {"recipes": [asdict(one) for one in figures]}, as_table(figures))
