"""ONNX graphs of BERT-type encoders, for ``OnnxTokens``.

A graph is written operator by operator (no tracing, no torch), so the same weights give the same bytes. It maps
``input_ids`` and ``attention_mask``, int64 ``(rows, length)``, to ``token_vectors``, float32 ``(rows, length, dim)``:
the last hidden state, neither pooled nor normalised. A graph without a mask reads unpadded rows; its attention
is computed block by block, which is faster from about 100 tokens.

Weights are int8 with one scale per column, and activations are quantised with one scale per *token*: a token's vector
does not depend on the rest of the batch. One scale per batch (onnxruntime's own dynamic quantisation) is less than half
as exact (mean cosine to float .993 against .997). Except in attention all tokens are rows of one matrix, so that one
operator rounds each by its own scale.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from treatise.core.errors import MissingExtraError
from treatise.engines.graph_file import WORDS

_MICROSOFT: Final = "com.microsoft"
_OPSET: Final = 18
_IR_VERSION: Final = 10
_EPSILON: Final = 1e-12
RELATIVE: Final = "encoder.relative_attention_bias.weight"
"""Weights added to attention by how far two tokens are apart, as in MPNet. Shape ``(N_BUCKETS, n_heads)``."""
N_BUCKETS: Final = 32
"""Rows of :data:`RELATIVE`."""
_WORD_SCALE: Final = "word_scale"
_FARTHEST: Final = 128
"""Distance in tokens from which relative attention is the same."""

Array = npt.NDArray[Any]
Weights = Mapping[str, Array]


@dataclass(frozen=True, slots=True)
class FourBitTable:
    """Rows of four-bit numbers, in blocks that share a scale.

    Attributes:
        pairs: Two numbers per byte, plus 8 each: low bits for a block's first half, high bits for its second.
            Shape ``(n_rows, n_blocks, block / 2)``, uint8.
        scales: Shape ``(n_rows, n_blocks, 1)``, float16.
    """

    pairs: Array
    scales: Array

    @property
    def inputs(self) -> dict[str, Array]:
        """The arrays by their names among a graph's inputs."""
        return {WORDS: self.pairs, _WORD_SCALE: self.scales}


def distance_buckets(ahead: Array) -> Array:
    """The row of :data:`RELATIVE` for distances in tokens, positive towards the end of the text.

    Rows are in steps of one token up to a quarter of the rows, then by the logarithm; the upper half is of following
    tokens (Raffel et al. 2020, section 2.1).
    """
    of_side, exact = N_BUCKETS // 2, N_BUCKETS // 4
    distance = np.abs(ahead)
    share = np.log(np.maximum(distance, 1) / exact) / np.log(_FARTHEST / exact)
    far = np.minimum(exact + (share * (of_side - exact)).astype(np.int64), of_side - 1)
    rows: Array = np.where(distance < exact, distance, far) + of_side * (ahead > 0)
    return rows


def encoder_graph(
    weights: Weights, n_heads: int, *, masked: bool = True, words: FourBitTable | None = None, extra: str = "train"
) -> bytes:
    """The ONNX file of an encoder.

    Args:
        weights: Arrays by BERT's names.
        n_heads: Of its attention.
        masked: Whether it reads padded rows with a mask.
        words: The word embeddings, if they are not among the weights: inputs of the graph, so that models share them.
        extra: The optional dependency that provides onnx, for the error.

    Raises:
        MissingExtraError: If the package onnx is not installed.
    """
    graph = _Graph(extra, masked=masked)
    vectors = _token_vectors(graph, weights, n_heads, words)
    return graph.file("minilm", vectors, shape=["rows", "length", _dim(weights)])


