"""What the place of a span says: its length, paragraph and sentence breaks at its ends and inside, the text's ends."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.patterns import lazy_pattern
from treatise.core.vectors import Floats
from treatise.parse.rows import Level

Edges = npt.NDArray[np.bool_]
"""One flag a fencepost, shape ``(n_units + 1,)``: something begins or the text ends there."""

Places = Callable[[npt.NDArray[np.integer], npt.NDArray[np.integer]], npt.NDArray[np.int64]]
"""From arrays ``start`` and ``end`` to rows of an embedding table that are summed, shape ``(..., 4)``."""

_LENGTH_EDGES: Final = np.array([2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 64])
_COUNT_EDGES: Final = np.array([1, 2, 3, 6])
_N_LENGTHS: Final = len(_LENGTH_EDGES) + 1
_N_BREAKS: Final = 4 * (len(_COUNT_EDGES) + 1)
_N_ENDS: Final = 4
_N_ROWS: Final = _N_LENGTHS + 2 * _N_BREAKS + _N_ENDS
N_PLACES: Final = 2 * _N_ROWS
"""Rows of the table: one set for each level of units."""

_STOP: Final = lazy_pattern(r"""[.?!…。？！]["'”’)\]」』»]*$""")
_NOTE: Final = lazy_pattern(r"^(\[\w{1,4}\]|-LSB-.*-RSB-|\d{1,3})$")  # a footnote's mark stays with what it is put to


def edges(paragraphs: Sequence[Sequence[str]], level: Level) -> tuple[Edges, Edges]:
    """Where paragraphs begin, and where sentences do: at EDU level, after closing punctuation."""
    units = [unit for paragraph in paragraphs for unit in paragraph]
    of_paragraphs = np.zeros(len(units) + 1, dtype=bool)
    of_paragraphs[np.cumsum([0, *map(len, paragraphs)])] = True
    if level is Level.SENTENCE:
        return of_paragraphs, np.ones(len(units) + 1, dtype=bool)
    of_sentences = of_paragraphs.copy()
    for k in range(1, len(units)):
        after_stop = bool(_STOP.search(units[k - 1])) and not _NOTE.match(units[k])
        after_note = k > 1 and bool(_NOTE.match(units[k - 1])) and bool(_STOP.search(units[k - 2]))
        of_sentences[k] |= after_stop or after_note
    return of_paragraphs, of_sentences


def unit_flags(fenceposts: npt.NDArray[np.int64], of_paragraphs: Edges, of_sentences: Edges, level: Level) -> Floats:
    """What the network is told of each unit beside its text. Shape ``(n_units, 6)``.

    Paragraph edge before and after, sentence edge before and after, whether units are sentences, log length.
    ``fenceposts`` are the first token of each unit, and the number of tokens at the end.
    """
    paragraph, sentence = of_paragraphs.astype(np.float32), of_sentences.astype(np.float32)
    return np.stack(
        [
            paragraph[:-1],
            paragraph[1:],
            sentence[:-1],
            sentence[1:],
            np.full(len(fenceposts) - 1, level is Level.SENTENCE, np.float32),
            np.log1p(np.diff(fenceposts)).astype(np.float32) / 4,
        ],
        axis=-1,
    )


def places(of_paragraphs: Edges, of_sentences: Edges, level: Level) -> Places:
    """The rows that describe each span of a text."""
    n = len(of_paragraphs) - 1
    flags = [edge.astype(np.int64) for edge in (of_paragraphs, of_sentences)]
    counts = [np.concatenate([[0], np.cumsum(flag)]) for flag in flags]
    shift = _N_ROWS * (level is Level.SENTENCE)

    def rows(start: npt.NDArray[np.integer], end: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
        columns = [np.searchsorted(_LENGTH_EDGES, end - start, side="right")]
        first = _N_LENGTHS
        for flag, count in zip(flags, counts, strict=True):
            inside = np.searchsorted(_COUNT_EDGES, count[end] - count[start + 1], side="right")
            columns.append(first + (flag[start] * 2 + flag[end]) * (len(_COUNT_EDGES) + 1) + inside)
            first += _N_BREAKS
        columns.append(first + (start == 0) * 2 + (end == n))
        return np.stack(columns, axis=-1).astype(np.int64) + shift

    return rows
