"""BM25 of every leaf of a library."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treatise.core.corpus import Scale
from treatise.core.vectors import Floats
from treatise.retrieve.lexical import K1, B, distinct_terms
from treatise.retrieve.prior import in_whole
from treatise.retrieve.rows import Numbers, Rows


@dataclass(frozen=True, slots=True)
class Scope:
    """The rows that a search covers: ``is_row`` is None for all."""

    is_document: npt.NDArray[np.bool_]
    n_rows: int
    is_row: npt.NDArray[np.bool_] | None
    mean_length: float
    languages: tuple[str, ...]

    def rows(self, n_all: int) -> Numbers:
        """The rows, ascending, of ``n_all``."""
        return np.arange(n_all) if self.is_row is None else np.flatnonzero(self.is_row)


@dataclass(frozen=True, slots=True)
class RowWords:
    """BM25 of every row, 0 outside the search, and its statistics.

    ``frequencies`` are the occurrences of each term in each document (see ``in_whole``), ``n_documents_with`` counts
    those that have it, ``postings`` are the rows with each term, and how often they have it.
    """

    scores: Floats
    n_with: Mapping[str, int]
    mean_length: float
    scale: Scale
    frequencies: Mapping[str, npt.NDArray[np.float64]]
    n_documents_with: Mapping[str, int]
    postings: Mapping[str, tuple[Numbers, npt.NDArray[np.uint16]]]
    n_rows: int

    @classmethod
    def of(cls, rows: Rows, question: str, scope: Scope, languages: npt.NDArray[np.str_]) -> "RowWords":
        """The scores for a question; ``languages`` are those of the documents."""
        wanted = {language: set(distinct_terms(question, language)) for language in scope.languages}
        found: dict[str, tuple[Numbers, npt.NDArray[np.uint16]]] = {}
        n_with, n_documents_with, frequencies = {}, {}, {}
        for term in sorted(set().union(*wanted.values())):
            at, counts = _kept(rows.postings(term), scope.is_row)
            in_document = rows.in_documents(at, in_whole(rows.positions(at), counts))
            n_with[term], n_documents_with[term] = len(at), int(np.count_nonzero(in_document))
            if len(wanted) > 1:
                speaking = np.isin(languages, [language for language, of_one in wanted.items() if term in of_one])
                at, counts = _kept((at, counts), speaking[rows.document_of])
                in_document = np.where(speaking, in_document, 0)
            found[term], frequencies[term] = (at, counts), in_document
        scores, scale = _scored(rows, found, n_with, scope)
        return cls(scores, n_with, scope.mean_length, scale, frequencies, n_documents_with, found, scope.n_rows)

    def idf(self, term: str) -> float:
        """The rarity of a term among the rows of the search."""
        return _idf(self.n_rows, self.n_with[term])

    def best(self, n: int) -> Numbers:
        """The rows with the ``n`` best scores above 0."""
        rows = np.flatnonzero(self.scores > 0)  # of truth values: several times faster than of numbers
        return rows if len(rows) <= n else rows[np.argpartition(-self.scores[rows], n - 1)[:n]]

    def columns(self, rows: Numbers) -> Iterator[tuple[float, npt.NDArray[np.uint16]]]:
        """The rarity of each term with its occurrences in these rows."""
        column = np.zeros(len(self.scores), dtype=np.uint16)
        for term, (with_term, counts) in self.postings.items():
            column[with_term] = counts
            yield self.idf(term), column[rows]
            column[with_term] = 0


def _kept(
    postings: tuple[Numbers, npt.NDArray[np.uint16]], is_row: npt.NDArray[np.bool_] | None
) -> tuple[Numbers, npt.NDArray[np.uint16]]:
    rows, counts = postings
    return postings if is_row is None else (rows[is_row[rows]], counts[is_row[rows]])


def _scored(
    rows: Rows,
    postings: Mapping[str, tuple[Numbers, npt.NDArray[np.uint16]]],
    n_with: Mapping[str, int],
    scope: Scope,
) -> tuple[Floats, Scale]:
    """The scores of all rows, and their mean and deviation over the search."""
    scores = np.zeros(len(rows), dtype=np.float32)
    total = 0.0
    for term, (at, counts) in postings.items():
        norm = np.float32(K1 * (1 - B)) + np.float32(K1 * B / scope.mean_length) * rows.lengths[at].astype(np.float32)
        tf = counts.astype(np.float32)
        gains = np.float32(_idf(scope.n_rows, n_with[term]) * (K1 + 1)) * tf / (tf + norm)
        scores[at] += gains
        total += float(gains.sum(dtype=np.float64))
    mean, squares = total / scope.n_rows, float(np.dot(scores, scores)) / scope.n_rows
    return scores, Scale(mean, max(0.0, squares - mean * mean) ** 0.5)


def _idf(n_rows: int, n_with: int) -> float:
    return float(np.log1p((n_rows - n_with + 0.5) / (n_with + 0.5)))
