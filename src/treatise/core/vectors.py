"""Operations on arrays with one row per node or unit."""

from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from treatise.core.corpus import Scale

Floats = npt.NDArray[np.float32]

_Real = TypeVar("_Real", np.float32, np.float64)

_EQUAL: Final = 1e-6
"""Standard deviation up to which values count as equal: scores of equal texts differ this much by rounding."""


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
