"""The ONNX file of a model's folder, whole, or without the table of words that the shipped models share.

The English models have the same word embeddings, half of each file. ``scripts/hash-models`` makes them an input of the
graphs: the table is stored once and mapped into memory, so that a session neither reads nor copies it.
"""

import json
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from treatise.core.errors import MissingExtraError
from treatise.engines.loading import loading

WHOLE: Final = "model.onnx"
CUT: Final = "model-without-words.onnx"
PLACE: Final = "words.json"
"""Beside a cut file: the ``table`` it lacks, as ``folder/file`` within the folder of models, and its ``dim``."""
WORDS: Final = "words"
"""The table's name in a graph: of a constant in a whole one, of an input in a cut one."""

SHIPPED: Final = Path(__file__).parent.parent / "models"
"""The folder of the models that come with Treatise."""

Words = npt.NDArray[np.int8]
"""Word embeddings. Shape ``(n_words, dim)``, int8."""


def graph_path(folder: Path) -> Path:
    """The file that holds the graph, or that is missing: the whole one, unless the folder has files of a cut one."""
    is_cut = any((folder / name).is_file() for name in (CUT, PLACE)) and not (folder / WHOLE).is_file()
    return folder / (CUT if is_cut else WHOLE)


def words_of(folder: Path) -> Words | None:
    """The table that the graph of a folder takes as input, mapped; None if the graph is whole.

    Raises:
        EngineUnavailableError: If a file is missing or differs from its hash.
    """
    if graph_path(folder).name == WHOLE:
        return None
    with loading(path := folder / PLACE):
        place = json.loads(path.read_text(encoding="utf-8"))
        name, dim = str(place["table"]), int(place["dim"])
    with loading(path := _table(folder, name)):
        return np.memmap(path, dtype=np.int8, mode="r").reshape(-1, dim)


def read_whole(folder: Path) -> bytes:
    """The content of the ONNX file of a folder, with the table of words as a constant.

    Raises:
        EngineUnavailableError: If a file is missing or differs from its hash.
        MissingExtraError: If the graph is cut and the package onnx is not installed.
    """
    words = words_of(folder)
    with loading(path := graph_path(folder)):
        content = path.read_bytes()
    if words is None:
        return content
    onnx = _onnx()
    model = onnx.load_from_string(content)
    (taken,) = (one for one in model.graph.input if one.name == WORDS)
    model.graph.input.remove(taken)
    model.graph.initializer.append(onnx.numpy_helper.from_array(np.asarray(words), WORDS))
    whole: bytes = model.SerializeToString(deterministic=True)
    return whole


def cut_words(folder: Path, table: Path) -> bool:
    """Replaces the whole ONNX file by one that takes its words as input; False if they are not those of the table.

    Raises:
        MissingExtraError: If the package onnx is not installed.
    """
    onnx = _onnx()
    model = onnx.load_from_string((folder / WHOLE).read_bytes())
    found = [one for one in model.graph.initializer if one.name == WORDS and one.raw_data == table.read_bytes()]
    if not found:
        return False
    (words,) = found
    model.graph.initializer.remove(words)
    model.graph.input.append(onnx.helper.make_tensor_value_info(WORDS, words.data_type, words.dims))
    (folder / CUT).write_bytes(model.SerializeToString(deterministic=True))
    place = {"table": f"{table.parent.name}/{table.name}", "dim": words.dims[1]}
    (folder / PLACE).write_text(json.dumps(place) + "\n", encoding="utf-8")
    (folder / WHOLE).unlink()
    return True


def _table(folder: Path, name: str) -> Path:
    """Beside the model's folder, else where Treatise is installed: a copy of a folder needs no copy of the table."""
    beside = folder.parent / name
    return beside if beside.is_file() else SHIPPED / name


def _onnx() -> Any:
    try:
        import onnx
    except ImportError as error:
        raise MissingExtraError("changing an ONNX model", "train") from error
    return onnx
