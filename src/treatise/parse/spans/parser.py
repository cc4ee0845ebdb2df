"""The trained parser as a parser of texts and a segmenter of sentences."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.errors import TreeError
from treatise.core.tree import DiscourseTree, Unit
from treatise.core.vectors import Floats
from treatise.parse.blas import one_blas_thread
from treatise.parse.rows import Level, Text
from treatise.parse.spans.decode import Reading, ReadText, decode
from treatise.parse.spans.model import ParserConfig, SpanModel
from treatise.parse.spans.places import Edges, edges, places, unit_flags
from treatise.parse.spans.segmenter import TokenSegmenter
from treatise.parse.spans.tokens import TokenReader, TokenRun, Window, text_windows, token_run

_UNITS_TOGETHER: Final = 1_024
_WINDOWS_TOGETHER: Final = 4


class SpanParser:
    """``TextParser`` and ``Segmenter`` by scores of spans.

    Sentences are read twice from one encoding, as units and as the EDUs that are found in them; spans and labels are
    scored by both.

    Args:
        model: The trained network.
        reader: Its encoder.

    Attributes:
        segmenter: The segmenter by the same encoder.
    """

    def __init__(self, model: SpanModel, reader: TokenReader) -> None:
        self._model = model
        self._reader = reader
        self.name: str = parser_name(model.config)
        self.segmenter: TokenSegmenter = TokenSegmenter(self.name, model.boundaries, reader, model.config.window)

    def parse_texts(self, texts: Sequence[Text]) -> list[DiscourseTree]:
        """One tree per text; see :class:`treatise.parse.parser.TextParser`."""
        check_units(texts)
        with one_blas_thread():
            return [tree_of(read) for some in together(texts) for read in self.read_together(some)]

    def segment(self, sentences: Sequence[str], lang: str) -> list[list[str]]:
        """The EDUs of each sentence; see :class:`treatise.parse.segment.Segmenter`."""
        return self.segmenter.segment(sentences, lang)

    def read_together(self, texts: Sequence[Text]) -> Iterator[ReadText | None]:
        """Each text as it was read; None if it has one unit. The encoder reads the windows of all without a pause."""
        layouts = [self._layout(text) if len(text.units) > 1 else None for text in texts]
        rows = (window.row(self._reader, one.run) for one in layouts if one for window in one.windows)
        vectors = self._reader.read(rows)
        for one in layouts:
            yield self._read_text(one, vectors) if one else None

    def _read_text(self, text: "_Layout", vectors: Iterator[Floats]) -> ReadText:
        return ReadText(text.of_paragraphs, text.of_sentences, self._readings(text, vectors))

    def _layout(self, text: Text) -> "_Layout":
        run = token_run(self._reader, text.units)
        of_paragraphs, of_sentences = edges(text.paragraphs, text.level)
        found = text_windows(run, of_paragraphs, of_sentences, self._model.config.window)
        return _Layout(run, of_paragraphs, of_sentences, text.level, found)

    def _readings(self, text: "_Layout", vectors: Iterator[Floats]) -> list[Reading]:
        """The text by its units, and where these are sentences, by their EDUs; both between the units' fenceposts."""
        run = text.run
        begins_unit = np.zeros(len(run.ids), dtype=bool)
        begins_unit[run.units[:-1]] = True
        both = self._model.config.two_levels and text.level is Level.SENTENCE
        units, edus = Pool(self._model), Pool(self._model)
        for at, of_tokens, begins_edu in self._read(text, vectors):
            units.add(of_tokens, begins_unit[at])
            if both:
                begins_unit[at] |= begins_edu  # from here on: of EDUs
                edus.add(of_tokens, begins_unit[at])
        readings = [self._reading(units, run.units, text.of_paragraphs, text.of_sentences, text.level)]
        if both:
            of_edus = np.append(np.flatnonzero(begins_unit), len(run.ids))
            at_unit = np.searchsorted(of_edus, run.units)
            by_sentence = np.zeros((2, len(of_edus)), dtype=bool)
            by_sentence[:, at_unit] = text.of_paragraphs, text.of_sentences
            readings.append(self._reading(edus, of_edus, by_sentence[0], by_sentence[1], Level.EDU, at_unit))
        return readings

    def _reading(
        self,
        pool: "Pool",
        first_tokens: npt.NDArray[np.int64],
        of_paragraphs: Edges,
        of_sentences: Edges,
        level: Level,
        at: npt.NDArray[np.integer] | None = None,
    ) -> Reading:
        flags = unit_flags(first_tokens, of_paragraphs, of_sentences, level)
        in_context = self._model.in_context(pool.parts(), flags)
        at = np.arange(len(of_paragraphs)) if at is None else at
        return Reading(self._model, in_context, places(of_paragraphs, of_sentences, level), at)

    def _read(
        self, text: "_Layout", vectors: Iterator[Floats]
    ) -> Iterator[tuple[slice, Floats, npt.NDArray[np.bool_]]]:
        """The tokens of a few windows: which, their vectors, and where an EDU begins among them."""
        last = np.zeros((1, self._model.config.hidden), np.float32)
        read = zip(text.windows, vectors, strict=False)  # the vectors go on with the next text's
        while some := list(islice(read, _WINDOWS_TOGETHER)):
            of_tokens = np.concatenate([window.of_tokens(of_row) for window, of_row in some])
            at = slice(some[0][0].start, some[-1][0].end)
            yield at, of_tokens, self._model.boundaries.begins(last, of_tokens, text.run.begins_word[at])
            last = of_tokens[-1:]


