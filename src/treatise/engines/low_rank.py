"""Trained matrices as a change of low rank to those that they began with.

Training moves a large encoder's matrices by a few hundredths of their size, mostly along few directions, so a change of
low rank takes an eighth of the bytes of the matrices themselves (measured in docs/log/parser.md).
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

RANK: Final = 64

_LEFT: Final = ".left"
_RIGHT: Final = ".right"

Arrays = Mapping[str, npt.NDArray[np.float32]]


def low_rank_changes(trained: Arrays, begun: Arrays, *, rank: int = RANK) -> dict[str, npt.NDArray[np.float32]]:
    """What ``with_changes`` needs to restore the trained arrays: two factors of each matrix, and vectors as they are.

    Args:
        trained: Arrays by name.
        begun: The arrays before training; it may have others too.
        rank: The most directions that are kept of a matrix's change.
    """
    changes: dict[str, npt.NDArray[np.float32]] = {}
    for name, array in trained.items():
        if array.ndim != 2:
            changes[name] = array
            continue
        left, sizes, right = np.linalg.svd(array - begun[name], full_matrices=False)
        root = np.sqrt(sizes[:rank])
        changes[name + _LEFT] = np.ascontiguousarray(left[:, :rank] * root)
        changes[name + _RIGHT] = np.ascontiguousarray(root[:, None] * right[:rank])
    return changes


def with_changes(begun: Arrays, changes: Arrays) -> dict[str, npt.NDArray[Any]]:
    """The arrays before training, with the changes of ``low_rank_changes``.

    Raises:
        KeyError: If the changes are of another encoder, or a factor is missing.
        ValueError: If shapes differ.
    """
    arrays = dict(begun)
    for name in sorted({name.removesuffix(_LEFT).removesuffix(_RIGHT) for name in changes}):
        is_whole, before = name in changes, begun[name]
        array = changes[name] if is_whole else changes[name + _LEFT] @ changes[name + _RIGHT]
        if array.shape != before.shape:
            raise ValueError(f"{name} has the shape {array.shape}, expected {before.shape}")
        arrays[name] = array if is_whole else before + array
    return arrays
