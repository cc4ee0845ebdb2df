"""Loads DISRetrieval's scorer from a folder: weights from safetensors, the encoder with onnxruntime."""

import json
from pathlib import Path

from safetensors.numpy import load_file

from treatise.engines.loading import loading
from treatise.engines.onnx_tokens import OnnxTokens
from treatise.parse.mean_scorer import MeanScorer, MeanScorerConfig


def load_mean_scorer(folder: Path, *, threads: int = 2) -> MeanScorer:
    """The scorer in a folder with ``scorer.json``, ``heads.safetensors`` and the files of :class:`OnnxTokens`.

    Raises:
        EngineUnavailableError: If a file is missing or does not match the others.
    """
    reader = OnnxTokens(folder, threads=threads)
    config = read_scorer_config(folder)
    with loading(path := folder / "heads.safetensors"):
        return MeanScorer(config, load_file(path), reader)


def read_scorer_config(folder: Path) -> MeanScorerConfig:
    """The shape and name of the scorer in a folder.

    Raises:
        EngineUnavailableError: If ``scorer.json`` is missing or invalid.
    """
    with loading(path := folder / "scorer.json"):
        return MeanScorerConfig(**json.loads(path.read_text(encoding="utf-8")))