def read_encoder(graph: bytes) -> tuple[dict[str, Array], int]:
    """Arrays by BERT's names, and the number of attention heads: the inputs of ``encoder_graph``, rounded to int8.

    Raises:
        MissingExtraError: If the package onnx is not installed.
        KeyError: If the file was not written by ``encoder_graph``.
    """
    onnx = _Graph("train", masked=False).onnx
    read = onnx.load_from_string(graph).graph
    found = {one.name: onnx.numpy_helper.to_array(one) for one in read.initializer}
    nodes = {node.name: node for node in read.node}
    (n_heads,) = (at.i for at in nodes["layer0_attention"].attribute if at.name == "num_heads")
    weights: dict[str, Array] = {
        "embeddings.word_embeddings.weight": found["words"].astype(np.float32) * found["word_scale"],
        "embeddings.position_embeddings.weight": found["places"],
        "embeddings.token_type_embeddings.weight": np.zeros_like(found["places"][:2]),
    }
    weights |= {f"embeddings.LayerNorm.{kind}": found[f"norm_{kind}"] for kind in ("weight", "bias")}
    if "relative" in found:
        weights[RELATIVE] = _relative_rows(found["relative"])
    n_layers = sum(name.endswith("_qkv_weight") for name in found)
    for tag, layer in ((f"layer{number}", f"encoder.layer.{number}") for number in range(n_layers)):
        parts = [f"{layer}.attention.self.{part}" for part in ("query", "key", "value")]
        weights |= {
            f"{part}.weight": array for part, array in zip(parts, _thirds(_product(found, f"{tag}_qkv")), strict=True)
        }
        weights |= {f"{part}.bias": array for part, array in zip(parts, _thirds(found[f"{tag}_qkv_bias"]), strict=True)}
        weights[f"{layer}.intermediate.dense.weight"] = _product(found, f"{tag}_up")
        weights[f"{layer}.intermediate.dense.bias"] = found[f"{tag}_up_bias"]
        for part, name, norm in (("attention.output", "out", f"{tag}_norm1"), ("output", "down", f"{tag}_norm2")):
            weights[f"{layer}.{part}.dense.weight"] = _product(found, f"{tag}_{name}")
            weights[f"{layer}.{part}.dense.bias"] = found[f"{norm}_add"]
            weights |= {f"{layer}.{part}.LayerNorm.{kind}": found[f"{norm}_{kind}"] for kind in ("weight", "bias")}
    return weights, n_heads


def _product(found: Mapping[str, Array], name: str) -> Array:
    """The weight of ``_Graph.product`` in BERT's layout: ``(n_out, n_in)``."""
    return np.ascontiguousarray((found[f"{name}_weight"].astype(np.float32) * found[f"{name}_scale"]).T)


def _thirds(array: Array) -> list[Array]:
    return [np.ascontiguousarray(part) for part in np.split(array, 3)]


def cross_encoder_graph(weights: Weights, n_heads: int, head: tuple[Array, Array]) -> bytes:
    """The ONNX file of a cross-encoder: an encoder, and a layer on the first token's vector with output ``(rows, 1)``.

    Args:
        weights, n_heads: Of the encoder.
        head: Weight ``(1, dim)`` and bias ``(1,)``.

    Raises:
        MissingExtraError: If the package onnx is not installed.
    """
    graph = _Graph("train", masked=True)
    vectors = _token_vectors(graph, weights, n_heads, None)
    first = graph.add("Gather", [vectors, graph.constant("first", np.zeros(1, np.int64))], "first_row", axis=1)
    first = graph.add("Squeeze", [first, graph.constant("second_axis", np.ones(1, np.int64))], "first_token")
    weight, bias = (graph.constant(f"head_{part}", array) for part, array in zip(("weight", "bias"), head, strict=True))
    logits = graph.add("Gemm", [first, weight, bias], "logits", transB=1)
    return graph.file("cross-encoder", logits, shape=["rows", 1])


