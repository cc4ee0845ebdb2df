"""The rows of all segments of a library as one: a row is a leaf."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.vectors import Floats
from treatise.retrieve.lexical import term_hash
from treatise.retrieve.segments import Place, Segment
from treatise.retrieve.signs import Signs

Numbers = npt.NDArray[np.int64]

MIN_NEAR: Final = 4_000
"""Rows whose exact cosine is computed, at least."""

MAX_NEAR: Final = 40_000
"""Rows whose exact cosine is computed, about, however large the library."""

NEAR_SHARE: Final = 100
"""Between the two, the cosines of a hundredth of the rows are computed."""


def number_near(n_rows: int) -> int:
    """How many of ``n_rows`` rows are compared exactly."""
    return max(MIN_NEAR, min(MAX_NEAR, n_rows // NEAR_SHARE))


@dataclass(frozen=True, slots=True)
class Near:
    """The rows that are nearest to a vector, ascending.

    Attributes:
        rows: All of those that may be searched, if there are few.
        signs: Of segments with codes, from which others are estimated: the first row of each, and the end.
    """

    rows: Numbers
    signs: tuple[tuple[int, int, Signs], ...]

    def standardised(self, others: Numbers) -> Floats:
        """Nearly the standardised cosines of rows that are not near; 0 if nothing is known of them."""
        found = np.zeros(len(others), dtype=np.float32)
        for first, end, signs in self.signs:
            inside = np.flatnonzero((others >= first) & (others < end))
            found[inside] = signs.standardised(others[inside] - first)
        return found


class Rows:
    """The rows of several segments, in turn.

    Attributes:
        sizes: Number of rows of each document. Shape ``(n_documents,)``.
        first_rows: The first row of each. Shape ``(n_documents,)``.
        document_of: The document of each row. Shape ``(n_rows,)``.
        lengths: Terms of each row, with repeats. Shape ``(n_rows,)``.
        headings: Position in its document of each row's heading, -1 if absent. Shape ``(n_rows,)``.
    """

    def __init__(self, segments: Sequence[Segment]) -> None:
        self.segments = tuple(segments)
        self.sizes: Numbers = np.concatenate([np.zeros(0, np.int64), *(np.diff(one.starts) for one in segments)])
        self.first_rows: Numbers = np.cumsum(self.sizes) - self.sizes
        n_documents = [len(one.ids) for one in segments]
        self._first_documents = np.cumsum([0, *n_documents])[: len(n_documents)]
        self.document_of = np.repeat(np.arange(len(self.sizes), dtype=np.int32), self.sizes)
        self.lengths = np.concatenate([np.zeros(0, np.int32), *(one.lengths for one in segments)])
        self.headings = np.concatenate([np.zeros(0, np.int32), *(one.headings for one in segments)])

    def __len__(self) -> int:
        return len(self.lengths)

    def of(self, documents: Numbers) -> Numbers:
        """The rows of documents, in turn."""
        sizes = self.sizes[documents]
        moved = self.first_rows[documents] - (np.cumsum(sizes) - sizes)
        found: Numbers = np.arange(int(sizes.sum())) + np.repeat(moved, sizes)
        return found

    def place(self, document: int) -> Place:
        """Where a document is."""
        number = int(np.searchsorted(self._first_documents, document, side="right")) - 1
        first, size = int(self.first_rows[document]), int(self.sizes[document])
        start = first - int(self.first_rows[self._first_documents[number]])
        return self.segments[number], slice(start, start + size), slice(first, first + size)

    def near(self, vector: Floats, is_row: npt.NDArray[np.bool_] | None, n_rows: int) -> Near:
        """The rows near to a vector, of ``n_rows`` rows that are searched; ``is_row`` is None for all."""
        n_near = number_near(n_rows)
        if n_near >= n_rows:
            return Near(np.arange(len(self)) if is_row is None else np.flatnonzero(is_row), ())
        near, signs = [], []
        for first, end, one in self._placed():
            inside = None if is_row is None else is_row[first:end]
            n_inside = end - first if inside is None else int(np.count_nonzero(inside))
            if n_inside and one.codes.size:
                of_one = Signs(one.codes, one.planes.code_of_question(vector), inside)
                signs.append((first, end, of_one))
                rows = of_one.nearest(-(-n_near * n_inside // n_rows))
            else:
                rows = np.arange(end - first) if inside is None else np.flatnonzero(inside)
            near.append(rows + first)
        return Near(np.concatenate(near), tuple(signs))

    def cosines(self, rows: Numbers, vector: Floats) -> Floats:
        """The cosines of rows, ascending, with a vector."""
        parts = [one.cosines(of_one, vector) for one, of_one in self._split(rows)]
        return np.concatenate(parts)

    def floats(self, rows: Numbers) -> Floats:
        """The vectors of rows, ascending. Shape ``(n, dim)``."""
        return np.concatenate([one.floats(of_one) for one, of_one in self._split(rows)])

    def postings(self, term: str) -> tuple[Numbers, npt.NDArray[np.uint16]]:
        """The rows that contain a term, and how often."""
        wanted = np.uint64(term_hash(term))
        rows, counts = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.uint16)]
        for first, _, one in self._placed():
            at = int(np.searchsorted(one.terms, wanted))
            if at < len(one.terms) and one.terms[at] == wanted:
                here = slice(int(one.term_starts[at]), int(one.term_starts[at + 1]))
                rows.append(one.rows[here].astype(np.int64) + first)
                counts.append(one.counts[here])
        return np.concatenate(rows), np.concatenate(counts)

    def in_documents(self, rows: Numbers, counts: npt.NDArray[np.integer]) -> npt.NDArray[np.float64]:
        """The sum of the counts of each document's rows; ``rows`` ascend. Shape ``(n_documents,)``."""
        found = np.zeros(len(self.sizes))
        documents, first = self.runs(rows)
        if len(first):
            found[documents] = np.add.reduceat(counts, first, dtype=np.int64)
        return found

    @property
    def n_terms(self) -> npt.NDArray[np.float64]:
        """Terms of each document, with repeats. Shape ``(n_documents,)``."""
        found = np.zeros(len(self.sizes))
        if len(self):
            found[self.sizes > 0] = np.add.reduceat(self.lengths, self.first_rows[self.sizes > 0], dtype=np.int64)
        return found

    def positions(self, rows: Numbers) -> Numbers:
        """The position of rows in their documents, from 0."""
        return rows - self.first_rows[self.document_of[rows]]

    def runs(self, rows: Numbers) -> tuple[npt.NDArray[np.int32], Numbers]:
        """The documents of rows, ascending, and where the rows of each begin."""
        documents = self.document_of[rows]
        first = np.flatnonzero(np.diff(documents, prepend=-1))
        return documents[first], first

    def _placed(self) -> list[tuple[int, int, Segment]]:
        """Each segment with its first row and the end of its rows."""
        ends = np.cumsum([len(one.vectors) for one in self.segments]).tolist()
        return [(end - len(one.vectors), end, one) for end, one in zip(ends, self.segments, strict=True)]

    def _split(self, rows: Numbers) -> list[tuple[Segment, Numbers]]:
        """Each segment with its own of the rows, counted from its first."""
        return [
            (one, rows[np.searchsorted(rows, first) : np.searchsorted(rows, end)] - first)
            for first, end, one in self._placed()
        ]
