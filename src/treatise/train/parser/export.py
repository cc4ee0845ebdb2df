"""The folder that is shipped: the heads, the exported encoder, the settings of both, and the model card."""

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load_file, save_file

from treatise.core.errors import DataError
from treatise.parse.spans.model import ParserConfig
from treatise.train.encoder_export import export_encoder
from treatise.train.parser.task import shape_of
from treatise.train.source import MINILM_WINDOW, EncoderSource, Weights

_ENCODER: Final = "encoder.bert."


def export_parser(checkpoint: Path, config: ParserConfig, source: EncoderSource, folder: Path) -> None:
    """Writes ``parser.json``, ``heads.safetensors`` (float16), ``model.onnx``, ``tokenizer.json``, ``encoder.json``.

    Args:
        checkpoint: A run's ``best.safetensors``: the heads, and of the encoder what was trained.
        config: The parser's shape and name.
        source: The encoder that training began from: what the checkpoint lacks is taken from here.
        folder: What ``load_span_parser`` is given.

    Raises:
        DataError: Where the checkpoint lacks a weight of a parser of this shape.
        MissingExtraError: Where the package onnx is not installed.
    """
    try:
        weights = load_file(checkpoint)
    except Exception as error:  # safetensors raises its own
        raise DataError(f"{checkpoint} holds no weights: {error!r}") from error
    heads = _heads(weights, config, checkpoint)
    tuned = replace(source, weights=_encoder(weights, source.weights))
    export_encoder(tuned, folder, name=f"{config.name}-encoder", window_tokens=MINILM_WINDOW)
    save_file(heads, folder / "heads.safetensors")
    (folder / "parser.json").write_text(json.dumps(asdict(config), indent=1), encoding="utf-8")


def _heads(weights: Weights, config: ParserConfig, checkpoint: Path) -> dict[str, npt.NDArray[np.float16]]:
    names = shape_of(config)
    if missing := sorted(set(names) - weights.keys()):
        raise DataError(f"{checkpoint} is not of a parser of this shape: it lacks {', '.join(missing[:3])}")
    return {name: np.ascontiguousarray(weights[name].astype(np.float16)) for name in names}


def _encoder(weights: Weights, base: Weights) -> Mapping[str, npt.NDArray[np.float32]]:
    tuned = {name.removeprefix(_ENCODER): array for name, array in weights.items() if name.startswith(_ENCODER)}
    return {name: tuned.get(name, array) for name, array in base.items()}