def _token_vectors(graph: "_Graph", weights: Weights, n_heads: int, words: FourBitTable | None) -> str:
    """Adds everything up to the vectors of the last layer; returns their name."""
    sides = graph.add("Shape", ["input_ids"], "sides")
    graph.add("Concat", [sides, graph.constant("rest", np.array([-1]))], "in_rows", axis=0)
    x = graph.flat(_embedded(graph, weights, words), "embedded_flat", _dim(weights))
    n_tokens = graph.add("Shape", [x], "n_tokens", start=0, end=1)
    graph.add("Expand", [graph.constant("zero_point", np.array([128], np.uint8)), n_tokens], "zero_points")
    n_layers = 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer."))
    relative = _relative(graph, weights)
    for number in range(n_layers):
        x = _Layer(graph, weights, number, n_heads, relative).add(x)
    return graph.add("Reshape", [x, "in_rows"], "token_vectors")


def _dim(weights: Weights) -> int:
    return len(weights["embeddings.LayerNorm.weight"])


class _Graph:
    """Nodes and constants in order of addition; methods return the name of their output.

    Attributes:
        mask: The name of the attention mask, if any.
    """

    def __init__(self, extra: str, *, masked: bool) -> None:
        try:
            import onnx
        except ImportError as error:
            raise MissingExtraError("writing an ONNX model", extra) from error
        self.onnx = onnx
        sides = ["rows", "length"]
        names = ["input_ids", "attention_mask"] if masked else ["input_ids"]
        self._inputs = [self._info(name, onnx.TensorProto.INT64, sides) for name in names]
        self._nodes: list[Any] = []
        self._constants: dict[str, Any] = {}
        self.mask = [self.add("Cast", ["attention_mask"], "mask", to=onnx.TensorProto.INT32)] if masked else []

    def input(self, name: str, value: Array) -> str:
        """An array that is given to each run, and is not part of the file."""
        kind = self.onnx.helper.np_dtype_to_tensor_dtype(value.dtype)
        self._inputs.append(self._info(name, kind, value.shape))
        return name

    def constant(self, name: str, value: Array | np.generic) -> str:
        if name not in self._constants:
            self._constants[name] = self.onnx.numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def add(self, operator: str, inputs: list[str], name: str, domain: str = "", **attributes: object) -> str:
        self._nodes.append(self.onnx.helper.make_node(operator, inputs, [name], name=name, domain=domain, **attributes))
        return name

    def split(self, x: str, names: list[str]) -> list[str]:
        """Equal parts of the last axis."""
        self._nodes.append(self.onnx.helper.make_node("Split", [x], names, axis=-1, num_outputs=len(names)))
        return names

    def flat(self, x: str, name: str, dim: int) -> str:
        """All tokens of all rows as rows of one matrix."""
        return self.add("Reshape", [x, self.constant("flat", np.array([-1, dim]))], name)

    def product(self, x: str, weight: Array, name: str) -> str:
        """``x @ weight`` in int8, of tokens ``(n, n_in)`` and a weight ``(n_in, n_out)``."""
        values, scale = _rounded(weight, axis=0)
        axis = self.constant("last_axis", np.array([-1]))
        size = self.add("Abs", [x], f"{name}_abs")
        size = self.add("ReduceMax", [size, axis], f"{name}_max", keepdims=0)
        size = self.add("Mul", [size, self.constant("step", np.float32(1 / 127))], f"{name}_token_scale")
        y = self.add("QuantizeLinear", [x, size, "zero_points"], f"{name}_uint8", axis=0)
        unscaled = self.constant("unscaled", np.float32(1))
        factors = [y, self.constant(f"{name}_weight", values), unscaled, self.constant(f"{name}_scale", scale[0])]
        middle = self.constant("middle", np.uint8(128))
        y = self.add("MatMulIntegerToFloat", [*factors, middle], f"{name}_float", _MICROSOFT)
        return self.add("Mul", [y, self.add("Unsqueeze", [size, axis], f"{name}_column")], name)

    def file(self, title: str, output: str, *, shape: list[str | int]) -> bytes:
        helper = self.onnx.helper
        outputs = [self._info(output, self.onnx.TensorProto.FLOAT, shape)]
        made = helper.make_graph(self._nodes, title, self._inputs, outputs, list(self._constants.values()))
        opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_MICROSOFT, 1)]
        model = helper.make_model(made, opset_imports=opsets, ir_version=_IR_VERSION, producer_name="treatise")
        content: bytes = model.SerializeToString(deterministic=True)
        return content

    def _info(self, name: str, kind: int, shape: Sequence[str | int]) -> Any:
        return self.onnx.helper.make_tensor_value_info(name, kind, shape)


