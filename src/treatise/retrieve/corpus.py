"""The first stage over a library: leaves near to a question by vector or by words, and the documents that they are of.

Vectors are found in two steps: the leaves whose signs agree best with the question's (64 components per machine word),
then the exact cosines of these. BM25 is exact over all leaves.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.corpus import CorpusStatistics, DocumentStatistics, OpeningCosines, Scale
from treatise.core.recipe import Scoring, Selection
from treatise.core.vectors import Floats, standardise_on
from treatise.retrieve.forest import Forest, forest_of, is_foretold
from treatise.retrieve.prior import combined, cosines_read, has_prior, of_whole
from treatise.retrieve.row_words import RowWords, Scope
from treatise.retrieve.rows import Near, Numbers, Rows
from treatise.retrieve.segments import Segment, sampled
from treatise.retrieve.statements import asked_statements
from treatise.retrieve.surroundings import best_leaves

N_LEXICAL: Final = 1_000
"""Leaves taken by BM25."""

SHORTLIST: Final = 192
"""Documents with the best leaves, whose leaves are then scored with their neighbours, headings and surroundings."""

N_TREES: Final = 24
"""Of the shortlist, the best documents whose nodes are all scored, to foretell which contribute to the evidence."""

MARGIN: Final = 1.3
"""Another document's nodes are scored if its best leaf, nearly known, is at most so far below the evidence of these."""

N_AT_LEAST: Final = 8
"""Documents that are searched even if fewer contribute: scores are foretold nearly, not exactly."""


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
class CorpusQuery:
    """What documents of a library are looked for.

    Attributes:
        question: The question.
        vector: Its vector.
        scoring: How nodes are scored.
        n_documents: At most so many, unless the evidence is foretold.
        among: The search, statistics included, is limited to these documents; None for all.
        selection: How passages are selected, if the documents that contribute to the evidence are wanted.
        max_words: The budget of that evidence.
        openings: The cosines of the documents' openings that replace the encoder's in the prior; None for these.
    """

    question: str
    vector: Floats
    scoring: Scoring
    n_documents: int
    among: Collection[str] | None = None
    selection: Selection | None = None
    max_words: int = 0
    openings: OpeningCosines | None = None


