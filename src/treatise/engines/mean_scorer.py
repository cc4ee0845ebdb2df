"""Loads DISRetrieval's scorer from a folder: weights from safetensors, the encoder with onnxruntime."""

import json
from pathlib import Path

from safetensors.numpy import load_file

from treatise.core.errors import EngineUnavailableError
from treatise.engines.graph_file import SHIPPED, graph_path
from treatise.engines.loading import loading
from treatise.engines.onnx_tokens import OnnxTokens
from treatise.engines.trained_tokens import E5
from treatise.parse.mean_scorer import MeanScorer, MeanScorerConfig
from treatise.parse.spans.tokens import TokenReader


def load_mean_scorer(folder: Path, *, threads: int = 2) -> MeanScorer:
    """The scorer in a folder with ``scorer.json``, ``heads.safetensors`` and the files of :class:`OnnxTokens`.

    Instead of the latter, ``encoder.json`` may name an encoder as ``source``: one that comes with Treatise, or
    multilingual-e5-small.

    Raises:
        EngineUnavailableError: If a file is missing or does not match the others.
        MissingExtraError: If the encoder's wheel is not installed.
    """
    reader = _reader(folder, threads)
    config = read_scorer_config(folder)
    with loading(path := folder / "heads.safetensors"):
        return MeanScorer(config, load_file(path), reader)


def _reader(folder: Path, threads: int) -> TokenReader:
    if graph_path(folder).is_file():
        return OnnxTokens(folder, threads=threads)
    with loading(path := folder / "encoder.json"):
        found = json.loads(path.read_text(encoding="utf-8"))
        source, name, n_layers = str(found["source"]), found["name"], found["n_layers"]
    reader = _named_reader(source, path, n_layers, threads)
    if reader.name != name:
        raise EngineUnavailableError(f"{path}: the scorer was trained on {name}, and {source} is now {reader.name}")
    return reader


def _named_reader(source: str, path: Path, n_layers: int | None, threads: int) -> OnnxTokens:
    if source == E5:
        from treatise.engines.e5 import open_e5_tokens

        return open_e5_tokens(threads=threads, n_layers=n_layers)
    if source != Path(source).name or not (SHIPPED / source).is_dir():
        raise EngineUnavailableError(f"{path}: no encoder named {source!r} comes with Treatise")
    return OnnxTokens(SHIPPED / source, threads=threads)


def read_scorer_config(folder: Path) -> MeanScorerConfig:
    """The shape and name of the scorer in a folder.

    Raises:
        EngineUnavailableError: If ``scorer.json`` is missing or invalid.
    """
    with loading(path := folder / "scorer.json"):
        return MeanScorerConfig(**json.loads(path.read_text(encoding="utf-8")))
