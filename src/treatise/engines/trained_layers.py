"""The trained layers of a model over an encoder in wheels, and what its ``encoder.json`` says of that encoder."""

import json
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load_file

from treatise.engines.int8_rows import LAYERS, from_int8_rows
from treatise.engines.loading import loading

SETTINGS: Final = "encoder.json"


def read_layers(folder: Path) -> dict[str, npt.NDArray[np.float32]]:
    """The trained layers of a model; empty if its encoder was frozen.

    Raises:
        EngineUnavailableError: If the file cannot be read.
    """
    path = folder / LAYERS
    if not path.is_file():
        return {}
    with loading(path):
        return from_int8_rows(load_file(path))


def read_settings(folder: Path) -> dict[str, Any]:
    """The content of ``encoder.json``; empty if there is no such file.

    Raises:
        EngineUnavailableError: If it cannot be read.
    """
    with loading(path := folder / SETTINGS):
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        return found
