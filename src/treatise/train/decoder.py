"""A decoder as a frozen encoder of texts: the lower layers of a Llama from a GGUF file."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from tokenizers import Tokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel, Digits
from tokenizers.pre_tokenizers import Sequence as Steps
from torch import nn
from torch.nn import functional

from treatise.core.errors import DataError, MissingExtraError
from treatise.core.vectors import Floats
from treatise.parse.spans.tokens import Tokenised
from treatise.train.source import EncoderSource, Weights

GGUF: Final = ".gguf"
"""Suffix of the files."""

_VOCABULARY: Final = "smollm"  # the only one whose rules are known here
_WORDS: Final = "token_embd.weight"
_LAYER: Final = re.compile(r"blk\.(\d+)\.(\w+)\.weight")
_PARAGRAPH: Final = "Ċ"  # a line feed, in the alphabet of byte-level vocabularies

Rotation = tuple[torch.Tensor, torch.Tensor]


@dataclass(frozen=True, slots=True, kw_only=True)
class DecoderSource(EncoderSource):
    """The lower layers of a decoder; its arrays have the names of GGUF files.

    Attributes:
        n_key_heads: Heads of keys and values; each serves several of the queries.
        rope_base: Base of the rotations that encode positions.
        epsilon: Of the norms.
    """

    n_key_heads: int
    rope_base: float
    epsilon: float

    @property
    def is_only_read(self) -> bool:
        """Always."""
        return True

    @property
    def dim(self) -> int:
        """Length of a token's vector."""
        return int(self.weights[_WORDS].shape[1])


def read_gguf(path: Path, n_layers: int = 0) -> DecoderSource:
    """The decoder in a file, in float32.

    Args:
        path: A GGUF file of a Llama with SmolLM's vocabulary; its numbers may be quantised.
        n_layers: Number of layers, from the bottom; 0 for all.

    Raises:
        MissingExtraError: If the package gguf is not installed.
        DataError: If the file is missing or of another kind.
    """
    try:
        from gguf import GGUFReader
    except ImportError as error:
        raise MissingExtraError("reading a decoder needs the package gguf; it", "train") from error
    try:
        reader = GGUFReader(path)
        fields = {name: field.contents() for name, field in reader.fields.items()}
        tokenizer = _tokenizer(fields)
        n_heads, n_key_heads = (int(fields[f"llama.attention.head_count{kind}"]) for kind in ("", "_kv"))
        return DecoderSource(
            name=str(fields["general.name"]),
            weights=_arrays(reader.tensors, n_layers, {"attn_q": n_heads, "attn_k": n_key_heads}),
            n_heads=n_heads,
            tokenizer=tokenizer.to_str(),
            spaced=True,
            n_key_heads=n_key_heads,
            rope_base=float(fields["llama.rope.freq_base"]),
            epsilon=float(fields["llama.attention.layer_norm_rms_epsilon"]),
        )
    except (OSError, ValueError, KeyError) as error:
        raise DataError(f"no decoder could be read from {path}: {error!r}") from error


def _tokenizer(fields: Mapping[str, Any]) -> Tokenizer:
    if (found := fields["tokenizer.ggml.pre"]) != _VOCABULARY:
        raise ValueError(f"its vocabulary is {found!r}, not {_VOCABULARY!r}")
    pieces = {piece: number for number, piece in enumerate(fields["tokenizer.ggml.tokens"])}
    merges = [tuple(merge.split(" ")) for merge in fields["tokenizer.ggml.merges"]]
    tokenizer = Tokenizer(BPE(pieces, merges))
    tokenizer.pre_tokenizer = Steps([Digits(individual_digits=True), ByteLevel(add_prefix_space=False)])
    return tokenizer


def _arrays(tensors: Iterable[Any], n_layers: int, n_heads: Mapping[str, int]) -> Weights:
    from gguf.quants import dequantize

    arrays = {}
    for tensor in tensors:
        found = _LAYER.match(tensor.name)
        if tensor.name == _WORDS or (found and (not n_layers or int(found[1]) < n_layers)):
            array = dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
            heads = n_heads.get(found[2]) if found else None
            arrays[tensor.name] = _halves(array, heads) if heads else array
    return arrays


def _halves(array: Any, n_heads: int) -> Any:
    """Rows of queries or keys whose rotated pairs lie side by side, put half of a head apart."""
    return array.reshape(n_heads, -1, 2, array.shape[1]).swapaxes(1, 2).reshape(array.shape).copy()


