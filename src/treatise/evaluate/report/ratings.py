"""Unblinds the ratings of a sheet: means with intervals and tests, and inter-rater agreement."""

import csv
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from treatise.core.errors import DataError
from treatise.evaluate.metrics.agreement import fleiss_kappa
from treatise.evaluate.metrics.statistics import Doubles, bootstrap_interval, holm, paired_t_p
from treatise.evaluate.report.rating_sheet import SCHEMA

COLUMNS: Final = ("sheet", "rater", "item", "answer", "criterion", "score")
"""Columns of a ratings file, as written by the sheet: ``item`` counts from 1, ``answer`` is a letter."""


@dataclass(frozen=True, slots=True)
class Rating:
    """One score by a rater."""

    rater: str
    item: int
    system: str
    criterion: str
    score: int


@dataclass(frozen=True, slots=True)
class SystemRating:
    """A system's results for one criterion.

    Attributes:
        n: Number of ratings.
        mean, low, high: Mean and its 95 % interval, bootstrapped over items.
        difference: Difference to the baseline over items rated for both, averaged over raters; None for the
            baseline.
        p_t, p_t_holm: Paired t-test of that difference (Disco-RAG, appendix H), and its correction for the number of
            systems compared by this criterion; None for the baseline.
    """

    system: str
    criterion: str
    n: int
    mean: float
    low: float
    high: float
    difference: float | None = None
    p_t: float | None = None
    p_t_holm: float | None = None


@dataclass(frozen=True, slots=True)
class Agreement:
    """Inter-rater agreement for one criterion.

    Attributes:
        kappa: Fleiss' kappa; None if undefined: fewer than two raters, or only one score used.
        n: Number of answers rated by all raters.
        n_raters: Number of raters.
    """

    criterion: str
    kappa: float | None
    n: int
    n_raters: int


@dataclass(frozen=True, slots=True)
class RatingSummary:
    """The result of a human evaluation; the other systems are compared with ``baseline``."""

    baseline: str
    systems: tuple[SystemRating, ...]
    agreement: tuple[Agreement, ...]


def read_ratings(key: Path, files: Sequence[Path]) -> tuple[dict[str, Any], list[Rating]]:
    """The key, and all ratings with system names restored.

    Raises:
        DataError: If a file belongs to another sheet or has another format, a score is off the scale, or a rater rated
            an item twice.
    """
    known = _read_key(key)
    ratings = [rating for path in files for rating in _read_file(path, known)]
    if not ratings:
        raise DataError(f"no rating stands in {', '.join(map(str, files))}")
    counts = Counter((one.rater, one.item, one.system, one.criterion) for one in ratings)
    rater, item, _, criterion = twice = counts.most_common(1)[0][0]
    if counts[twice] > 1:
        raise DataError(
            f"rater {rater!r} rated {criterion} of an answer of item {item} twice: give each rater's file once, and "
            "raters different names"
        )
    return known, ratings


def summarize_ratings(key: dict[str, Any], ratings: Sequence[Rating], *, baseline: str | None = None) -> RatingSummary:
    """Means per system and criterion, paired tests against the baseline (the first system if None), and agreement.

    Raises:
        DataError: If the baseline is not among the systems.
    """
    systems, criteria = list(key["systems"]), [one["name"] for one in key["criteria"]]
    baseline = baseline or systems[0]
    if baseline not in systems:
        raise DataError(f"the baseline {baseline!r} is not among the systems ({', '.join(systems)})")
    rows = [row for criterion in criteria for row in _by_criterion(ratings, criterion, systems, baseline=baseline)]
    return RatingSummary(baseline, tuple(rows), tuple(_agreement(ratings, criterion) for criterion in criteria))


def as_markdown(summary: RatingSummary) -> str:
    """One row per system, one column per criterion; inter-rater agreement below."""
    criteria = [one.criterion for one in summary.agreement]
    by_system: dict[str, dict[str, SystemRating]] = defaultdict(dict)
    for row in summary.systems:
        by_system[row.system][row.criterion] = row
    lines = [
        _line(["system", *criteria]),
        _line(["---", *["---"] * len(criteria)]),
        *(_line([name, *(_shown(found.get(one)) for one in criteria)]) for name, found in by_system.items()),
        _line(["Fleiss' kappa", *(_kappa(one) for one in summary.agreement)]),
    ]
    note = f"Mean [95 % interval over items]; Δ to {summary.baseline}, p by paired t-test over items, Holm-corrected."
    return "\n".join([*lines, "", note, ""])


