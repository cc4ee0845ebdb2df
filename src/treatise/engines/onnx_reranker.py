"""A cross-encoder with onnxruntime: one score for question and text, read together."""

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from tokenizers import Encoding, Tokenizer

from treatise.core.errors import EngineUnavailableError
from treatise.core.printable import encodable
from treatise.core.vectors import Floats
from treatise.engines.onnx_tokens import session

_PAIRS_PER_RUN: Final = 8
_TOKENS_PER_RUN: Final = 1024  # padding included
_MODEL_FILES: Final = ("model.onnx", "onnx/model.onnx")
_QUESTION_SHARE: Final = 0.5  # of the window at most; a longer question is truncated to leave room for the text


@dataclass(frozen=True, slots=True)
class OnnxRerankerConfig:
    """The content of ``reranker.json``, beside ``model.onnx`` and ``tokenizer.json``.

    Attributes:
        name: Identifies the weights; if empty, the folder's name does.
        window_tokens: Longest pair that the model was trained for, special tokens included.
        padding_id: Id of the padding token.
    """

    name: str = ""
    window_tokens: int = 512
    padding_id: int = 0


class OnnxReranker:
    """A ``Reranker`` with an exported cross-encoder.

    The graph maps ``input_ids``, ``attention_mask`` and, if it has this input, ``token_type_ids``, int64
    ``(rows, length)``, to logits, float32 ``(rows,)``, ``(rows, 1)`` or ``(rows, 2)`` (irrelevant, relevant). A text
    longer than the window is read in pieces and has the score of the best one.

    Args:
        folder: Holds ``model.onnx`` (or ``onnx/model.onnx``), a ``tokenizer.json`` that joins pairs, and optionally
            ``reranker.json``; without it the window is that of ``config.json``.
        threads: Concurrent runs, each on one core.

    Raises:
        EngineUnavailableError: If a file is missing or the runtime refuses it.
    """

    def __init__(self, folder: Path, *, threads: int = 2) -> None:
        try:
            self._config = _config(folder)
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            model = next((folder / f for f in _MODEL_FILES if (folder / f).is_file()), folder / "model.onnx")
            self._session = session(model)
            self._wanted = {put.name for put in self._session.get_inputs()}
        except Exception as error:  # the runtime's and the tokenizer's errors have no other common base class
            raise EngineUnavailableError(f"no cross-encoder could be loaded from {folder}: {error}") from error
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._threads = threads

    @property
    def name(self) -> str:
        """The weights' name."""
        return self._config.name

    def score(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """One score per text: its best piece's. See ``Reranker.score``."""
        question = self._first_tokens(encodable(question), int(_QUESTION_SHARE * self._config.window_tokens))
        pieces = [(row, piece) for row, text in enumerate(texts) for piece in self._pieces(question, encodable(text))]
        pairs = self._tokenizer.encode_batch([(question, piece) for _, piece in pieces])
        order = sorted(range(len(pairs)), key=lambda i: len(pairs[i].ids))
        best = np.full(len(texts), -np.inf)
        runs = list(_runs(order, pairs))
        for run, logits in zip(runs, self._run_all([[pairs[i] for i in run] for run in runs]), strict=True):
            np.maximum.at(best, [pieces[i][0] for i in run], logits)
        return [float(score) for score in best]

    def _pieces(self, question: str, text: str) -> Iterator[str]:
        """The text in pieces that fit into the window beside the question; at least one piece, possibly empty."""
        n_beside = len(self._tokenizer.encode(question, "").ids)
        room = max(1, self._config.window_tokens - n_beside)
        offsets = self._tokenizer.encode(text, add_special_tokens=False).offsets
        for at in range(0, max(1, len(offsets)), room):
            within = offsets[at : at + room]
            yield text[within[0][0] : within[-1][1]] if within else ""

    def _first_tokens(self, text: str, n: int) -> str:
        offsets = self._tokenizer.encode(text, add_special_tokens=False).offsets
        return text if len(offsets) <= n else text[: offsets[n - 1][1]]

    def _run_all(self, runs: Sequence[Sequence[Encoding]]) -> Iterator[Floats]:
        if len(runs) == 1:
            yield self._run(runs[0])
            return
        with ThreadPoolExecutor(self._threads) as pool:
            yield from pool.map(self._run, runs)

    def _run(self, run: Sequence[Encoding]) -> Floats:
        shape = len(run), max(len(pair.ids) for pair in run)
        put = {name: np.zeros(shape, dtype=np.int64) for name in ("input_ids", "attention_mask", "token_type_ids")}
        put["input_ids"] += self._config.padding_id
        for i, pair in enumerate(run):
            put["input_ids"][i, : len(pair.ids)] = pair.ids
            put["attention_mask"][i, : len(pair.ids)] = 1
            put["token_type_ids"][i, : len(pair.ids)] = pair.type_ids
        try:
            logits = np.asarray(self._session.run(None, {k: v for k, v in put.items() if k in self._wanted})[0])
        except Exception as error:  # onnxruntime raises its own C++ classes
            raise EngineUnavailableError(f"the cross-encoder {self.name} failed on {shape} tokens: {error}") from error
        logits = logits.reshape(len(run), -1).astype(np.float32)
        if logits.shape[1] > 2:
            raise EngineUnavailableError(
                f"{self.name} returns {logits.shape[1]} numbers per pair, expected 1 or 2: is it an encoder?"
            )
        relevance: Floats = logits[:, -1] - (logits[:, 0] if logits.shape[1] == 2 else 0)
        return relevance


def _config(folder: Path) -> OnnxRerankerConfig:
    """The content of ``reranker.json``, else the values in files that exporters write."""
    if (file := folder / "reranker.json").is_file():
        return OnnxRerankerConfig(**json.loads(file.read_text(encoding="utf-8")))
    found: dict[str, Any] = {}
    if (file := folder / "config.json").is_file():
        found = json.loads(file.read_text(encoding="utf-8"))
    default = OnnxRerankerConfig()
    return OnnxRerankerConfig(
        name=f"onnx-reranker {folder.absolute()}",
        window_tokens=min(default.window_tokens, int(found.get("max_position_embeddings", default.window_tokens))),
        padding_id=int(found.get("pad_token_id") or default.padding_id),
    )


def _runs(order: Sequence[int], pairs: Sequence[Encoding]) -> Iterator[list[int]]:
    """Batches of pairs of similar length; ``order`` has the short ones first."""
    run: list[int] = []
    for i in order:
        if run and (len(run) == _PAIRS_PER_RUN or len(pairs[i].ids) * (len(run) + 1) > _TOKENS_PER_RUN):
            yield run
            run = []
        run.append(i)
    if run:
        yield run
