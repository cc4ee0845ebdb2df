"""The first stage over a library: leaves near to a question by vector or by words, and the documents that they are of.

Vectors are found in two steps: the leaves whose signs agree best with the question's (64 components per machine word),
then the exact cosines of these. BM25 is exact over all leaves.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.corpus import CorpusStatistics, DocumentStatistics, Scale
from treatise.core.recipe import Scoring, Selection
from treatise.core.vectors import Floats, standardise_on
from treatise.retrieve.forest import forest_of, is_foretold
from treatise.retrieve.lexical import K1, B, term_hash, terms
from treatise.retrieve.prior import combined, has_prior, of_whole
from treatise.retrieve.segments import Place, Segment
from treatise.retrieve.signs import Signs
from treatise.retrieve.statements import asked_statements
from treatise.retrieve.surroundings import best_leaves

N_NEAR: Final = 4_000
"""Leaves whose exact cosine is computed, at least."""

NEAR_SHARE: Final = 50
"""Of a large library, the cosines of a fiftieth of the leaves are computed."""

N_LEXICAL: Final = 1_000
"""Leaves taken by BM25."""

SHORTLIST: Final = 128
"""Documents with the best leaves, whose leaves are then scored with their neighbours, headings and surroundings."""

N_TREES: Final = 64
"""Of the shortlist, the best documents whose nodes are all scored, to foretell which contribute to the evidence."""

N_AT_LEAST: Final = 8
"""Documents that are searched even if fewer contribute: scores are foretold nearly, not exactly."""

N_SAMPLED: Final = 8_192
"""Leaves from which the scale of the cosines is estimated, evenly spread; all of a smaller library."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """The documents that a question is worth asking of, and the statistics of all.

    Attributes:
        documents: Ids, best first.
        statistics: Over all leaves of the library, or of the documents that a filter admits.
    """

    documents: tuple[str, ...]
    statistics: CorpusStatistics


@dataclass(frozen=True, slots=True)
class _Scope:
    """The rows that a search covers: ``is_row`` is None for all."""

    is_document: npt.NDArray[np.bool_]
    n_rows: int
    is_row: npt.NDArray[np.bool_] | None
    mean_length: float
    languages: tuple[str, ...]

    def rows(self, n_all: int) -> npt.NDArray[np.int64]:
        return np.arange(n_all) if self.is_row is None else np.flatnonzero(self.is_row)


@dataclass(frozen=True, slots=True)
class _Words:
    """BM25 of every row, 0 outside the search, and its statistics.

    ``frequencies`` are the occurrences of each term in each document, ``n_documents_with`` counts those that have it,
    ``postings`` are the rows with each term, and how often they have it.
    """

    scores: Floats
    n_with: Mapping[str, int]
    mean_length: float
    scale: Scale
    frequencies: Mapping[str, npt.NDArray[np.float64]]
    n_documents_with: Mapping[str, int]
    postings: Mapping[str, tuple[npt.NDArray[np.int64], npt.NDArray[np.uint16]]]
    n_rows: int

    def idf(self, term: str) -> float:
        """The rarity of a term among the rows of the search."""
        return float(np.log1p((self.n_rows - self.n_with[term] + 0.5) / (self.n_with[term] + 0.5)))

    def columns(self, n_all: int) -> Iterator[tuple[str, npt.NDArray[np.uint16]]]:
        """Each term with its occurrences in every row; one array serves all, so each is to be used at once."""
        column = np.zeros(n_all, dtype=np.uint16)
        for term, (rows, counts) in self.postings.items():
            column[rows] = counts
            yield term, column
            column[rows] = 0


class Corpus:
    """The segments of a library as one index. It is not changed by searches, so threads may share it.

    Args:
        segments: Their arrays may be mapped from a file.
        removed: Ids of documents that no longer count, per segment.
    """

    def __init__(self, segments: Sequence[Segment], removed: Sequence[Collection[str]] = ()) -> None:
        self._segments = tuple(segments)
        gone = removed or [()] * len(self._segments)
        self.is_live: list[npt.NDArray[np.bool_]] = [
            np.array([id_.decode() not in dead for id_ in one.ids.tolist()], dtype=bool)
            for one, dead in zip(self._segments, gone, strict=True)
        ]
        ids = [id_.decode() for one in self._segments for id_ in one.ids.tolist()]
        live = np.concatenate(self.is_live) if ids else np.zeros(0, dtype=bool)
        self._ids = np.array(ids, dtype=object)
        self._live = live
        self._sizes = np.concatenate([np.diff(one.starts) for one in self._segments] or [np.zeros(0, dtype=np.int64)])
        self._first_rows = np.cumsum(self._sizes) - self._sizes
        n_documents = [len(one.ids) for one in self._segments]
        self._first_documents = np.cumsum([0, *n_documents])[: len(n_documents)]
        self._document_of = np.repeat(np.arange(len(ids), dtype=np.int32), self._sizes)
        languages = [code.decode() for one in self._segments for code in one.languages.tolist()]
        self._languages = np.array(languages, dtype="U")
        self._lengths = np.concatenate([one.lengths for one in self._segments] or [np.zeros(0, dtype=np.int32)])
        self._headings = np.concatenate([one.headings for one in self._segments] or [np.zeros(0, dtype=np.int32)])
        self._is_pooled = np.concatenate([one.is_pooled for one in self._segments] or [np.zeros(0, dtype=bool)])
        self._n_terms = self._in_documents(np.arange(len(self._lengths)), self._lengths)
        self._whole = self._scoped(live)

    @property
    def ids(self) -> set[str]:
        """The documents that count."""
        return set(self._ids[self._live].tolist())

    @property
    def n_rows(self) -> int:
        """The leaves of the documents that count."""
        return int(self._sizes[self._live].sum())

    def find(  # noqa: PLR0913  (what limits the documents, and what the evidence is)
        self,
        question: str,
        vector: Floats,
        scoring: Scoring,
        *,
        n_documents: int,
        among: Collection[str] | None = None,
        selection: Selection | None = None,
        max_words: int = 0,
    ) -> Candidates:
        """The documents with the best leaves, at most ``n_documents``, and the statistics of all leaves.

        ``vector`` is the question's. ``among`` limits the search, statistics included, to these documents. With a
        ``selection`` that can be foretold, the documents are those that contribute to evidence of ``max_words`` words:
        ``N_AT_LEAST`` or more, ``N_TREES`` at most.
        """
        scope = self._scope(among)
        if not scope.n_rows:
            return Candidates((), CorpusStatistics(0, 1.0, {}, Scale(0, 0), Scale(0, 0), vector))
        words, found_words = self._words(question, scope)
        is_found = np.zeros(len(self._lengths), dtype=bool)
        near, signs = self._near(vector, scope)
        is_found[near] = is_found[found_words] = True
        rows = np.flatnonzero(is_found)
        cosines = self._cosines(vector, rows)
        scale = self._scale(vector, scope)
        priors, documents = self._priors(words, vector, scale, scoring, scope)
        statistics = CorpusStatistics(
            n_units=scope.n_rows,
            mean_length=words.mean_length,
            n_with=words.n_with,
            cosines=scale,
            bm25=words.scale,
            vector=vector,
            documents=documents,
        )
        total = standardise_on(statistics.cosines, cosines, weight=scoring.dense)
        total = total + standardise_on(words.scale, words.scores[rows], weight=scoring.bm25)
        total = total + self._beside(rows, total, signs, words, scoring)
        shortlist = self._best_documents(rows, total, priors, max(SHORTLIST, n_documents))
        places = {document: self._place(document) for document in shortlist.tolist()}
        near_to = {document: one.cosines(here, vector) for document, (one, here, _) in places.items()}
        scores = self._scores(places, near_to, words.scores, statistics, scoring) + priors[shortlist]
        ranked = shortlist[np.argsort(-scores, kind="stable")]
        found = ranked[:n_documents]
        trees, asks_statements = ranked[:N_TREES], scoring.statements and asked_statements(question)
        if selection and is_foretold(scoring, selection) and self._is_pooled[trees].all() and not asks_statements:
            of_trees = np.concatenate([near_to[document] for document in trees.tolist()])
            found = self._contributors(trees, of_trees, words, statistics, priors, scoring, selection, max_words)
        ids = tuple(self._ids[found].tolist())
        gains = dict(zip(ids, priors[found].tolist(), strict=True))
        return Candidates(ids, replace(statistics, priors=gains) if documents else statistics)

    def _scope(self, among: Collection[str] | None) -> "_Scope":
        if among is None:
            return self._whole
        return self._scoped(self._live & np.array([id_ in among for id_ in self._ids], dtype=bool))

    def _scoped(self, documents: npt.NDArray[np.bool_]) -> "_Scope":
        n_rows = int(self._sizes[documents].sum())
        is_row = None if documents.all() else documents[self._document_of]
        lengths = self._lengths if is_row is None else self._lengths[is_row]
        languages = tuple(sorted(set(self._languages[documents].tolist())))
        return _Scope(documents, n_rows, is_row, max(1.0, float(lengths.sum()) / max(1, n_rows)), languages)

    def _priors(
        self, words: _Words, vector: Floats, scale: Scale, scoring: Scoring, scope: _Scope
    ) -> tuple[npt.NDArray[np.float64], DocumentStatistics | None]:
        """What each document gains, and the statistics that this follows from; zeros and None among few documents."""
        if not has_prior(scoring, int(scope.is_document.sum())):
            return np.zeros(len(self._ids)), None
        openings = np.concatenate([one.openings.astype(np.float32) @ vector for one in self._segments])
        wholes, statistics = of_whole(words.frequencies, words.n_documents_with, self._n_terms, scope.is_document)
        return combined(openings, wholes, scoring, scale, statistics.bm25), statistics

    def _best_documents(
        self, rows: npt.NDArray[np.int64], total: Floats, priors: npt.NDArray[np.float64], n: int
    ) -> npt.NDArray[np.int64]:
        """The documents with the best rows, best first; ties in the order of the library."""
        best = np.full(len(self._ids), -np.inf)
        np.maximum.at(best, self._document_of[rows], total)
        best += priors
        order: npt.NDArray[np.int64] = np.argsort(-best, kind="stable")[:n]
        found: npt.NDArray[np.int64] = order[np.isfinite(best[order])]
        return found

    def _scores(
        self,
        places: Mapping[int, Place],
        cosines: Mapping[int, Floats],
        words: Floats,
        statistics: CorpusStatistics,
        scoring: Scoring,
    ) -> Floats:
        """Nearly the score of each document's best leaf, with nodes replaced by windows of leaves."""
        scores = standardise_on(statistics.cosines, np.concatenate([*cosines.values()]), weight=scoring.dense)
        of_words = np.concatenate([words[rows] for _, _, rows in places.values()])
        scores = scores + standardise_on(statistics.bm25, of_words, weight=scoring.bm25)
        headings = np.concatenate([self._headings[rows] for _, _, rows in places.values()])
        return best_leaves(scores, headings, self._sizes[[*places]], scoring)

    def _beside(
        self, rows: npt.NDArray[np.int64], total: Floats, signs: Signs | None, words: _Words, scoring: Scoring
    ) -> Floats:
        """What neighbours and heading add to rows, ascending; of those that are not among them the signs tell."""

        def score(others: npt.NDArray[np.int64]) -> Floats:
            at = np.minimum(np.searchsorted(rows, others), len(rows) - 1)
            known = np.where(rows[at] == others, total[at], 0)
            if signs is None:
                return known
            of_signs = scoring.dense * signs.standardised(others)
            of_words = standardise_on(words.scale, words.scores[others], weight=scoring.bm25)
            return np.where(rows[at] == others, known, of_signs + of_words)

        document = self._document_of[rows]
        gains = np.zeros_like(total)
        for others in (np.maximum(rows - 1, 0), np.minimum(rows + 1, len(self._document_of) - 1)):
            is_beside = (self._document_of[others] == document) & (others != rows)
            gains += np.where(is_beside, np.float32(scoring.neighbours / 2) * score(others), 0)
        if scoring.headings:
            above = self._headings[rows]
            heading = np.maximum(0, score(np.maximum(above, 0) + self._first_rows[document]))
            gains += np.where(above >= 0, np.float32(scoring.headings) * heading, 0)
        return gains

    def _contributors(  # noqa: PLR0913  (what is known of the question)
        self,
        documents: npt.NDArray[np.int64],
        cosines: Floats,
        words: _Words,
        statistics: CorpusStatistics,
        priors: npt.NDArray[np.float64],
        scoring: Scoring,
        selection: Selection,
        max_words: int,
    ) -> npt.NDArray[np.int64]:
        """Of these documents those that contribute to the evidence, and the best others up to ``N_AT_LEAST``."""
        places = [self._place(document) for document in documents.tolist()]
        forest = forest_of(places)
        frequencies = (
            (words.idf(term), np.concatenate([column[rows] for _, _, rows in places]))
            for term, column in words.columns(len(self._lengths))
        )
        scores = forest.scores(cosines, frequencies, statistics, scoring)
        scores += priors[documents].astype(np.float32)[forest.document_of_rows[forest.ranges[:, 0]]]
        best_first = np.argsort(-forest.best(scores), kind="stable").tolist()
        chosen = list(forest.contributors(scores, selection, max_words))
        others = [number for number in best_first if number not in chosen]
        found: npt.NDArray[np.int64] = documents[chosen + others[: max(0, N_AT_LEAST - len(chosen))]]
        return found

    def _place(self, document: int) -> Place:
        """Where a document is."""
        number = int(np.searchsorted(self._first_documents, document, side="right")) - 1
        first, size = int(self._first_rows[document]), int(self._sizes[document])
        start = first - int(self._first_rows[self._first_documents[number]])
        return self._segments[number], slice(start, start + size), slice(first, first + size)

    def _near(self, vector: Floats, scope: "_Scope") -> tuple[npt.NDArray[np.int64], Signs | None]:
        """The rows whose signs agree best with the vector's, and the signs of all; None if all are near."""
        n_near = max(N_NEAR, scope.n_rows // NEAR_SHARE)
        if n_near >= scope.n_rows:
            return scope.rows(len(self._lengths)), None
        signs = Signs.of([one.codes for one in self._segments], vector, scope.is_row)
        return signs.nearest(n_near), signs

    def _cosines(self, vector: Floats, rows: npt.NDArray[np.int64]) -> Floats:
        """The cosines of rows, ascending."""
        found, first = [], 0
        for one in self._segments:
            end = first + len(one.vectors)
            mine = rows[np.searchsorted(rows, first) : np.searchsorted(rows, end)] - first
            found.append((one.vectors[mine].astype(np.float32) @ vector) * one.scales[mine])
            first = end
        return np.concatenate(found)

    def _scale(self, vector: Floats, scope: "_Scope") -> Scale:
        """Mean and deviation of the cosines, from an even sample of the rows."""
        sample = self._sample if scope is self._whole else self._sampled(scope)
        cosines = sample @ vector
        return Scale(float(cosines.mean()), float(cosines.std()))

    @cached_property
    def _sample(self) -> Floats:
        """The sample of all rows: 12 MB at most."""
        return self._sampled(self._whole)

    def _sampled(self, scope: "_Scope") -> Floats:
        """The vectors of an even sample of the rows. Shape ``(n_sampled, dim)``."""
        rows = scope.rows(len(self._lengths))
        if len(rows) > N_SAMPLED:
            rows = rows[np.linspace(0, len(rows) - 1, N_SAMPLED).astype(np.int64)]
        found, first = [], 0
        for one in self._segments:
            mine = rows[np.searchsorted(rows, first) : np.searchsorted(rows, first + len(one.vectors))] - first
            found.append(one.vectors[mine].astype(np.float32) * one.scales[mine, None])
            first += len(one.vectors)
        return np.concatenate(found)

    def _words(self, question: str, scope: "_Scope") -> tuple["_Words", npt.NDArray[np.int64]]:
        """BM25 of every row, and the best rows, ascending."""
        scores = np.zeros(len(self._lengths), dtype=np.float32)
        n_with: dict[str, int] = {}
        frequencies: dict[str, npt.NDArray[np.float64]] = {}
        n_documents_with: dict[str, int] = {}
        postings: dict[str, tuple[npt.NDArray[np.int64], npt.NDArray[np.uint16]]] = {}
        wanted = {language: set(terms(question, language)) for language in scope.languages}
        for term in sorted(set().union(*wanted.values())):
            rows, counts = self._postings(term)
            if scope.is_row is not None:
                kept = scope.is_row[rows]
                rows, counts = rows[kept], counts[kept]
            n_with[term] = len(rows)
            in_document = self._in_documents(rows, counts)
            n_documents_with[term] = int(np.count_nonzero(in_document))
            if len(wanted) > 1:
                speaking = [language for language, of_one in wanted.items() if term in of_one]
                spoken = np.isin(self._languages, speaking)[self._document_of[rows]]
                rows, counts = rows[spoken], counts[spoken]
                in_document = np.where(np.isin(self._languages, speaking), in_document, 0)
            frequencies[term] = in_document
            postings[term] = rows, counts
            idf = np.log1p((scope.n_rows - n_with[term] + 0.5) / (n_with[term] + 0.5))
            norm = K1 * (1 - B + B * self._lengths[rows] / scope.mean_length)
            scores[rows] += idf * (K1 + 1) * counts / (counts + norm)
        mean = float(scores.sum(dtype=np.float64)) / scope.n_rows
        squares = float(np.dot(scores, scores)) / scope.n_rows
        scale = Scale(mean, max(0.0, squares - mean * mean) ** 0.5)
        words = _Words(scores, n_with, scope.mean_length, scale, frequencies, n_documents_with, postings, scope.n_rows)
        return words, _best(scores, N_LEXICAL)

    def _in_documents(self, rows: npt.NDArray[np.int64], counts: npt.NDArray[np.integer]) -> npt.NDArray[np.float64]:
        """The sum of the counts of each document's rows. Shape ``(n_documents,)``."""
        found: npt.NDArray[np.float64] = np.bincount(
            self._document_of[rows], weights=counts, minlength=len(self._ids)
        ).astype(np.float64, copy=False)
        return found

    def _postings(self, term: str) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint16]]:
        """The rows that contain a term, and how often."""
        wanted = np.uint64(term_hash(term))
        rows, counts, first = [], [], 0
        for one in self._segments:
            at = int(np.searchsorted(one.terms, wanted))
            if at < len(one.terms) and one.terms[at] == wanted:
                here = slice(int(one.term_starts[at]), int(one.term_starts[at + 1]))
                rows.append(one.rows[here].astype(np.int64) + first)
                counts.append(one.counts[here])
            first += len(one.vectors)
        if not rows:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint16)
        return np.concatenate(rows), np.concatenate(counts)


def _best(scores: Floats, n: int) -> npt.NDArray[np.int64]:
    """The rows with the ``n`` best scores above 0."""
    rows = np.flatnonzero(scores > 0)  # of truth values: several times faster than of numbers
    return rows if len(rows) <= n else rows[np.argpartition(-scores[rows], n - 1)[:n]]
