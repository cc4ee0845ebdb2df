"""Training documents of the parser: one run of tokens, with the fenceposts of each of its trees."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from treatise.core.errors import DataError
from treatise.core.tree import RELATIONS
from treatise.core.vectors import Floats
from treatise.parse.rows import Level, TreeRow
from treatise.parse.spans.chart import LEFT, RIGHT, Table
from treatise.parse.spans.model import NUCLEARITIES
from treatise.parse.spans.places import Edges, Places, edges, places, unit_flags
from treatise.parse.spans.tokens import TokenReader, TokenRun, token_run
from treatise.train.treebanks import TreebankDocument, sentence_text

Indices = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Example:
    """One tree.

    Attributes:
        level: Level of its units.
        fenceposts: First token of each unit, and the number of tokens. Shape ``(n_units + 1,)``.
        flags, places: Further inputs of the network; see ``places.unit_flags`` and ``places.places``.
        nodes: ``(start, split, end)`` of each inner node, children first. Shape ``(n_units - 1, 3)``.
        nuclearity, relation: Number of each node's label. Shape ``(n_units - 1,)``.
        fine: Number of each node's fine relation, -1 if unknown; None if all are unknown.
        expected: Probabilities from other parsers, in place of certainty; None for a tree of annotators.
        silver: Whether the output layers for silver trees learn it: see ``Treebanks.silver``.
    """

    level: Level
    fenceposts: Indices
    flags: Floats
    places: Places
    nodes: Indices
    nuclearity: Indices
    relation: Indices
    fine: Indices | None = None
    expected: "Expected | None" = None
    silver: bool = False


@dataclass(frozen=True, slots=True)
class Expected:
    """Probabilities that other parsers give to the spans and labels of a tree.

    Attributes:
        spans: Of each span as a left and as a right child. Shape ``(2, n_units + 1, n_units + 1)``.
        labels: Of each node's nuclearity and relation. Shape ``(n_units - 1, n_nuclearities, n_relations)``.
    """

    spans: Table
    labels: Floats


def certain(example: Example) -> Expected:
    """Probability 1 for the spans and labels of the tree itself."""
    n, nodes = len(example.fenceposts), example.nodes
    spans = np.zeros((2, n, n))
    spans[LEFT, nodes[:, 0], nodes[:, 1]] = 1
    spans[RIGHT, nodes[:, 1], nodes[:, 2]] = 1
    labels = np.zeros((len(nodes), len(NUCLEARITIES), len(RELATIONS)), np.float32)
    labels[np.arange(len(nodes)), example.nuclearity, example.relation] = 1
    return Expected(spans, labels)


@dataclass(frozen=True, slots=True)
class Sentences:
    """A text as input of the segmenter: tokenised by sentence, so that tokens do not reveal EDU boundaries.

    Attributes:
        run: Its tokens, by sentence.
        begins_edu: The probability that an EDU begins at each token: 0 or 1 where annotators say so. Shape
            ``(n_tokens,)``.
    """

    run: TokenRun
    begins_edu: Edges | Floats


@dataclass(frozen=True, slots=True)
class Document:
    """One text, tokenised once for all of its trees.

    Attributes:
        id: The text's.
        run: Its tokens, by EDU, or by sentence without EDUs.
        of_paragraphs, of_sentences: Edges of the units of ``run``; sentences are those of the treebank.
        sentences: Training data for EDU boundaries; None without EDUs.
        examples: Its trees.
        labels: By kind: a label for each token, -1 for none. Shape ``(n_tokens,)``.
        weight: Weight of its loss in training.
    """

    id: str
    run: TokenRun
    of_paragraphs: Edges
    of_sentences: Edges
    sentences: Sentences | None
    examples: tuple[Example, ...]
    labels: Mapping[str, Indices] = field(default_factory=dict)
    weight: float = 1.0


def prepare(document: TreebankDocument, reader: TokenReader) -> Document:
    """The tokenised document.

    Raises:
        DataError: If its EDU tree and its sentence tree are over different numbers of sentences.
    """
    first = document.rows[0]
    run = token_run(reader, first.text.units)
    of_paragraphs, guessed = edges(first.text.paragraphs, first.text.level)
    of_sentences = _sentence_edges(first) if first.sentence_of_unit else guessed
    examples = [_example(first, run.units)]
    sentences = None
    if document.edus is not None:
        sentences = _sentences(first, of_sentences, reader)
        if document.sentences is not None:
            examples.append(_example(document.sentences, run.units[of_sentences]))
    return Document(first.text.id, run, of_paragraphs, of_sentences, sentences, tuple(examples))


def _sentences(row: TreeRow, of_sentences: Edges, reader: TokenReader) -> Sentences:
    units = row.text.units
    of_edus = [units[start:end] for start, end in pairwise(np.flatnonzero(of_sentences).tolist())]
    texts = [sentence_text(edus, row.text.lang) for edus in of_edus]
    run = token_run(reader, texts)
    begins_edu = np.zeros(len(run.ids), dtype=bool)
    for text, edus, start, end in zip(texts, of_edus, run.units[:-1].tolist(), run.units[1:].tolist(), strict=True):
        places = [_beyond_space(text, place) for place in run.characters[start:end].tolist()]
        firsts = [len(sentence_text([*edus[:at], ""], row.text.lang)) for at in range(len(edus))]
        begins_edu[[start + places.index(first) for first in firsts if first in places]] = True
    return Sentences(run, begins_edu)


def _beyond_space(text: str, place: int) -> int:
    """The place, or the next one after whitespace, which belongs to the following token or is its own token."""
    return place + (place < len(text) and text[place].isspace())


def _sentence_edges(row: TreeRow) -> Edges:
    numbers = np.array([-1, *row.sentence_of_unit, -1])
    return numbers[1:] != numbers[:-1]


def _example(row: TreeRow, fenceposts: Indices) -> Example:
    text = row.text
    if len(fenceposts) != len(text.units) + 1:
        raise DataError(f"{text.id}: {len(text.units)} {text.level} units, but {len(fenceposts) - 1} by its EDU tree")
    of_paragraphs, of_sentences = edges(text.paragraphs, text.level)
    joins = list(row.tree.joins())
    labels = [(NUCLEARITIES.index(join.nuclearity), RELATIONS.index(join.relation)) for *_, join in joins]
    nodes = np.array([node for *node, _ in joins], dtype=np.int64).reshape(-1, 3)
    numbers = np.array(labels, dtype=np.int64).reshape(-1, 2)
    return Example(
        level=text.level,
        fenceposts=fenceposts,
        flags=unit_flags(fenceposts, of_paragraphs, of_sentences, text.level),
        places=places(of_paragraphs, of_sentences, text.level),
        nodes=nodes,
        nuclearity=numbers[:, 0],
        relation=numbers[:, 1],
    )
