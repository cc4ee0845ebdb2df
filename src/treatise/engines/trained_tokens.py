"""The encoder of a model's folder: its own graph, or one in wheels with the layers that the folder contains."""

from importlib import import_module
from pathlib import Path
from typing import Final

from treatise.core.errors import EngineUnavailableError
from treatise.engines.graph_file import graph_path
from treatise.engines.onnx_tokens import OnnxTokens
from treatise.engines.trained_layers import SETTINGS, read_settings

E5: Final = "multilingual-e5-small"
MPNET: Final = "all-mpnet-base-v2"

_IN_WHEELS: Final = {E5: "treatise.engines.e5", MPNET: "treatise.engines.mpnet"}
"""Modules with a function ``open_trained_tokens``, by the encoder; loaded when a model over it is."""


def open_model_tokens(folder: Path, *, threads: int = 2) -> OnnxTokens:
    """The encoder of a model.

    Args:
        folder: It contains the files of :class:`OnnxTokens`; or ``encoder.json`` with the name of an encoder in wheels
            (``source``, multilingual-e5-small if there is no file): see ``open_trained_tokens`` in its module.
        threads: Processor threads.

    Raises:
        EngineUnavailableError: If a file is missing or does not match the others.
        MissingExtraError: If the encoder's wheels are not installed.
    """
    if any(path.is_file() for path in (graph_path(folder), folder / "tokenizer.json")):
        return OnnxTokens(folder, threads=threads)
    source = read_settings(folder).get("source", E5)
    if source not in _IN_WHEELS:
        raise EngineUnavailableError(f"{folder / SETTINGS}: no encoder is named {source!r}; update Treatise")
    found: OnnxTokens = import_module(_IN_WHEELS[source]).open_trained_tokens(folder, threads=threads)
    return found
