"""Token vectors of the shipped encoders: a row's are its own, whatever is read beside it."""

import numpy as np
import pytest

from treatise.engines.graph_file import SHIPPED
from treatise.engines.onnx_tokens import OnnxTokens

LENGTHS = (60, 5, 20, 61, 1)
ROUNDING = 0.05  # of a vector's parts; padding that is attended to changes them by up to 2


@pytest.mark.parametrize("name", ["parser-en", "segmenter-en", "reader-en", "treatise-en"])
def test_a_rows_vectors_do_not_depend_on_the_rows_beside_it(name: str) -> None:
    """Graphs of parser and segmenter have no mask: a padded row would attend to its padding, and its tree change."""
    tokens = OnnxTokens(SHIPPED / name, threads=1)
    ids = np.random.default_rng(5)
    rows = [[tokens.start_id, *ids.integers(1_000, 30_000, n).tolist(), tokens.end_id] for n in LENGTHS]
    alone = [vectors for row in rows for vectors in tokens.read([row])]
    for together in (tokens.read(rows), tokens.read_apart(rows)):
        assert all(np.allclose(*both, rtol=0, atol=ROUNDING) for both in zip(alone, together, strict=True))
