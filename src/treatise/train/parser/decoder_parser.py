"""A parser over a decoder: a teacher, which is read with torch and does not ship."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Final

import torch
from safetensors.numpy import load_file

from treatise.engines.loading import loading
from treatise.engines.span_parser import HEADS, load_span_parser, read_config
from treatise.parse.spans.model import SpanModel
from treatise.parse.spans.parser import SpanParser
from treatise.train.decoder import DecoderTokens, read_gguf
from treatise.train.readers import EncoderConfig, KeptTokens

_SETTINGS: Final = "decoder.json"


def export_decoder(config: EncoderConfig, folder: Path) -> None:
    """Writes ``decoder.json``: the encoder of the recipe, which names the GGUF file.

    Args:
        config: The encoder.
        folder: Created if missing.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _SETTINGS).write_text(json.dumps(asdict(config), indent=1), encoding="utf-8")


def open_parser(folder: Path, *, threads: int = 2) -> SpanParser:
    """A trained parser of either kind: over a decoder, or one that ships.

    Raises:
        EngineUnavailableError: If a file is missing or does not match the others.
        MissingExtraError, DataError: If the decoder cannot be read.
    """
    if not (folder / _SETTINGS).is_file():
        return load_span_parser(folder, threads=threads)
    torch.set_num_threads(threads)
    with loading(folder / _SETTINGS):
        config = EncoderConfig(**json.loads((folder / _SETTINGS).read_text("utf-8")))
    with loading(folder / HEADS):
        model = SpanModel(read_config(folder), load_file(folder / HEADS))
    return SpanParser(model, KeptTokens(DecoderTokens(read_gguf(Path(config.source), config.layers))))
