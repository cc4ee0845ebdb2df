"""Treebanks for training: JSON lines, plain or gzipped; the EDU and sentence trees of a text are combined."""

import gzip
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np

from treatise.core.errors import DataError
from treatise.core.scripts import UNSPACED_LANGUAGES
from treatise.parse.rows import Level, TreeRow, numbered, read_object, read_row
from treatise.parse.spans.places import edges

_BEFORE_CLOSING: Final = re.compile(r" +(?=[,.;:!?…»”)\]])")
_AFTER_OPENING: Final = re.compile(r"(?<=[«“(\[]) +")


@dataclass(frozen=True, slots=True)
class Treebanks:
    """Training and development files of a recipe; paths are below the data folder.

    Attributes:
        train: Files of training rows.
        translated: Further training files, made by ``treatise train translate``.
        translated_weight: Weight of a translated document; one of ``train`` counts 1.
        silver: Files of trees by annotators who follow the treebanks less closely; a parser learns them with output
            layers of their own, which are not exported.
        dev: Files of development rows, for early stopping and comparisons.
        labels: Folders with ``<id>.conllu`` files, whose labels are auxiliary targets.
        fraction: Share of the training documents, for learning curves.
        twice: Languages with few documents, which are read twice per epoch.
        spaced_marks: Languages whose treebanks put spaces around marks; a segmenter learns half of their documents
            without those spaces.
        licence: Licence of models trained on them.
        sources: Attributions: one line each on the model card.
    """

    train: tuple[str, ...]
    dev: tuple[str, ...]
    licence: str = ""
    sources: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    fraction: float = 1.0
    twice: tuple[str, ...] = ()
    spaced_marks: tuple[str, ...] = ()
    translated: tuple[str, ...] = ()
    translated_weight: float = 0.5
    silver: tuple[str, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """All files with trees."""
        return (*self.train, *self.translated, *self.silver, *self.dev)


@dataclass(frozen=True, slots=True)
class TreebankDocument:
    """The trees of one text.

    Attributes:
        edus: Its tree over EDUs, if any.
        sentences: Its tree over sentences, if any.
    """

    edus: TreeRow | None
    sentences: TreeRow | None

    @property
    def rows(self) -> list[TreeRow]:
        """Its trees, EDUs first."""
        return [row for row in (self.edus, self.sentences) if row is not None]

    @property
    def id(self) -> str:
        """The text's id."""
        return self.rows[0].text.id

    @property
    def lang(self) -> str:
        """The text's language, an ISO 639-1 code."""
        return self.rows[0].text.lang


def read_documents(root: Path, files: Sequence[str], *, fraction: float = 1.0) -> list[TreebankDocument]:
    """The documents of these files, by id; the rows of a text may be in different files.

    Args:
        root: The data folder.
        files: Paths below it.
        fraction: Share of the documents; a smaller share is part of a larger one.

    Raises:
        DataError: If a file is missing or not of the documented form, or has two trees of the same text and level.
        TreeError: If a row's nodes do not form a tree.
    """
    by_level: dict[Level, dict[str, TreeRow]] = {level: {} for level in Level}
    for file in files:
        for row in read_rows(root / file):
            if row.text.id in by_level[row.text.level]:
                raise DataError(f"{root / file}: a second {row.text.level} tree of {row.text.id}")
            by_level[row.text.level][row.text.id] = row
    edus, sentences = by_level[Level.EDU], by_level[Level.SENTENCE]
    names = sorted(edus.keys() | sentences.keys())
    kept = random.Random(0).sample(names, len(names))[: max(1, round(len(names) * fraction))]
    return [TreebankDocument(edus.get(name), sentences.get(name)) for name in sorted(kept)]


def read_rows(path: Path) -> Iterator[TreeRow]:
    """The rows of a file.

    Raises:
        DataError: If it cannot be read or a line is not of the documented form.
        TreeError: If a row's nodes do not form a tree.
    """
    for line, where in numbered(read_lines(path), str(path)):
        yield read_row(line, where)


def read_objects(root: Path, files: Sequence[str]) -> Iterator[tuple[dict[str, object], str]]:
    """The JSON objects in the lines of these files below a folder, each with file and line number for errors.

    Raises:
        DataError: If a file cannot be read, or a line is not a JSON object.
    """
    for path in (root / file for file in files):
        for line, where in numbered(read_lines(path), str(path)):
            yield read_object(line, where), where


def read_lines(path: Path) -> list[str]:
    """The lines of a UTF-8 file, gzipped if its name ends in ``.gz``.

    Raises:
        DataError: If it cannot be read.
    """
    try:
        content = path.read_bytes()
        return (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8").split("\n")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise DataError(f"{path} cannot be read: {error}") from error


def sentence_text(edus: Sequence[str], lang: str) -> str:
    """The text of the sentence formed by these EDUs."""
    return ("" if lang in UNSPACED_LANGUAGES else " ").join(edus)


def without_spaces_at_marks(document: TreebankDocument) -> TreebankDocument:
    """The document with marks as they are written: no space before a comma or after an opening bracket."""

    def written(row: TreeRow | None) -> TreeRow | None:
        if row is None:
            return None
        paragraphs = tuple(tuple(map(_written, units)) for units in row.text.paragraphs)
        return replace(row, text=replace(row.text, paragraphs=paragraphs))

    return TreebankDocument(written(document.edus), written(document.sentences))


def _written(unit: str) -> str:
    return _AFTER_OPENING.sub("", _BEFORE_CLOSING.sub("", unit))


def sentences_of_edus(document: TreebankDocument) -> list[list[str]]:
    """The EDUs of each sentence: those of the treebank, or if it does not mark sentences, up to closing punctuation.

    The latter end only where an EDU does, and so are no measure of a whole text's segmentation.
    """
    row = document.edus
    if row is None or row.sentence_of_unit:
        return gold_sentences(document)
    units, (_, of_sentences) = row.text.units, edges(row.text.paragraphs, row.text.level)
    return [list(units[start:end]) for start, end in pairwise(np.flatnonzero(of_sentences).tolist())]


def gold_sentences(document: TreebankDocument) -> list[list[str]]:
    """The EDUs of each sentence; empty if the treebank does not mark sentences."""
    row = document.edus
    if row is None or not row.sentence_of_unit:
        return []
    sentences: list[list[str]] = [[] for _ in range(row.sentence_of_unit[-1] + 1)]
    for unit, sentence in zip(row.text.units, row.sentence_of_unit, strict=True):
        sentences[sentence].append(unit)
    return sentences
