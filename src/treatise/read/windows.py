"""A question and passages as rows of tokens: ``[CLS] question [SEP] passage [SEP] passage [SEP]``."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Tokens:
    """A tokenised text.

    Attributes:
        ids: Token ids, without special tokens.
        offsets: Characters of the text that each token covers, half-open.
    """

    ids: Sequence[int]
    offsets: Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Layout:
    """How rows are built.

    Attributes:
        window_tokens: Longest row, special tokens included.
        question_tokens: Maximum question length; longer questions are truncated.
        overlap_tokens: Tokens shared by neighbouring pieces of a passage longer than a window.
        start_id, end_id: Special tokens before a row and after each text.
    """

    start_id: int
    end_id: int
    window_tokens: int = 256
    question_tokens: int = 72
    overlap_tokens: int = 32

    def __post_init__(self) -> None:
        if self.question_tokens < 1 or self.window_tokens < self.question_tokens + 2 * self.overlap_tokens + 3:
            raise ValueError(f"a window of {self.window_tokens} tokens leaves too little room for passages: {self}")

    @classmethod
    def of(cls, start_id: int, end_id: int, window_tokens: int) -> "Layout":
        """The default layout for a window of that length."""
        return cls(start_id, end_id, window_tokens, min(72, window_tokens // 3), min(32, window_tokens // 8))


@dataclass(frozen=True, slots=True)
class Window:
    """A row: the question, and passages or pieces of them.

    Attributes:
        ids: The row.
        passage: The passage of each token; -1 for the question and special tokens. Shape ``(n_tokens,)``.
        starts, ends: Characters of the passage covered by each token, half-open. Shape ``(n_tokens,)``.
    """

    ids: list[int]
    passage: Numbers
    starts: Numbers
    ends: Numbers


@dataclass(frozen=True, slots=True)
class _Piece:
    """Tokens ``[start, end)`` of a passage."""

    passage: int
    start: int
    end: int


def make_windows(question: Sequence[int], passages: Sequence[Tokens], layout: Layout) -> list[Window]:
    """Rows with every token of every passage, in order; passages without tokens are left out.

    A passage that does not fit the current row starts a new one. A passage longer than a row is split into overlapping
    pieces, so short answers stay whole.
    """
    asked = list(question[: layout.question_tokens])
    room = layout.window_tokens - len(asked) - 2
    runs: list[list[_Piece]] = []
    n_left = 0
    for piece in _pieces(passages, room - 1, layout.overlap_tokens):
        n_needed = piece.end - piece.start + 1
        if n_needed > n_left:
            runs.append([])
            n_left = room
        runs[-1].append(piece)
        n_left -= n_needed
    return [_window(asked, run, passages, layout) for run in runs]


def _pieces(passages: Sequence[Tokens], room: int, overlap: int) -> Iterator[_Piece]:
    for number, tokens in enumerate(passages):
        n = len(tokens.ids)
        start = 0
        while start < n:
            end = min(start + room, n)
            yield _Piece(number, start, end)
            start = end if end == n else end - overlap


def _window(asked: list[int], run: Sequence[_Piece], passages: Sequence[Tokens], layout: Layout) -> Window:
    ids = [layout.start_id, *asked, layout.end_id]
    places = [(-1, 0, 0)] * len(ids)
    for piece in run:
        tokens = passages[piece.passage]
        ids += [*tokens.ids[piece.start : piece.end], layout.end_id]
        places += [(piece.passage, *place) for place in tokens.offsets[piece.start : piece.end]]
        places.append((-1, 0, 0))
    passage, starts, ends = np.array(places, dtype=np.int32).T
    return Window(ids, passage, starts, ends)
