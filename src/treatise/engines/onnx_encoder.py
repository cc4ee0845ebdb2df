"""A BERT-type encoder through onnxruntime: ours, and any other that was exported in the same form."""

import json
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt
import onnxruntime
from tokenizers import Tokenizer

from treatise.core.document import Span
from treatise.core.errors import EngineUnavailableError
from treatise.core.ports import Progress
from treatise.core.vectors import Floats, unit_rows

_ROWS_PER_RUN: Final = 8  # measured on two cores: 1.9 times the speed of 1, 1.1 times that of 32
_TEXTS_PER_BLOCK: Final = 2048  # sorted by length and kept in memory together

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class OnnxEncoderConfig:
    """What stands in ``encoder.json`` beside ``model.onnx`` and ``tokenizer.json``.

    Attributes:
        name: Identifies the weights.
        dim: Length of a vector.
        window_tokens: Longest input, special tokens included.
        start_id, end_id, padding_id: Ids of the special tokens before, after and beside a text.
    """

    name: str
    dim: int
    window_tokens: int
    start_id: int
    end_id: int
    padding_id: int


@dataclass(frozen=True, slots=True)
class _Window:
    """A run of one text's tokens that is read together.

    Attributes:
        ids: Token ids without special tokens.
        rows: Result row of each token, -1 for a token outside every span.
        whole: Whether the special tokens' vectors count for row ``rows[0]`` as well, as in the model's training.
    """

    ids: list[int]
    rows: npt.NDArray[np.int32]
    whole: bool


