"""The trained layers of a model over an encoder in a wheel, whole, or without those that another shipped model has.

``segmenter-multi`` keeps two layers of ``parser-multi`` as they are; ``scripts/hash-models`` leaves them out of its
file.
"""

import json
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load_file, save

from treatise.engines.graph_file import SHIPPED
from treatise.engines.int8_rows import LAYERS, from_int8_rows
from treatise.engines.loading import loading

SETTINGS: Final = "encoder.json"
SHARED: Final = "shared"
"""In the settings: the shipped model that has the other trained layers."""


def read_layers(folder: Path) -> dict[str, npt.NDArray[np.float32]]:
    """The trained layers of a model; empty if its encoder was frozen.

    Raises:
        EngineUnavailableError: If a file cannot be read, or the model with the other layers is missing.
    """
    path = folder / LAYERS
    if not path.is_file():
        return {}
    packed = _packed(path)
    if other := read_settings(folder).get(SHARED):
        packed = {**_packed(SHIPPED / str(other) / LAYERS), **packed}
    return from_int8_rows(packed)


def read_settings(folder: Path) -> dict[str, Any]:
    """The content of ``encoder.json``; empty if there is no such file.

    Raises:
        EngineUnavailableError: If it cannot be read.
    """
    with loading(path := folder / SETTINGS):
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        return found


def cut_layers(folder: Path, other: Path) -> bool:
    """Leaves out the arrays that the other model has too; False if nothing is shared, or only the other has an array.

    Args:
        folder: A model's.
        other: That of a shipped model with whole layers.
    """
    own, shared = load_file(folder / LAYERS), load_file(other / LAYERS)
    kept = {name: array for name, array in own.items() if not np.array_equal(array, shared.get(name))}
    if len(kept) == len(own) or not shared.keys() <= own.keys():
        return False
    (folder / LAYERS).write_bytes(save(kept))
    settings = json.loads((folder / SETTINGS).read_text(encoding="utf-8")) | {SHARED: other.name}
    (folder / SETTINGS).write_text(json.dumps(settings, indent=1), encoding="utf-8")
    return True


def _packed(path: Path) -> dict[str, npt.NDArray[Any]]:
    with loading(path):
        found: dict[str, npt.NDArray[Any]] = load_file(path)
        return found
