"""Runs experiments with the data, extras and models that are available, and lists what was skipped and why."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from itertools import product
from pathlib import Path

from treatise.compose import open_engines
from treatise.core.errors import MissingExtraError, RecipeError, TreatiseError
from treatise.core.recipe import Clusters, Recipe, Summaries
from treatise.evaluate.data.registry import DATASETS
from treatise.evaluate.metrics.registry import is_installed, reported_metrics
from treatise.evaluate.run.experiment import Experiment, Task
from treatise.evaluate.run.spec import RunSpec
from treatise.evaluate.run.sweep import read_axis, varied
from treatise.evaluate.run.systems import CALLS_FILE
from treatise.evaluate.run.tasks import TASK_RUNNERS
from treatise.pipeline.engines import Engines
from treatise.recipes import recipe_named

RunProgress = Callable[[str, int, int], None]
"""Called as ``progress(run title, documents done, total documents)``."""


@dataclass(frozen=True, slots=True)
class ExperimentOptions:
    """Options for running experiments.

    Attributes:
        data: The folder of data sets.
        encoders, models: Defaults for experiments that name none.
        limit: Maximum number of documents per data set.
        cache: A file that caches vectors between runs.
        progress: Called after each document.
    """

    data: Path | None = None
    encoders: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    limit: int | None = None
    cache: Path | None = None
    progress: RunProgress | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """A finished run.

    Attributes:
        title: Experiment, data set, encoder and model.
        folder: Result folder: ``summary.json``, ``summary.md`` and the task's other files.
    """

    title: str
    folder: Path


@dataclass(slots=True)
class Outcome:
    """The results of experiments.

    Attributes:
        results: The finished runs, in order.
        skipped: What was not run, or not as specified, with reasons; no duplicates.
    """

    results: list[Result] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def skip(self, reason: str) -> None:
        """Records something that was not run, or not as specified."""
        if reason not in self.skipped:
            self.skipped.append(reason)


@dataclass(frozen=True, slots=True)
class _Combination:
    """One data set, encoder and model of an experiment; empty names for the built-in encoder and for no model."""

    experiment: Experiment
    dataset: str
    encoder: str
    model: str

    @property
    def parts(self) -> list[str]:
        names = [self.dataset.replace(":", "-"), self.encoder, self.model]
        return ["".join(c if c.isalnum() or c in "-_." else "-" for c in name) for name in names if name]

    @property
    def title(self) -> str:
        return f"{self.experiment.name}: {', '.join(self.parts)}"


def run_experiments(experiments: Sequence[Experiment], options: ExperimentOptions, out: Path) -> Outcome:
    """Runs everything possible, each run in a separate folder under ``OUT/<experiment>/``.

    Missing data files, recipes, optional dependencies and models are recorded, and the rest is run. Runs resume if the
    task supports it.
    """
    outcome = Outcome()
    for experiment in experiments:
        recipes = recipes_of(experiment, outcome)
        if not recipes and TASK_RUNNERS[experiment.task].uses_recipes:
            outcome.skip(f"{experiment.name}: none of its recipes can be run")
            continue
        _note_missing_metrics(experiment, outcome)
        for combination in _combinations(experiment, recipes, options):
            _note_missing_model(combination, recipes, outcome)
            try:
                outcome.results.append(_run(combination, recipes, options, out))
            except TreatiseError as error:
                outcome.skip(f"{experiment.name} on {combination.dataset}: {error}")
    return outcome


def _writes_answers(experiment: Experiment) -> bool:
    return experiment.task in (Task.GENERATION, Task.SUMMARIES)


def _note_missing_model(combination: _Combination, recipes: Sequence[Recipe], outcome: Outcome) -> None:
    """Records what replaces a language model in a run without one."""
    experiment = combination.experiment
    if combination.model or not TASK_RUNNERS[experiment.task].uses_model:
        return
    if _writes_answers(experiment):
        outcome.skip(f"{experiment.name}: no language model was named (--llm); answers quote the evidence")
    if noted := [recipe.slug for recipe in recipes if _writes_notes(recipe)]:
        slugs = ", ".join(noted)
        outcome.skip(f"{experiment.name}: no language model was named (--llm); nucleus text replaces notes: {slugs}")


def _note_missing_metrics(experiment: Experiment, outcome: Outcome) -> None:
    if experiment.task is not Task.GENERATION:
        return
    names = dict.fromkeys(name for dataset in experiment.datasets for name in reported_metrics(dataset))
    if missing := [name for name in names if not is_installed(name)]:
        outcome.skip(f"{experiment.name}: {', '.join(missing)} not scored; run pip install 'treatise[eval]'")


def _writes_notes(recipe: Recipe) -> bool:
    return recipe.indexing.notes.summaries in (Summaries.LLM, Summaries.HYBRID)


def _combinations(
    experiment: Experiment, recipes: Sequence[Recipe], options: ExperimentOptions
) -> Iterator[_Combination]:
    runner = TASK_RUNNERS[experiment.task]
    asks = runner.uses_model and (_writes_answers(experiment) or any(map(_writes_notes, recipes)))
    encoders = (experiment.encoders or options.encoders or ("",)) if runner.uses_recipes else ("",)
    models = (experiment.models or options.models or ("",)) if asks else ("",)
    for dataset, encoder, model in product(experiment.datasets, encoders, models):
        yield _Combination(experiment, dataset, encoder, model)


def _run(combination: _Combination, recipes: Sequence[Recipe], options: ExperimentOptions, out: Path) -> Result:
    runner = TASK_RUNNERS[combination.experiment.task]
    folder = out / combination.experiment.name / "-".join(combination.parts)
    spec = RunSpec(
        dataset=combination.dataset,
        data=runner.find_data(combination.dataset, options.data),
        out=folder,
        engines=_engines(combination, recipes) if runner.uses_recipes else None,
        recipes=recipes,
        budgets=combination.experiment.budgets or _usual_budgets(combination.dataset),
        limit=options.limit,
        cache=options.cache,
        calls=out / CALLS_FILE,
        progress=partial(options.progress, combination.title) if options.progress else None,
    )
    runner.run(spec)
    return Result(combination.title, folder)


def _engines(combination: _Combination, recipes: Sequence[Recipe]) -> Engines:
    return open_engines(recipes, encoder=combination.encoder or None, llm=combination.model)


def _usual_budgets(dataset: str) -> tuple[int, ...]:
    """The data set's budgets; empty for a treebank."""
    found = DATASETS.get(dataset.partition(":")[0])
    return found.budgets if found else ()


def recipes_of(experiment: Experiment, outcome: Outcome | None = None) -> list[Recipe]:
    """The experiment's recipes whose optional dependencies are installed, varied as specified; others are recorded."""
    found: list[Recipe] = []
    outcome = outcome or Outcome()
    for slug in experiment.recipes:
        try:
            found += _varied(_runnable(slug), experiment.vary)
        except RecipeError as error:
            outcome.skip(f"{experiment.name}: {str(error).partition(' (all names:')[0]}")
        except TreatiseError as error:
            outcome.skip(f"{experiment.name}: {error}")
    return found


def _runnable(slug: str) -> Recipe:
    recipe = recipe_named(slug)
    if isinstance(recipe.indexing.tree, Clusters) and find_spec("umap") is None:
        raise MissingExtraError(f"the recipe {slug}", "raptor")
    return recipe


def _varied(recipe: Recipe, vary: Sequence[str]) -> list[Recipe]:
    if not vary:
        return [recipe]
    return [point.recipe for point in varied(recipe, [read_axis(recipe, text) for text in vary])]
