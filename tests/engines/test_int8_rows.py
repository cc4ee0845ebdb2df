"""Matrices in eight bits per number."""

import numpy as np

from treatise.engines.int8_rows import from_int8_rows, to_int8_rows


def test_packed_matrices_come_back_within_half_a_step_of_their_row() -> None:
    random = np.random.default_rng(0)
    matrix = random.normal(0, 1, (5, 64)).astype(np.float32) * np.array([[1], [10], [0.1], [0], [3]], np.float32)
    bias = random.normal(0, 1, 5).astype(np.float32)
    back = from_int8_rows(to_int8_rows({"a.weight": matrix, "a.bias": bias}))
    steps = np.abs(matrix).max(axis=1, keepdims=True) / 127
    assert back.keys() == {"a.weight", "a.bias"}
    assert (np.abs(back["a.weight"] - matrix) <= steps / 2 + 1e-6).all()
    assert np.allclose(back["a.bias"], bias, atol=2e-3)


def test_a_coarser_step_leaves_fewer_different_numbers_and_keeps_rows_with_outliers() -> None:
    random = np.random.default_rng(0)
    matrix = random.normal(0, 1, (2, 4096)).astype(np.float32)
    matrix[1, 0] = 40
    fine, coarse = (to_int8_rows({"a.weight": matrix}, step=step) for step in (0.0, 0.2))
    assert len(np.unique(coarse["a.weight"][0])) < len(np.unique(fine["a.weight"][0])) / 3
    assert np.array_equal(coarse["a.weight"][1], fine["a.weight"][1])
    assert np.abs(from_int8_rows(coarse)["a.weight"][0] - matrix[0]).max() <= 0.1 + 1e-3