def _read_key(path: Path) -> dict[str, Any]:
    try:
        key = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: expected the key of a rating sheet ({error})") from error
    if not isinstance(key, dict) or key.get("schema") != SCHEMA or not {"sheet", "items", "criteria"} <= set(key):
        raise DataError(f"{path}: expected the key that `treatise eval rating-sheet` wrote")
    return key


def _read_file(path: Path, key: dict[str, Any]) -> Iterator[Rating]:
    scales = {one["name"]: {score for score, _ in one["scale"]} for one in key["criteria"]}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            table = csv.DictReader(file)
            if set(COLUMNS) - set(table.fieldnames or ()):
                raise DataError(f"{path}: expected the columns {', '.join(COLUMNS)}, found {table.fieldnames}")
            for row in table:
                yield _rating(row, key, scales, where=f"{path}: line {table.line_num}")
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path} could not be read: {error}") from error


def _rating(row: dict[str, str], key: dict[str, Any], scales: dict[str, set[int]], *, where: str) -> Rating:
    if row["sheet"] != key["sheet"]:
        raise DataError(f"{where}: it is of sheet {row['sheet']!r}, the key of {key['sheet']!r}")
    try:
        item, score = int(row["item"]), int(row["score"])
        system = key["items"][item - 1]["answers"][row["answer"]] if item >= 1 else None
    except (ValueError, IndexError, KeyError) as error:
        raise DataError(f"{where}: it names no answer of this sheet ({error!r})") from error
    if system is None or score not in scales.get(row["criterion"], set()):
        raise DataError(f"{where}: {row['criterion']} of item {item} cannot be {score} by this sheet's scales")
    return Rating(row["rater"], item, system, row["criterion"], score)


def _by_criterion(
    ratings: Sequence[Rating], criterion: str, systems: Sequence[str], *, baseline: str
) -> list[SystemRating]:
    by_item: dict[str, dict[int, list[int]]] = {system: defaultdict(list) for system in systems}
    for one in ratings:
        if one.criterion == criterion:
            by_item[one.system][one.item].append(one.score)
    rows = [_mean(system, criterion, found) for system, found in by_item.items() if found]
    compared = [_compared(row, by_item[row.system], by_item[baseline]) for row in rows if row.system != baseline]
    corrected = iter(holm([row.p_t for row in compared if row.p_t is not None]))
    with_p = {row.system: replace(row, p_t_holm=None if row.p_t is None else next(corrected)) for row in compared}
    return [with_p.get(row.system, row) for row in rows]


def _mean(system: str, criterion: str, by_item: dict[int, list[int]]) -> SystemRating:
    scores = np.array([score for found in by_item.values() for score in found], dtype=np.float64)
    items = np.array([item for item, found in by_item.items() for _ in found])
    low, high = bootstrap_interval(scores, items)
    return SystemRating(system, criterion, len(scores), float(scores.mean()), low, high)


def _compared(row: SystemRating, mine: dict[int, list[int]], base: dict[int, list[int]]) -> SystemRating:
    common = sorted(mine.keys() & base.keys())
    if not common:
        return row
    differences: Doubles = np.array([np.mean(mine[item]) - np.mean(base[item]) for item in common])
    return replace(row, difference=float(differences.mean()), p_t=paired_t_p(differences))


def _agreement(ratings: Sequence[Rating], criterion: str) -> Agreement:
    mine = [one for one in ratings if one.criterion == criterion]
    raters = {one.rater for one in mine}
    scores = sorted({one.score for one in mine})
    by_answer: dict[tuple[int, str], list[int]] = defaultdict(list)
    for one in mine:
        by_answer[one.item, one.system].append(one.score)
    counts = [[found.count(score) for score in scores] for found in by_answer.values() if len(found) == len(raters)]
    kappa = fleiss_kappa(counts) if len(raters) > 1 and counts else float("nan")
    return Agreement(criterion, None if np.isnan(kappa) else kappa, len(counts), len(raters))


def _shown(row: SystemRating | None) -> str:
    if row is None:
        return "–"
    mean = f"{row.mean:.2f} [{row.low:.2f}, {row.high:.2f}]"
    return mean if row.p_t_holm is None else f"{mean}, Δ {row.difference:+.2f}, p {row.p_t_holm:.4f}"


def _kappa(one: Agreement) -> str:
    return "–" if one.kappa is None else f"{one.kappa:.2f} ({one.n_raters} raters, {one.n} answers)"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
