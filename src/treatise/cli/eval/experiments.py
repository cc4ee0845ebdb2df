"""``treatise eval run`` and ``paper``: experiments from a file, and the tables and figures of the papers."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from treatise.cli.eval.external import JudgeOptions, judge_options, judges_calls, open_judges
from treatise.cli.eval.options import (
    cache_option,
    folder_option,
    grouped,
    limit_option,
    out_option,
    prior_of_run_option,
)
from treatise.cli.options import FiniteRange, output_option, reranker_option
from treatise.cli.output import Line, Output, line, show, show_json
from treatise.cli.progress import progress_line
from treatise.core.plurals import counted

if TYPE_CHECKING:
    from treatise.core.ports import CallCache
    from treatise.evaluate.papers.item import Item
    from treatise.evaluate.run.experiment import Experiment
    from treatise.evaluate.run.run_experiments import ExperimentOptions, Outcome


@dataclass(frozen=True, slots=True)
class BenchOptions:
    """The options of experiments; see ``run_experiments.ExperimentOptions``."""

    data: Path | None
    encoders: tuple[str, ...]
    models: tuple[str, ...]
    limit: int | None
    cache: Path | None
    llm_model: str | None
    reranker: str | None
    prior: str | None
    parsers: tuple[str, ...]
    max_calls: int | None
    max_cost: float | None
    estimate: bool

    def experiment_options(
        self,
        judged: JudgeOptions,
        progress: "Callable[[str, int, int], None] | None" = None,
        calls: "CallCache | None" = None,
    ) -> "ExperimentOptions":
        """The options with a progress callback and open judges; ``calls`` keeps the judges' finished calls."""
        from treatise.evaluate.run.run_experiments import ExperimentOptions

        options = ExperimentOptions(
            data=self.data,
            encoders=self.encoders,
            models=self.models,
            limit=self.limit,
            cache=self.cache,
            progress=progress,
            llm_model=self.llm_model,
            reranker=self.reranker,
            prior=self.prior,
            parsers=self.parsers,
            max_calls=self.max_calls,
            max_cost=self.max_cost,
            is_estimate=self.estimate,
        )
        return replace(options, judges=open_judges(judged, options.metered, calls))


