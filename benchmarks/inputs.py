"""Inputs of the benchmarks: data files below ``TREATISE_DATA``, long texts, the built-in encoder."""

import os
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

import treatise
from treatise.core.errors import DataError
from treatise.engines.onnx_encoder import OnnxEncoder
from treatise.evaluate.data.registry import dataset_named

MODELS = Path(treatise.__file__).parent / "models"
EXAMPLE = Path(__file__).parent.parent / "examples" / "forecasting-derailment.md"


def data_file(dataset: str, split: str) -> Path:
    """The one file ``TREATISE_DATA/<dataset>/*<split>*`` that is not a subset of it."""
    root = os.environ.get("TREATISE_DATA")
    if root is None:
        raise DataError("TREATISE_DATA is not set: expected the folder that holds the data sets' folders")
    found = sorted(p for p in (Path(root) / dataset).glob(f"*{split}*.json*") if "subset" not in p.name)
    if len(found) != 1:
        names = ", ".join(path.name for path in found) or "none"
        raise DataError(f"expected one file {root}/{dataset}/*{split}*.json*, found {names}")
    return found[0]


def long_text(n_words: int) -> str:
    """A text with the given number of words, joined from the available texts."""
    paragraphs = (paragraph.split() for text in texts() for paragraph in text.split("\n\n"))
    kept: list[str] = []
    n_left = n_words
    while n_left > 0:
        words = list(islice(next(paragraphs), n_left))
        kept.append(" ".join(words))
        n_left -= len(words)
    return "\n\n".join(filter(None, kept))


def texts() -> Iterator[str]:
    """The available texts in ``TREATISE_DATA``: stories, then papers; else the example, repeated."""
    if "TREATISE_DATA" not in os.environ:
        yield from cycle([EXAMPLE.read_text(encoding="utf-8")])
    for dataset, split in (("squality", "dev"), ("fairytaleqa", "train"), ("qasper", "train")):
        for labelled in dataset_named(dataset).load(data_file(dataset, split)):
            yield labelled.document.text


def open_encoder(folder: Path | None = None) -> OnnxEncoder:
    """The built-in encoder, or one from a folder in the same format."""
    return OnnxEncoder(folder or MODELS / "treatise-en")
