"""Writes an encoder as the folder that ``OnnxTokens`` reads: an int8 ONNX graph, its tokenizer and its settings."""

import json
from dataclasses import asdict
from pathlib import Path

from treatise.engines.onnx_graph import encoder_graph
from treatise.engines.onnx_tokens import OnnxTokensConfig
from treatise.train.source import EncoderSource


def export_encoder(source: EncoderSource, folder: Path, *, name: str, window_tokens: int) -> None:
    """Writes ``model.onnx``, ``tokenizer.json`` and ``encoder.json`` into the folder, which is made where missing.

    Args:
        source: Weights, tuned or as published, with their tokenizer.
        folder: What ``OnnxTokens`` is given.
        name: Identifies the weights.
        window_tokens: Longest row that they were trained for, special tokens included.

    Raises:
        MissingExtraError: Where the package onnx is not installed.
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
    graph = encoder_graph(source.weights, source.n_heads)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(graph)
    (folder / "tokenizer.json").write_text(source.tokenizer, encoding="utf-8")
    (folder / "encoder.json").write_text(json.dumps(asdict(config), indent=1), encoding="utf-8")