class _Layer:
    """One layer of BERT: self-attention and feed-forward, normalised after each sum."""

    def __init__(self, graph: _Graph, weights: Weights, number: int, n_heads: int, relative: list[str]) -> None:
        self._graph = graph
        self._relative = relative
        self._weights = weights
        self._prefix = f"encoder.layer.{number}"
        self._tag = f"layer{number}"
        self._n_heads = n_heads

    def add(self, x: str) -> str:
        graph, tag = self._graph, self._tag
        mixed = graph.product(self._attention(x), self._part("attention.output.dense.weight").T, f"{tag}_out")
        x = self._norm(mixed, x, "attention.output", f"{tag}_norm1")
        up = graph.product(x, self._part("intermediate.dense.weight").T, f"{tag}_up")
        bias = graph.constant(f"{tag}_up_bias", self._part("intermediate.dense.bias"))
        up = graph.add("BiasGelu", [up, bias], f"{tag}_gelu", _MICROSOFT)
        down = graph.product(up, self._part("output.dense.weight").T, f"{tag}_down")
        return self._norm(down, x, "output", f"{tag}_norm2")

    def _attention(self, x: str) -> str:
        graph, tag = self._graph, self._tag
        parts = [f"attention.self.{part}" for part in ("query", "key", "value")]
        weight = np.concatenate([self._part(f"{part}.weight").T for part in parts], axis=1)
        bias = np.concatenate([self._part(f"{part}.bias") for part in parts])
        x = graph.add("Reshape", [graph.product(x, weight, f"{tag}_qkv"), "in_rows"], f"{tag}_qkv_rows")
        three = graph.split(x, [f"{tag}_{part}" for part in "qkv"])
        inputs = [*three, graph.constant(f"{tag}_qkv_bias", bias), *graph.mask]
        if self._relative:
            inputs = [*inputs, *[""] * (5 - len(inputs)), *self._relative]
        mixed = graph.add("MultiHeadAttention", inputs, f"{tag}_attention", _MICROSOFT, num_heads=self._n_heads)
        return graph.flat(mixed, f"{tag}_attention_flat", len(bias) // 3)

    def _norm(self, y: str, old: str, part: str, name: str) -> str:
        """Two sums and a normalisation; onnxruntime's fused operator takes three times as long."""
        graph = self._graph
        scale = [
            graph.constant(f"{name}_{kind}", self._part(f"{part}.LayerNorm.{kind}")) for kind in ("weight", "bias")
        ]
        y = graph.add("Add", [y, graph.constant(f"{name}_add", self._part(f"{part}.dense.bias"))], f"{name}_biased")
        y = graph.add("Add", [y, old], f"{name}_sum")
        return graph.add("LayerNormalization", [y, *scale], name, epsilon=_EPSILON)

    def _part(self, name: str) -> Array:
        return self._weights[f"{self._prefix}.{name}"]


def _relative(graph: _Graph, weights: Weights) -> list[str]:
    """What is added to the attention of all layers, ``(1, n_heads, length, length)``; empty if nothing."""
    if RELATIVE not in weights:
        return []
    longest = len(weights["embeddings.position_embeddings.weight"])
    rows = distance_buckets(np.arange(1 - longest, longest))
    by_distance = graph.constant("relative", np.ascontiguousarray(weights[RELATIVE][rows].T[None]))
    length = graph.add("Squeeze", ["length"], "length_number")
    one = graph.constant("one", np.int64(1))
    steps = graph.add("Range", [graph.constant("none", np.int64(0)), length, one], "steps")
    across = graph.add("Unsqueeze", [steps, graph.constant("first_axis", np.zeros(1, np.int64))], "steps_across")
    down = graph.add("Unsqueeze", [steps, graph.constant("second", np.ones(1, np.int64))], "steps_down")
    ahead = graph.add("Sub", [across, down], "ahead")
    ahead = graph.add("Add", [ahead, graph.constant("farthest", np.int64(longest - 1))], "ahead_row")
    return [graph.add("Gather", [by_distance, ahead], "relative_bias", axis=2)]


def _relative_rows(by_distance: Array) -> Array:
    """The weights that :func:`_relative` repeats by distance; what no distance reaches is zero."""
    n_heads, n_distances = by_distance.shape[1:]
    longest = (n_distances + 1) // 2
    buckets = distance_buckets(np.arange(1 - longest, longest))
    rows = np.zeros((N_BUCKETS, n_heads), np.float32)
    rows[buckets] = by_distance[0].T
    return rows


def _embedded(graph: _Graph, weights: Weights, words: FourBitTable | None) -> str:
    """Word and position embeddings, normalised; every token has type 0."""
    word = _four_bit_word(graph, words) if words else _word(graph, weights["embeddings.word_embeddings.weight"])
    places = weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
    length = graph.add("Shape", ["input_ids"], "length", start=1, end=2)
    zero = graph.constant("zero", np.zeros(1, np.int64))
    place = graph.add("Slice", [graph.constant("places", places), zero, length, zero], "place")
    x = graph.add("Add", [word, place], "embedded")
    scale = [graph.constant(f"norm_{kind}", weights[f"embeddings.LayerNorm.{kind}"]) for kind in ("weight", "bias")]
    return graph.add("LayerNormalization", [x, *scale], "embedded_norm", epsilon=_EPSILON)


def _word(graph: _Graph, table: Array) -> str:
    """Rows of the word embeddings, int8 with one scale per row."""
    values, scale = _rounded(table, axis=1)
    row = graph.add("Gather", [graph.constant(WORDS, values), "input_ids"], "word_int8")
    row = graph.add("Cast", [row], "word_cast", to=graph.onnx.TensorProto.FLOAT)
    factor = graph.add("Gather", [graph.constant(_WORD_SCALE, scale), "input_ids"], "word_factor")
    return graph.add("Mul", [row, factor], "word")


def _four_bit_word(graph: _Graph, table: FourBitTable) -> str:
    """Rows of four-bit word embeddings, unpacked on lookup to save memory."""
    kinds = graph.onnx.TensorProto
    n_blocks, half = table.pairs.shape[1:]
    pairs = graph.add("Gather", [graph.input(WORDS, table.pairs), "input_ids"], "word_pairs")
    low = graph.add("BitwiseAnd", [pairs, graph.constant("low_bits", np.uint8(15))], "word_low")
    high = graph.add("BitShift", [pairs, graph.constant("four_bits", np.uint8(4))], "word_high", direction="RIGHT")
    row = graph.add("Concat", [low, high], "word_uint4", axis=-1)
    row = graph.add("Cast", [row], "word_cast", to=kinds.FLOAT)
    row = graph.add("Sub", [row, graph.constant("word_middle", np.float32(8))], "word_centred")
    factor = graph.add("Gather", [graph.input(_WORD_SCALE, table.scales), "input_ids"], "word_half_factor")
    factor = graph.add("Cast", [factor], "word_factor", to=kinds.FLOAT)
    row = graph.add("Mul", [row, factor], "word_blocks")
    shape = graph.constant("word_shape", np.array([0, 0, 2 * n_blocks * half], np.int64))
    return graph.add("Reshape", [row, shape], "word")


def _rounded(weight: Array, axis: int) -> tuple[Array, Array]:
    """Symmetric int8, and the scale of each slice along the axis."""
    scale = np.maximum(np.abs(weight).max(axis=axis, keepdims=True) / 127, 1e-12).astype(np.float32)
    return np.clip(np.round(weight / scale), -127, 127).astype(np.int8), scale
