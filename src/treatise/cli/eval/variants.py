"""``treatise eval sweep`` and ``treatise eval segmentation``."""

from dataclasses import asdict

import click

from treatise.cli.eval.options import RunOptions, documents_line, names, run_options, show_table
from treatise.cli.options import model_options, output_options
from treatise.cli.output import show_json


@click.command(
    epilog="""\b
Examples:
  treatise eval sweep --dataset qasper --data qasper-dev-v0.3.json --recipe htsir \\
    --vary leaf_words=50,100,150 --vary group_leaves=2,3,4,5 --budgets 300 --out sweep/
  treatise eval sweep --dataset qmsum --data qmsum-val.jsonl --recipe htsir \\
    --vary layers=leaf,group,section,leaf+group,leaf+section,group+section,leaf+group+section --out layers/

A field is a dotted path such as indexing.sections.leaf_words, or as much of its end as is clear. Every combination is
measured. Writes sweep/sweep.md and sweep.csv beside what `treatise eval retrieval` writes.
"""
)
@run_options("out", "cache", "encoder", budgets="200,300,400")
@click.option("--recipe", default="htsir", show_default=True, metavar="NAME", help="The recipe to vary.")
@click.option(
    "--vary", multiple=True, required=True, metavar="FIELD=A,B", help="A field and its values; may be given again."
)
@output_options
def sweep(told: RunOptions, *, recipe: str, vary: tuple[str, ...], as_json: bool, no_color: bool) -> None:
    """Measure a recipe with some of its fields varied: lengths, layers, weights, or any other."""
    from treatise.compose import open_engines
    from treatise.evaluate.run.results import write_whole
    from treatise.evaluate.run.retrieval import run
    from treatise.evaluate.run.sweep import as_csv, as_markdown, read_axis, varied
    from treatise.recipes import recipe_named

    base = recipe_named(recipe)
    axes = [read_axis(base, text) for text in vary]
    points = varied(base, axes)
    chosen = [point.recipe for point in points]
    file = told.file
    engines = open_engines(chosen, encoder=told.encoder, llm="")
    with documents_line(told.dataset) as progress:
        summary = run(
            told.dataset,
            file,
            chosen,
            told.budgets,
            told.out,
            encoder=engines.encoder,
            parser=engines.parser,
            reranker=engines.reranker,
            progress=progress,
            limit=told.limit,
            cache=told.cache,
        )
    table = as_markdown(axes, points, summary.rows)
    write_whole(told.out / "sweep.md", table)
    write_whole(told.out / "sweep.csv", as_csv(axes, points, summary.rows))
    if as_json:
        show_json(asdict(summary))
    else:
        show_table(table, no_color=no_color)


@click.command(
    epilog="""\b
Examples:
  treatise eval segmentation --dataset qmsum --data qmsum-val.jsonl --out out/
  treatise eval segmentation --dataset fairytaleqa --data val.jsonl \\
    --sectioners even,cohesion,llm --llm ollama --out out/

Writes out/segmentation.md and .csv: Pk and WindowDiff with intervals over texts, and differences to the first.
"""
)
@run_options("out", "cache", "encoder", datasets="qmsum (topics by turns) or fairytaleqa (sections).")
@click.option(
    "--sectioners",
    default="even,random,cohesion,discourse",
    show_default=True,
    metavar="A,B",
    help="even, random, cohesion, discourse, llm; the first is the baseline.",
)
@click.option(
    "--section-words",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Words of a section to expect; 0 tells the true number of sections.",
)
@model_options
@output_options
def segmentation(  # noqa: PLR0913  (click hands over each option as an argument)
    told: RunOptions,
    *,
    sectioners: str,
    section_words: int,
    llm: str | None,
    llm_model: str | None,
    as_json: bool,
    no_color: bool,
) -> None:
    """Divide texts into sections by theme, and compare with the sections that people made."""
    from contextlib import closing

    from treatise.compose import open_encoder, open_sectioners
    from treatise.evaluate.run.results import write_whole
    from treatise.evaluate.run.segmentation import Random, as_csv, as_markdown, load_segmented, measure
    from treatise.evaluate.run.vector_cache import CachedEncoder

    texts = load_segmented(told.dataset, told.file, told.limit)
    chosen = names(sectioners)
    made = open_sectioners([name for name in chosen if name != "random"], llm=llm, llm_model=llm_model)
    with closing(CachedEncoder(open_encoder(told.encoder), told.cache)) as cached:
        scores = measure(
            texts,
            [Random() if name == "random" else made[name] for name in chosen],
            cached,
            section_words=section_words,
        )
    table = as_markdown(scores)
    told.out.mkdir(parents=True, exist_ok=True)
    write_whole(told.out / "segmentation.md", table)
    write_whole(told.out / "segmentation.csv", as_csv(scores))
    if as_json:
        show_json({"dataset": told.dataset, "n": len(texts), "scores": [asdict(score) for score in scores]})
    else:
        show_table(table, no_color=no_color)
