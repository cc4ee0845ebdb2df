"""The ONNX file of a model's folder, whole, or without the table of words that the shipped models share.

The English models have the same word embeddings, half of each file. ``scripts/hash-models`` cuts them out; read again,
the file has the same bytes.
"""

import json
import mmap
from pathlib import Path
from typing import Final

from treatise.engines.loading import loading

WHOLE: Final = "model.onnx"
CUT: Final = "model-without-words.onnx"
PLACE: Final = "words.json"
"""Beside a cut file: the ``table`` it lacks, as ``folder/file`` within the folder of models, and the offset ``at``."""

SHIPPED: Final = Path(__file__).parent.parent / "models"
"""The folder of the models that come with Treatise."""


def graph_path(folder: Path) -> Path:
    """The file that holds the graph, or that is missing: the whole one, unless the folder has files of a cut one."""
    is_cut = any((folder / name).is_file() for name in (CUT, PLACE)) and not (folder / WHOLE).is_file()
    return folder / (CUT if is_cut else WHOLE)


def read_graph(folder: Path) -> bytes:
    """The content of a folder's ONNX file, with the shared table of words.

    Raises:
        EngineUnavailableError: If a file is missing or differs from its hash.
    """
    with loading(path := graph_path(folder)):
        found = path.read_bytes()
    return found if path.name == WHOLE else _with_words(found, folder)


def cut_words(folder: Path, table: Path) -> bool:
    """Replaces the whole ONNX file by one without the bytes of a table; returns whether the file contains them."""
    whole, words = (folder / WHOLE).read_bytes(), table.read_bytes()
    at = whole.find(words)
    if at < 0:
        return False
    (folder / CUT).write_bytes(whole[:at] + whole[at + len(words) :])
    place = {"table": f"{table.parent.name}/{table.name}", "at": at}
    (folder / PLACE).write_text(json.dumps(place) + "\n", encoding="utf-8")
    (folder / WHOLE).unlink()
    return True


def _with_words(cut: bytes, folder: Path) -> bytes:
    with loading(path := folder / PLACE):
        place = json.loads(path.read_text(encoding="utf-8"))
        table, at = str(place["table"]), int(place["at"])
    with loading(path := _table(folder, table)), path.open("rb") as file:
        words = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        kept = memoryview(cut)
        return b"".join((kept[:at], words, kept[at:]))  # one copy


def _table(folder: Path, name: str) -> Path:
    """Beside the model's folder, else where Treatise is installed: a copy of a folder needs no copy of the table."""
    beside = folder.parent / name
    return beside if beside.is_file() else SHIPPED / name
