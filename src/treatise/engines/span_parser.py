"""The trained parser out of a folder: its network from safetensors, its encoder through onnxruntime."""

import json
from pathlib import Path

from safetensors.numpy import load_file

from treatise.core.errors import EngineUnavailableError
from treatise.engines.onnx_tokens import OnnxTokens
from treatise.parse.spans import SpanParser
from treatise.parse.spans.model import ParserConfig, SpanModel


def load_span_parser(folder: Path, *, threads: int = 2) -> SpanParser:
    """The parser in a folder with ``parser.json``, ``heads.safetensors`` and the files of :class:`OnnxTokens`.

    Raises:
        EngineUnavailableError: Where a file is missing or does not belong to the others.
    """
    reader = OnnxTokens(folder, threads=threads)
    try:
        config = ParserConfig(**json.loads((folder / "parser.json").read_text(encoding="utf-8")))
        model = SpanModel(config, load_file(folder / "heads.safetensors"))
    except Exception as error:  # json, safetensors and a missing weight each raise their own
        raise EngineUnavailableError(f"no parser could be loaded from {folder}: {error}") from error
    return SpanParser(model, reader)