@dataclass(frozen=True, slots=True)
class _Layout:
    """A text as tokens in windows.

    Attributes:
        run: Its tokens.
        of_paragraphs, of_sentences: Its edges between units.
        level: What its units are.
        windows: What is read together.
    """

    run: TokenRun
    of_paragraphs: Edges
    of_sentences: Edges
    level: Level
    windows: Sequence[Window]


def check_units(texts: Sequence[Text]) -> None:
    """Raises a ``TreeError`` if a text has no unit."""
    for text in texts:
        if not text.units:
            raise TreeError(f"{text.id}: a tree needs at least one unit, found none")


def tree_of(read: ReadText | None) -> DiscourseTree:
    """The tree of a text that was read; that of a single unit if it is None."""
    return decode(read) if read else DiscourseTree(1, (Unit(0),))


def together(texts: Sequence[Text]) -> Iterator[list[Text]]:
    """Neighbouring texts of about a thousand units."""
    some: list[Text] = []
    n_units = 0
    for text in texts:
        some.append(text)
        n_units += len(text.units)
        if n_units >= _UNITS_TOGETHER:
            yield some
            some, n_units = [], 0
    if some:
        yield some


def parser_name(config: ParserConfig) -> str:
    """The name of a parser with these weights: a change of its decoding changes it."""
    return f"spans-3/{config.name}"


@dataclass(frozen=True, slots=True)
class _Read:
    """What is pooled of units, one row each.

    Attributes:
        sums, firsts, lasts: The sum of their token vectors, the first and the last. Shape ``(n, hidden)``.
        lengths: Their tokens. Shape ``(n, 1)``.
    """

    sums: Floats
    firsts: Floats
    lasts: Floats
    lengths: npt.NDArray[np.int64]

    def then(self, later: "_Read", *, goes_on: bool) -> "_Read":
        """These units and the later ones; where ``goes_on``, the last of these and the first of those are one."""
        if goes_on:
            later.sums[0] += self.sums[-1]
            later.firsts[0] = self.firsts[-1]
            later.lengths[0] += self.lengths[-1]
        kept = self[:-1] if goes_on else self
        return _Read(
            np.concatenate([kept.sums, later.sums]),
            np.concatenate([kept.firsts, later.firsts]),
            np.concatenate([kept.lasts, later.lasts]),
            np.concatenate([kept.lengths, later.lengths]),
        )

    def __getitem__(self, units: slice) -> "_Read":
        return _Read(self.sums[units], self.firsts[units], self.lasts[units], self.lengths[units])


class Pool:
    """Pooled vectors of units, window by window: the tokens of the whole text are never held together."""

    def __init__(self, model: SpanModel) -> None:
        self._model = model
        self._parts: deque[Floats] = deque()
        none = np.zeros((0, model.config.hidden), np.float32)
        self._open = _Read(none, none, none, np.zeros((0, 1), np.int64))  # the last unit: the next window may go on

    def add(self, vectors: Floats, begins: npt.NDArray[np.bool_]) -> None:
        """The next window's tokens, and which of them begin a unit; the very first of all does."""
        goes_on = not begins[0]
        starts = np.flatnonzero(begins)
        starts = np.concatenate([[0], starts]) if goes_on else starts
        ends = np.append(starts[1:], len(vectors))
        found = _Read(
            np.add.reduceat(vectors, starts, axis=0), vectors[starts], vectors[ends - 1], (ends - starts)[:, None]
        )
        found = self._open.then(found, goes_on=goes_on)
        self._finish(found[:-1])
        self._open = found[-1:]

    def parts(self) -> Iterator[Floats]:
        """The vectors of all units, after the last window, some at a time; none is kept. Shapes ``(_, unit)``."""
        self._finish(self._open)
        while self._parts:
            yield self._parts.popleft()

    def _finish(self, units: _Read) -> None:
        if len(units.sums):
            means = (units.sums / units.lengths).astype(np.float32)
            self._parts.append(self._model.pooled(means, units.firsts, units.lasts))
