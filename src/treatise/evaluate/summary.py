"""From retrieved contexts to a table: means with intervals, and differences to the first recipe with tests."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from treatise.core.errors import DataError
from treatise.evaluate.dataset import Dataset, LabelledDocument, Retrieved
from treatise.evaluate.statistics import Clusters, Doubles, bootstrap_interval, holm, paired_t_p, permutation_p

_CSV_COLUMNS: Final = (
    *("recipe", "budget", "metric", "n", "mean", "low", "high"),
    *("difference", "difference_low", "difference_high", "p", "p_holm", "p_t"),
)

Cell = tuple[str, int, Mapping[str, Retrieved]]
"""A recipe's slug, a budget, and what was retrieved by question id."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over questions, in percent, with its 95 % interval (cluster bootstrap over documents)."""

    n: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """A recipe's mean less the baseline's over the same questions, in points.

    Attributes:
        mean, low, high: Of the paired difference, with its 95 % interval (cluster bootstrap over documents).
        p: Paired permutation test over documents.
        p_holm: The same, corrected for the number of comparisons of this metric in the table (Holm).
        p_t: Paired t-test over questions, uncorrected; what papers report.
    """

    mean: float
    low: float
    high: float
    p: float
    p_holm: float
    p_t: float


@dataclass(frozen=True, slots=True)
class Row:
    """A recipe at a budget.

    Attributes:
        recipe, budget: Which.
        n: Questions, those that are not scored counted in.
        n_words: Mean length of the contexts in whitespace words.
        scores: By metric.
        differences: To the first recipe at the same budget, by metric; empty for the first recipe.
    """

    recipe: str
    budget: int
    n: int
    n_words: float
    scores: dict[str, Mean]
    differences: dict[str, Difference]


def summarize(
    dataset: Dataset, documents: Sequence[LabelledDocument], cells: Sequence[Cell], *, seed: int
) -> list[Row]:
    """One row a cell, in order. The recipe of the first cell is the baseline.

    Raises:
        DataError: Where a cell lacks a question.
    """
    clusters = np.array([number for number, labelled in enumerate(documents) for _ in labelled.questions])
    columns = [_columns(dataset, documents, cell) for cell in cells]
    first = cells[0][0]
    baselines = {cell[1]: of_cell for cell, of_cell in zip(cells, columns, strict=True) if cell[0] == first}
    rows = [
        Row(
            recipe,
            budget,
            n=len(clusters),
            n_words=float(np.mean([len(one.context.split()) for one in retrieved.values()])),
            scores={name: _mean(values, clusters, seed) for name, values in of_cell.items()},
            differences={}
            if recipe == first
            else {name: _difference(of_cell[name] - base, clusters, seed) for name, base in baselines[budget].items()},
        )
        for (recipe, budget, retrieved), of_cell in zip(cells, columns, strict=True)
    ]
    _correct(rows)
    return rows


def _columns(dataset: Dataset, documents: Sequence[LabelledDocument], cell: Cell) -> dict[str, Doubles]:
    """Each metric's values in percent, one a question; NaN where it is not scored. Metrics never scored are out."""
    recipe, budget, retrieved = cell
    measured = []
    for labelled in documents:
        for question in labelled.questions:
            if question.id not in retrieved:
                raise DataError(f"the results of {recipe} at {budget} words lack the question {question.id}")
            measured.append(dataset.measure(question, retrieved[question.id]))
    scored = [name for name in dataset.metrics if any(name in row for row in measured)]
    return {name: 100 * np.array([row.get(name, np.nan) for row in measured]) for name in scored}


def _mean(values: Doubles, clusters: Clusters, seed: int) -> Mean:
    scored = ~np.isnan(values)
    low, high = bootstrap_interval(values[scored], clusters[scored], seed=seed)
    return Mean(int(scored.sum()), float(values[scored].mean()), low, high)


def _difference(values: Doubles, clusters: Clusters, seed: int) -> Difference:
    scored = ~np.isnan(values)
    values, clusters = values[scored], clusters[scored]
    low, high = bootstrap_interval(values, clusters, seed=seed)
    p = permutation_p(values, clusters, seed=seed)
    return Difference(float(values.mean()), low, high, p=p, p_holm=p, p_t=paired_t_p(values))


def _correct(rows: Sequence[Row]) -> None:
    """Sets ``p_holm`` over all comparisons of a metric."""
    compared = [row for row in rows if row.differences]
    for name in rows[0].scores:
        corrected = holm([row.differences[name].p for row in compared])
        for row, p in zip(compared, corrected, strict=True):
            row.differences[name] = replace(row.differences[name], p_holm=p)


def as_markdown(rows: Sequence[Row]) -> str:
    """The rows as a table: mean with interval, and the difference to the first recipe with its corrected p."""
    metrics = list(rows[0].scores)
    head = ["recipe", "words", *(cell for name in metrics for cell in (name, f"Δ {name}"))]
    lines = [
        _line(head),
        _line(["---", "--:", *["---"] * (2 * len(metrics))]),
        *(_line([row.recipe, str(row.budget), *_cells(row, metrics)]) for row in rows),
    ]
    scored = ", ".join(f"{name} of {rows[0].scores[name].n:,} questions" for name in metrics) or "Nothing is scored"
    note = f"{scored}: percent, [95 % interval over documents]."
    compared = f"Δ: points over {rows[0].recipe}, p by permutation of documents, Holm-corrected."
    return "\n".join([*lines, "", note, compared, ""])


def as_csv(rows: Sequence[Row]) -> str:
    """The rows with one line a metric, for spreadsheets."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(_CSV_COLUMNS)
    for row in rows:
        for name, mean in row.scores.items():
            d = row.differences.get(name)
            compared = [d.mean, d.low, d.high, d.p, d.p_holm, d.p_t] if d else [""] * 6
            table.writerow([row.recipe, row.budget, name, mean.n, mean.mean, mean.low, mean.high, *compared])
    return text.getvalue()


def _cells(row: Row, metrics: Sequence[str]) -> Iterator[str]:
    for name in metrics:
        mean, difference = row.scores[name], row.differences.get(name)
        yield f"{mean.mean:.2f} [{mean.low:.2f}, {mean.high:.2f}]"
        yield (
            f"{difference.mean:+.2f} [{difference.low:+.2f}, {difference.high:+.2f}], p {difference.p_holm:.4f}"
            if difference
            else ""
        )


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
