import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treatise.evaluate.metrics.statistics import (
    bootstrap_interval,
    bootstrap_p,
    holm,
    paired_t_p,
    permutation_p,
    student_t_p,
)


def test_the_interval_of_single_questions_is_about_two_standard_errors_wide():
    values = np.random.default_rng(1).normal(30, 10, size=400)
    low, high = bootstrap_interval(values, np.arange(400))
    error = values.std() / math.sqrt(400)
    assert low == pytest.approx(values.mean() - 1.96 * error, abs=0.2)
    assert high == pytest.approx(values.mean() + 1.96 * error, abs=0.2)


def test_questions_that_agree_within_documents_widen_the_interval():
    by_document = np.repeat(np.random.default_rng(1).normal(30, 10, size=40), 10)
    alone = bootstrap_interval(by_document, np.arange(400))
    clustered = bootstrap_interval(by_document, np.repeat(np.arange(40), 10))
    assert clustered[1] - clustered[0] > 2 * (alone[1] - alone[0])


def test_intervals_and_p_values_are_the_same_every_time():
    values, clusters = np.arange(30.0) - 12, np.arange(30) // 3
    assert bootstrap_interval(values, clusters) == bootstrap_interval(values, clusters)
    assert permutation_p(values, clusters) == permutation_p(values, clusters)


def test_the_permutation_p_is_near_the_one_of_all_sign_flips():
    values = np.array([3.0, -1.0, 4.0, 1.5, 5.0, 2.0, -0.5, 2.5, 1.0, 0.7])
    flips = [abs(np.dot(signs, values)) for signs in itertools.product((-1, 1), repeat=len(values))]
    exact = np.mean([total >= abs(values.sum()) - 1e-9 for total in flips])
    assert permutation_p(values, np.arange(len(values))) == pytest.approx(exact, abs=0.01)


def test_no_difference_is_no_evidence():
    assert permutation_p(np.zeros(20), np.arange(20)) == 1.0
    assert bootstrap_p(np.zeros(20), np.arange(20)) == 1.0
    assert paired_t_p(np.zeros(20)) == 1.0
    assert paired_t_p(np.ones(20)) == 0.0


@pytest.mark.parametrize(
    ("t", "freedom", "p"),
    # Two-sided critical values of the usual tables.
    [(12.706, 1, 0.05), (4.303, 2, 0.05), (3.182, 3, 0.05), (2.571, 5, 0.05), (2.750, 30, 0.01), (1.962, 1000, 0.05)],
)
def test_student_t_agrees_with_the_tables(t, freedom, p):
    assert student_t_p(t, freedom) == pytest.approx(p, rel=2e-3)
    assert student_t_p(-t, freedom) == student_t_p(t, freedom)


@given(st.floats(0, 6), st.integers(1, 60))
def test_student_t_agrees_with_integrating_its_density(t, freedom):
    x = np.linspace(0, t, 2_001)
    log_scale = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2) - 0.5 * math.log(freedom * math.pi)
    density = np.exp(log_scale - (freedom + 1) / 2 * np.log1p(x**2 / freedom))
    assert student_t_p(t, freedom) == pytest.approx(1 - 2 * np.trapezoid(density, x), abs=1e-5)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_never_lowers_a_p_value_and_keeps_their_order(p_values):
    corrected = holm(p_values)
    assert all(p <= q <= 1 for p, q in zip(p_values, corrected, strict=True))
    assert min(corrected) == pytest.approx(min(1, len(p_values) * min(p_values)))
    ranked = sorted(zip(p_values, corrected, strict=True))
    assert [q for _, q in ranked] == sorted(corrected)


DRAWN = np.random.default_rng(3).normal(0.7, 3, size=60)


def test_the_paired_t_test_equals_that_of_scipy():
    stats = pytest.importorskip("scipy.stats", reason="the oracle is scipy")
    base = np.random.default_rng(4).normal(30, 5, size=60)
    for size in (2, 3, 10, 60):
        expected = stats.ttest_rel(base[:size] + DRAWN[:size], base[:size]).pvalue
        assert paired_t_p(DRAWN[:size]) == pytest.approx(expected, abs=1e-9)


def test_permutation_and_bootstrap_are_those_of_scipy_up_to_the_draw():
    stats = pytest.importorskip("scipy.stats", reason="the oracle is scipy")
    alone = np.arange(len(DRAWN))
    flipped = stats.permutation_test(
        (DRAWN,), np.mean, permutation_type="samples", n_resamples=20_000, rng=np.random.default_rng(1)
    )
    assert permutation_p(DRAWN, alone) == pytest.approx(flipped.pvalue, abs=0.01)
    drawn = stats.bootstrap((DRAWN,), np.mean, method="percentile", n_resamples=20_000, rng=np.random.default_rng(1))
    assert bootstrap_interval(DRAWN, alone) == pytest.approx(tuple(drawn.confidence_interval), abs=0.03)
    moved = np.abs(drawn.bootstrap_distribution - DRAWN.mean()) >= abs(DRAWN.mean())
    assert bootstrap_p(DRAWN, alone) == pytest.approx(moved.mean(), abs=0.01)


def test_the_bootstrap_p_is_near_the_one_of_all_draws():
    values = np.array([3.0, -1.0, 4.0, 1.5, 0.5])
    means = [np.mean(draw) for draw in itertools.product(values, repeat=len(values))]
    exact = np.mean([abs(mean - values.mean()) >= values.mean() - 1e-9 for mean in means])
    assert bootstrap_p(values, np.arange(len(values))) == pytest.approx(exact, abs=0.01)


def test_a_bootstrap_over_documents_is_less_sure_than_one_over_questions_that_agree():
    values, documents = np.repeat(DRAWN[:12] + 1.5, 5), np.repeat(np.arange(12), 5)
    assert bootstrap_p(values, documents) > 2 * bootstrap_p(values, np.arange(60))
