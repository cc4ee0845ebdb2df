"""Estimates what experiments will ask of a language model, by running them on a few documents without a call."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from treatise.core.errors import TreatiseError
from treatise.evaluate.data.registry import dataset_named
from treatise.evaluate.run.experiment import Experiment, Task
from treatise.evaluate.run.parsing import treebank_rows
from treatise.evaluate.run.run_experiments import ExperimentOptions, run_experiments
from treatise.evaluate.run.tasks import TASK_RUNNERS

SAMPLE: Final = 2
"""Documents per data set that are read for an estimate."""


@dataclass(frozen=True, slots=True)
class ExperimentEstimate:
    """The expected use of a language model by one experiment on one data set.

    Attributes:
        experiment, dataset, model: Which.
        n_documents: Documents of the data set, up to the limit.
        n_sampled: Documents that were read; the figures are scaled from them.
        n_calls, prompt_tokens, completion_tokens: Expected; the last is an upper bound, since a reply without an
            expectation counts as the longest allowed.
        cost: In the currency of the prices in the settings; None without prices.
    """

    experiment: str
    dataset: str
    model: str
    n_documents: int
    n_sampled: int
    n_calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None


def estimate_experiments(
    experiments: Sequence[Experiment], options: ExperimentOptions
) -> tuple[list[ExperimentEstimate], list[str]]:
    """An estimate per experiment, data set and model, and what would be skipped; nothing is sent or kept.

    The options must be those of an estimate. Recipes with the same index share its calls, as in a real run; calls of
    earlier runs are counted again.
    """
    estimates: list[ExperimentEstimate] = []
    skipped: dict[str, None] = {}
    for experiment in (one for one in experiments if _asks(one)):
        for dataset in experiment.datasets:
            for model in experiment.models or options.models:
                one = replace(experiment, datasets=(dataset,), models=(model,))
                estimate, reasons = _estimate(one, dataset, model, options)
                estimates += estimate
                skipped |= dict.fromkeys(reasons)
    return estimates, list(skipped)


def _asks(experiment: Experiment) -> bool:
    return TASK_RUNNERS[experiment.task].uses_model and (experiment.task is not Task.PARSING or experiment.model_trees)


def _estimate(
    experiment: Experiment, dataset: str, model: str, options: ExperimentOptions
) -> tuple[list[ExperimentEstimate], list[str]]:
    n_documents = _n_documents(experiment, dataset, options)
    n_sampled = min(n_documents, SAMPLE)
    before = options.spending.copy()
    with TemporaryDirectory() as folder:
        outcome = run_experiments([experiment], replace(options, limit=n_sampled, progress=None), Path(folder))
    spending = options.spending.since(before)
    if not outcome.results:
        return [], outcome.skipped
    scale = n_documents / n_sampled
    prompt, completion = round(scale * spending.prompt_tokens), round(scale * spending.completion_tokens)
    price = options.budget(model).price
    estimate = ExperimentEstimate(
        experiment=experiment.name,
        dataset=dataset,
        model=model,
        n_documents=n_documents,
        n_sampled=n_sampled,
        n_calls=round(scale * spending.n_calls),
        prompt_tokens=prompt,
        completion_tokens=completion,
        cost=price.of(prompt, completion) if price else None,
    )
    return [estimate], outcome.skipped


def _n_documents(experiment: Experiment, dataset: str, options: ExperimentOptions) -> int:
    """Documents with questions, up to the limit; at least 1, also if the data are missing."""
    try:
        path = TASK_RUNNERS[experiment.task].find_data(dataset, options.data)
        if experiment.task is Task.PARSING:
            return max(1, sum(1 for _ in islice(treebank_rows(path), options.limit)))
        found = (one for one in dataset_named(dataset).load(path) if one.questions)
        return max(1, sum(1 for _ in islice(found, options.limit)))
    except TreatiseError:
        return 1


def total_of(estimates: Sequence[ExperimentEstimate]) -> ExperimentEstimate:
    """The sum of estimates; its cost is None if one has none."""
    costs = [one.cost for one in estimates]
    return ExperimentEstimate(
        experiment="total",
        dataset="",
        model="",
        n_documents=sum(one.n_documents for one in estimates),
        n_sampled=sum(one.n_sampled for one in estimates),
        n_calls=sum(one.n_calls for one in estimates),
        prompt_tokens=sum(one.prompt_tokens for one in estimates),
        completion_tokens=sum(one.completion_tokens for one in estimates),
        cost=None if None in costs else sum(cost for cost in costs if cost is not None),
    )


def as_markdown(estimates: Sequence[ExperimentEstimate]) -> str:
    """One row per estimate, and the total."""
    head = ("experiment", "data set", "model", "documents", "calls", "prompt tokens", "completion tokens", "cost")
    rows: list[tuple[str, ...]] = [head, ("---", "---", "---", *("--:",) * 5)]
    for one in [*estimates, *([total_of(estimates)] if len(estimates) > 1 else [])]:
        numbers = (one.n_documents, one.n_calls, one.prompt_tokens, one.completion_tokens)
        cost = "" if one.cost is None else f"{one.cost:,.2f}"
        rows.append((one.experiment, one.dataset, one.model, *(f"{n:,}" for n in numbers), cost))
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    return f"{table}\nFrom {SAMPLE} documents per data set, scaled. An answer counts as the longest allowed.\n"
