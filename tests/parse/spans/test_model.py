"""The network's LSTM, which reads a long text in parts, with the shipped weights: whether it forgets is theirs."""

from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

import treatise
from treatise.core.vectors import Floats
from treatise.engines.int8_rows import from_int8_rows
from treatise.engines.span_parser import read_config
from treatise.parse.spans.model import SpanModel

MODELS = sorted(path.parent for path in (Path(treatise.__file__).parent / "models").glob("*/parser.json"))
N_ALONE = 200
"""Units that are read in one part."""


@pytest.fixture(scope="module", params=MODELS, ids=lambda folder: folder.name)
def model(request: pytest.FixtureRequest) -> SpanModel:
    return SpanModel(read_config(request.param), from_int8_rows(load_file(request.param / "heads.safetensors")))


@pytest.mark.parametrize("n", [257, 300, 1_024, 1_025, 2_500])
def test_a_unit_is_read_alike_in_a_long_text_and_among_its_neighbours(model: SpanModel, n: int) -> None:
    units = np.random.default_rng(n).normal(scale=0.5, size=(n, model.config.unit)).astype(np.float32)
    whole = in_context(model, units)
    starts = chain(range(0, n - N_ALONE, 50), [n - N_ALONE])
    for start in starts:
        alone = in_context(model, units[start : start + N_ALONE])
        low, high = (start > 0) * 64, N_ALONE - (start + N_ALONE < n) * 64
        assert np.allclose(alone[low:high], whole[start + low : start + high], atol=2e-6)


def in_context(model: SpanModel, units: Floats) -> Floats:
    return model.in_context([units], np.zeros((len(units), 6), np.float32))[1:-1]
