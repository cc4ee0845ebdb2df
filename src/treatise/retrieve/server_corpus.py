"""The first stage over a library in a database server: as ``retrieve.corpus``, with the leaves at the server."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from treatise.core.corpus import CorpusStatistics, DocumentStatistics, Scale
from treatise.core.ports.leaf_index import CoveredDocument, Keys, LeafIndex
from treatise.core.recipe import Scoring
from treatise.core.vectors import Floats, standardise_on
from treatise.retrieve.corpus import SHORTLIST, Candidates
from treatise.retrieve.lexical import K1, B, term_hash, terms
from treatise.retrieve.prior import N_OPENING, combined, has_prior, of_whole
from treatise.retrieve.surroundings import best_leaves

N_NEAR: Final = 400
"""Leaves taken by the index of vectors."""

N_LEXICAL: Final = 400
"""Leaves taken by BM25."""

N_SAMPLED: Final = 2_048
"""Leaves from which the scale of the cosines is estimated."""

_SHIFT: Final = 32


class ServerCorpus:
    """The documents of an index at a server; its list is read once, their openings when they are first needed.

    Args:
        index: At the server.
        before: An earlier state, whose openings are taken over.
    """

    def __init__(self, index: LeafIndex, before: "ServerCorpus | None" = None) -> None:
        self._index = index
        self._documents = {one.number: one for one in index.documents()}
        known: Mapping[int, Floats] = before._openings if before else {}
        self._openings: dict[int, Floats] = {number: known[number] for number in self._documents if number in known}

    @property
    def ids(self) -> set[str]:
        """The documents that count."""
        return {one.id for one in self._documents.values()}

    @property
    def n_rows(self) -> int:
        """The leaves of the documents that count."""
        return sum(one.n_leaves for one in self._documents.values())

    def find(
        self,
        question: str,
        vector: Floats,
        scoring: Scoring,
        *,
        n_documents: int,
        among: Collection[str] | None = None,
    ) -> Candidates:
        """See ``Corpus.find``. Vectors are found by an approximate index, and the scale of cosines from a sample."""
        scope = [one for one in self._documents.values() if among is None or one.id in among]
        n_rows = sum(one.n_leaves for one in scope)
        if not n_rows:
            return Candidates((), CorpusStatistics(0, 1.0, {}, Scale(0, 0), Scale(0, 0), vector))
        numbers = None if among is None else [one.number for one in scope]
        mean_length = max(1.0, sum(one.n_terms for one in scope) / n_rows)
        words, n_with, frequencies = self._words(question, scope, n_rows, mean_length)
        cosines = self._index.sample(vector, N_SAMPLED, numbers)
        scale = Scale(float(cosines.mean()), float(cosines.std()))
        priors, documents = self._priors(frequencies, vector, scale, scoring, scope)
        statistics = CorpusStatistics(
            n_units=n_rows,
            mean_length=mean_length,
            n_with=n_with,
            cosines=scale,
            bm25=words.scale(n_rows),
            vector=vector,
            documents=documents,
        )
        shortlist = self._shortlist(words, statistics, scoring, priors, max(SHORTLIST, n_documents), numbers)
        scores = self._scores(shortlist, words, statistics, scoring)
        best = sorted(shortlist, key=lambda number: -scores[number] - priors.get(number, 0.0))[:n_documents]
        gains = {self._documents[number].id: priors[number] for number in best} if documents else {}
        return Candidates(tuple(self._documents[number].id for number in best), replace(statistics, priors=gains))

    def _words(
        self, question: str, scope: Sequence[CoveredDocument], n_rows: int, mean_length: float
    ) -> "tuple[_Words, dict[str, int], dict[str, dict[int, int]]]":
        """BM25 of every leaf with a term of the question, and how many leaves, and how often documents, have each term.

        The last are by term and number of the document; a term that its language does not ask for counts -1.
        """
        languages = {one.number: one.language for one in scope}
        wanted = {language: set(terms(question, language)) for language in sorted(set(languages.values()))}
        n_with: dict[str, int] = {}
        frequencies: dict[str, dict[int, int]] = {}
        keys, scores = [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
        for term in sorted(set().union(*wanted.values())):
            found = [one for one in self._index.postings(term_hash(term)) if one.number in languages]
            n_with[term] = sum(len(one.leaves) for one in found)
            frequencies[term] = {
                one.number: int(one.counts.sum()) if term in wanted[languages[one.number]] else -1 for one in found
            }
            idf = np.log1p((n_rows - n_with[term] + 0.5) / (n_with[term] + 0.5))
            for one in found:
                if term not in wanted[languages[one.number]]:
                    continue
                norm = K1 * (1 - B + B * one.lengths / mean_length)
                keys.append((one.number << _SHIFT) + one.leaves.astype(np.int64))
                scores.append(idf * (K1 + 1) * one.counts / (one.counts + norm))
        return _Words.summed(np.concatenate(keys), np.concatenate(scores)), n_with, frequencies

    def _priors(
        self,
        frequencies: Mapping[str, Mapping[int, int]],
        vector: Floats,
        scale: Scale,
        scoring: Scoring,
        scope: Sequence[CoveredDocument],
    ) -> tuple[Mapping[int, float], DocumentStatistics | None]:
        """See ``Corpus._priors``; by number."""
        if not has_prior(scoring, len(scope)):
            return {}, None
        numbers = [one.number for one in scope]
        if unknown := [number for number in numbers if number not in self._openings]:
            self._openings.update(self._index.openings(unknown, N_OPENING))
        openings = np.stack([self._openings[number] for number in numbers]) @ vector
        wholes, statistics = of_whole(
            {
                term: np.array([max(0, of_one.get(number, 0)) for number in numbers], dtype=np.float64)
                for term, of_one in frequencies.items()
            },
            {term: len(of_one) for term, of_one in frequencies.items()},
            np.array([one.n_terms for one in scope], dtype=np.float64),
            np.ones(len(numbers), dtype=bool),
        )
        found = combined(openings, wholes, scoring, scale, statistics.bm25)
        return dict(zip(numbers, found.tolist(), strict=True)), statistics

    def _shortlist(
        self,
        words: "_Words",
        statistics: CorpusStatistics,
        scoring: Scoring,
        priors: Mapping[int, float],
        n: int,
        numbers: Collection[int] | None,
    ) -> list[int]:
        """The numbers of the documents with the best leaves."""
        vector = statistics.vector
        near, cosines = self._index.nearest(vector, N_NEAR, numbers)
        rest = np.setdiff1d(words.best(N_LEXICAL), near)
        keys = np.concatenate([near, rest])
        total = standardise_on(
            statistics.cosines, np.concatenate([cosines, self._index.products(vector, rest)]), weight=scoring.dense
        ) + standardise_on(statistics.bm25, words.of(keys), weight=scoring.bm25)
        owners = keys >> _SHIFT
        total = total + np.array([priors.get(number, 0.0) for number in owners.tolist()])
        found = owners[np.argsort(-total, kind="stable")]
        return [number for number in dict.fromkeys(found.tolist()) if number in self._documents][:n]

    def _scores(
        self, shortlist: Sequence[int], words: "_Words", statistics: CorpusStatistics, scoring: Scoring
    ) -> Mapping[int, float]:
        found = self._index.of_documents(statistics.vector, shortlist)
        scores = dict.fromkeys(shortlist, -np.inf)
        for number, (cosines, headings) in found.items():
            keys = (number << _SHIFT) + np.arange(len(cosines), dtype=np.int64)
            total = standardise_on(statistics.cosines, cosines, weight=scoring.dense)
            total = total + standardise_on(statistics.bm25, words.of(keys), weight=scoring.bm25)
            scores[number] = float(best_leaves(total, headings, np.array([len(total)]), scoring)[0])
        return scores


class _Words:
    """BM25 of the leaves that have a term of the question; 0 of all others.

    Args:
        keys: Ascending.
        scores: Of these.
    """

    def __init__(self, keys: Keys, scores: Floats) -> None:
        self._keys, self._scores = keys, scores

    @classmethod
    def summed(cls, keys: Keys, scores: np.ndarray) -> "_Words":
        """Of the contributions of terms."""
        distinct, place = np.unique(keys, return_inverse=True)
        return cls(distinct, np.bincount(place, weights=scores, minlength=len(distinct)).astype(np.float32))

    def scale(self, n_rows: int) -> Scale:
        """Mean and deviation over all leaves."""
        mean = float(self._scores.sum(dtype=np.float64)) / n_rows
        squares = float(np.dot(self._scores, self._scores)) / n_rows
        return Scale(mean, max(0.0, squares - mean * mean) ** 0.5)

    def best(self, n: int) -> Keys:
        """The leaves with the best scores, ascending."""
        if len(self._keys) <= n:
            return self._keys
        found: Keys = np.sort(self._keys[np.argpartition(-self._scores, n - 1)[:n]])
        return found

    def of(self, keys: Keys) -> Floats:
        """The scores of leaves."""
        if not len(self._keys):
            return np.zeros(len(keys), dtype=np.float32)
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[at] == keys, self._scores[at], np.float32(0))
