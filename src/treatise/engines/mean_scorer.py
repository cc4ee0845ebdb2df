"""The paper's scorer out of a folder: its weights from safetensors, its encoder through onnxruntime."""

import json
from pathlib import Path

from safetensors.numpy import load_file

from treatise.core.errors import EngineUnavailableError
from treatise.engines.onnx_tokens import OnnxTokens
from treatise.parse.mean_scorer import MeanScorer, MeanScorerConfig


def load_mean_scorer(folder: Path, *, threads: int = 2) -> MeanScorer:
    """The scorer in a folder with ``scorer.json``, ``heads.safetensors`` and the files of :class:`OnnxTokens`.

    Raises:
        EngineUnavailableError: Where a file is missing or does not belong to the others.
    """
    reader = OnnxTokens(folder, threads=threads)
    try:
        config = MeanScorerConfig(**json.loads((folder / "scorer.json").read_text(encoding="utf-8")))
        return MeanScorer(config, load_file(folder / "heads.safetensors"), reader)
    except Exception as error:  # json, safetensors and a missing weight each raise their own
        raise EngineUnavailableError(f"no scorer could be loaded from {folder}: {error}") from error
