"""Runs experiments with what the machine has, and says what it lacks."""

import inspect
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from treatise.compose import open_engines
from treatise.core.errors import DataError, MissingExtraError, RecipeError, TreatiseError
from treatise.core.ports import Encoder, Parser
from treatise.core.recipe import Clusters, Recipe, Summaries
from treatise.evaluate.data.files import data_file, treebank_file
from treatise.evaluate.data.registry import dataset_named
from treatise.evaluate.run.experiment import Experiment, Task
from treatise.evaluate.run.results import write_whole
from treatise.recipes import recipe_named

_WITHOUT_RECIPES: Final = (Task.PARSING, Task.CENSUS)
_WITH_A_MODEL: Final = (Task.GENERATION, Task.SUMMARIES)

ProgressCallback = Callable[[str, int, int], None]
"""Called as ``told(run, documents done, documents in all)``."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What experiments run with.

    Attributes:
        data: The folder of data sets.
        encoders, models: Taken for experiments that name none.
        limit: Most documents of each data set.
        cache: A file where vectors are kept from run to run.
        told: Progress.
    """

    data: Path | None = None
    encoders: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    limit: int | None = None
    cache: Path | None = None
    told: ProgressCallback | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """A run that was made.

    Attributes:
        title: Experiment, data set, encoder and model.
        folder: Its results: ``summary.json``, ``summary.md`` and what else the task writes.
    """

    title: str
    folder: Path


@dataclass(slots=True)
class Outcome:
    """What experiments came to.

    Attributes:
        results: The runs that were made, in order.
        lacks: What could not be run, or not as it should be, each with the reason; nothing twice.
    """

    results: list[Result] = field(default_factory=list)
    lacks: list[str] = field(default_factory=list)

    def lack(self, reason: str) -> None:
        """Notes something that is lacking."""
        if reason not in self.lacks:
            self.lacks.append(reason)


def run_experiments(experiments: Sequence[Experiment], bench: RunOptions, out: Path) -> Outcome:
    """Makes every run that can be made, each in a folder of its own under ``OUT/<experiment>/``.

    What lacks — a data set's file, a recipe, an optional dependency, a model — is named, and the rest is run. Runs are
    resumed where the task's own runs are.
    """
    outcome = Outcome()
    for experiment in experiments:
        runner = _runner(experiment.task)
        if runner is None:
            outcome.lack(f"{experiment.name}: this version has nothing that runs {experiment.task}")
            continue
        recipes = _recipes(experiment, outcome)
        if not recipes and experiment.task not in _WITHOUT_RECIPES:
            outcome.lack(f"{experiment.name}: none of its recipes can be run")
            continue
        if experiment.task is Task.RETRIEVAL and (noted := [one.slug for one in recipes if _wants_notes(one)]):
            outcome.lack(
                f"{experiment.name}: no model writes notes here, nucleus text stands for them: {', '.join(noted)}"
            )
        for combination in _combinations(experiment, bench):
            try:
                outcome.results.append(_run(runner, experiment, recipes, combination, bench, out, outcome))
            except TreatiseError as error:
                outcome.lack(f"{experiment.name} on {combination.dataset}: {error}")
    return outcome


@dataclass(frozen=True, slots=True)
class _Combination:
    """One data set, encoder and model; empty names for the built-in encoder and for no model."""

    dataset: str
    encoder: str
    model: str

    @property
    def parts(self) -> list[str]:
        names = [self.dataset.replace(":", "-"), self.encoder, self.model]
        return ["".join(c if c.isalnum() or c in "-_." else "-" for c in name) for name in names if name]


def _combinations(experiment: Experiment, bench: RunOptions) -> Iterator[_Combination]:
    encoders = experiment.encoders or bench.encoders or ("",)
    models = experiment.models or bench.models or ("",)
    uses_encoder = experiment.task not in _WITHOUT_RECIPES
    uses_model = experiment.task in _WITH_A_MODEL
    for dataset, encoder, model in product(
        experiment.datasets, encoders if uses_encoder else ("",), models if uses_model else ("",)
    ):
        yield _Combination(dataset, encoder, model)


