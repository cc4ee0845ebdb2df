"""The encoder of the base install: vectors of sentences, alone or in context, as means of token vectors."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.document import Span
from treatise.core.ports import Progress
from treatise.core.vectors import Floats, unit_rows
from treatise.engines.onnx_tokens import OnnxModel, OnnxTokens, blocks
from treatise.parse.spans.tokens import Tokenised

_TEXTS_PER_BLOCK: Final = 2048  # sorted by length and kept in memory together

_MAX_TEXT_CHARS: Final = 100_000
"""Characters of a text that are tokenised at once; longer paragraphs are cut between spans."""


@dataclass(frozen=True, slots=True)
class _Window:
    """A run of one text's tokens, read together.

    Attributes:
        ids: Token ids without special tokens.
        rows: Result row of each token, ascending, -1 for a token outside every span.
        whole: Whether the special tokens' vectors count for row ``rows[0]`` too, as in the model's training.
    """

    ids: list[int]
    rows: npt.NDArray[np.int32]
    whole: bool


class OnnxEncoder:
    """``core.ports.Encoder`` based on :class:`OnnxTokens`.

    A text's vector is the mean over its tokens, including special tokens and the prefix; a span's is the mean over the
    tokens that begin in it, ignoring whitespace.

    Args:
        model: The model, or its folder.
        threads: Concurrent runs.
        passage_prefix, question_prefix: Prefixes of texts and questions in the model's training.

    Raises:
        EngineUnavailableError: If a file is missing or the runtime refuses it.
    """

    reads_context = True

    def __init__(
        self, model: Path | OnnxModel, *, threads: int = 2, passage_prefix: str = "", question_prefix: str = ""
    ) -> None:
        self._tokens = OnnxTokens(model, threads=threads)
        self._space = " " if self._tokens.spaced else ""
        self._passage_prefix, self._question_prefix = self._tokens.token_ids([passage_prefix, question_prefix])

    @property
    def name(self) -> str:
        """The weights' name."""
        return self._tokens.name

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._tokens.config.dim

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Floats:
        """See ``core.ports.Encoder``. Equal texts are encoded once."""
        row_of = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        windows = self._whole_texts(list(row_of), self._passage_prefix)
        vectors = self._mean_vectors(
            windows, self._passage_prefix, n_rows=len(row_of), progress=_scaled(progress, len(texts))
        )
        return vectors[[row_of[text] for text in texts]] if len(row_of) < len(texts) else vectors

    def encode_questions(self, questions: Sequence[str]) -> Floats:
        """See ``core.ports.Encoder``."""
        if self._question_prefix == self._passage_prefix:
            return self.encode(questions)
        windows = self._whole_texts(questions, self._question_prefix)
        return self._mean_vectors(
            windows, self._question_prefix, n_rows=len(questions), progress=_scaled(None, len(questions))
        )

    def encode_in_context(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]], progress: Progress | None = None
    ) -> Floats:
        """See ``core.ports.Encoder``. A window ends before a span that would not fit."""
        n_rows = sum(len(of_text) for of_text in spans)
        windows = self._texts_in_windows(texts, spans)
        return self._mean_vectors(windows, self._passage_prefix, n_rows=n_rows, progress=_scaled(progress, n_rows))

    def n_tokens(self, texts: Sequence[str]) -> list[int]:
        """See ``core.ports.TokenCounter``."""
        return [len(ids) for ids in self._tokens.token_ids(texts)]

    def _room(self, prefix: list[int]) -> int:
        return self._tokens.config.window_tokens - 2 - len(prefix)

    def _whole_texts(self, texts: Sequence[str], prefix: list[int]) -> Iterator[_Window]:
        room = self._room(prefix)
        for first in range(0, len(texts), _TEXTS_PER_BLOCK):
            block = [self._space + text for text in texts[first : first + _TEXTS_PER_BLOCK]]
            for row, ids in enumerate(self._tokens.token_ids(block), first):
                for at in range(0, max(1, len(ids)), room):
                    piece = ids[at : at + room]
                    yield _Window(piece, np.full(len(piece), row, dtype=np.int32), whole=True)

    def _texts_in_windows(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> Iterator[_Window]:
        first_row = 0
        pieces = (piece for text, of_text in zip(texts, spans, strict=True) for piece in _pieces(text, of_text))
        for block in _text_blocks(pieces):
            found = self._tokens.tokenise([self._space + text for text, _ in block])
            for (_, of_text), tokens in zip(block, found, strict=True):
                rows = _rows_of_tokens(self._places(tokens), of_text, first_row)
                for start, end in _windows(rows, self._room(self._passage_prefix)):
                    yield _Window(tokens.ids[start:end], rows[start:end], whole=False)
                first_row += len(of_text)

    def _places(self, tokens: Tokenised) -> npt.NDArray[np.int64]:
        """The character that assigns a token to a span: its first one that is not a space."""
        offsets = np.array(tokens.offsets, dtype=np.int64).reshape(-1, 2)
        return np.maximum(offsets[:, 1] - 2, 0) if self._space else offsets[:, 0]

    def _mean_vectors(
        self, windows: Iterator[_Window], prefix: list[int], *, n_rows: int, progress: Progress
    ) -> Floats:
        sums = np.zeros((n_rows, self.dim), dtype=np.float32)
        config = self._tokens.config
        for block in blocks(windows, _TEXTS_PER_BLOCK):
            alike = _alike(block)
            rows = ([config.start_id, *prefix, *same[0].ids, config.end_id] for same in alike)
            for same, vectors in zip(alike, self._tokens.read(rows), strict=True):
                for window in same:
                    _add(sums, window, vectors, 1 + len(prefix))
                progress(len(same), n_rows)
        return unit_rows(sums)


def _pieces(text: str, spans: Sequence[Span]) -> Iterator[tuple[str, Sequence[Span]]]:
    """The text with its spans; one of absurd length in parts that end with a span, if any span is short enough."""
    start, held = 0, 0  # of the part: its first character, and the first of its spans
    for number, span in enumerate(spans):
        if number > held and span.end - start > _MAX_TEXT_CHARS:
            yield _part(text, start, span.start, spans[held:number])
            start, held = span.start, number
    yield _part(text, start, len(text), spans[held:]) if start else (text, spans)


def _part(text: str, start: int, end: int, spans: Sequence[Span]) -> tuple[str, Sequence[Span]]:
    return text[start:end], [Span(span.start - start, span.end - start) for span in spans]


def _text_blocks(pieces: Iterable[tuple[str, Sequence[Span]]]) -> Iterator[list[tuple[str, Sequence[Span]]]]:
    """The texts in lists that are tokenised together: the tokens of a text take 600 times its memory."""
    block: list[tuple[str, Sequence[Span]]] = []
    n_chars = 0
    for piece in pieces:
        if block and (len(block) == _TEXTS_PER_BLOCK or n_chars + len(piece[0]) > 2 * _MAX_TEXT_CHARS):
            yield block
            block, n_chars = [], 0
        block.append(piece)
        n_chars += len(piece[0])
    if block:
        yield block


def _alike(windows: Sequence[_Window]) -> list[list[_Window]]:
    """The windows in groups with equal tokens, which are read once; short ones first."""
    groups: dict[tuple[int, ...], list[_Window]] = {}
    for window in windows:
        groups.setdefault(tuple(window.ids), []).append(window)
    return sorted(groups.values(), key=lambda same: len(same[0].ids))


def _add(sums: Floats, window: _Window, vectors: Floats, n_before: int) -> None:
    n = len(window.ids)
    if not n:
        return
    if window.whole:
        # Weighted by tokens, so that the pieces of a long text average to the mean over the whole text.
        sums[window.rows[0]] += vectors.mean(axis=0) * n
        return
    starts = np.concatenate([[0], np.flatnonzero(np.diff(window.rows)) + 1])
    totals = np.add.reduceat(vectors[n_before : n_before + n], starts, axis=0)
    for row, total in zip(window.rows[starts], totals, strict=True):
        if row >= 0:
            sums[row] += total


def _rows_of_tokens(at: npt.NDArray[np.int64], spans: Sequence[Span], first_row: int) -> npt.NDArray[np.int32]:
    """Result row of each token: that of the span at its place, -1 if there is none."""
    starts = np.array([span.start for span in spans], dtype=np.int64)
    ends = np.array([span.end for span in spans], dtype=np.int64)
    if not len(spans):
        return np.full(len(at), -1, dtype=np.int32)
    of_token = np.searchsorted(starts, at, side="right") - 1
    inside = (of_token >= 0) & (at < ends[np.maximum(of_token, 0)])
    return np.where(inside, of_token + first_row, -1).astype(np.int32)


def _windows(rows: npt.NDArray[np.int32], room: int) -> Iterator[tuple[int, int]]:
    """Half-open token ranges of at most ``room`` tokens that end with a span, if that span fits at all."""
    ends = np.concatenate([np.flatnonzero(np.diff(rows)) + 1, [len(rows)]]) if len(rows) else np.zeros(0, dtype=int)
    start = 0
    while start < len(rows):
        n_fitting = int(np.searchsorted(ends, start + room, side="right"))
        fitting = int(ends[n_fitting - 1]) if n_fitting else 0
        end = fitting if fitting > start else min(start + room, len(rows))
        yield start, end
        start = end


def _scaled(progress: Progress | None, total: int) -> Progress:
    """A counter of finished windows that reports rows out of ``total``."""
    done = 0

    def count(n: int, _n_rows: int) -> None:
        nonlocal done
        done += n
        if progress is not None:
            progress(min(done, total), total)

    return count
