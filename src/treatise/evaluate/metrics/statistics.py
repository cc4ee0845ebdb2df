"""Confidence intervals and tests for means over questions clustered by document; numpy, seeded, reproducible."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

N_RESAMPLES: Final = 10_000
_BLOCK: Final = 500  # resamples drawn together: bounds memory to a few MB for thousands of documents

Doubles = npt.NDArray[np.float64]
Clusters = npt.NDArray[np.int64]


def bootstrap_interval(values: Doubles, clusters: Clusters, *, seed: int = 0) -> tuple[float, float]:
    """95 % percentile interval of the mean, whole clusters drawn with replacement (cluster bootstrap).

    Questions on one document are alike, so documents are drawn, not questions. For differences, this is the paired
    bootstrap interval.

    Args:
        values: One per question.
        clusters: Each question's document, as a whole number.
        seed: Seed of the resampling.
    """
    low, high = np.quantile(_resampled_means(values, clusters, seed), [0.025, 0.975])
    return float(low), float(high)


def bootstrap_p(differences: Doubles, clusters: Clusters, *, seed: int = 0) -> float:
    """Two-sided p of no difference by the paired cluster bootstrap (Efron & Tibshirani, 1993, section 16.4).

    The share of resampled means at least as far from the observed mean as the observed mean is from 0. The observed
    sample is included, so p is at least ``1 / (N_RESAMPLES + 1)``.
    """
    observed = float(differences.mean())
    moved = np.abs(_resampled_means(differences, clusters, seed) - observed)
    return (int((moved >= abs(observed) - 1e-9).sum()) + 1) / (N_RESAMPLES + 1)


def permutation_p(differences: Doubles, clusters: Clusters, *, seed: int = 0) -> float:
    """Two-sided p of no difference: each document's signs flipped at random (paired permutation test).

    Monte Carlo including the observed sample, so p is at least ``1 / (N_RESAMPLES + 1)``.
    """
    sums, _ = _by_cluster(differences, clusters)
    observed = abs(sums.sum()) - 1e-9
    random = np.random.default_rng(seed)
    n_as_far = 0
    for _ in range(0, N_RESAMPLES, _BLOCK):
        signs = random.integers(0, 2, size=(_BLOCK, len(sums))) * 2 - 1
        n_as_far += int((np.abs(signs @ sums) >= observed).sum())
    return (n_as_far + 1) / (N_RESAMPLES + 1)


def paired_t_p(differences: Doubles) -> float:
    """Two-sided p of the paired t-test over questions; 1 if all differences are 0, 0 if all are equal and nonzero."""
    n = len(differences)
    deviation = float(differences.std(ddof=1)) if n > 1 else 0.0
    mean = float(differences.mean())
    if deviation < 1e-12:
        return float(abs(mean) < 1e-12)
    return student_t_p(mean / (deviation / math.sqrt(n)), n - 1)


def student_t_p(t: float, freedom: int) -> float:
    """Two-sided tail of Student's t with a whole number of degrees of freedom (Abramowitz & Stegun 26.7.3, 26.7.4).

    >>> round(student_t_p(2.228, 10), 3)
    0.05
    """
    angle = math.atan(abs(t) / math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = term if freedom > 1 else 0.0
    for k in range(2 + odd, freedom, 2):
        term *= cosine * cosine * (k - 1) / k
        total += term
    inside = 2 / math.pi * (angle + sine * total) if odd else sine * total
    return max(0.0, 1 - inside)


def holm(p_values: Sequence[float]) -> list[float]:
    """The p values corrected by Holm's step-down method, in input order.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected = [0.0] * len(p_values)
    highest = 0.0
    for rank, i in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[i]))
        corrected[i] = highest
    return corrected


def _resampled_means(values: Doubles, clusters: Clusters, seed: int) -> Doubles:
    """Means of ``N_RESAMPLES`` draws of whole clusters with replacement."""
    sums, counts = _by_cluster(values, clusters)
    random = np.random.default_rng(seed)
    chance = np.full(len(sums), 1 / len(sums))
    means = []
    for _ in range(0, N_RESAMPLES, _BLOCK):
        drawn = random.multinomial(len(sums), chance, size=_BLOCK)
        means.append((drawn @ sums) / (drawn @ counts))
    return np.concatenate(means)


def _by_cluster(values: Doubles, clusters: Clusters) -> tuple[Doubles, Doubles]:
    """Sum and number of the values of each cluster."""
    _, numbers = np.unique(clusters, return_inverse=True)
    sums: Doubles = np.bincount(numbers, weights=values).astype(np.float64)
    return sums, np.bincount(numbers).astype(np.float64)