def _run(  # noqa: PLR0913  (what a run is made of)
    runner: Callable[..., Any],
    experiment: Experiment,
    recipes: Sequence[Recipe],
    combination: _Combination,
    bench: RunOptions,
    out: Path,
    outcome: Outcome,
) -> Result:
    title = f"{experiment.name}: {', '.join(combination.parts)}"
    folder = out / experiment.name / "-".join(combination.parts)
    if experiment.task is Task.PARSING:
        data, budgets = treebank_file(combination.dataset, bench.data), experiment.budgets
    else:
        dataset = dataset_named(combination.dataset)
        data, budgets = data_file(dataset, bench.data), experiment.budgets or dataset.budgets
    if experiment.task in _WITH_A_MODEL and not combination.model:
        outcome.lack(f"{experiment.name}: no language model was named (--llm), so answers are quoted from the evidence")

    def tell(done: int, total: int) -> None:
        if bench.told:
            bench.told(title, done, total)

    offered: dict[str, Any] = {"limit": bench.limit, "cache": bench.cache, "progress": tell}
    if experiment.task not in _WITHOUT_RECIPES:
        engines = open_engines(recipes, encoder=combination.encoder or None, llm=combination.model)
        offered |= {one.name: getattr(engines, one.name) for one in fields(engines)}
    wanted = inspect.signature(runner).parameters
    given = {name: value for name, value in offered.items() if name in wanted}
    runner(combination.dataset, data, recipes, budgets, folder, **given)
    return Result(title, folder)


def _wants_notes(recipe: Recipe) -> bool:
    return recipe.indexing.notes.summaries in (Summaries.LLM, Summaries.HYBRID)


def _recipes(experiment: Experiment, outcome: Outcome) -> list[Recipe]:
    """Those that there are and whose optional dependencies are installed, varied as the experiment asks."""
    found = []
    for slug in experiment.recipes:
        try:
            recipe = recipe_named(slug)
            if isinstance(recipe.indexing.tree, Clusters) and find_spec("umap") is None:
                raise MissingExtraError(f"the recipe {slug}", "raptor")
            found += _varied(recipe, experiment.vary)
        except RecipeError as error:
            outcome.lack(f"{experiment.name}: {str(error).partition(' (all names:')[0]}")
        except TreatiseError as error:
            outcome.lack(f"{experiment.name}: {error}")
    return found


def _varied(recipe: Recipe, vary: Sequence[str]) -> list[Recipe]:
    if not vary:
        return [recipe]
    sweep = _module("sweep")
    if sweep is None:
        raise DataError("this version has nothing that varies a recipe's fields")
    axes = [sweep.read_axis(recipe, text) for text in vary]
    return [point.recipe for point in sweep.varied(recipe, axes)]


def _runner(task: Task) -> Callable[..., Any] | None:
    """What runs a task: called with data set, file, recipes, budgets and folder, and offered the rest by name."""
    module = _module(task.value)
    if module is not None and task is Task.ANATOMY:
        return _anatomy_runner(module.anatomies)
    return getattr(module, "run", None)


def _anatomy_runner(anatomies: Callable[..., Any]) -> Callable[..., Any]:
    """Anatomies as runs: they have no budget, and their rows are written here."""

    def run(  # noqa: PLR0913  (all runs are called alike)
        dataset: str,
        data: Path,
        recipes: Sequence[Recipe],
        _budgets: Sequence[int],
        out: Path,
        *,
        encoder: Encoder,
        parser: Parser | None,
        limit: int | None,
        cache: Path | None,
        progress: Callable[..., None],
    ) -> None:
        rows = anatomies(
            dataset, data, recipes, encoder=encoder, parser=parser, limit=limit, cache=cache, progress=progress
        )
        found = [{"recipe": row.recipe, **asdict(row.anatomy)} for row in rows]
        out.mkdir(parents=True, exist_ok=True)
        write_whole(out / "summary.json", json.dumps({"anatomies": found}, indent=1) + "\n")
        write_whole(out / "summary.md", "".join(f"- {key}: {value}\n" for row in found for key, value in row.items()))

    return run


def _module(name: str) -> ModuleType | None:
    """The module of this package, where this version has it."""
    full = f"{__package__}.{name}"
    return import_module(full) if find_spec(full) else None
