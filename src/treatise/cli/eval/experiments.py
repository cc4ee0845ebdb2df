"""``treatise eval run`` and ``paper``: experiments from a file, and the tables and figures of the papers."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from treatise.cli.eval.options import cache_option, folder_option, grouped, limit_option, out_option
from treatise.cli.options import output_option
from treatise.cli.output import Line, Output, line, show, show_json
from treatise.cli.progress import progress_line

if TYPE_CHECKING:
    from treatise.evaluate.papers.item import Item
    from treatise.evaluate.run.run_experiments import ExperimentOptions, Outcome


@dataclass(frozen=True, slots=True)
class BenchOptions:
    """The options of experiments; see ``run_experiments.ExperimentOptions``."""

    data: Path | None
    encoders: tuple[str, ...]
    models: tuple[str, ...]
    limit: int | None
    cache: Path | None

    def experiment_options(self, progress: "Callable[[str, int, int], None] | None") -> "ExperimentOptions":
        """The options with a progress callback."""
        from treatise.evaluate.run.run_experiments import ExperimentOptions

        return ExperimentOptions(self.data, self.encoders, self.models, self.limit, self.cache, progress)


_bench_options = grouped(
    "bench",
    BenchOptions,
    folder_option,
    click.option("--encoder", "encoders", multiple=True, metavar="URL|FOLDER", help="An encoder; repeat for several."),
    click.option("--llm", "models", multiple=True, metavar="URL|NAME", help="A language model; repeat for several."),
    limit_option,
    cache_option,
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
combination is a run in DIR/NAME/. Exit status 1 if nothing could be run.
""",
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@out_option()
@_bench_options
@output_option
def run_file(*, file: Path, out: Path, bench: BenchOptions, output: Output) -> None:
    """Run the experiments of a TOML FILE with what is available, and list what was skipped."""
    from treatise.evaluate.run.experiment import read_experiments
    from treatise.evaluate.run.run_experiments import run_experiments

    experiments = read_experiments(file)
    with progress_line(file.name) as draw:
        outcome = run_experiments(experiments, bench.experiment_options(draw), out)
    _show_outcome(outcome, output)


@click.command(
    "paper",
    epilog="""\b
Examples:
  treatise eval paper --list
  treatise eval paper disretrieval:table2 --data data/ --limit 20 --out results/

The papers' systems are run as our recipes on the available data; what is missing is listed, and the rest is run.
Exit status 1 if nothing could be run.
""",
)
@click.argument("name", required=False)
@click.option("--list", "as_list", is_flag=True, help="List every table and figure, and what it shows.")
@out_option(required=False)
@_bench_options
@output_option
def paper(*, name: str | None, as_list: bool, out: Path | None, bench: BenchOptions, output: Output) -> None:
    """Run a table or figure of the papers, such as disretrieval:table2, with what is available."""
    from treatise.evaluate.papers.catalogue import PAPERS, item_named, published
    from treatise.evaluate.run.run_experiments import run_experiments

    if as_list:
        _list(PAPERS, output)
        return
    if name is None or (out is None and item_named(name).experiments):
        raise click.UsageError("name a table and a folder, as in `treatise eval paper disretrieval:table2 --out DIR`")
    item = item_named(name)
    if out is None:
        _show_instead(item, output)
        return
    with progress_line(name) as draw:
        options = bench.experiment_options(draw)
        outcome = run_experiments(item.experiments, options, out / name.replace(":", "-"))
    if item.instead:
        outcome.skip(item.instead)
    _show_outcome(outcome, output, published(name))


def _list(papers: "dict[str, Item]", output: Output) -> None:
    if output.as_json:
        show_json({"papers": [_item_record(name, item) for name, item in papers.items()]})
        return
    lines: list[Line] = []
    for name, item in papers.items():
        lines.append(line((f"{name:22}", "bold"), item.shows))
        needs = sorted({f"{one.task} on {', '.join(one.datasets)}" for one in item.experiments})
        lines.append(line((f"{'; '.join(needs)}" if needs else f"not run: {item.instead}", "dim"), indent=24))
    show(lines, no_color=output.no_color)


def _item_record(name: str, item: "Item") -> dict[str, object]:
    experiments = [
        {"task": one.task.value, "datasets": list(one.datasets), "recipes": list(one.recipes)}
        for one in item.experiments
    ]
    return {"name": name, "shows": item.shows, "instead": item.instead, "experiments": experiments}


def _show_outcome(outcome: "Outcome", output: Output, published: str = "") -> None:
    """Prints the tables of all runs, the published figures, and what was skipped; fails if nothing was run."""
    if output.as_json:
        results = [{"title": one.title, "folder": str(one.folder)} for one in outcome.results]
        show_json({"results": results, "skipped": outcome.skipped, "published": published})
    else:
        show(_outcome_lines(outcome, published), no_color=output.no_color)
    if not outcome.results:
        raise click.exceptions.Exit(1)


def _outcome_lines(outcome: "Outcome", published: str) -> list[Line]:
    lines: list[Line] = []
    for one in outcome.results:
        table = one.folder / "summary.md"
        text = table.read_text(encoding="utf-8") if table.is_file() else f"results: {one.folder}\n"
        lines += _titled(one.title, text)
    if published:
        lines += _titled("Published:", published)
    if outcome.skipped:
        lines += [line(("Skipped or limited:", "bold")), *(line(f"- {reason}") for reason in outcome.skipped)]
    return lines


def _titled(title: str, text: str) -> list[Line]:
    return [line((title, "bold")), line(), *(line(row, cut=True) for row in text.splitlines()), line()]


def _show_instead(item: "Item", output: Output) -> None:
    if output.as_json:
        show_json({"results": [], "skipped": [item.instead]})
    else:
        show([line(f"{item.shows}: {item.instead}")], no_color=output.no_color)
