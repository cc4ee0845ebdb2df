"""The extractive reader with onnxruntime: an encoder, and one layer on its token vectors."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from safetensors.numpy import load_file

from treatise.core.span_answer import SpanAnswer
from treatise.core.vectors import Floats
from treatise.engines.loading import loading
from treatise.engines.onnx_tokens import OnnxTokens
from treatise.read import Calibration, Decoding, Layout, Tokens, Window, decode, make_windows

READER: Final = "reader.json"
HEAD: Final = "head.safetensors"


@dataclass(frozen=True, slots=True)
class OnnxReaderConfig:
    """The content of ``reader.json``, beside ``head.safetensors`` and the encoder's files.

    Attributes:
        name: Identifies the weights.
        window_tokens: Longest row in training.
        decoding: How spans are chosen, and the calibration.
    """

    name: str
    window_tokens: int
    decoding: Decoding = field(default_factory=Decoding)

    def text(self) -> str:
        """The content of the file as a value."""
        return json.dumps(asdict(self), indent=1)


class OnnxReader:
    """A ``core.ports.PassageReader`` from a folder written by ``treatise train span-reader``.

    Args:
        folder: Holds ``reader.json``, ``head.safetensors`` and the files of :class:`OnnxTokens`.
        threads: Concurrent runs, each on one core.

    Raises:
        EngineUnavailableError: If a file is missing or the runtime refuses it.
    """

    def __init__(self, folder: Path, *, threads: int = 2) -> None:
        with loading(folder / READER):
            self._config = read_reader_config((folder / READER).read_text(encoding="utf-8"))
        with loading(folder / HEAD):
            head = load_file(folder / HEAD)
            self._weight, self._bias = head["weight"], head["bias"]
        self._tokens = OnnxTokens(folder, threads=threads)
        self._layout = Layout.of(self._tokens.start_id, self._tokens.end_id, self._config.window_tokens)

    @property
    def name(self) -> str:
        """The weights' name."""
        return self._config.name

    def read(self, question: str, passages: Sequence[str]) -> SpanAnswer:
        """See ``PassageReader.read``."""
        windows, logits = self.logits(question, passages)
        return decode(windows, logits, self._config.decoding)

    def logits(self, question: str, passages: Sequence[str]) -> tuple[list[Window], list[Floats]]:
        """The rows, and the logits of each, shape ``(n_tokens, len(Head))``."""
        asked, *found = (Tokens(one.ids, one.offsets) for one in self._tokens.tokenise([question, *passages]))
        windows = make_windows(asked.ids, found, self._layout)
        vectors = self._tokens.read(window.ids for window in windows)
        return windows, [of_row @ self._weight.T + self._bias for of_row in vectors]


def read_reader_config(text: str) -> OnnxReaderConfig:
    """The content of ``reader.json``."""
    table: dict[str, Any] = json.loads(text)
    decoding = table.pop("decoding")
    calibration = Calibration(**decoding.pop("calibration"))
    return OnnxReaderConfig(**table, decoding=Decoding(**decoding, calibration=calibration))
