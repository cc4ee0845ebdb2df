"""The reader of tables: a linear model over the features of programs.

Programs are imported when a table is read: most questions are about none.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final
from zlib import crc32

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load_file

from treatise.core.table_answer import TableAnswer
from treatise.engines.loading import loading
from treatise.engines.word_vectors import EmbeddedWords

if TYPE_CHECKING:
    from treatise.programs import Described, Sheet, WordVectors

CONFIG: Final = "table-reader.json"
WEIGHTS: Final = "weights.safetensors"
_MAX_COLUMNS: Final = 40
_MAX_WORDS: Final = 60
_LIKELY: Final = 0.1
BITS: Final = 18
"""Of the hash that places a feature among the weights."""

Weights = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ProgramReaderConfig:
    """The content of ``table-reader.json``.

    Attributes:
        name: Identifies the weights.
    """

    name: str

    def text(self) -> str:
        """The content of the file as a value."""
        return json.dumps(asdict(self), indent=1)


def place_of(feature: str) -> int:
    """Where the weight of a feature is, 0 to 2^18; few features share a place, and training knows it."""
    return crc32(feature.encode()) & ((1 << BITS) - 1)


def described(question: str, sheet: "Sheet", vectors: "WordVectors") -> "Described":
    """The programs that a question may mean on a table, with their features."""
    from treatise.programs import Question, describe, programs_of

    asked = Question(question)
    programs, conditions = programs_of(asked, sheet, vectors)
    return describe(asked, sheet, programs, conditions, vectors)


def probabilities(found: "Described", weights: Weights) -> npt.NDArray[np.float64]:
    """The probability of each program, and last of none of them. Shape ``(n_programs + 1,)``; they sum to 1."""
    of_parts = np.array([_sum(part, weights) for part in found.parts])
    pairs = zip(found.of_program, found.own, strict=True)
    scores = np.array([of_parts[parts].sum() + _sum(own, weights) for parts, own in pairs])
    odds = np.exp(scores - scores.max())
    result: npt.NDArray[np.float64] = odds / odds.sum()
    return result


def _sum(features: Sequence[str], weights: Weights) -> float:
    return float(weights[[place_of(one) for one in features]].sum()) if features else 0.0


class ProgramReader:
    """A ``core.ports.TableReader`` from a folder that ``treatise train table-reader`` wrote.

    Programs with the same result speak for it together.

    Args:
        folder: Holds ``table-reader.json`` and ``weights.safetensors``.

    Raises:
        EngineUnavailableError: If a file is missing or differs from its hash.
    """

    def __init__(self, folder: Path) -> None:
        with loading(folder / CONFIG):
            self._config = ProgramReaderConfig(**json.loads((folder / CONFIG).read_text(encoding="utf-8")))
        with loading(folder / WEIGHTS):
            (folder / WEIGHTS).stat()
        self._folder = folder

    @property
    def name(self) -> str:
        """Identifies the weights."""
        return self._config.name

    @cached_property
    def _loaded(self) -> tuple[Weights, EmbeddedWords]:
        with loading(self._folder / WEIGHTS):
            tensors = load_file(self._folder / WEIGHTS)
        return tensors["weights"].astype(np.float32), EmbeddedWords(tensors["mean"].astype(np.float32))

    def read(self, question: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> TableAnswer | None:
        """The likeliest answer; None if no reading of the question fits the table, it has no rows or more than 40
        columns, or the question has more than 60 words.
        """
        from treatise.programs import Question, Sheet, worded

        weights, vectors = self._loaded
        sheet = Sheet(heads, rows)
        asked = Question(question)
        if not (heads and rows) or len(heads) > _MAX_COLUMNS or len(asked.words) > _MAX_WORDS:
            return None
        found = described(question, sheet, vectors)
        odds = probabilities(found, weights)
        together: dict[tuple[object, ...], float] = {}
        for program, p in zip(found.programs, odds[:-1], strict=True):
            together[program.result] = together.get(program.result, 0.0) + float(p)
        if not together:
            return None
        result = max(together, key=lambda one: together[one])
        best = max(
            (at for at, one in enumerate(found.programs) if one.result == result), key=lambda at: float(odds[at])
        )
        likely = [values for values, p in together.items() if p >= _LIKELY]
        answer = worded(found.programs[best], sheet, together[result])
        return replace(answer, likely=frozenset(str(one) for values in likely for one in values))