class Corpus:
    """The segments of a library as one index. It is not changed by searches, so threads may share it.

    Args:
        segments: Their arrays may be mapped from a file.
        removed: Ids of documents that no longer count, per segment.
    """

    def __init__(self, segments: Sequence[Segment], removed: Sequence[Collection[str]] = ()) -> None:
        self._segments = tuple(segments)
        gone = removed or [()] * len(self._segments)
        of_segment: list[list[str]] = [one.ids.astype("U").tolist() for one in self._segments]
        self.is_live: list[npt.NDArray[np.bool_]] = [
            np.array([id_ not in dead for id_ in ids], dtype=bool) for ids, dead in zip(of_segment, gone, strict=True)
        ]
        ids = [id_ for ids in of_segment for id_ in ids]
        live = np.concatenate(self.is_live) if ids else np.zeros(0, dtype=bool)
        self._ids = np.array(ids, dtype=object)
        self._live = live
        self._rows = Rows(self._segments)
        languages = [code.decode() for one in self._segments for code in one.languages.tolist()]
        self._languages = np.array(languages, dtype="U")
        self._is_pooled = np.concatenate([one.is_pooled for one in self._segments] or [np.zeros(0, dtype=bool)])
        self._n_terms = self._rows.n_terms
        self._whole = self._scoped(live)

    @property
    def ids(self) -> set[str]:
        """The documents that count."""
        return set(self._ids[self._live].tolist())

    @property
    def n_rows(self) -> int:
        """The leaves of the documents that count."""
        return int(self._rows.sizes[self._live].sum())

    @property
    def n_uncoded(self) -> int:
        """The leaves of segments without codes, all of which a question is compared with."""
        return sum(len(one.vectors) for one in self._segments if not one.codes.size)

    def find(self, query: CorpusQuery) -> Candidates:
        """The documents with the best leaves, and the statistics of all leaves.

        With a selection that can be foretold, the documents are those that contribute to the evidence: ``N_AT_LEAST``
        or more, ``SHORTLIST`` at most.
        """
        vector, scoring, selection = query.vector, query.scoring, query.selection
        scope = self._scope(query.among)
        if not scope.n_rows:
            return Candidates((), CorpusStatistics(0, 1.0, {}, Scale(0, 0), Scale(0, 0), vector))
        words = RowWords.of(self._rows, query.question, scope, self._languages)
        near = self._rows.near(vector, scope.is_row, scope.n_rows)
        is_found = np.zeros(len(self._rows), dtype=bool)
        is_found[near.rows] = is_found[words.best(N_LEXICAL)] = True
        rows = np.flatnonzero(is_found)
        cosines = self._rows.cosines(rows, vector)
        scale = self._scale(vector, scope)
        priors, documents = self._priors(words, query, scale, scope)
        statistics = CorpusStatistics(
            n_units=scope.n_rows,
            mean_length=words.mean_length,
            n_with=words.n_with,
            cosines=scale,
            bm25=words.scale,
            vector=vector,
            documents=documents,
            openings=query.openings,
        )
        total = standardise_on(scale, cosines, weight=scoring.dense)
        total = total + standardise_on(words.scale, words.scores[rows], weight=scoring.bm25)
        total = total + self._beside(rows, total, near, words, scoring)
        shortlist = self._best_documents(rows, total, priors, max(SHORTLIST, query.n_documents))
        nearly = self._estimates(shortlist, rows, standardise_on(scale, cosines), near)
        scores = self._scores(shortlist, nearly, words, scoring) + priors[shortlist]
        order = np.argsort(-scores, kind="stable")
        ranked, scores = shortlist[order], scores[order]
        found = ranked[: query.n_documents]
        asks_statements = scoring.statements and asked_statements(query.question)
        if selection and is_foretold(scoring, selection) and self._is_pooled[ranked].all() and not asks_statements:
            trees = _Trees(self._rows, words, statistics, priors, scoring)
            found = _contributors(trees, ranked, scores, selection, query.max_words)
        ids = tuple(self._ids[found].tolist())
        gains = dict(zip(ids, priors[found].tolist(), strict=True))
        return Candidates(ids, replace(statistics, priors=gains) if documents else statistics)

    def _scope(self, among: Collection[str] | None) -> Scope:
        if among is None:
            return self._whole
        return self._scoped(self._live & np.array([id_ in among for id_ in self._ids], dtype=bool))

    def _scoped(self, documents: npt.NDArray[np.bool_]) -> Scope:
        n_rows = int(self._rows.sizes[documents].sum())
        is_row = None if documents.all() else documents[self._rows.document_of]
        lengths = self._rows.lengths if is_row is None else self._rows.lengths[is_row]
        languages = tuple(sorted(set(self._languages[documents].tolist())))
        return Scope(documents, n_rows, is_row, max(1.0, float(lengths.sum()) / max(1, n_rows)), languages)

    def _priors(
        self, words: RowWords, query: CorpusQuery, scale: Scale, scope: Scope
    ) -> tuple[npt.NDArray[np.float64], DocumentStatistics | None]:
        """What each document gains, and the statistics that this follows from; zeros and None among few documents."""
        if not has_prior(query.scoring, int(scope.is_document.sum())):
            return np.zeros(len(self._ids)), None
        openings = self._openings @ query.vector
        if read := cosines_read(self._ids[scope.is_document].tolist(), query.openings):
            openings[scope.is_document], scale = read
        wholes, statistics = of_whole(words.frequencies, words.n_documents_with, self._n_terms, scope.is_document)
        return combined(openings, wholes, query.scoring, scale, statistics.bm25), statistics

    def _best_documents(
        self, rows: npt.NDArray[np.int64], total: Floats, priors: npt.NDArray[np.float64], n: int
    ) -> npt.NDArray[np.int64]:
        """The documents with the best rows, best first; ties in the order of the library."""
        best = np.full(len(self._ids), -np.inf)
        documents, first = self._rows.runs(rows)
        best[documents] = np.maximum.reduceat(total, first)
        best += priors
        order: npt.NDArray[np.int64] = np.argsort(-best, kind="stable")[:n]
        found: npt.NDArray[np.int64] = order[np.isfinite(best[order])]
        return found

    def _estimates(self, documents: Numbers, rows: Numbers, standardised: Floats, near: Near) -> Floats:
        """The standardised cosines of all rows of documents: those of ``rows`` are exact, others by their signs."""
        estimates = near.standardised(self._rows.of(documents))
        sizes = self._rows.sizes[documents]
        moved = np.full(len(self._ids), -1)
        moved[documents] = np.cumsum(sizes) - sizes
        of_rows = self._rows.document_of[rows]
        known = np.flatnonzero(moved[of_rows] >= 0)
        document = of_rows[known]
        estimates[moved[document] + rows[known] - self._rows.first_rows[document]] = standardised[known]
        return estimates

    def _scores(self, documents: Numbers, estimates: Floats, words: RowWords, scoring: Scoring) -> Floats:
        """Nearly the score of each document's best leaf, with nodes replaced by windows of leaves."""
        rows = self._rows.of(documents)
        scores = np.float32(scoring.dense) * estimates
        scores += standardise_on(words.scale, words.scores[rows], weight=scoring.bm25)
        return best_leaves(scores, self._rows.headings[rows], self._rows.sizes[documents], scoring)

    def _beside(self, rows: Numbers, total: Floats, near: Near, words: RowWords, scoring: Scoring) -> Floats:
        """What neighbours and heading add to rows, ascending; of those that are not among them the signs tell."""

        def score(others: Numbers) -> Floats:
            at = np.minimum(np.searchsorted(rows, others), len(rows) - 1)
            known = rows[at] == others
            found: Floats = np.where(known, total[at], np.float32(0))
            if near.signs:
                unknown = others[~known]
                of_words = standardise_on(words.scale, words.scores[unknown], weight=scoring.bm25)
                found[~known] = np.float32(scoring.dense) * near.standardised(unknown) + of_words
            return found

        document = self._rows.document_of[rows]
        gains = np.zeros_like(total)
        for others in (np.maximum(rows - 1, 0), np.minimum(rows + 1, len(self._rows.document_of) - 1)):
            is_beside = (self._rows.document_of[others] == document) & (others != rows)
            gains += np.where(is_beside, np.float32(scoring.neighbours / 2) * score(others), 0)
        if scoring.headings:
            above = self._rows.headings[rows]
            heading = np.maximum(0, score(np.maximum(above, 0) + self._rows.first_rows[document]))
            gains += np.where(above >= 0, np.float32(scoring.headings) * heading, 0)
        return gains

    def _scale(self, vector: Floats, scope: Scope) -> Scale:
        """Mean and deviation of the cosines, from an even sample of the rows."""
        sample = self._sample if scope is self._whole else self._sampled(scope)
        cosines = sample @ vector
        return Scale(float(cosines.mean()), float(cosines.std()))

    @cached_property
    def _openings(self) -> Floats:
        """The openings of all documents, widened once: 1.5 KB each."""
        return np.concatenate([one.openings for one in self._segments]).astype(np.float32)

    @cached_property
    def _sample(self) -> Floats:
        """The sample of all rows, 12 MB at most; a large segment alone has it side by side."""
        is_stored = len(self._segments) == 1 and self._whole.is_row is None and len(self._segments[0].sample) > 0
        return self._segments[0].sampled_floats if is_stored else self._sampled(self._whole)

    def _sampled(self, scope: Scope) -> Floats:
        """The vectors of an even sample of the rows. Shape ``(n_sampled, dim)``."""
        rows = scope.rows(len(self._rows))
        return self._rows.floats(rows[sampled(len(rows))])


