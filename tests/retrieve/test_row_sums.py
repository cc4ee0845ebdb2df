"""Checksums of rows, compared when they are read."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treatise.retrieve.row_sums import CheckedRows, DamagedRowsError, row_sums


def rows(width: int = 12, n_rows: int = 300) -> np.ndarray:
    return np.random.default_rng(width).integers(-127, 128, (n_rows, width), dtype=np.int8)


@pytest.mark.parametrize("width", [1, 5, 12, 384])
def test_every_flipped_bit_changes_the_sum_of_its_row_alone(width: int) -> None:
    sound = rows(width, 3)
    sums = row_sums(sound)
    for byte in range(width):
        for bit in range(8):
            flipped = sound.copy()
            flipped.view(np.uint8)[1, byte] ^= 1 << bit
            assert (row_sums(flipped) != sums).tolist() == [False, True, False]


@given(st.binary(min_size=24, max_size=24), st.binary(min_size=24, max_size=24))
def test_different_rows_have_different_sums(one: bytes, other: bytes) -> None:
    first, second = row_sums(np.frombuffer(one + other, dtype=np.int8).reshape(2, 24))
    assert (first == second) == (one == other)


def test_words_that_change_places_and_lost_rows_change_sums() -> None:
    sound = rows()
    swapped = sound[:, [4, 5, 6, 7, 0, 1, 2, 3, 8, 9, 10, 11]]
    assert (row_sums(swapped) != row_sums(sound)).all()
    assert (row_sums(np.zeros_like(sound)) != row_sums(sound)).all()


@pytest.mark.parametrize("numbers", [slice(250, 300), np.array([3, 299]), np.arange(300)], ids=["slice", "some", "all"])
def test_a_damaged_row_is_noticed_when_it_is_read(numbers: slice | np.ndarray) -> None:
    damaged = rows()
    sums = row_sums(damaged)
    damaged[299, 4] += 1
    checked = CheckedRows(damaged, sums)
    assert np.array_equal(checked[np.array([1, 2])], damaged[1:3])
    for _ in range(2):  # what was refused is refused again
        with pytest.raises(DamagedRowsError):
            checked[numbers]


def test_rows_are_compared_once() -> None:
    read = rows()
    checked = CheckedRows(read, row_sums(read))
    assert np.array_equal(checked[5:9], read[5:9])
    read[5] = 0
    assert not checked[5:7][0].any()
    read[20] = 0
    with pytest.raises(DamagedRowsError):
        checked[0:30]


def test_no_rows_have_no_sums() -> None:
    assert row_sums(np.zeros((0, 8), dtype=np.int8)).shape == (0,)
    assert CheckedRows(rows(), row_sums(rows()))[np.zeros(0, dtype=np.int64)].shape == (0, 12)
