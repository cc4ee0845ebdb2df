"""Runs experiments with the data, extras and models that are available, and lists what was skipped and why."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Final

from treatise.compose import open_budget, open_engines, open_language_model
from treatise.core.errors import EngineUnavailableError, MissingExtraError, RecipeError, TreatiseError
from treatise.core.installed import has_multilingual, install_command
from treatise.core.ports import LanguageModel
from treatise.core.recipe import Clusters, Recipe, Summaries
from treatise.evaluate.data.registry import DATASETS
from treatise.evaluate.metrics.judges import NO_JUDGES, Judges
from treatise.evaluate.metrics.registry import JUDGED, is_installed, reported_metrics
from treatise.evaluate.run.experiment import Experiment, Task
from treatise.evaluate.run.gold import GOLD_EVIDENCE
from treatise.evaluate.run.spec import RunSpec
from treatise.evaluate.run.sweep import read_axis, varied
from treatise.evaluate.run.systems import CALLS_FILE
from treatise.evaluate.run.tasks import TASK_RUNNERS
from treatise.llm.budget import Budget, Spending
from treatise.llm.dry_run import DryRunModel
from treatise.llm.metered import MeteredModel
from treatise.pipeline.engines import Engines
from treatise.recipes import recipe_named
from treatise.settings import load_settings

_KEPT: Final = "What is finished is kept: run the same command again"

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
        llm_model: The name of the model on every server among the models.
        reranker: The second stage of recipes that have one, as for ``compose.open_reranker``.
        prior: What tells documents that are searched together apart, as for ``compose.open_library``.
        parsers: Folders of parsers; each is a run of its own. By default the parser of the settings.
        judges: Models that score answers in addition to the metrics.
        max_calls, max_cost: Ceilings over all calls of all runs; None for those of the settings.
        spending: The account of all calls.
        is_estimate: Whether calls are only counted.
    """

    data: Path | None = None
    encoders: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    limit: int | None = None
    cache: Path | None = None
    progress: RunProgress | None = None
    llm_model: str | None = None
    reranker: str | None = None
    prior: str | None = None
    parsers: tuple[str, ...] = ()
    judges: Judges = NO_JUDGES
    max_calls: int | None = None
    max_cost: float | None = None
    spending: Spending = field(default_factory=Spending)
    is_estimate: bool = False

    def budget(self, model: str) -> Budget:
        """The ceilings, and the price of a model."""
        settings = load_settings()
        return open_budget(
            replace(
                settings,
                llm=model,
                llm_model=settings.llm_model if self.llm_model is None else self.llm_model,
                max_calls=settings.max_calls if self.max_calls is None else self.max_calls,
                max_cost=settings.max_cost if self.max_cost is None else self.max_cost,
            )
        )

    def metered(self, model: LanguageModel, name: str) -> LanguageModel:
        """The model with the shared account; one that is never called if this is an estimate."""
        if self.is_estimate:
            return DryRunModel(model, self.spending)
        return MeteredModel(model, self.budget(name), self.spending)


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
    """One data set, encoder, model, parser and prior of an experiment.

    Empty names are the built-in ones, and no model; a prior of None leaves it to the command line or the settings.
    """

    experiment: Experiment
    dataset: str
    encoder: str
    model: str
    parser: str = ""
    prior: str | None = None

    @property
    def parts(self) -> list[str]:
        prior = "" if self.prior is None else f"{self.prior or 'usual'}-prior"
        # the whole paths of folders: all end in "model"
        names = [self.dataset.replace(":", "-"), self.encoder, self.model, self.parser, prior]
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
        _note_missing_metrics(experiment, options, outcome)
        for combination in _combinations(experiment, recipes, options):
            _note_missing_engines(combination, recipes, options, outcome)
            try:
                outcome.results.append(_run(combination, recipes, options, out))
            except TreatiseError as error:
                kept = f". {_KEPT}" if isinstance(error, EngineUnavailableError) else ""
                outcome.skip(f"{experiment.name} on {combination.dataset}: {error}{kept}")
    return outcome


def readiness(experiments: Sequence[Experiment], options: ExperimentOptions) -> tuple[bool, list[str]]:
    """Whether any run is possible with these options, and everything that is missing: data, extras, a model."""
    outcome, can_run = Outcome(), False
    for experiment in experiments:
        recipes = recipes_of(experiment, outcome)
        _note_missing_metrics(experiment, options, outcome)
        for combination in _combinations(experiment, recipes, options):
            _note_missing_engines(combination, recipes, options, outcome)
            has_data = _has_data(combination, options, outcome) and _has_encoder(combination, outcome)
            can_run |= has_data and bool(recipes or not TASK_RUNNERS[experiment.task].uses_recipes)
    return can_run, outcome.skipped


def _has_data(combination: _Combination, options: ExperimentOptions, outcome: Outcome) -> bool:
    try:
        TASK_RUNNERS[combination.experiment.task].find_data(combination.dataset, options.data)
    except TreatiseError as error:
        outcome.skip(f"{combination.experiment.name} on {combination.dataset}: {error}")
        return False
    return True


def _has_encoder(combination: _Combination, outcome: Outcome) -> bool:
    if combination.encoder != "multilingual" or has_multilingual():
        return True
    outcome.skip(f"{combination.experiment.name}: {MissingExtraError('the multilingual encoder', 'multilingual')}")
    return False


def _writes_answers(experiment: Experiment) -> bool:
    return experiment.task in (Task.GENERATION, Task.SUMMARIES)