class OnnxEncoder:
    """``core.ports.Encoder`` over a folder with ``model.onnx``, ``tokenizer.json`` and ``encoder.json``.

    The graph maps ``input_ids`` and ``attention_mask``, int64 ``(rows, length)``, to ``token_vectors``,
    float32 ``(rows, length, dim)``. A text's vector is the mean over its tokens, the special ones included; a span's
    is the mean over the tokens that begin in it.

    Args:
        folder: Holds the three files.
        threads: Runs at the same time; each run uses one core.

    Raises:
        EngineUnavailableError: Where a file is missing or the runtime refuses it.
    """

    reads_context = True

    def __init__(self, folder: Path, *, threads: int = 2) -> None:
        try:
            self.config = OnnxEncoderConfig(**json.loads((folder / "encoder.json").read_text(encoding="utf-8")))
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            self._session = _session(folder / "model.onnx")
        except Exception as error:  # the runtime's and the tokenizer's errors share no other ancestor
            raise EngineUnavailableError(f"no encoder could be loaded from {folder}: {error}") from error
        # A tokenizer file may carry the cut and the padding of its model's training; we do both ourselves.
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._threads = threads

    @property
    def name(self) -> str:
        """The weights' name."""
        return self.config.name

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self.config.dim

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Floats:
        """See ``core.ports.Encoder``. Equal texts are encoded once."""
        row_of = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        windows = self._whole_texts(list(row_of))
        vectors = self._mean_vectors(windows, n_rows=len(row_of), progress=_scaled(progress, len(texts)))
        return vectors[[row_of[text] for text in texts]] if len(row_of) < len(texts) else vectors

    def encode_in_context(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]], progress: Progress | None = None
    ) -> Floats:
        """See ``core.ports.Encoder``. A window ends where the next span would not fit any more."""
        n_rows = sum(len(of_text) for of_text in spans)
        windows = self._texts_in_windows(texts, spans)
        return self._mean_vectors(windows, n_rows=n_rows, progress=_scaled(progress, n_rows))

    def n_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, special ones not counted."""
        return [len(e.ids) for e in self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)]

    @property
    def _room(self) -> int:
        return self.config.window_tokens - 2

    def _whole_texts(self, texts: list[str]) -> Iterator[_Window]:
        for first in range(0, len(texts), _TEXTS_PER_BLOCK):
            block = texts[first : first + _TEXTS_PER_BLOCK]
            for row, encoding in enumerate(self._tokenizer.encode_batch_fast(block, add_special_tokens=False), first):
                ids = encoding.ids
                for at in range(0, max(1, len(ids)), self._room):
                    piece = ids[at : at + self._room]
                    yield _Window(piece, np.full(len(piece), row, dtype=np.int32), whole=True)

    def _texts_in_windows(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> Iterator[_Window]:
        first_row = 0
        for block in _blocks(zip(texts, spans, strict=True), _TEXTS_PER_BLOCK):
            encodings = self._tokenizer.encode_batch([text for text, _ in block], add_special_tokens=False)
            for (_, of_text), encoding in zip(block, encodings, strict=True):
                rows = _rows_of_tokens(encoding.offsets, of_text, first_row)
                for start, end in _windows(rows, self._room):
                    yield _Window(encoding.ids[start:end], rows[start:end], whole=False)
                first_row += len(of_text)

    def _mean_vectors(self, windows: Iterator[_Window], *, n_rows: int, progress: Progress) -> Floats:
        sums = np.zeros((n_rows, self.dim), dtype=np.float32)
        with ThreadPoolExecutor(self._threads) as pool:
            for block in _blocks(windows, _TEXTS_PER_BLOCK):
                block.sort(key=lambda window: len(window.ids))
                runs = list(_runs(block))
                for run, vectors in zip(runs, pool.map(self._run, runs), strict=True):
                    self._add(sums, run, vectors)
                    progress(len(run), n_rows)
        return unit_rows(sums)

    def _run(self, run: list[_Window]) -> Floats:
        length = 2 + max(len(window.ids) for window in run)
        ids = np.full((len(run), length), self.config.padding_id, dtype=np.int64)
        mask = np.zeros((len(run), length), dtype=np.int64)
        for i, window in enumerate(run):
            n = len(window.ids)
            ids[i, : n + 2] = [self.config.start_id, *window.ids, self.config.end_id]
            mask[i, : n + 2] = 1
        try:
            vectors: Floats = self._session.run(["token_vectors"], {"input_ids": ids, "attention_mask": mask})[0]
        except Exception as error:  # onnxruntime raises its own C++ classes
            raise EngineUnavailableError(f"the encoder {self.name} failed on {ids.shape} tokens: {error}") from error
        return vectors

    def _add(self, sums: Floats, run: list[_Window], vectors: Floats) -> None:
        for window, of_window in zip(run, vectors, strict=True):
            n = len(window.ids)
            if window.whole:
                # Weighted by its tokens, so that the pieces of a long text average to the mean over all of it.
                row = int(window.rows[0]) if n else -1
                if row >= 0:
                    sums[row] += of_window[: n + 2].mean(axis=0) * n
            else:
                _add_rows(sums, window.rows, of_window[1 : n + 1])


def _add_rows(sums: Floats, rows: npt.NDArray[np.int32], vectors: Floats) -> None:
    """Adds each vector to its row. Rows ascend within a window, so each is one slice."""
    edges = np.flatnonzero(np.diff(rows)) + 1
    starts = np.concatenate([[0], edges])
    totals = np.add.reduceat(vectors, starts, axis=0)
    for row, total in zip(rows[starts], totals, strict=True):
        if row >= 0:
            sums[row] += total


def _rows_of_tokens(offsets: list[tuple[int, int]], spans: Sequence[Span], first_row: int) -> npt.NDArray[np.int32]:
    """Result row of each token: of the span in which it begins, -1 where it begins in none."""
    at = np.array([start for start, _ in offsets], dtype=np.int64)
    starts = np.array([span.start for span in spans], dtype=np.int64)
    ends = np.array([span.end for span in spans], dtype=np.int64)
    if not len(spans):
        return np.full(len(at), -1, dtype=np.int32)
    of_token = np.searchsorted(starts, at, side="right") - 1
    inside = (of_token >= 0) & (at < ends[np.maximum(of_token, 0)])
    return np.where(inside, of_token + first_row, -1).astype(np.int32)


def _windows(rows: npt.NDArray[np.int32], room: int) -> Iterator[tuple[int, int]]:
    """Half-open token ranges of at most ``room`` tokens that end where a span does, if that span fits at all."""
    ends = np.concatenate([np.flatnonzero(np.diff(rows)) + 1, [len(rows)]]) if len(rows) else np.zeros(0, dtype=int)
    start = 0
    while start < len(rows):
        fitting = int(ends[np.searchsorted(ends, start + room, side="right") - 1])
        end = fitting if fitting > start else min(start + room, len(rows))
        yield start, end
        start = end


def _runs(windows: list[_Window]) -> Iterator[list[_Window]]:
    for first in range(0, len(windows), _ROWS_PER_RUN):
        yield windows[first : first + _ROWS_PER_RUN]


def _blocks(items: Iterable[_Item], size: int) -> Iterator[list[_Item]]:
    iterator = iter(items)
    while block := list(islice(iterator, size)):
        yield block


def _scaled(progress: Progress | None, total: int) -> Progress:
    """A counter of finished windows that reports as rows out of ``total``, at most all of them."""
    done = 0

    def count(n: int, _n_rows: int) -> None:
        nonlocal done
        done += n
        if progress is not None:
            progress(min(done, total), total)

    return count


def _session(path: Path) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # two runs side by side beat one run on two threads: the products are small
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