class DecoderTokens:
    """A ``TokenReader`` of the states after the last layer that was read from the file.

    A row begins with the token that separates texts, and a paragraph ends with a line feed.

    Args:
        source: Weights and tokenizer.
    """

    def __init__(self, source: DecoderSource) -> None:
        self._tokenizer = Tokenizer.from_str(source.tokenizer)
        self._decoder = Decoder(source)
        self.name: str = source.name
        self.spaced: bool = source.spaced
        self.start_id: int = 0  # the first of the vocabulary's tokens
        self.end_id: int = self._tokenizer.get_vocab()[_PARAGRAPH]
        self.unknown_id: int = 0

    def tokenise(self, texts: Sequence[str]) -> list[Tokenised]:
        """See ``TokenReader``."""
        found = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [Tokenised(encoding.ids, encoding.offsets) for encoding in found]

    def read(self, rows: Iterable[list[int]]) -> Iterator[Floats]:
        """See ``TokenReader``."""
        for row in rows:
            with torch.no_grad():
                vectors: Floats = self._decoder(torch.tensor(row)).numpy()
            yield vectors


class Decoder(nn.Module):
    """Embeddings and layers.

    Args:
        source: The weights.
    """

    def __init__(self, source: DecoderSource) -> None:
        super().__init__()
        n_layers = 1 + max(int(found[1]) for found in map(_LAYER.match, source.weights) if found)
        self.token_embd: nn.Embedding = nn.Embedding(*source.weights[_WORDS].shape)
        self.blk: nn.ModuleList = nn.ModuleList([_Layer(source) for _ in range(n_layers)])
        self._base, self._width = source.rope_base, source.dim // source.n_heads
        self.load_state_dict({name: torch.from_numpy(array) for name, array in source.weights.items()})

    def forward(self, row: torch.Tensor) -> torch.Tensor:
        """From int64 ``(n,)`` to the states after the last layer, ``(n, dim)``."""
        x, rotation = self.token_embd(row), self._rotation(len(row))
        for layer in self.blk:
            x = layer(x, rotation)
        return x

    def _rotation(self, n: int) -> Rotation:
        """Cosine and sine for each place. Shape ``(n, 1, width)`` each."""
        rates = self._base ** -(torch.arange(0, self._width, 2) / self._width)
        angles = torch.arange(n)[:, None, None] * rates.repeat(2)
        return angles.cos(), angles.sin()


class _Layer(nn.Module):
    """A layer: causal self-attention and gated feed-forward, each on the normalised state."""

    def __init__(self, source: DecoderSource) -> None:
        super().__init__()
        found = {_LAYER.match(name): array.shape for name, array in source.weights.items()}
        shapes = {match[2]: shape for match, shape in found.items() if match and match[1] == "0"}
        for part, shape in shapes.items():
            is_norm = part.endswith("_norm")
            layer = nn.RMSNorm(shape, source.epsilon) if is_norm else nn.Linear(shape[1], shape[0], bias=False)
            self.add_module(part, layer)
        self.n_heads, self.n_key_heads = source.n_heads, source.n_key_heads

    def forward(self, x: torch.Tensor, rotation: Rotation) -> torch.Tensor:
        normal = self.attn_norm(x)
        query = _rotated(self.attn_q(normal).view(len(x), self.n_heads, -1), rotation)
        key = _rotated(self.attn_k(normal).view(len(x), self.n_key_heads, -1), rotation)
        value = self.attn_v(normal).view(len(x), self.n_key_heads, -1)
        x = x + self.attn_output(_attention(query, key, value))
        normal = self.ffn_norm(x)
        summed: torch.Tensor = x + self.ffn_down(functional.silu(self.ffn_gate(normal)) * self.ffn_up(normal))
        return summed


def _rotated(x: torch.Tensor, rotation: Rotation) -> torch.Tensor:
    cosine, sine = rotation
    first, second = x.chunk(2, dim=-1)
    return x * cosine + torch.cat([-second, first], dim=-1) * sine


def _attention(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    """From ``(n, heads, width)`` each to ``(n, heads * width)``."""
    times = query.shape[1] // key.shape[1]
    key, value = (part.repeat_interleave(times, dim=1) for part in (key, value))
    query, key, value = (part.transpose(0, 1)[None] for part in (query, key, value))
    mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
    return mixed[0].transpose(0, 1).flatten(1)