def _note_missing_engines(
    combination: _Combination, recipes: Sequence[Recipe], options: ExperimentOptions, outcome: Outcome
) -> None:
    """Records what replaces a reranker or a language model in a run without one."""
    experiment = combination.experiment
    if not TASK_RUNNERS[experiment.task].uses_model:
        return
    has_reranker = options.reranker or load_settings().reranker
    if not has_reranker and (reranked := [recipe.slug for recipe in recipes if recipe.reranking]):
        slugs = ", ".join(reranked)
        outcome.skip(f"{experiment.name}: no reranker was named (--reranker); the first stage's order is kept: {slugs}")
    if not combination.model:
        _note_missing_model(experiment, recipes, outcome)


def _note_missing_model(experiment: Experiment, recipes: Sequence[Recipe], outcome: Outcome) -> None:
    """Records what replaces a language model in a run without one."""
    if experiment.model_trees:
        outcome.skip(f"{experiment.name}: no language model was named (--llm); only parsers are measured")
    if _writes_answers(experiment):
        outcome.skip(f"{experiment.name}: no language model was named (--llm); answers quote the evidence")
    if noted := [recipe.slug for recipe in recipes if _writes_notes(recipe)]:
        slugs = ", ".join(noted)
        outcome.skip(f"{experiment.name}: no language model was named (--llm); nucleus text replaces notes: {slugs}")


def _note_missing_metrics(experiment: Experiment, options: ExperimentOptions, outcome: Outcome) -> None:
    """Records the metrics that are reported for the data sets and that cannot be computed."""
    if experiment.task is not Task.GENERATION:
        return
    if experiment.with_attention and not options.judges.has("--attention"):
        outcome.skip(
            f"{experiment.name}: attention not measured; name the weights of the answering model with --attention "
            "FILE.gguf or FOLDER"
        )
    names = dict.fromkeys(name for dataset in experiment.datasets for name in reported_metrics(dataset))
    if missing := [name for name in names if not is_installed(name)]:
        outcome.skip(f"{experiment.name}: {', '.join(missing)} not scored; run {install_command('eval')}")
    for dataset in dict.fromkeys(name.partition(":")[0] for name in experiment.datasets):
        for metric, option in JUDGED.get(dataset, {}).items():
            if not options.judges.has(option):
                outcome.skip(f"{experiment.name}: {metric} not scored; name a model with {option}")


def _writes_notes(recipe: Recipe) -> bool:
    return recipe.indexing.notes.summaries in (Summaries.LLM, Summaries.HYBRID)


def _combinations(
    experiment: Experiment, recipes: Sequence[Recipe], options: ExperimentOptions
) -> Iterator[_Combination]:
    runner = TASK_RUNNERS[experiment.task]
    writes = _writes_answers(experiment) or experiment.model_trees or any(map(_writes_notes, recipes))
    asks = runner.uses_model and writes
    encoders = (experiment.encoders or options.encoders or ("",)) if runner.uses_recipes else ("",)
    models = (experiment.models or options.models or ("",)) if asks else ("",)
    parses = any(recipe.indexing.needs_parser for recipe in recipes) or experiment.task is Task.PARSING
    parsers = (experiment.parsers or options.parsers or ("",)) if parses else ("",)
    priors = experiment.priors if experiment.priors and runner.uses_recipes else (None,)
    for dataset, encoder, model, parser, prior in product(experiment.datasets, encoders, models, parsers, priors):
        yield _Combination(experiment, dataset, encoder, model, parser, prior)


def _run(combination: _Combination, recipes: Sequence[Recipe], options: ExperimentOptions, out: Path) -> Result:
    runner = TASK_RUNNERS[combination.experiment.task]
    folder = out / combination.experiment.name / "-".join(combination.parts)
    spec = RunSpec(
        dataset=combination.dataset,
        data=runner.find_data(combination.dataset, options.data),
        out=folder,
        engines=_engines(combination, recipes, options) if runner.uses_recipes else None,
        recipes=recipes,
        budgets=combination.experiment.budgets or _usual_budgets(combination.dataset),
        limit=options.limit,
        cache=options.cache,
        calls=out / CALLS_FILE,
        progress=partial(options.progress, combination.title) if options.progress else None,
        judges=options.judges,
        parser=combination.parser,
        metrics=combination.experiment.metrics,
        with_cost=combination.experiment.with_cost,
        attention=options.judges.attention if combination.experiment.with_attention else None,
        open_domain=combination.experiment.open_domain,
        model=_model(combination, options) if combination.experiment.model_trees else None,
    )
    runner.run(spec)
    return Result(combination.title, folder)


def _engines(combination: _Combination, recipes: Sequence[Recipe], options: ExperimentOptions) -> Engines:
    return open_engines(
        recipes,
        encoder=combination.encoder or None,
        llm=combination.model,
        llm_model=options.llm_model,
        reranker=options.reranker,
        prior=options.prior if combination.prior is None else combination.prior,
        parser=combination.parser or None,
        metered=lambda model: options.metered(model, combination.model),
    )


def _model(combination: _Combination, options: ExperimentOptions) -> LanguageModel | None:
    """The language model of a run without recipes."""
    if not combination.model:
        return None
    model = open_language_model(combination.model, options.llm_model)
    return options.metered(model, combination.model)


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
    recipe = GOLD_EVIDENCE if slug == GOLD_EVIDENCE.slug else recipe_named(slug)
    if isinstance(recipe.indexing.tree, Clusters) and find_spec("umap") is None:
        raise MissingExtraError(f"the recipe {slug}", "raptor")
    return recipe


def _varied(recipe: Recipe, vary: Sequence[str]) -> list[Recipe]:
    if not vary:
        return [recipe]
    return [point.recipe for point in varied(recipe, [read_axis(recipe, text) for text in vary])]
