"""``treatise eval retrieval``: retrieve and score evidence for a data set's questions."""

from typing import TYPE_CHECKING

import click

from treatise.cli.eval.options import RunOptions, run_options, show_summary
from treatise.cli.options import output_option
from treatise.cli.output import Output

if TYPE_CHECKING:
    from treatise.evaluate.run.spec import RunSpec


@click.command(
    epilog="""\b
Example:
  treatise eval retrieval --dataset qasper --data qasper-dev-v0.3.json \\
    --recipes flat-sentence,treatise --budgets 200,300,400 --out results/

Writes results/RECIPE-BUDGET.jsonl with one line {"question_id", "context", "spans"} per question, and
results/summary.json, .csv, .md and .tex with means, intervals, and differences to the baseline. A stopped run resumes.
Then: treatise eval report results/ --out report.html
With --open-domain the library of all documents is kept in results/corpus.db.
With --trec, results/trec/ has qrels.txt, queries.tsv and RECIPE-BUDGET.run over paragraphs, for trec_eval and others.
"""
)
@run_options(
    *("out", "cache", "encoder", "baseline", "reranker", "prior", "open_domain", "model"),
    recipes="flat-sentence,treatise",
    budgets="200,300,400",
)
@click.option("--trec", is_flag=True, help="Write TREC run files and judgements too.")
@output_option
def retrieval(options: RunOptions, *, trec: bool, output: Output) -> None:
    """Retrieve evidence for every question of a data set, and score it."""
    from treatise.evaluate.run.retrieval import run

    with options.opened_spec(llm="") as spec:
        summary = run(spec)
        if trec:
            _write_trec(spec)
    show_summary(output, summary, options.out)


def _write_trec(spec: "RunSpec") -> None:
    from treatise.evaluate.data.registry import dataset_named, load_documents
    from treatise.evaluate.run.open_domain import with_all_documents
    from treatise.evaluate.run.trec import write_trec

    names = [f"{recipe.slug}-{budget}" for recipe in spec.recipes for budget in spec.budgets]
    documents = load_documents(dataset_named(spec.dataset), spec.data, spec.limit)
    documents = list(with_all_documents(documents)) if spec.open_domain else documents
    write_trec(documents, {name: spec.out / f"{name}.jsonl" for name in names}, spec.out / "trec")
