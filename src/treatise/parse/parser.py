"""Parsers of texts and documents, in two phases: within paragraphs, then over paragraphs."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, pairwise
from typing import Protocol

import numpy as np

from treatise.core.document import Document
from treatise.core.errors import EmptySourceError, TreeError
from treatise.core.ports import Progress
from treatise.core.tree import DiscourseTree, build_tree
from treatise.parse.blas import one_blas_thread
from treatise.parse.nary import Branch
from treatise.parse.rows import Level, Text
from treatise.parse.scorer import Score, Scorer, TreeScore
from treatise.parse.segment import Segmenter
from treatise.parse.transition import REDUCE, Indices, States, kinds, legal


class TextParser(Protocol):
    """A parser from texts, split into units, to binary discourse trees.

    Attributes:
        name: Identifies model and settings: the same name on the same text gives the same tree.
    """

    @property
    def name(self) -> str:
        """See the attributes above."""
        ...

    def parse_texts(self, texts: Sequence[Text]) -> list[DiscourseTree]:
        """One tree with one root per text, in order, over all of its units; ``Join`` nodes only.

        A text of one unit gives a single leaf; empty units and empty paragraphs are allowed. A text's tree does not
        depend on the others. Time and memory are linear in the number of units, except within a bounded window.

        Raises:
            TreeError: If a text has no unit.
            EngineError: If a model failed.
        """
        ...


class TransitionParser:
    """Greedy shift-reduce parsing with a scorer: first all paragraphs in lockstep, then the tree over them.

    Attributes:
        name: Names the scorer.
    """

    def __init__(self, scorer: Scorer, *, paragraphs_first: bool = True) -> None:
        self._scorer = scorer
        self._kinds = kinds(scorer.actions)
        self._paragraphs_first = paragraphs_first
        self.name: str = f"transition/{scorer.name}" + ("" if paragraphs_first else "/one-phase")

    def parse_texts(self, texts: Sequence[Text]) -> list[DiscourseTree]:
        """One tree per text; see :class:`TextParser`."""
        for text in texts:
            if not any(text.paragraphs):
                raise TreeError(f"{text.id}: a tree needs at least one unit, found none")
        with one_blas_thread():
            scores = self._scorer.read(texts)
            return [self._parse(text, score) for text, score in zip(texts, scores, strict=True)]

    def _parse(self, text: Text, score: Score) -> DiscourseTree:
        """Nodes of both phases are in units of the text, so together they form the spliced tree."""
        edges = sorted(set(text.edges))
        branches: list[Branch] = []
        if self._paragraphs_first:
            branches += self._decode([range(start, end + 1) for start, end in pairwise(edges)], score)
            branches += self._decode([edges], score)
        else:
            branches += self._decode([range(edges[-1] + 1)], score)
        return build_tree(edges[-1], branches)

    def _decode(self, runs: Sequence[Sequence[int]], score: Score) -> list[Branch]:
        """The nodes of the best action at each step, for all runs of items together.

        A step that allows only a shift does not use the scorer, as in the paper.
        """
        states = States(runs)
        active = np.arange(len(states))
        while len(active):
            choosing = states.depth(active) > 1
            states.shift(active[~choosing])
            if choosing.any():
                self._step(states, active[choosing], score)
            active = active[(states.left(active) > 0) | (states.depth(active) > 1)]
        return list(states.branches(self._scorer.actions))

    def _step(self, states: States, which: Indices, score: Score) -> None:
        """Shifts or reduces, whichever scores higher, in texts with two or more trees on the stack."""
        scores = np.asarray(score(states.views(which)), dtype=np.float32)
        best = np.where(legal(states, which, self._kinds), scores, -np.inf).argmax(axis=1)
        reducing = self._kinds[best] == REDUCE
        states.shift(which[~reducing])
        joined = states.reduce(which[reducing], best[reducing])
        if isinstance(score, TreeScore):
            score.join(joined)


class DocumentParser:
    """``Parser`` of documents over their sentences, based on a text parser.

    Attributes:
        name: The text parser's.
    """

    def __init__(self, parser: TextParser) -> None:
        self._parser = parser
        self.name: str = parser.name

    def parse(self, document: Document, progress: Progress | None = None) -> DiscourseTree:
        """One tree over all sentences of the document.

        Raises:
            EmptySourceError: If the document has no sentence.
        """
        text = sentence_text(document)
        if not text.units:
            raise EmptySourceError(f"{document.source}: there is no sentence to parse")
        tree = self._parser.parse_texts([text])[0]
        if progress:
            progress(tree.n_units, tree.n_units)
        return tree

    def parse_runs(self, runs: Sequence[Sequence[str]], language: str) -> list[DiscourseTree]:
        """One tree per run of texts; see ``core.ports.Parser.parse_runs``."""
        texts = [Text(f"run {i}", language, Level.SENTENCE, (tuple(run),)) for i, run in enumerate(runs)]
        return self._parser.parse_texts(texts)


def sentence_text(document: Document) -> Text:
    """The document's sentences, without whitespace at their ends, as a text to parse."""
    paragraphs = (
        tuple(document.quote(span.start, span.end) for span in spans) for spans in document.readable_sentences()
    )
    return Text(document.id, document.language, Level.SENTENCE, tuple(paragraphs))


def edu_text(document: Document, segmenter: Segmenter) -> Text:
    """The document's EDUs as a text to parse, in its paragraphs; none crosses a sentence boundary.

    Raises:
        EngineError: If the segmenter's model failed.
    """
    text = sentence_text(document)
    edus = iter(segmenter.segment(text.units, text.lang))
    paragraphs = tuple(
        tuple(edu for sentence in islice(edus, len(paragraph)) for edu in sentence) for paragraph in text.paragraphs
    )
    return replace(text, level=Level.EDU, paragraphs=paragraphs)
