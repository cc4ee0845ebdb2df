"""Aggregates scores: means with intervals, and differences to a baseline with tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from treatise.core.errors import DataError
from treatise.evaluate.data.dataset import Dataset, LabelledDocument, Retrieved
from treatise.evaluate.metrics.statistics import (
    Clusters,
    Doubles,
    bootstrap_interval,
    bootstrap_p,
    holm,
    paired_t_p,
    permutation_p,
)
from treatise.evaluate.run.record import RunRecord

Cell = tuple[str, int, Mapping[str, Retrieved]]
"""A recipe's slug, a budget, and what was retrieved by question id."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over questions, in percent, with its 95 % interval (cluster bootstrap over documents).

    Attributes:
        n: Number of questions.
        mean, low, high: The mean and its interval; with a single document the interval has no width.
        n_documents: Number of documents that the questions are on.
    """

    n: int
    mean: float
    low: float
    high: float
    n_documents: int


@dataclass(frozen=True, slots=True)
class Difference:
    """A recipe's mean minus the baseline's over the same questions, in points.

    Attributes:
        mean, low, high: The paired difference with its 95 % interval (cluster bootstrap over documents).
        p: p value of the paired permutation test over documents.
        p_holm: The same, corrected for the number of comparisons of this metric in the table (Holm).
        p_bootstrap, p_bootstrap_holm: Paired bootstrap over documents, and corrected.
        p_t, p_t_holm: Paired t-test over questions, which is what papers report, and corrected.
    """

    mean: float
    low: float
    high: float
    p: float
    p_holm: float
    p_bootstrap: float
    p_bootstrap_holm: float
    p_t: float
    p_t_holm: float


@dataclass(frozen=True, slots=True)
class Row:
    """A recipe at a budget.

    Attributes:
        recipe, budget: Which.
        n: Number of questions, including unscored ones.
        n_words: Mean length of the contexts in whitespace words.
        scores: By metric.
        differences: To the baseline at the same budget, by metric, where both scored some question; empty for the
            baseline, and if it was not run at that budget.
        stand_ins: Replacements for parts of the recipe that the engines of the run lack.
    """

    recipe: str
    budget: int
    n: int
    n_words: float
    scores: dict[str, Mean]
    differences: dict[str, Difference]
    stand_ins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Summary:
    """The results of a run, as in ``summary.json``.

    Attributes:
        record: The record of the run.
        rows: One per recipe and budget, in the order of the run.
    """

    record: RunRecord
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Measured:
    """Per-question scores of a recipe at a budget.

    Attributes:
        recipe, budget: Which.
        n_words: Mean length of the contexts in whitespace words.
        values: Each metric's values in percent, one per question in the order of the data file; NaN if not scored.
            Metrics that are never scored are left out.
    """

    recipe: str
    budget: int
    n_words: float
    values: dict[str, Doubles]


def summarize(
    dataset: Dataset, documents: Sequence[LabelledDocument], cells: Sequence[Cell], *, baseline: str, seed: int
) -> list[Row]:
    """One row per cell, in order, compared with the baseline at the same budget.

    Raises:
        DataError: If a cell has no result for a question, or no cell is the baseline's.
    """
    return compare(measure(dataset, documents, cells), documents, baseline=baseline, seed=seed)


def measure(dataset: Dataset, documents: Sequence[LabelledDocument], cells: Sequence[Cell]) -> list[Measured]:
    """The metrics of each cell for each question.

    Raises:
        DataError: If a cell has no result for a question.
    """
    return [
        Measured(
            recipe,
            budget,
            float(np.mean([len(one.context.split()) for one in retrieved.values()])),
            _columns(dataset, documents, (recipe, budget, retrieved)),
        )
        for recipe, budget, retrieved in cells
    ]


def compare(
    measured: Sequence[Measured], documents: Sequence[LabelledDocument], *, baseline: str, seed: int
) -> list[Row]:
    """One row per measured cell, in order, compared with the baseline at the same budget.

    A metric that not every cell has is left out: the kind of a QASPER question is that of the reference nearest to the
    answer, so few questions may have a kind with one system and not with another.

    Raises:
        DataError: If no cell is the baseline's.
    """
    measured = _with_shared_metrics(measured)
    clusters = np.array([number for number, labelled in enumerate(documents) for _ in labelled.questions])
    bases = {one.budget: one.values for one in measured if one.recipe == baseline}
    if not bases:
        known = ", ".join(dict.fromkeys(one.recipe for one in measured))
        raise DataError(f"the baseline {baseline!r} is not among the recipes that were measured ({known})")
    rows = [
        Row(
            one.recipe,
            one.budget,
            n=len(clusters),
            n_words=one.n_words,
            scores={name: _mean(values, clusters, seed) for name, values in one.values.items()},
            differences={}
            if one.recipe == baseline
            else {
                name: _difference(one.values[name] - base, clusters, seed)
                for name, base in bases.get(one.budget, {}).items()
                if not np.isnan(one.values[name] - base).all()
            },
        )
        for one in measured
    ]
    _correct(rows)
    return rows


def _with_shared_metrics(measured: Sequence[Measured]) -> list[Measured]:
    shared = [name for name in measured[0].values if all(name in one.values for one in measured)]
    return [replace(one, values={name: one.values[name] for name in shared}) for one in measured]


def _columns(dataset: Dataset, documents: Sequence[LabelledDocument], cell: Cell) -> dict[str, Doubles]:
    recipe, budget, retrieved = cell
    measured = []
    for labelled in documents:
        for question in labelled.questions:
            if question.id not in retrieved:
                raise DataError(f"the results of {recipe} at {budget} words have no line for question {question.id}")
            measured.append(dataset.measure(question, retrieved[question.id]))
    scored = [name for name in dataset.metrics if any(name in row for row in measured)]
    return {name: 100 * np.array([row.get(name, np.nan) for row in measured]) for name in scored}


def _mean(values: Doubles, clusters: Clusters, seed: int) -> Mean:
    scored = ~np.isnan(values)
    low, high = bootstrap_interval(values[scored], clusters[scored], seed=seed)
    n_documents = len(np.unique(clusters[scored]))
    return Mean(int(scored.sum()), float(values[scored].mean()), low, high, n_documents)


def _difference(values: Doubles, clusters: Clusters, seed: int) -> Difference:
    scored = ~np.isnan(values)
    values, clusters = values[scored], clusters[scored]
    low, high = bootstrap_interval(values, clusters, seed=seed)
    p, p_t = permutation_p(values, clusters, seed=seed), paired_t_p(values)
    p_bootstrap = bootstrap_p(values, clusters, seed=seed)
    return Difference(
        float(values.mean()),
        low,
        high,
        p=p,
        p_holm=p,
        p_bootstrap=p_bootstrap,
        p_bootstrap_holm=p_bootstrap,
        p_t=p_t,
        p_t_holm=p_t,
    )


def _correct(rows: Sequence[Row]) -> None:
    """Sets the corrected p values over all comparisons of a metric."""
    for name in rows[0].scores:
        compared = [row for row in rows if name in row.differences]
        found = [row.differences[name] for row in compared]
        corrected = zip(
            compared,
            holm([one.p for one in found]),
            holm([one.p_bootstrap for one in found]),
            holm([one.p_t for one in found]),
            strict=True,
        )
        for row, p, p_bootstrap, p_t in corrected:
            row.differences[name] = replace(row.differences[name], p_holm=p, p_bootstrap_holm=p_bootstrap, p_t_holm=p_t)
