"""``treatise eval run`` and ``paper``: experiments from a file, and the tables and figures of the papers."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from treatise.cli.eval.options import cache_option, folder_option, limit_option, out_option
from treatise.cli.options import output_options
from treatise.cli.output import Line, line, show, show_json
from treatise.cli.progress import progress_line

if TYPE_CHECKING:
    from treatise.evaluate.papers.catalogue import Item
    from treatise.evaluate.run.experiments import Outcome

_encoder_option = click.option(
    "--encoder", "encoders", multiple=True, metavar="URL|FOLDER", help="An encoder to run with; may be repeated."
)
_model_option = click.option(
    "--llm", "models", multiple=True, metavar="URL|NAME", help="A language model to run with; may be repeated."
)


@click.command(
    "run",
    epilog="""\b
Example of a file:
  [[experiment]]
  name = "pooling"
  task = "retrieval"
  datasets = ["qasper", "qmsum"]
  recipes = ["flat-sentence", "treatise"]
  budgets = [200, 300]

Tasks: retrieval, generation, summaries, anatomy, cost, parsing, census. Other keys: encoders, models, vary. Every
combination is a run in DIR/NAME/. Exit status 1 where nothing could be run.
""",
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@folder_option
@out_option()
@_encoder_option
@_model_option
@limit_option
@cache_option
@output_options
def run_file(  # noqa: PLR0913  (click hands over each option as an argument)
    *,
    file: Path,
    data: Path | None,
    out: Path,
    encoders: tuple[str, ...],
    models: tuple[str, ...],
    limit: int | None,
    cache: Path | None,
    as_json: bool,
    no_color: bool,
) -> None:
    """Run the experiments of a TOML FILE with what this machine has, and say what it lacks."""
    from treatise.evaluate.run.experiment import read_experiments
    from treatise.evaluate.run.experiments import RunOptions, run_experiments

    experiments = read_experiments(file)
    with progress_line(file.name) as draw:
        outcome = run_experiments(experiments, RunOptions(data, encoders, models, limit, cache, draw), out)
    _tell(outcome, as_json=as_json, no_color=no_color)


@click.command(
    "paper",
    epilog="""\b
Examples:
  treatise eval paper --list
  treatise eval paper disretrieval:table2 --data data/ --limit 20 --out results/

The papers' systems are run as our recipes on the data that are at hand; what lacks is named, and the rest is run.
Exit status 1 where nothing could be run.
""",
)
@click.argument("name", required=False)
@click.option("--list", "as_list", is_flag=True, help="List every table and figure, and what it shows.")
@folder_option
@out_option(required=False)
@_encoder_option
@_model_option
@limit_option
@cache_option
@output_options
def paper(  # noqa: PLR0913  (click hands over each option as an argument)
    *,
    name: str | None,
    as_list: bool,
    data: Path | None,
    out: Path | None,
    encoders: tuple[str, ...],
    models: tuple[str, ...],
    limit: int | None,
    cache: Path | None,
    as_json: bool,
    no_color: bool,
) -> None:
    """Run a table or figure of the papers, such as disretrieval:table2, with what this machine has."""
    from treatise.evaluate.papers.catalogue import PAPERS, item_named, published
    from treatise.evaluate.run.experiments import RunOptions, run_experiments

    if as_list:
        _list(PAPERS, as_json=as_json, no_color=no_color)
        return
    if name is None or (out is None and item_named(name).experiments):
        raise click.UsageError("name a table and a folder, as in `treatise eval paper disretrieval:table2 --out DIR`")
    item = item_named(name)
    if out is None:
        _tell_nothing(item, as_json=as_json, no_color=no_color)
        return
    with progress_line(name) as draw:
        bench = RunOptions(data, encoders, models, limit, cache, draw)
        outcome = run_experiments(item.experiments, bench, out / name.replace(":", "-"))
    if item.instead:
        outcome.lack(item.instead)
    _tell(outcome, published(name), as_json=as_json, no_color=no_color)


def _list(papers: "dict[str, Item]", *, as_json: bool, no_color: bool) -> None:
    if as_json:
        rows = [
            {
                "name": name,
                "shows": item.shows,
                "instead": item.instead,
                "experiments": [
                    {"task": one.task.value, "datasets": list(one.datasets), "recipes": list(one.recipes)}
                    for one in item.experiments
                ],
            }
            for name, item in papers.items()
        ]
        show_json({"papers": rows})
        return
    lines: list[Line] = []
    for name, item in papers.items():
        lines.append(line((f"{name:22}", "bold"), item.shows))
        needs = sorted({f"{one.task} on {', '.join(one.datasets)}" for one in item.experiments})
        lines.append(line((f"{'; '.join(needs)}" if needs else f"not run: {item.instead}", "dim"), indent=24))
    show(lines, no_color=no_color)


def _tell(outcome: "Outcome", published: str = "", *, as_json: bool, no_color: bool) -> None:
    """Each run's table, then what was published, then what lacks; fails where nothing was run."""
    if as_json:
        results = [{"title": one.title, "folder": str(one.folder)} for one in outcome.results]
        show_json({"results": results, "lacks": outcome.lacks, "published": published})
    else:
        lines: list[Line] = []
        for one in outcome.results:
            table = one.folder / "summary.md"
            text = table.read_text(encoding="utf-8") if table.is_file() else f"results: {one.folder}\n"
            lines += [line((one.title, "bold")), line(), *(line(row, cut=True) for row in text.splitlines()), line()]
        if published:
            lines += [line(("Published:", "bold")), line()]
            lines += [*(line(row, cut=True) for row in published.splitlines()), line()]
        if outcome.lacks:
            lines += [line(("Lacks:", "bold")), *(line(f"- {reason}") for reason in outcome.lacks)]
        show(lines, no_color=no_color)
    if not outcome.results:
        raise click.exceptions.Exit(1)


def _tell_nothing(item: "Item", *, as_json: bool, no_color: bool) -> None:
    if as_json:
        show_json({"results": [], "lacks": [item.instead]})
    else:
        show([line(f"{item.shows}: {item.instead}")], no_color=no_color)
