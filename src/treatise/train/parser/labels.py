"""What a treebank says beside its trees: parts of speech, dependencies, fine relations; learned to read better.

GUM's conllu files hold them. They shape the encoder in training; the parser that is shipped knows nothing of them.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from treatise.parse.spans.model import NUCLEARITIES
from treatise.train.parser.data import Document, Example, Indices
from treatise.train.parser.network import FINE

TOKEN_KINDS: Final = ("pos", "dependency", "discourse")

_DISCOURSE: Final = re.compile(r"Discourse=([\w-]+):")
_RIGHT_NUCLEUS: Final = [nuclearity.value for nuclearity in NUCLEARITIES].index("SN")


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a conllu file.

    Attributes:
        form: As written.
        labels: By kind of ``TOKEN_KINDS``; the discourse relation at the first word of an EDU only.
    """

    form: str
    labels: Mapping[str, str]


class Inventory:
    """Numbers of labels by kind, given in the order in which labels are first seen."""

    def __init__(self) -> None:
        self._numbers: dict[str, dict[str, int]] = {kind: {} for kind in TOKEN_KINDS}

    def number(self, kind: str, label: str) -> int:
        """The label's number."""
        known = self._numbers[kind]
        return known.setdefault(label, len(known))

    def sizes(self) -> dict[str, int]:
        """How many labels there are of each kind that has any; nodes share the fine relations of EDUs."""
        sizes = {kind: len(known) for kind, known in self._numbers.items() if known}
        return sizes | ({FINE: sizes["discourse"]} if "discourse" in sizes else {})


def read_words(text: str) -> list[Word]:
    """The words of a conllu file; ranges of joined words and empty nodes are passed over."""
    words = []
    for line in text.split("\n"):
        cells = line.split("\t")
        if len(cells) == 10 and cells[0].isdigit():
            found = _DISCOURSE.search(cells[9])
            labels = {"pos": cells[3], "dependency": cells[7]} | ({"discourse": found[1]} if found else {})
            words.append(Word(cells[1], labels))
    return words


def labelled(document: Document, units: Sequence[str], folders: Sequence[Path], inventory: Inventory) -> Document:
    """The document with the labels of ``<id>.conllu``; as it was where there is no such file or its text differs.

    Args:
        document: Read by EDUs.
        units: The texts of its EDUs.
        folders: Where conllu files are looked for.
        inventory: Grows.
    """
    paths = [path for folder in folders if (path := folder / f"{document.id}.conllu").exists()]
    if not paths or document.sentences is None:
        return document
    words = read_words(paths[0].read_text("utf-8"))
    if _solid(word.form for word in words) != _solid(units):
        return document
    labels = _token_labels(document, units, words, inventory)
    return replace(document, labels=labels, examples=_with_fine(document.examples, labels["discourse"]))


def heads(example: Example) -> Indices:
    """The head unit of the left and of the right child of each node: the leftmost nucleus below. Shape ``(n, 2)``."""
    found: dict[tuple[int, int], int] = {}
    pairs = np.zeros((len(example.nodes), 2), dtype=np.int64)
    for at, ((start, split, end), nuclearity) in enumerate(
        zip(example.nodes.tolist(), example.nuclearity.tolist(), strict=True)
    ):
        pairs[at] = found.get((start, split), start), found.get((split, end), split)
        found[start, end] = int(pairs[at, int(nuclearity == _RIGHT_NUCLEUS)])
    return pairs


def _token_labels(
    document: Document, units: Sequence[str], words: Sequence[Word], inventory: Inventory
) -> dict[str, Indices]:
    """Labels at the first token of each word, -1 elsewhere; words and tokens meet by characters, white space aside."""
    token_at: dict[int, int] = {}
    for token, place in enumerate(_solid_places(document, units)):
        token_at.setdefault(place, token)
    labels = {kind: np.full(len(document.run.ids), -1, dtype=np.int64) for kind in TOKEN_KINDS}
    at = 0
    for word in words:
        for kind, label in word.labels.items() if at in token_at else ():
            labels[kind][token_at[at]] = inventory.number(kind, label)
        at += len(_solid([word.form]))
    return labels


def _solid_places(document: Document, units: Sequence[str]) -> list[int]:
    """Characters other than white space before each token."""
    run = document.run
    places: list[int] = []
    before = 0
    for unit, start, end in zip(units, run.units[:-1].tolist(), run.units[1:].tolist(), strict=True):
        solid = np.concatenate([[0], np.cumsum([not character.isspace() for character in unit])])
        places += (before + solid[run.characters[start:end]]).tolist()
        before += int(solid[-1])
    return places


def _with_fine(examples: Sequence[Example], discourse: Indices) -> tuple[Example, ...]:
    """A node's fine relation is that of its satellite's head EDU, or of its right child's where both are nuclei.

    A sentence tree's node takes that of the EDU tree's node at the same split.
    """
    first = examples[0]
    pairs = heads(first)
    dependent = np.where(first.nuclearity == _RIGHT_NUCLEUS, pairs[:, 0], pairs[:, 1])
    fine = discourse[first.fenceposts[dependent]]
    at_split = dict(zip(first.fenceposts[first.nodes[:, 1]].tolist(), fine.tolist(), strict=True))
    others = (
        replace(example, fine=np.array([at_split[split] for split in example.fenceposts[example.nodes[:, 1]].tolist()]))
        for example in examples[1:]
    )
    return replace(first, fine=fine), *others


def _solid(texts: Iterable[str]) -> str:
    return "".join("".join(text.split()) for text in texts)
