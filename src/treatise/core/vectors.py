"""Arrays that stand beside a tree, one row a node or a unit."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


def unit_rows(matrix: Floats) -> Floats:
    """The matrix with every row scaled to length 1; a zero row stays zero. Shape ``(n, dim)``, float32."""
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    scaled: Floats = (matrix / np.maximum(norms, 1e-12)).astype(np.float32, copy=False)
    return scaled
