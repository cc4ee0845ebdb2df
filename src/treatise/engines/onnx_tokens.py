"""Token vectors of a BERT-type encoder with onnxruntime, for retrieval and parsing."""

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from treatise.core.errors import EngineUnavailableError
from treatise.core.printable import encodable
from treatise.core.vectors import Floats
from treatise.engines.graph_file import WORDS, graph_path, words_of
from treatise.engines.loading import loading
from treatise.engines.telemetry import turn_off_telemetry
from treatise.parse.spans.tokens import Tokenised

_ROWS_PER_RUN: Final = 16  # short rows: 640 per second in batches of 8, 690 in batches of 16, one thread
_TOKENS_PER_RUN: Final = 512  # including padding; for rows of 235 tokens 1.2 times as fast as batches of eight
_ROWS_PER_BLOCK: Final = 1024  # rows whose runs are queued together
_RUNS_AHEAD: Final = 32  # finished runs in memory: their vectors take a megabyte each

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class OnnxTokensConfig:
    """The content of ``encoder.json``, beside ``model.onnx`` and ``tokenizer.json``.

    Attributes:
        name: Identifies the weights.
        dim: Length of a vector.
        window_tokens: Longest row that the model was trained for, special tokens included.
        start_id, end_id, padding_id, unknown_id: Ids of the special tokens.
        spaced: Whether a space before a text is part of its first token (sentence-piece vocabularies).
    """

    name: str
    dim: int
    window_tokens: int
    start_id: int
    end_id: int
    padding_id: int
    unknown_id: int
    spaced: bool = False


@dataclass(frozen=True, slots=True)
class OnnxModel:
    """A model, and how it is run.

    Attributes:
        config: Its settings.
        tokenizer: Its tokenizer, which neither truncates nor pads: rows are cut and padded here.
        graph: Its ONNX file, or the content of one.
        words: The word embeddings by their names, if they are inputs of the graph.
    """

    config: OnnxTokensConfig
    tokenizer: Tokenizer
    graph: Path | bytes
    words: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)