_bench_options = grouped(
    "bench",
    BenchOptions,
    folder_option,
    click.option("--encoder", "encoders", multiple=True, metavar="URL|FOLDER", help="An encoder; repeat for several."),
    click.option("--llm", "models", multiple=True, metavar="URL|NAME", help="A language model; repeat for several."),
    limit_option,
    cache_option,
    click.option("--llm-model", metavar="MODEL", help="The model to use on the servers that --llm names."),
    reranker_option,
    prior_of_run_option,
    click.option("--parser", "parsers", multiple=True, metavar="FOLDER", help="A parser; repeat for several."),
    click.option(
        "--max-calls", type=click.IntRange(min=0), metavar="N", help="Maximum calls of language models in all runs."
    ),
    click.option(
        "--max-cost", type=FiniteRange(min=0), metavar="COST", help="Maximum cost, at the prices in the settings."
    ),
    click.option("--estimate", is_flag=True, help="Print expected calls, tokens and cost; nothing is sent."),
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

Tasks: retrieval, generation, summaries, anatomy, cost, parsing, census. Other keys: encoders, models, parsers,
priors, vary. Every combination is a run in DIR/NAME/. Exit status 1 if nothing could be run.
""",
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@out_option(required=False)
@_bench_options
@judge_options
@output_option
def run_file(*, file: Path, out: Path | None, bench: BenchOptions, judged: JudgeOptions, output: Output) -> None:
    """Run the experiments of a TOML FILE with what is available, and list what was skipped."""
    from treatise.evaluate.run.experiment import read_experiments
    from treatise.evaluate.run.run_experiments import run_experiments

    experiments = read_experiments(file)
    if bench.estimate:
        _show_estimate(experiments, bench.experiment_options(judged), output)
        return
    if out is None:
        raise click.UsageError("name a folder for the results, as in `treatise eval run FILE --out DIR`")
    with progress_line(file.name) as draw, judges_calls(judged, out) as calls:
        options = bench.experiment_options(judged, draw, calls)
        outcome = run_experiments(experiments, options, out)
    _show_outcome(outcome, output, spent=_spent(options))


@click.command(
    "paper",
    epilog="""\b
Examples:
  treatise eval paper --list
  treatise eval paper disretrieval:table2 --data data/ --limit 20 --out results/
  treatise eval paper disretrieval --data data/ --llm URL --estimate
  treatise eval paper disretrieval --data data/ --llm URL --max-cost 20 --out results/

NAME is a table, a figure, or a paper for all of its tables and figures: disretrieval, htsir, disco-rag. A whole paper
prints its estimate of calls, tokens and cost first. A run that was stopped, or that reached a ceiling, goes on where it
stopped if it is started again.
The papers' systems are run as our recipes on the available data; what is missing is listed, and the rest is run.
Exit status 1 if nothing could be run.
""",
)
@click.argument("name", required=False)
@click.option("--list", "as_list", is_flag=True, help="List every table and figure, and what it needs to run here.")
@out_option(required=False)
@_bench_options
@judge_options
@output_option
def paper(
    *,
    name: str | None,
    as_list: bool,
    out: Path | None,
    bench: BenchOptions,
    judged: JudgeOptions,
    output: Output,
) -> None:
    """Run a table or figure of the papers, such as disretrieval:table2, or all of a paper, with what is available."""
    from treatise.evaluate.papers.catalogue import PAPERS, items_named

    if as_list:
        _list(PAPERS, bench.experiment_options(judged), output)
        return
    items = items_named(name) if name else {}
    experiments = [one for item in items.values() for one in item.experiments]
    if bench.estimate and experiments:
        _show_estimate(experiments, bench.experiment_options(judged), output)
        return
    if not items or (out is None and experiments):
        raise click.UsageError("name a table and a folder, as in `treatise eval paper disretrieval:table2 --out DIR`")
    if out is None:
        _show_instead(next(iter(items.values())), output)
        return
    if len(items) > 1 and bench.models and not out.exists():
        _print_estimate(experiments, replace(bench, estimate=True).experiment_options(judged))
    _run_items(items, out, bench, judged, output)


def _run_items(items: "dict[str, Item]", out: Path, bench: BenchOptions, judged: JudgeOptions, output: Output) -> None:
    """Runs each item in its own folder; all share one account of calls."""
    from treatise.evaluate.papers.catalogue import published
    from treatise.evaluate.run.run_experiments import Outcome, run_experiments

    outcome, figures = Outcome(), []
    title = " ".join(items) if len(items) == 1 else next(iter(items)).partition(":")[0]
    with progress_line(title) as draw, judges_calls(judged, out) as calls:
        options = bench.experiment_options(judged, draw, calls)
        for name, item in items.items():
            found = run_experiments(item.experiments, options, out / name.replace(":", "-"))
            outcome.results += found.results
            for reason in [*found.skipped, *([item.instead] if item.instead else [])]:
                outcome.skip(reason if len(items) == 1 else f"{name}: {reason}")
            figures.append(published(name))
    _show_outcome(outcome, output, "\n".join(filter(None, figures)), spent=_spent(options))


def _print_estimate(experiments: "Sequence[Experiment]", options: "ExperimentOptions") -> None:
    """Prints to stderr what a whole paper would ask of the language models, before the first call."""
    from treatise.evaluate.run.estimate_experiments import as_markdown, estimate_experiments

    estimates, _ = estimate_experiments(experiments, options)
    if estimates:
        click.echo(f"Estimate, before the first call:\n\n{as_markdown(estimates)}", err=True)


def _show_estimate(experiments: "Sequence[Experiment]", options: "ExperimentOptions", output: Output) -> None:
    """Prints what the experiments would ask of the language models; fails if none is named."""
    from treatise.evaluate.run.estimate_experiments import as_markdown, estimate_experiments, total_of

    if not options.models and not any(one.models for one in experiments):
        raise click.UsageError("--estimate counts the calls of a language model: name one with --llm")
    estimates, skipped = estimate_experiments(experiments, options)
    if output.as_json:
        total = asdict(total_of(estimates))
        show_json({"estimates": [asdict(one) for one in estimates], "total": total, "skipped": skipped})
    else:
        lines = [line(row, cut=True) for row in as_markdown(estimates).splitlines()]
        show([*lines, *_skipped_lines(skipped)], no_color=output.no_color)
    if not estimates:
        raise click.exceptions.Exit(1)


def _spent(options: "ExperimentOptions") -> str:
    """The calls and tokens of a run in one line; empty if no language model was called."""
    from treatise.cli.spending import tokens_text

    spending = options.spending
    if not spending.n_calls:
        return ""
    price = options.budget(options.models[0]).price if len(options.models) == 1 else None
    return f"{counted(spending.n_calls, 'call')} of language models; {tokens_text(spending, price)}"


def _list(papers: "dict[str, Item]", options: "ExperimentOptions", output: Output) -> None:
    """Prints every item, whether it can be run here with these options, and what is missing."""
    records = [_item_record(name, item, options) for name, item in papers.items()]
    if output.as_json:
        show_json({"papers": records})
        return
    lines: list[Line] = []
    for record, item in zip(records, papers.values(), strict=True):
        lines.append(line((f"{record['name']:22}", "bold"), item.shows))
        lines += [line((text, "dim"), indent=24) for text in _status_lines(item, record)]
    show(lines, no_color=output.no_color)


def _status_lines(item: "Item", record: dict[str, Any]) -> list[str]:
    if not item.experiments:
        return [f"not run: {item.instead}"]
    runs = sorted({f"{one.task} on {', '.join(one.datasets)}" for one in item.experiments})
    status = "can run" if record["can_run"] else "cannot run"
    needs = [*record["missing"], *([item.instead] if item.instead else [])]
    return [f"{status}: {'; '.join(runs)}", *(f"- {need}" for need in needs)]


def _item_record(name: str, item: "Item", options: "ExperimentOptions") -> dict[str, Any]:
    from treatise.evaluate.run.run_experiments import readiness

    can_run, missing = readiness(item.experiments, options)
    experiments = [
        {"task": one.task.value, "datasets": list(one.datasets), "recipes": list(one.recipes)}
        for one in item.experiments
    ]
    status = {"can_run": can_run, "missing": missing}
    return {"name": name, "shows": item.shows, "instead": item.instead, "experiments": experiments, **status}


def _show_outcome(outcome: "Outcome", output: Output, published: str = "", spent: str = "") -> None:
    """Prints the tables of all runs, the published figures, and what was skipped; fails if nothing was run."""
    if output.as_json:
        results = [{"title": one.title, "folder": str(one.folder)} for one in outcome.results]
        show_json({"results": results, "skipped": outcome.skipped, "published": published, "spent": spent})
    else:
        lines = [*_outcome_lines(outcome, published), *([line((spent, "dim"))] if spent else [])]
        show(lines, no_color=output.no_color)
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
    return [*lines, *_skipped_lines(outcome.skipped)]


def _skipped_lines(skipped: Sequence[str]) -> list[Line]:
    if not skipped:
        return []
    return [line(("Skipped or limited:", "bold")), *(line(f"- {reason}") for reason in skipped)]


def _titled(title: str, text: str) -> list[Line]:
    return [line((title, "bold")), line(), *(line(row, cut=True) for row in text.splitlines()), line()]


def _show_instead(item: "Item", output: Output) -> None:
    if output.as_json:
        show_json({"results": [], "skipped": [item.instead]})
    else:
        show([line(f"{item.shows}: {item.instead}")], no_color=output.no_color)
