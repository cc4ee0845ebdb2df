"""Operations on arrays with one row per node or unit."""

from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from treatise.core.corpus import Scale

Floats = npt.NDArray[np.float32]

_Real = TypeVar("_Real", np.float32, np.float64)

_EQUAL: Final = 1e-6
"""Standard deviation up to which values count as equal: scores of equal texts differ this much by rounding."""

_BLOCK: Final = 1 << 16

_SIGN_AND_VALUE: Final = ~(0b111 << 28)
"""Clears the three exponent bits that the extension of the sign has set."""

_REBIASED: Final = np.float32(2.0 ** (127 - 15))
"""From the exponent's bias in a half float to that in a float32."""


def as_float32(rows: npt.NDArray[np.float16] | Floats) -> Floats:
    """The rows as float32, exactly; they must be finite. An array of float32 is returned as it is.

    numpy converts half floats one by one. Their bits are those of a float32 with three exponent bits more, so a shift
    and a product do it in half the time, by blocks that stay in the processor's cache.
    """
    if rows.dtype == np.float32:
        return rows  # type: ignore[return-value]  # mypy does not narrow by dtype
    bits = np.ascontiguousarray(rows, dtype=np.float16).reshape(-1).view(np.int16)
    found = np.empty(rows.shape, dtype=np.float32)
    wide = found.reshape(-1).view(np.int32)
    for start in range(0, len(bits), _BLOCK):
        block = wide[start : start + _BLOCK]
        block[...] = bits[start : start + _BLOCK]
        block <<= 13
        block &= np.int32(_SIGN_AND_VALUE)
        values = block.view(np.float32)
        values *= _REBIASED
    return found


def unit_rows(matrix: Floats) -> Floats:
    """The matrix with every row scaled to length 1; a zero row stays zero. Shape ``(n, dim)``, float32."""
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    scaled: Floats = (matrix / np.maximum(norms, 1e-12)).astype(np.float32, copy=False)
    return scaled


def standardise(
    values: npt.NDArray[_Real], reference: npt.NDArray[_Real] | None = None, *, weight: float = 1.0
) -> npt.NDArray[_Real]:
    """The weighted z-scores of the values; zeros if the reference values are equal.

    Mean and deviation are those of ``reference``, by default of the values themselves.
    """
    known = values if reference is None else reference
    if not len(known):
        return np.zeros_like(values)
    return standardise_on(Scale(known.mean(), float(known.std())), values, weight=weight)


def standardise_on(scale: Scale, values: npt.NDArray[_Real], *, weight: float = 1.0) -> npt.NDArray[_Real]:
    """The weighted z-scores of the values on a scale; zeros if the scale has no deviation."""
    if scale.deviation <= _EQUAL:
        return np.zeros_like(values)
    scaled: npt.NDArray[_Real] = weight * (values - scale.mean) / scale.deviation
    return scaled
