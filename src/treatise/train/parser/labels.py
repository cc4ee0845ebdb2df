"""Auxiliary labels of a treebank: parts of speech, dependencies, fine relations.

They are read from GUM's conllu files. They shape the encoder in training and are not part of the shipped model.
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
"""Auxiliary labels of the parser."""

CLAUSE_KINDS: Final = ("pos", "left", "right")
"""Auxiliary labels of the segmenter: the largest phrase or clause that begins and ends at each word."""

_DISCOURSE: Final = re.compile(r"Discourse=([\w-]+):")
_VERBS: Final = ("VERB", "AUX")
_OF_CLAUSES: Final = ("nsubj", "csubj", "cop", "mark")
_RIGHT_NUCLEUS: Final = [nuclearity.value for nuclearity in NUCLEARITIES].index("SN")


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a conllu file.

    Attributes:
        form: As written.
        labels: Labels by kind; the discourse relation only at the first word of an EDU.
    """

    form: str
    labels: Mapping[str, str]


class Inventory:
    """Numbers labels by kind, in order of first use.

    Attributes:
        kinds: Kinds of labels to learn.
    """

    def __init__(self, kinds: Sequence[str] = TOKEN_KINDS) -> None:
        self.kinds: tuple[str, ...] = tuple(kinds)
        self._numbers: dict[str, dict[str, int]] = {kind: {} for kind in kinds}

    def number(self, kind: str, label: str) -> int:
        """The label's number."""
        known = self._numbers[kind]
        return known.setdefault(label, len(known))

    def sizes(self) -> dict[str, int]:
        """Number of labels of each non-empty kind; nodes share the fine relations of EDUs."""
        sizes = {kind: len(known) for kind, known in self._numbers.items() if known}
        return sizes | ({FINE: sizes["discourse"]} if "discourse" in sizes else {})


def read_words(text: str) -> list[Word]:
    """The words of a conllu file; ranges of joined words and empty nodes are skipped."""
    words: list[Word] = []
    sentence: list[list[str]] = []
    for line in [*text.split("\n"), ""]:
        cells = line.split("\t")
        if len(cells) == 10 and cells[0].isdigit():
            sentence.append(cells)
        elif not line.strip():
            words += _words(sentence)
            sentence = []
    return words


def _words(sentence: Sequence[Sequence[str]]) -> list[Word]:
    heads = [int(cells[6]) if cells[6].isdigit() and int(cells[6]) <= len(sentence) else 0 for cells in sentence]
    left, right = clause_edges([(head, cells[7], cells[3]) for head, cells in zip(heads, sentence, strict=True)])
    words = []
    for cells, begins, ends in zip(sentence, left, right, strict=True):
        labels = {"pos": cells[3], "dependency": cells[7], "left": begins, "right": ends}
        found = _DISCOURSE.search(cells[9])
        words.append(Word(cells[1], labels | ({"discourse": found[1]} if found else {})))
    return words


def clause_edges(words: Sequence[tuple[int, str, str]]) -> tuple[list[str], list[str]]:
    """For each word, the relations of the largest subtrees that begin and end there.

    ``"none"`` if the word is not at an edge; with the suffix ``/v`` if the subtree is a clause: its head is a verb, or
    has a subject, a copula or a mark.

    Args:
        words: For each word, the 1-based number of its head (0 for the root), its dependency and part of speech.
    """
    n = len(words)
    depths = [_depth(words, at) for at in range(n)]
    upwards = sorted(range(n), key=lambda at: -depths[at])
    first, last = list(range(n)), list(range(n))
    clauses = {at for at, (_, _, pos) in enumerate(words) if pos in _VERBS}
    for at in upwards:
        head, relation = words[at][0] - 1, words[at][1]
        if head >= 0:
            first[head], last[head] = min(first[head], first[at]), max(last[head], last[at])
            clauses |= {head} if relation.split(":")[0] in _OF_CLAUSES else set()
    left, right = ["none"] * n, ["none"] * n
    for at in upwards:  # the largest come last
        left[first[at]] = right[last[at]] = words[at][1] + ("/v" if at in clauses else "")
    return left, right


def _depth(words: Sequence[tuple[int, str, str]], at: int) -> int:
    depth = 0
    while words[at][0] and depth <= len(words):
        at, depth = words[at][0] - 1, depth + 1
    return depth


def labelled(document: Document, units: Sequence[str], folders: Sequence[Path], inventory: Inventory) -> Document:
    """The document with the labels of ``<id>.conllu``; unchanged if the file does not exist or its text differs.

    Args:
        document: A document tokenised by EDU.
        units: The texts of its EDUs.
        folders: Folders that may contain the conllu file.
        inventory: The label numbers; new labels are added.
    """
    paths = [path for folder in folders if (path := folder / f"{document.id}.conllu").exists()]
    if not paths or document.sentences is None:
        return document
    words = read_words(paths[0].read_text("utf-8"))
    if _solid(word.form for word in words) != _solid(units):
        return document
    labels = _token_labels(document, units, words, inventory)
    if "discourse" not in labels:
        return replace(document, labels=labels)
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
    """Labels at the first token of each word, -1 elsewhere; words and tokens are matched by characters, ignoring
    whitespace.
    """
    token_at: dict[int, int] = {}
    for token, place in enumerate(_solid_places(document, units)):
        token_at.setdefault(place, token)
    labels = {kind: np.full(len(document.run.ids), -1, dtype=np.int64) for kind in inventory.kinds}
    at = 0
    for word in words:
        for kind in inventory.kinds if at in token_at else ():
            if label := word.labels.get(kind):
                labels[kind][token_at[at]] = inventory.number(kind, label)
        at += len(_solid([word.form]))
    return labels


def _solid_places(document: Document, units: Sequence[str]) -> list[int]:
    """Characters other than whitespace before each token."""
    run = document.run
    places: list[int] = []
    before = 0
    for unit, start, end in zip(units, run.units[:-1].tolist(), run.units[1:].tolist(), strict=True):
        solid = np.concatenate([[0], np.cumsum([not character.isspace() for character in unit])])
        places += (before + solid[run.characters[start:end]]).tolist()
        before += int(solid[-1])
    return places


def _with_fine(examples: Sequence[Example], discourse: Indices) -> tuple[Example, ...]:
    """A node's fine relation is that of its satellite's head EDU, or of its right child's if both are nuclei.

    A node of a sentence tree has that of the EDU tree's node with the same split.
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
