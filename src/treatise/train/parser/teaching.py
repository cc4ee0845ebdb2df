"""Texts without trees as training documents: what several trained parsers expect of them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from pathlib import Path

import numpy as np

from treatise.core.errors import DataError
from treatise.core.tree import RELATIONS, DiscourseTree, build_tree
from treatise.core.vectors import Floats
from treatise.engines.span_parser import load_segmenter, load_span_parser
from treatise.parse.nary import Branch
from treatise.parse.rows import Level, Text, TreeRow, numbered, read_text
from treatise.parse.segment import Segmenter
from treatise.parse.spans.decode import TreeDistribution
from treatise.parse.spans.ensemble import SpanEnsemble
from treatise.parse.spans.model import NUCLEARITIES, best_labels
from treatise.parse.spans.places import edges
from treatise.parse.spans.segmenter import TokenSegmenter
from treatise.parse.spans.tokens import TokenReader, TokenRun, token_run
from treatise.train.parser.data import Document, Example, Expected, Sentences, prepare
from treatise.train.parser.recipe import BoundaryTeaching, Teaching
from treatise.train.source import shipped
from treatise.train.treebanks import TreebankDocument, read_lines


class Teachers:
    """Trained parsers, and the texts on which their expectations are learned.

    Args:
        teaching: Texts, parsers and segmenter.
        root: The data folder.
        n_parts: Number of parts of the texts; an epoch reads one.
        threads: Processor threads.

    Raises:
        DataError: If a file or model is missing, or a text is not given by sentence.
    """

    def __init__(self, teaching: Teaching, root: Path, *, n_parts: int, threads: int) -> None:
        self._weight = teaching.weight
        self._parts = _parts(teaching, root, n_parts)
        if not teaching.texts:
            return
        self._parser = SpanEnsemble([load_span_parser(shipped(name), threads=threads) for name in teaching.parsers])
        self._segmenter: Segmenter = load_segmenter(shipped(teaching.segmenter), threads=threads)

    def documents(self, part: int, reader: TokenReader) -> Iterator[Document]:
        """The texts of a part, from 0, with the parsers' expectations; every part has as many."""
        return (self._document(text, reader) for text in self._parts[part])

    def _document(self, text: Text, reader: TokenReader) -> Document:
        by_edu, sentence_of_unit = in_edus(text, self._segmenter)
        of_edus, of_sentences = self._parser.distributions([by_edu, text])
        edus = TreeRow(by_edu, _tree(by_edu, of_edus), sentence_of_unit)
        document = prepare(TreebankDocument(edus, TreeRow(text, _tree(text, of_sentences))), reader)
        examples = map(_expected, document.examples, (of_edus, of_sentences))
        return replace(document, examples=tuple(examples), weight=self._weight)


class BoundaryTeachers:
    """Trained segmenters, and the texts on which their probabilities of EDU boundaries are learned.

    Args:
        teaching: Texts and segmenters.
        root: The data folder.
        n_parts: Number of parts of the texts; an epoch reads one.
        threads: Processor threads.

    Raises:
        DataError: If a file or model is missing, or a text is not given by sentence.
    """

    def __init__(self, teaching: BoundaryTeaching, root: Path, *, n_parts: int, threads: int) -> None:
        self._weight = teaching.weight
        self._parts = _parts(teaching, root, n_parts)
        folders = map(shipped, teaching.segmenters if teaching.texts else ())
        self._segmenters = [_token_segmenter(folder, threads) for folder in folders]

    def documents(self, part: int, reader: TokenReader) -> Iterator[Document]:
        """The texts of a part, from 0, with the segmenters' probabilities; every part has as many."""
        for text in self._parts[part]:
            run = token_run(reader, text.units)
            sentences = Sentences(run, self._expected(text.units, run))
            of_paragraphs, of_sentences = edges(text.paragraphs, text.level)
            yield Document(text.id, run, of_paragraphs, of_sentences, sentences, (), weight=self._weight)

    def _expected(self, sentences: Sequence[str], run: TokenRun) -> Floats:
        """The probability of each token, by the mean score of the segmenters for which a word begins there."""
        expected = np.zeros(len(run.ids), dtype=np.float32)
        by_segmenter = [segmenter.scores(sentences) for segmenter in self._segmenters]
        for number, (start, end) in enumerate(pairwise(run.units.tolist())):
            for token in (np.flatnonzero(run.begins_word[start:end]) + start).tolist():
                place = int(run.characters[token])
                scores = [found[number][place] for found in by_segmenter if place in found[number]]
                expected[token] = 1 / (1 + np.exp(-np.mean(scores))) if scores else 0
        return expected


def _parts(teaching: Teaching | BoundaryTeaching, root: Path, n_parts: int) -> list[list[Text]]:
    """The texts in parts of the same size; what is left over is not read.

    Raises:
        DataError: If there are fewer texts than parts.
    """
    texts = [text for file in teaching.texts for text in read_texts(root / file)][: teaching.n_texts or None]
    size = len(texts) // n_parts
    if teaching.texts and not size:
        raise DataError(f"{len(texts)} texts for {n_parts} epochs under [teaching]: expected one per epoch at least")
    return [texts[part * size : (part + 1) * size] for part in range(n_parts)]


def _token_segmenter(folder: Path, threads: int) -> TokenSegmenter:
    if (folder / "segmenter.json").is_file():
        return load_segmenter(folder, threads=threads)
    return load_span_parser(folder, threads=threads).segmenter


def read_texts(path: Path) -> Iterator[Text]:
    """The texts of a file, by sentence.

    Raises:
        DataError: If it cannot be read, or a line is of another form or level.
    """
    for line, where in numbered(read_lines(path), str(path)):
        text = read_text(line, where)
        if text.level is not Level.SENTENCE:
            raise DataError(f"{where}: {text.id} is given by {text.level}: expected sentences")
        yield text


def in_edus(text: Text, segmenter: Segmenter) -> tuple[Text, tuple[int, ...]]:
    """The text by EDU, and the sentence of each EDU."""
    edus = segmenter.segment(text.units, text.lang)
    paragraphs = tuple(tuple(chain.from_iterable(edus[start:end])) for start, end in pairwise(text.edges))
    numbers = chain.from_iterable([number] * len(found) for number, found in enumerate(edus))
    return replace(text, level=Level.EDU, paragraphs=paragraphs), tuple(numbers)


def _tree(text: Text, found: TreeDistribution | None) -> DiscourseTree:
    nodes: list[Branch] = []
    if found:
        nodes = [(*node, *label) for node, label in zip(found.nodes.tolist(), best_labels(found.labels), strict=True)]
    return build_tree(len(text.units), nodes)


def _expected(example: Example, found: TreeDistribution | None) -> Example:
    """The example with the parsers' probabilities; its nodes are those of the distribution, in the same order."""
    if found is None:
        return example
    return replace(example, expected=Expected(found.spans, _label_probabilities(found.labels)))


def _label_probabilities(log_probabilities: Sequence[Floats]) -> Floats:
    """The normalised geometric mean over readings. Shape ``(n_nodes, n_nuclearities, n_relations)``."""
    mean = np.mean(log_probabilities, axis=0)
    shares = np.exp(mean - mean.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    labels: Floats = shares.reshape(-1, len(NUCLEARITIES), len(RELATIONS)).astype(np.float32)
    return labels
