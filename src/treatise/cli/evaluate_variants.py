"""``treatise eval sweep`` and ``treatise eval segmentation``."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from treatise.cli.options import all_of, model_options, numbers, output_options
from treatise.cli.output import line, show, show_json
from treatise.cli.progress import progress_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treatise.core.recipe import Recipe
    from treatise.evaluate.summary import Summary


class _RunOptions(TypedDict):
    """What every run over a data set is told."""

    dataset: str
    data: Path
    budgets: tuple[int, ...]
    out: Path
    limit: int | None
    cache: Path | None
    encoder: str | None


_run_options = all_of(
    click.option("--dataset", required=True, metavar="NAME", help="qasper, fairytaleqa, qmsum, policyqa, drcd, ..."),
    click.option(
        "--data",
        required=True,
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="The data set's file, gzipped or not.",
    ),
    click.option(
        "--budgets",
        callback=numbers,
        default="200,300,400",
        show_default=True,
        metavar="N,M",
        help="Words of evidence.",
    ),
    click.option(
        "--out", required=True, type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="For results."
    ),
    click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N documents."),
    click.option(
        "--cache",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="Keep vectors for the next run.",
    ),
    click.option("--encoder", metavar="URL|FOLDER", help="Another encoder than the built-in one."),
)


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
@_run_options
@click.option("--recipe", default="htsir", show_default=True, metavar="NAME", help="The recipe to vary.")
@click.option(
    "--vary", multiple=True, required=True, metavar="FIELD=A,B", help="A field and its values; may be given again."
)
@output_options
def sweep(*, recipe: str, vary: tuple[str, ...], as_json: bool, no_color: bool, **options: Unpack[_RunOptions]) -> None:
    """Measure a recipe with some of its fields varied: lengths, layers, weights, or any other."""
    from treatise.evaluate.results import write_whole
    from treatise.evaluate.sweep import as_csv, as_markdown, read_axis, varied
    from treatise.recipes import recipe_named

    base = recipe_named(recipe)
    axes = [read_axis(base, text) for text in vary]
    points = varied(base, axes)
    summary = _run([point.recipe for point in points], **options)
    write_whole(options["out"] / "sweep.md", as_markdown(axes, points, summary.rows))
    write_whole(options["out"] / "sweep.csv", as_csv(axes, points, summary.rows))
    if as_json:
        show_json(asdict(summary))
    else:
        _show_file(options["out"] / "sweep.md", no_color=no_color)


@click.command(
    epilog="""\b
Examples:
  treatise eval segmentation --dataset qmsum --data qmsum-val.jsonl --out out/
  treatise eval segmentation --dataset fairytaleqa --data val.jsonl \\
    --sectioners even,cohesion,llm --llm ollama --out out/

Writes out/segmentation.md and .csv: Pk and WindowDiff with intervals over texts, and differences to the first.
"""
)
@click.option("--dataset", required=True, metavar="NAME", help="qmsum (topics by turns) or fairytaleqa (sections).")
@click.option(
    "--data", required=True, type=click.Path(path_type=Path), metavar="FILE", help="Its file, gzipped or not."
)
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
@click.option(
    "--out", required=True, type=click.Path(path_type=Path, file_okay=False), metavar="DIR", help="For results."
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N texts.")
@click.option(
    "--cache", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Keep vectors for the next run."
)
@click.option("--encoder", metavar="URL|FOLDER", help="Another encoder than the built-in one.")
@model_options
@output_options
def segmentation(  # noqa: PLR0913  (click hands over each option as an argument)
    *,
    dataset: str,
    data: Path,
    sectioners: str,
    section_words: int,
    out: Path,
    limit: int | None,
    cache: Path | None,
    encoder: str | None,
    llm: str | None,
    llm_model: str | None,
    as_json: bool,
    no_color: bool,
) -> None:
    """Divide texts into sections by theme, and compare with the sections that people made."""
    from contextlib import closing

    from treatise.compose import open_encoder, open_sectioners
    from treatise.evaluate.results import write_whole
    from treatise.evaluate.segmentation import Random, as_csv, as_markdown, load_segmented, measure
    from treatise.evaluate.vector_cache import CachedEncoder

    texts = load_segmented(dataset, data, limit)
    names = [name.strip() for name in sectioners.split(",")]
    made = open_sectioners([name for name in names if name != "random"], llm=llm, llm_model=llm_model)
    chosen = [Random() if name == "random" else made[name] for name in names]
    with closing(CachedEncoder(open_encoder(encoder), cache)) as cached:
        scores = measure(texts, chosen, cached, section_words=section_words)
    out.mkdir(parents=True, exist_ok=True)
    write_whole(out / "segmentation.md", as_markdown(scores))
    write_whole(out / "segmentation.csv", as_csv(scores))
    if as_json:
        show_json({"dataset": dataset, "n": len(texts), "scores": [asdict(score) for score in scores]})
    else:
        _show_file(out / "segmentation.md", no_color=no_color)


def _run(recipes: "Sequence[Recipe]", **options: Unpack[_RunOptions]) -> "Summary":
    """The summary of a run of these recipes."""
    from treatise.compose import open_encoder, open_parser, open_reranker
    from treatise.evaluate.retrieval import RunProgress, run

    with progress_line(options["dataset"]) as draw:

        def report(progress: RunProgress) -> None:
            if draw is not None:
                draw("documents", progress.done, progress.total)

        return run(
            options["dataset"],
            options["data"],
            recipes,
            options["budgets"],
            options["out"],
            encoder=open_encoder(options["encoder"]),
            parser=open_parser() if any(one.indexing.needs_parser for one in recipes) else None,
            reranker=open_reranker(None) if any(one.reranking for one in recipes) else None,
            progress=report,
            limit=options["limit"],
            cache=options["cache"],
        )


def _show_file(path: Path, *, no_color: bool) -> None:
    show((line(row, cut=True) for row in path.read_text(encoding="utf-8").splitlines()), no_color=no_color)
