"""An encoder that is not trained along: exported first, so that heads learn on the vectors that they will be given."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from treatise.core.vectors import Floats
from treatise.engines.onnx_tokens import OnnxTokens
from treatise.parse.spans import Tokenised
from treatise.train.encoder_export import export_encoder
from treatise.train.source import MINILM_WINDOW, EncoderSource

_FOLDER: Final = "encoder"


def exported_tokens(source: EncoderSource, folder: Path, threads: int) -> OnnxTokens:
    """The encoder's int8 export in ``<folder>/encoder``, opened."""
    export_encoder(source, folder / _FOLDER, name=source.name, window_tokens=MINILM_WINDOW)
    return OnnxTokens(folder / _FOLDER, threads=threads)


class KeptTokens:
    """A reader that reads each row once and keeps its vectors."""

    def __init__(self, reader: OnnxTokens) -> None:
        self._reader = reader
        self._kept: dict[tuple[int, ...], Floats] = {}
        self.name, self.spaced = reader.name, reader.spaced
        self.start_id, self.end_id, self.unknown_id = reader.start_id, reader.end_id, reader.unknown_id

    def tokenise(self, texts: Sequence[str]) -> list[Tokenised]:
        """See ``TokenReader``."""
        return self._reader.tokenise(texts)

    def read(self, rows: Iterable[list[int]]) -> Iterator[Floats]:
        """See ``TokenReader``."""
        keys = [tuple(row) for row in rows]
        new = list(dict.fromkeys(key for key in keys if key not in self._kept))
        for key, vectors in zip(new, self._reader.read(map(list, new)), strict=True):
            self._kept[key] = vectors.copy()  # its run's other rows are let go
        yield from (self._kept[key] for key in keys)
