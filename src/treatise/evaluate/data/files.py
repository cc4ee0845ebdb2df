"""Finds data set files in the folder given by the user or ``TREATISE_DATA``."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from treatise.core.errors import DataError
from treatise.evaluate.data.dataset import Dataset
from treatise.evaluate.data.registry import DATASETS
from treatise.evaluate.data.sources import SOURCES


@dataclass(frozen=True, slots=True)
class Found:
    """A data set and its file.

    Attributes:
        name: The data set's name.
        file: The evaluation file; None if missing.
        remedy: How to get it if it is missing.
    """

    name: str
    file: Path | None
    remedy: str


def find_data(dataset: Dataset, folder: Path) -> Path | None:
    """The set's file in its folder (``NAME/`` or ``qa/NAME/``), by the order of its patterns; None if missing.

    If several files match a pattern, the first by name is taken.
    """
    for pattern in dataset.files:
        for place in (folder / dataset.name, folder / "qa" / dataset.name):
            if files := sorted(path for path in place.glob(pattern) if path.is_file()):
                return files[0]
    return None


def data_file(dataset: Dataset, data: Path | None) -> Path:
    """The set's file: ``data`` itself, or the one found in it if ``data`` is a folder of data sets.

    Raises:
        DataError: If it is missing; the message says how to get it.
    """
    if data is not None and not data.is_dir():
        return data
    file = find_data(dataset, data) if data else None
    if file is None:
        where = f"is not in {data / dataset.name}" if data else "has no file: give --data FILE, or set TREATISE_DATA"
        raise DataError(f"the data set {dataset.name} {where}; {_remedy(dataset.name)}")
    return file


def treebank_file(name: str, folder: Path | None) -> Path:
    """A treebank's development trees in JSON lines: ``rst/dev/NAME.jsonl.gz`` in the folder of data sets or beside it.

    Raises:
        DataError: If it is missing.
    """
    for root in (folder, folder.parent) if folder else ():
        for place in (root / "rst" / "dev", root / name):
            if files := sorted(place.glob(f"{name}.jsonl*")):
                return files[0]
    where = f"in {folder / 'rst' / 'dev'}" if folder else "(name the folder with --data)"
    raise DataError(
        f"the treebank {name} was not found {where}: expected {name}.jsonl, as `treatise train` describes it"
    )


def look_for_all(folder: Path | None) -> Iterator[Found]:
    """All published data sets, in order, with their files in the folder."""
    for dataset in DATASETS.values():
        if dataset.files:
            yield Found(dataset.name, find_data(dataset, folder) if folder else None, _remedy(dataset.name))


def _remedy(name: str) -> str:
    if name not in SOURCES:
        return "name its file"
    source = SOURCES[name]
    return f"run `treatise eval fetch {name}`" if source.downloads else source.note
