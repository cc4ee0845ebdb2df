"""The extractive reader with onnxruntime: an encoder, and one layer on its token vectors.

A folder without a graph contains the trained layers of an encoder whose rest comes from its wheels.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

from safetensors.numpy import load_file

from treatise.core.once import Once
from treatise.core.span_answer import SpanAnswer
from treatise.core.vectors import Floats
from treatise.core.verdict import VerdictOdds
from treatise.engines.graph_file import graph_path
from treatise.engines.int8_rows import LAYERS
from treatise.engines.loading import loading
from treatise.engines.onnx_tokens import OnnxTokens
from treatise.engines.reader_tokens import reader_tokens
from treatise.engines.trained_tokens import open_model_tokens
from treatise.read import (
    VERDICTS,
    Calibration,
    Decoding,
    Layout,
    Window,
    decode,
    decode_verdict,
    make_windows,
)

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
    """A ``core.ports.PassageReader`` and ``ClaimJudge`` from a folder written by ``treatise train span-reader``.

    Args:
        folder: Holds ``reader.json``, ``head.safetensors`` and the encoder's files: see ``open_model_tokens``.
        threads: Concurrent runs, each on one core.

    Raises:
        EngineUnavailableError: If a file is missing; what the runtime refuses is raised by the first question.
    """

    def __init__(self, folder: Path, *, threads: int = 2) -> None:
        with loading(folder / READER):
            self._config = read_reader_config((folder / READER).read_text(encoding="utf-8"))
        with loading(folder / HEAD):
            head = load_file(folder / HEAD)
            self._weight, self._bias = head["weight"], head["bias"]
        is_in_wheel = (folder / LAYERS).is_file()
        with loading(path := folder / LAYERS if is_in_wheel else graph_path(folder)):
            path.stat()
        self._folder, self._threads = folder, threads
        self._loaded = Once(self._load)

    @property
    def name(self) -> str:
        """The weights' name."""
        return self._config.name

    def read(self, question: str, passages: Sequence[str]) -> SpanAnswer:
        """See ``PassageReader.read``."""
        windows, logits = self.logits(question, passages)
        return decode(windows, logits, self._config.decoding)

    def read_each(self, question: str, groups: Sequence[Sequence[str]]) -> list[SpanAnswer]:
        """See ``PassageReader.read_each``; the rows of all groups are read together."""
        asked, *found = reader_tokens(self._tokens, [question, *chain.from_iterable(groups)])
        passages = iter(found)
        windows = [make_windows(asked.ids, list(islice(passages, len(group))), self._layout) for group in groups]
        logits = iter(self._logits(list(chain.from_iterable(windows))))
        return [decode(some, list(islice(logits, len(some))), self._config.decoding) for some in windows]

    @property
    def _tokens(self) -> OnnxTokens:
        """The encoder, loaded by the first question: commands that ask nothing do not wait for it."""
        return self._loaded()

    def _load(self) -> OnnxTokens:
        return open_model_tokens(self._folder, threads=self._threads)

    @cached_property
    def _layout(self) -> Layout:
        return Layout.of(self._tokens.start_id, self._tokens.end_id, self._config.window_tokens)

    @property
    def has_verdicts(self) -> bool:
        """Whether the weights were trained for verdicts."""
        return bool(len(self._weight) >= VERDICTS.stop)

    def verdict(self, statement: str, passages: Sequence[str]) -> VerdictOdds:
        """See ``ClaimJudge.verdict``; only if ``has_verdicts``."""
        _, logits = self.logits(statement, passages)
        return decode_verdict(logits)

    def logits(self, question: str, passages: Sequence[str]) -> tuple[list[Window], list[Floats]]:
        """The rows, and the logits of each, shape ``(n_tokens, len(Head))``."""
        asked, *found = reader_tokens(self._tokens, [question, *passages])
        windows = make_windows(asked.ids, found, self._layout)
        return windows, self._logits(windows)

    def _logits(self, windows: Sequence[Window]) -> list[Floats]:
        """The logits of each row. The longest are read first, so that the threads end at about the same time."""
        order = sorted(range(len(windows)), key=lambda at: -len(windows[at].ids))
        vectors = self._tokens.read_apart(windows[at].ids for at in order)
        found = {at: of_row @ self._weight.T + self._bias for at, of_row in zip(order, vectors, strict=True)}
        return [found[at] for at in range(len(windows))]


def read_reader_config(text: str) -> OnnxReaderConfig:
    """The content of ``reader.json``."""
    table: dict[str, Any] = json.loads(text)
    decoding = table.pop("decoding")
    calibration = Calibration(**decoding.pop("calibration"))
    return OnnxReaderConfig(**table, decoding=Decoding(**decoding, calibration=calibration))
