"""Loads a trained parser or segmenter from its folder: networks from safetensors, encoders with onnxruntime.

A folder without an encoder is of a model over multilingual-e5-small or all-mpnet-base-v2: it contains the heads and the
trained parts of that encoder; the rest comes from its wheels.
"""

import json
from pathlib import Path
from typing import Final

from safetensors.numpy import load_file

from treatise.engines.int8_rows import from_int8_rows
from treatise.engines.loading import loading
from treatise.engines.trained_tokens import open_model_tokens
from treatise.parse.spans.model import BoundaryModel, ParserConfig, SegmenterConfig, SpanModel
from treatise.parse.spans.parser import SpanParser
from treatise.parse.spans.segmenter import TokenSegmenter

HEADS: Final = "heads.safetensors"


def load_span_parser(folder: Path, *, threads: int = 2) -> SpanParser:
    """The parser in a folder with ``parser.json``, ``heads.safetensors`` and its encoder's files.

    See ``open_model_tokens`` for the encoder's files.

    Args:
        folder: The folder.
        threads: Processor threads.

    Raises:
        EngineUnavailableError: If a file is missing or does not match the others.
        MissingExtraError: If the encoder's wheel is not installed.
    """
    config = read_config(folder)
    with loading(folder / HEADS):
        model = SpanModel(config, from_int8_rows(load_file(folder / HEADS)))
    return SpanParser(model, open_model_tokens(folder, threads=threads))


def load_segmenter(folder: Path, *, threads: int = 2) -> TokenSegmenter:
    """The segmenter in a folder with ``segmenter.json``, ``heads.safetensors`` and its encoder's files.

    See ``open_model_tokens`` for the encoder's files.

    Raises:
        EngineUnavailableError: If a file is missing or does not match the others.
        MissingExtraError: If the encoder's wheel is not installed.
    """
    config = read_segmenter_config(folder)
    with loading(folder / HEADS):
        model = BoundaryModel(load_file(folder / HEADS))
    return TokenSegmenter(config.name, model, open_model_tokens(folder, threads=threads), config.window)


def read_config(folder: Path) -> ParserConfig:
    """The shape and name of the parser in a folder.

    Raises:
        EngineUnavailableError: If ``parser.json`` is missing or invalid.
    """
    with loading(path := folder / "parser.json"):
        return ParserConfig(**json.loads(path.read_text(encoding="utf-8")))


def read_segmenter_config(folder: Path) -> SegmenterConfig:
    """The name and window of the segmenter in a folder.

    Raises:
        EngineUnavailableError: If ``segmenter.json`` is missing or invalid.
    """
    with loading(path := folder / "segmenter.json"):
        return SegmenterConfig(**json.loads(path.read_text(encoding="utf-8")))
