"""What a model over an encoder in wheels has of its own."""

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from treatise.core.errors import EngineUnavailableError
from treatise.engines.int8_rows import LAYERS, to_int8_rows
from treatise.engines.trained_layers import SETTINGS, read_layers, read_settings


def test_trained_layers_are_read_as_floats(tmp_path: Path) -> None:
    weight = np.random.default_rng(0).normal(size=(3, 4)).astype(np.float32)
    save_file(to_int8_rows({"encoder.layer.0.weight": weight}), tmp_path / LAYERS)
    (tmp_path / SETTINGS).write_text('{"source": "e5", "n_layers": 2}', encoding="utf-8")
    assert np.allclose(read_layers(tmp_path)["encoder.layer.0.weight"], weight, atol=0.02)
    assert read_settings(tmp_path) == {"source": "e5", "n_layers": 2}


def test_a_frozen_encoder_has_no_trained_layers(tmp_path: Path) -> None:
    assert (read_layers(tmp_path), read_settings(tmp_path)) == ({}, {})


@pytest.mark.parametrize(("name", "read"), [(LAYERS, read_layers), (SETTINGS, read_settings)])
def test_a_damaged_file_is_named(tmp_path: Path, name: str, read: object) -> None:
    (tmp_path / name).write_bytes(b"\xff\x00")
    with pytest.raises(EngineUnavailableError, match=rf"{name} could not be loaded"):
        read(tmp_path)  # type: ignore[operator]
