"""``treatise eval segmentation``: compare thematic sections with human-annotated ones."""

from dataclasses import asdict

import click

from treatise.cli.eval.options import RunOptions, names, run_options, show_table
from treatise.cli.options import output_option
from treatise.cli.output import Output


@click.command(
    epilog="""\b
Examples:
  treatise eval segmentation --dataset qmsum --data qmsum-val.jsonl --out out/
  treatise eval segmentation --dataset fairytaleqa --data val.jsonl \\
    --sectioners even,cohesion,llm --llm ollama --out out/

Writes out/segmentation.md and .csv: Pk and WindowDiff with intervals over texts, and differences to the first.
"""
)
@run_options("out", "cache", "encoder", "model", datasets="qmsum (topics by turns) or fairytaleqa (sections).")
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
    help="Expected words per section; 0 gives the true number of sections.",
)
@output_option
def segmentation(options: RunOptions, *, sectioners: str, section_words: int, output: Output) -> None:
    """Divide texts into sections by theme, and compare with the sections that people made."""
    from contextlib import closing

    from treatise.compose import open_encoder, open_sectioners
    from treatise.evaluate.run.results import write_whole
    from treatise.evaluate.run.segmentation import Random, as_csv, as_markdown, load_segmented, measure
    from treatise.evaluate.run.vector_cache import CachedEncoder

    texts = load_segmented(options.dataset, options.file, options.limit)
    chosen = names(sectioners)
    opened = open_sectioners(
        [name for name in chosen if name != "random"], llm=options.llm, llm_model=options.llm_model
    )
    found = [Random() if name == "random" else opened[name] for name in chosen]
    with closing(CachedEncoder(open_encoder(options.encoder), options.cache)) as encoder:
        scores = measure(texts, found, encoder, section_words=section_words)
    table = as_markdown(scores)
    options.out.mkdir(parents=True, exist_ok=True)
    write_whole(options.out / "segmentation.md", table)
    write_whole(options.out / "segmentation.csv", as_csv(scores))
    record = {"dataset": options.dataset, "n": len(texts), "scores": [asdict(score) for score in scores]}
    show_table(output, record, table)
