"""Layers that two models share are stored once."""

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from treatise.core.errors import EngineUnavailableError
from treatise.engines import shared_layers
from treatise.engines.int8_rows import LAYERS, to_int8_rows
from treatise.engines.shared_layers import SETTINGS, SHARED, cut_layers, read_layers, read_settings

Layers = dict[str, np.ndarray]


def layers(seed: int) -> Layers:
    return {
        "weight": np.random.default_rng(seed).normal(size=(3, 4)).astype(np.float32),
        "bias": np.ones(3, np.float32),
    }


def model(folder: Path, *, lower: Layers, upper: Layers) -> Path:
    """A model's folder with two trained layers."""
    folder.mkdir()
    named = {
        f"encoder.layer.{at}.{name}": array for at, one in enumerate((lower, upper)) for name, array in one.items()
    }
    save_file(to_int8_rows(named), folder / LAYERS)
    (folder / SETTINGS).write_text(json.dumps({"source": "e5", "n_layers": 2}), encoding="utf-8")
    return folder


@pytest.fixture
def parser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(shared_layers, "SHIPPED", tmp_path)
    return model(tmp_path / "parser", lower=layers(0), upper=layers(1))


def test_a_model_without_shared_layers_has_the_same_weights(parser: Path) -> None:
    folder = model(parser.parent / "segmenter", lower=layers(0), upper=layers(2))
    before, size = read_layers(folder), (folder / LAYERS).stat().st_size
    assert cut_layers(folder, parser)
    assert read_settings(folder) == {"source": "e5", "n_layers": 2, SHARED: "parser"}
    assert "encoder.layer.0.weight" not in load_file(folder / LAYERS)
    assert (folder / LAYERS).stat().st_size < size
    after = read_layers(folder)
    assert before.keys() == after.keys()
    assert all(np.array_equal(before[name], after[name]) for name in before)


def test_a_model_of_other_layers_stays_whole(parser: Path) -> None:
    other = {name: array + 1 for name, array in layers(3).items()}
    folder = model(parser.parent / "segmenter", lower=other, upper=other)
    before = (folder / LAYERS).read_bytes()
    assert not cut_layers(folder, parser)
    assert (folder / LAYERS).read_bytes() == before


def test_a_model_that_lacks_a_layer_of_the_other_stays_whole(parser: Path) -> None:
    folder = model(parser.parent / "segmenter", lower=layers(0), upper={})
    assert not cut_layers(folder, parser)


def test_the_missing_file_of_the_other_model_is_named(parser: Path) -> None:
    folder = model(parser.parent / "segmenter", lower=layers(0), upper=layers(2))
    cut_layers(folder, parser)
    (parser / LAYERS).unlink()
    with pytest.raises(EngineUnavailableError, match=r"parser.encoder\.safetensors could not be loaded"):
        read_layers(folder)


def test_a_frozen_encoder_has_no_trained_layers(tmp_path: Path) -> None:
    assert (read_layers(tmp_path), read_settings(tmp_path)) == ({}, {})