class OnnxTokens:
    """A tokenizer and its model: ``treatise.parse.spans.TokenReader``.

    The graph maps ``input_ids`` and ``attention_mask``, int64 ``(rows, length)``, to ``token_vectors``,
    float32 ``(rows, length, dim)``. A graph without a mask reads each row separately: it would attend to padding.

    Args:
        model: A model, or a folder that holds ``encoder.json``, ``tokenizer.json`` and the graph (``graph_file``).
        threads: Concurrent runs, each on one core.

    Raises:
        EngineUnavailableError: If a file is missing or the runtime refuses it.
    """

    def __init__(self, model: Path | OnnxModel, *, threads: int = 2) -> None:
        found = model if isinstance(model, OnnxModel) else _read_folder(model)
        with loading(model.config.name if isinstance(model, OnnxModel) else graph_path(model)):
            self._session = session(found.graph)
        self._masked = any(one.name == "attention_mask" for one in self._session.get_inputs())
        self._words = found.words
        self.config: OnnxTokensConfig = found.config
        self._tokenizer = found.tokenizer
        self._threads = threads

    @property
    def name(self) -> str:
        """The weights' name."""
        return self.config.name

    @property
    def start_id(self) -> int:
        """Id of the token at the start of a row."""
        return self.config.start_id

    @property
    def end_id(self) -> int:
        """Id of the token at the end of a row."""
        return self.config.end_id

    @property
    def unknown_id(self) -> int:
        """Id of the token for unknown text."""
        return self.config.unknown_id

    @property
    def spaced(self) -> bool:
        """Whether a space before a text is part of its first token."""
        return self.config.spaced

    @property
    def vocabulary(self) -> dict[str, int]:
        """The id of each token."""
        return self._tokenizer.get_vocab()

    def tokenise(self, texts: Sequence[str]) -> list[Tokenised]:
        """See ``TokenReader``."""
        found = self._tokenizer.encode_batch([encodable(text) for text in texts], add_special_tokens=False)
        return [Tokenised(encoding.ids, encoding.offsets) for encoding in found]

    def token_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The ids only, without special tokens: faster than ``tokenise``."""
        found = self._tokenizer.encode_batch_fast([encodable(text) for text in texts], add_special_tokens=False)
        return [encoding.ids for encoding in found]

    def read(self, rows: Iterable[list[int]]) -> Iterator[Floats]:
        """See ``TokenReader``. With a mask, neighbouring rows are read together and should have similar lengths."""
        for block in blocks(rows, _ROWS_PER_BLOCK):
            runs = list(_runs(block)) if self._masked else [[row] for row in block]
            for run, vectors in zip(runs, self._run_all(runs), strict=True):
                for row, of_row in zip(run, vectors, strict=True):
                    yield of_row[: len(row)]

    def read_apart(self, rows: Iterable[list[int]]) -> Iterator[Floats]:
        """As ``read``, with each row in a run of its own: for long rows, or few of different lengths.

        Padding takes as long as text, and threads share single rows more evenly than batches.
        """
        for block in blocks(rows, _ROWS_PER_BLOCK):
            for vectors in self._run_all([[row] for row in block]):
                yield vectors[0]

    def _run_all(self, runs: list[list[list[int]]]) -> Iterator[Floats]:
        if len(runs) == 1:  # a question: not worth starting threads
            yield self._run(runs[0])
            return
        with ThreadPoolExecutor(self._threads) as pool:
            ahead: deque[Future[Floats]] = deque()
            for run in runs:
                ahead.append(pool.submit(self._run, run))
                if len(ahead) > _RUNS_AHEAD:
                    yield ahead.popleft().result()
            while ahead:
                yield ahead.popleft().result()

    def _run(self, run: list[list[int]]) -> Floats:
        length = max(map(len, run))
        ids = np.full((len(run), length), self.config.padding_id, dtype=np.int64)
        mask = np.zeros((len(run), length), dtype=np.int64)
        for i, row in enumerate(run):
            ids[i, : len(row)] = row
            mask[i, : len(row)] = 1
        masks = {"attention_mask": mask} if self._masked else {}
        given = {"input_ids": ids, **masks, **self._words}
        try:
            vectors: Floats = self._session.run(["token_vectors"], given)[0]
        except Exception as error:  # onnxruntime raises its own C++ classes
            raise EngineUnavailableError(f"the encoder {self.name} failed on {ids.shape} tokens: {error}") from error
        return vectors


def _runs(rows: Sequence[list[int]]) -> Iterator[list[list[int]]]:
    """Batches of neighbouring rows."""
    run: list[list[int]] = []
    longest = 0
    for row in rows:
        longest = max(longest, len(row))
        if run and (len(run) == _ROWS_PER_RUN or longest * (len(run) + 1) > _TOKENS_PER_RUN):
            yield run
            run, longest = [], len(row)
        run.append(row)
    if run:
        yield run


def blocks(items: Iterable[_Item], size: int) -> Iterator[list[_Item]]:
    """The items in lists of ``size``; the last may be shorter."""
    iterator = iter(items)
    while block := list(islice(iterator, size)):
        yield block


def _read_folder(folder: Path) -> OnnxModel:
    with loading(path := folder / "encoder.json"):
        config = OnnxTokensConfig(**json.loads(path.read_text(encoding="utf-8")))
    with loading(path := folder / "tokenizer.json"):
        tokenizer = _tokenizer(path.read_text(encoding="utf-8"))
    words = words_of(folder)
    return OnnxModel(config, tokenizer, graph_path(folder), {} if words is None else {WORDS: words})


@lru_cache(maxsize=2)
def _tokenizer(content: str) -> Tokenizer:
    """The tokenizer of a file, made once for the models that share it, without its truncation and padding."""
    tokenizer = Tokenizer.from_str(content)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def session(graph: Path | bytes) -> Any:
    """An inference session with one core per run, with the runtime's telemetry turned off."""
    turn_off_telemetry()
    import onnxruntime

    options = onnxruntime.SessionOptions()
    # Two concurrent runs are faster than one run on two threads: the products are small.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # It would fuse a sum and its normalisation, which is slower than both operators.
    apart = ["SkipLayerNormFusion"]
    cpu = ["CPUExecutionProvider"]
    content = str(graph) if isinstance(graph, Path) else graph
    return onnxruntime.InferenceSession(content, options, providers=cpu, disabled_optimizers=apart)