@dataclass(frozen=True, slots=True)
class _Trees:
    """Scores all nodes of documents for one question."""

    rows: Rows
    words: RowWords
    statistics: CorpusStatistics
    priors: npt.NDArray[np.float64]
    scoring: Scoring

    def forest(self, documents: Numbers) -> Forest:
        return forest_of([self.rows.place(document) for document in documents.tolist()])

    def scores(self, documents: Numbers, forest: Forest) -> Floats:
        """The score of every node of the documents, of which the forest is made. Shape ``(n_nodes,)``."""
        places = [self.rows.place(document) for document in documents.tolist()]
        cosines = np.concatenate([one.cosines(here, self.statistics.vector) for one, here, _ in places])
        scores = forest.scores(cosines, self.words.columns(self.rows.of(documents)), self.statistics, self.scoring)
        return scores + self.priors[documents].astype(np.float32)[forest.document_of_nodes]


def _contributors(
    trees: _Trees, documents: Numbers, nearly: npt.NDArray[np.floating], selection: Selection, max_words: int
) -> Numbers:
    """Of documents, best first, those that contribute to the evidence, and the best others up to ``N_AT_LEAST``.

    ``nearly`` are nearly the scores of their best leaves: by these, most cannot contribute and are not looked at.
    """
    chosen, others = documents[:N_TREES], documents[N_TREES:]
    forest = trees.forest(chosen)
    scores = trees.scores(chosen, forest)
    contributed = forest.contributors(scores, selection, max_words)
    others = others[nearly[N_TREES:] >= contributed.worst - MARGIN]
    if len(others):
        scores = np.concatenate([scores, trees.scores(others, trees.forest(others))])
        chosen = np.concatenate([chosen, others])
        forest = trees.forest(chosen)
        contributed = forest.contributors(scores, selection, max_words)
    numbers = [*contributed.documents]
    best_first = np.argsort(-forest.best(scores), kind="stable").tolist()
    numbers += [number for number in best_first if number not in numbers][: max(0, N_AT_LEAST - len(numbers))]
    found: Numbers = chosen[numbers]
    return found
