"""The encoder of a recipe, for training and for scoring on dev."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.errors import DataError
from treatise.core.vectors import Floats
from treatise.engines.onnx_tokens import OnnxTokens
from treatise.engines.trained_tokens import E5
from treatise.parse.spans.tokens import Tokenised, TokenReader
from treatise.train.bert import ArrayTokens, TorchTokens
from treatise.train.encoder_export import export_encoder
from treatise.train.source import MINILM, MINILM_WINDOW, EncoderSource, encoder_source, in_wheels, lowest, shipped

_FOLDER: Final = "encoder"


@dataclass(frozen=True, slots=True)
class EncoderConfig:
    """The encoder, and which parts of it are trained.

    Attributes:
        source: Its source; see :func:`~treatise.train.source.encoder_source`.
        frozen: Trains only the heads, on the vectors of its int8 export.
        layers: Number of layers, from the bottom; 0 for all. Of an encoder that comes with Treatise all are read.
        frozen_layers: Number of lowest layers that are frozen, with the embeddings.
        learning_rate: Peak rate.
        dropout: Its dropout.
        attention_dropout: That of its attention; without any a step is a third faster.
        masked: Share of masked tokens.
        bf16: Computes in bfloat16.
        step: Step between the exported numbers of an encoder that stays in its wheels, in standard deviations of a row;
            see ``to_int8_rows``.
        kept: Folder in which a frozen encoder's vectors are kept for later runs, in half precision; empty for none.
    """

    source: str = MINILM
    frozen: bool = False
    layers: int = 0
    frozen_layers: int = 0
    learning_rate: float = 2e-5
    dropout: float = 0.1
    attention_dropout: float = 0.1
    masked: float = 0.0
    bf16: bool = False
    step: float = 0.0
    kept: str = ""

    def __post_init__(self) -> None:
        if self.layers < 0 or self.frozen_layers < 0:
            raise DataError("'layers' and 'frozen_layers' under [training.encoder] count layers: expected 0 or more")
        check_step(self.step)


def check_step(step: float) -> None:
    """Raises a DataError if no row can be written in such steps."""
    if not 0 <= step <= 1:
        raise DataError(f"'step' is {step}: expected standard deviations of a row of weights, from 0 to 1")


@dataclass(frozen=True, slots=True)
class Readers:
    """One encoder.

    Attributes:
        train: For training; its vectors are tensors with gradient if the encoder is trained.
        dev: The same weights for the shipped code.
        module: Its trained parts; None if it is frozen.
    """

    train: TokenReader
    dev: TokenReader
    module: TorchTokens | None


def source_of(config: EncoderConfig) -> EncoderSource:
    """The encoder of a recipe before training; multilingual-e5-small without its words if it is frozen.

    Raises:
        MissingExtraError, DataError: See :func:`~treatise.train.source.encoder_source`.
    """
    if config.source == E5 and not config.frozen:
        return in_wheels(E5, config.layers)
    return lowest(encoder_source(config.source), config.layers)


def open_readers(
    config: EncoderConfig, source: EncoderSource, folder: Path, *, threads: int, device: str = "cpu"
) -> Readers:
    """The readers of an encoder; a frozen one is first exported into ``<folder>/encoder``, unless it comes from a
    wheel, and stays on the processor.

    Raises:
        MissingExtraError: If the encoder is frozen and the package onnx is not installed.
        DataError: If an encoder that can only be frozen is to be trained, or ``layers`` is set for an exported one.
    """
    if source.is_only_read and not config.frozen:
        raise DataError(f"{source.name} cannot be trained: set frozen = true under [training.encoder]")
    if source.name == E5 and config.frozen:
        from treatise.engines.e5 import open_e5_tokens

        kept = _kept(open_e5_tokens(threads=threads, n_layers=config.layers or None), config)
        return Readers(kept, kept, None)
    if source.is_only_read:
        if config.layers:
            raise DataError(f"{source.name} is read with all of its layers: take layers out of [training.encoder]")
        kept = _kept(OnnxTokens(shipped(source.name), threads=threads), config)
        return Readers(kept, kept, None)
    if not config.frozen:
        module = TorchTokens(
            source,
            dropout=config.dropout,
            attention_dropout=config.attention_dropout,
            masked=config.masked,
            bf16=config.bf16,
        )
        module.bert.freeze(config.frozen_layers)
        module.to(device)
        return Readers(module, ArrayTokens(module), module)
    export_encoder(source, folder / _FOLDER, name=source.name, window_tokens=MINILM_WINDOW, masked=False)
    kept = _kept(OnnxTokens(folder / _FOLDER, threads=threads), config)
    return Readers(kept, kept, None)


def _kept(reader: TokenReader, config: EncoderConfig) -> "KeptTokens":
    """The reader with memory, and with a folder for each encoder and number of layers below ``config.kept``."""
    folder = Path(config.kept) / f"{Path(config.source).name}-{config.layers}" if config.kept else None
    return KeptTokens(reader, folder)


class KeptTokens:
    """A caching reader; vectors are kept in half precision.

    Args:
        reader: The reader.
        folder: Where vectors are kept too, one file per row; None for memory alone.
    """

    def __init__(self, reader: TokenReader, folder: Path | None = None) -> None:
        self._reader = reader
        self._folder = folder
        self._kept: dict[tuple[int, ...], npt.NDArray[np.float16]] = {}
        self.name: str = reader.name
        self.spaced: bool = reader.spaced
        self.start_id: int = reader.start_id
        self.end_id: int = reader.end_id
        self.unknown_id: int = reader.unknown_id

    def tokenise(self, texts: Sequence[str]) -> list[Tokenised]:
        """See ``TokenReader``."""
        return self._reader.tokenise(texts)

    def read(self, rows: Iterable[list[int]]) -> Iterator[Floats]:
        """See ``TokenReader``."""
        keys = [tuple(row) for row in rows]
        new = list(dict.fromkeys(key for key in keys if key not in self._kept and not self._found(key)))
        for key, vectors in zip(new, self._reader.read(map(list, new)), strict=True):
            self._kept[key] = vectors.astype(np.float16)
            self._save(key)
        yield from (self._kept[key].astype(np.float32) for key in keys)

    def _found(self, key: tuple[int, ...]) -> bool:
        """Whether the row's vectors are in the folder; they are then in memory too."""
        path = self._path(key)
        if path is None or not path.is_file():
            return False
        self._kept[key] = np.load(path)
        return True

    def _save(self, key: tuple[int, ...]) -> None:
        if path := self._path(key):
            path.parent.mkdir(parents=True, exist_ok=True)
            half = path.with_suffix(".half.npy")
            np.save(half, self._kept[key])
            half.replace(path)

    def _path(self, key: tuple[int, ...]) -> Path | None:
        name = hashlib.sha256(np.array(key, np.int64).tobytes()).hexdigest()[:32]
        return self._folder / f"{name}.npy" if self._folder else None
