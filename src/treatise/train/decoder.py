"""A decoder as a frozen encoder of texts: the lower layers of a Llama from a GGUF file."""

import json
from dataclasses import dataclass
from pathlib import Path

from treatise.engines.decoder_tokens import DecoderFile, open_decoder
from treatise.engines.span_parser import DECODER
from treatise.train.source import EncoderSource


@dataclass(frozen=True, slots=True, kw_only=True)
class DecoderSource(EncoderSource):
    """The lower layers of a decoder, which are only read.

    Attributes:
        file: Its weights and tokenizer.
    """

    file: DecoderFile

    @property
    def dim(self) -> int:
        """Length of a token's vector."""
        return self.file.dim


def decoder_source(path: str, n_layers: int) -> DecoderSource:
    """The decoder in a GGUF file; see :func:`~treatise.engines.decoder_tokens.open_decoder`."""
    file = open_decoder(path, n_layers)
    return DecoderSource(name=file.name, weights={}, n_heads=file.n_heads, tokenizer="", file=file)


def export_decoder(path: str, n_layers: int, folder: Path) -> None:
    """Writes ``decoder.json``.

    Args:
        path, n_layers: As for :func:`decoder_source`.
        folder: Created if missing.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / DECODER).write_text(json.dumps({"source": path, "layers": n_layers}, indent=1) + "\n", encoding="utf-8")
