"""The first stage over a library in a database server: as ``retrieve.corpus``, with the leaves at the server."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.corpus import CorpusStatistics, DocumentStatistics, Scale
from treatise.core.ports.leaf_index import CoveredDocument, Keys, LeafIndex, LeafTree
from treatise.core.recipe import Scoring, Selection
from treatise.core.vectors import Floats, standardise_on
from treatise.retrieve.corpus import N_AT_LEAST, Candidates, CorpusQuery
from treatise.retrieve.forest import Forest, is_foretold
from treatise.retrieve.lexical import K1, B, distinct_terms, term_hash
from treatise.retrieve.prior import N_OPENING, combined, cosines_read, has_prior, in_whole, of_whole
from treatise.retrieve.statements import asked_statements
from treatise.retrieve.surroundings import best_leaves

N_NEAR: Final = 400
"""Leaves taken by the index of vectors."""

N_LEXICAL: Final = 400
"""Leaves taken by BM25."""

N_SAMPLED: Final = 2_048
"""Leaves from which the scale of the cosines is estimated."""

SHORTLIST: Final = 64
"""Documents with the best leaves, whose nodes are then all scored, to foretell which contribute to the evidence."""

N_KEPT: Final = 1_000
"""Trees that are kept in memory, about 30 KB each for a document of 600 sentences."""

_SHIFT: Final = 32
_PLACE: Final = (1 << _SHIFT) - 1

Leaves = Mapping[int, tuple[Floats, npt.NDArray[np.int32]]]
"""The cosines and the headings of the leaves of documents, by number."""


class ServerCorpus:
    """The documents of an index at a server; its list is read once, openings and trees when they are first needed.

    Args:
        index: At the server.
        before: An earlier state, whose openings and trees are taken over.
    """

    def __init__(self, index: LeafIndex, before: "ServerCorpus | None" = None) -> None:
        self._index = index
        self._documents = {one.number: one for one in index.documents()}
        known: Mapping[int, Floats] = before._openings if before else {}
        self._openings: dict[int, Floats] = {number: known[number] for number in self._documents if number in known}
        self._trees: _Trees = before._trees if before else _Trees(index)

    @property
    def ids(self) -> set[str]:
        """The documents that count."""
        return {one.id for one in self._documents.values()}

    @property
    def n_rows(self) -> int:
        """The leaves of the documents that count."""
        return sum(one.n_leaves for one in self._documents.values())

    def find(self, query: CorpusQuery) -> Candidates:
        """See ``Corpus.find``. Vectors are found by an approximate index, and the scale of cosines from a sample."""
        vector, scoring, selection = query.vector, query.scoring, query.selection
        among = query.among
        scope = [one for one in self._documents.values() if among is None or one.id in among]
        n_rows = sum(one.n_leaves for one in scope)
        if not n_rows:
            return Candidates((), CorpusStatistics(0, 1.0, {}, Scale(0, 0), Scale(0, 0), vector))
        numbers = None if among is None else [one.number for one in scope]
        mean_length = max(1.0, sum(one.n_terms for one in scope) / n_rows)
        words = self._words(query.question, scope, n_rows, mean_length)
        cosines = self._index.sample(vector, N_SAMPLED, numbers)
        scale = Scale(float(cosines.mean()), float(cosines.std()))
        priors, documents = self._priors(words, query, scale, scope)
        statistics = CorpusStatistics(
            n_units=n_rows,
            mean_length=mean_length,
            n_with=words.n_with,
            cosines=scale,
            bm25=words.scale(),
            vector=vector,
            documents=documents,
            openings=query.openings,
        )
        shortlist = self._shortlist(words, statistics, scoring, priors, max(SHORTLIST, query.n_documents), numbers)
        leaves = self._index.of_documents(vector, shortlist)
        scores = self._scores(leaves, words, statistics, scoring)
        ranked = sorted(
            filter(leaves.__contains__, shortlist), key=lambda number: -scores[number] - priors.get(number, 0.0)
        )
        best: Sequence[int] = ranked[: query.n_documents]
        asks_statements = scoring.statements and asked_statements(query.question)
        if selection and is_foretold(scoring, selection) and not asks_statements:
            trees = self._trees.of(ranked)
            if len(trees) == len(ranked):
                planted = _Planted(trees, leaves, words)
                best = planted.contributors(statistics, priors, scoring, selection, query.max_words)
        gains = {self._documents[number].id: priors[number] for number in best} if documents else {}
        return Candidates(tuple(self._documents[number].id for number in best), replace(statistics, priors=gains))

    def _words(self, question: str, scope: Sequence[CoveredDocument], n_rows: int, mean_length: float) -> "_Words":
        """BM25 of every leaf with a term of the question, and what it follows from."""
        numbers = np.array([one.number for one in scope], dtype=np.int64)  # ascending, as those of the index
        languages = np.array([one.language for one in scope])
        wanted = {language: set(distinct_terms(question, language)) for language in sorted(set(languages.tolist()))}
        n_with: dict[str, int] = {}
        n_documents_with: dict[str, int] = {}
        frequencies: dict[str, npt.NDArray[np.float64]] = {}
        postings: dict[str, tuple[Keys, npt.NDArray[np.uint16]]] = {}
        scores = [np.zeros(0)]
        for term in sorted(set().union(*wanted.values())):
            found = self._index.postings(term_hash(term))
            place, is_known = _places(numbers, found.numbers)
            n_with[term], n_documents_with[term] = int(found.sizes[is_known].sum()), int(is_known.sum())
            speaking = np.isin(languages, [language for language, of_one in wanted.items() if term in of_one])
            rows = np.repeat(is_known & speaking[place], found.sizes)
            keys = (np.repeat(found.numbers, found.sizes)[rows] << _SHIFT) + found.leaves[rows]
            counts, lengths = found.counts[rows], found.lengths[rows]
            documents = np.repeat(place, found.sizes)[rows]
            of_wholes = in_whole(found.leaves[rows], counts)
            frequencies[term] = np.bincount(documents, of_wholes, minlength=len(scope)).astype(np.float64)
            postings[term] = keys, counts
            norm = K1 * (1 - B + B * lengths / mean_length)
            scores.append(_idf(n_with[term], n_rows) * (K1 + 1) * counts / (counts + norm))
        of_all = np.concatenate([np.zeros(0, dtype=np.int64), *(keys for keys, _ in postings.values())])
        summed = _Words.summed(of_all, np.concatenate(scores))
        return _Words(*summed, n_with, n_documents_with, frequencies, postings, n_rows)

    def _priors(
        self,
        words: "_Words",
        query: CorpusQuery,
        scale: Scale,
        scope: Sequence[CoveredDocument],
    ) -> tuple[Mapping[int, float], DocumentStatistics | None]:
        """See ``Corpus._priors``; by number."""
        if not has_prior(query.scoring, len(scope)):
            return {}, None
        numbers = [one.number for one in scope]
        read = cosines_read([one.id for one in scope], query.openings)
        openings, scale = read or (self._openings_of(numbers) @ query.vector, scale)
        wholes, statistics = of_whole(
            words.frequencies,
            words.n_documents_with,
            np.array([one.n_terms for one in scope], dtype=np.float64),
            np.ones(len(numbers), dtype=bool),
        )
        found = combined(openings, wholes, query.scoring, scale, statistics.bm25)
        return dict(zip(numbers, found.tolist(), strict=True)), statistics

    def _openings_of(self, numbers: Sequence[int]) -> Floats:
        """The openings of these documents by the encoder of the index. Shape ``(n_documents, dim)``."""
        if unknown := [number for number in numbers if number not in self._openings]:
            self._openings.update(self._index.openings(unknown, N_OPENING))
        return np.stack([self._openings[number] for number in numbers])

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
        total = total + _beside(keys, total, scoring)
        total = total + np.array([priors.get(number, 0.0) for number in owners.tolist()])
        found = owners[np.argsort(-total, kind="stable")]
        return [number for number in dict.fromkeys(found.tolist()) if number in self._documents][:n]

    def _scores(
        self, leaves: Leaves, words: "_Words", statistics: CorpusStatistics, scoring: Scoring
    ) -> Mapping[int, float]:
        """Nearly the score of each document's best leaf; see ``Corpus._scores``."""
        scores: dict[int, float] = {}
        for number, (cosines, headings) in leaves.items():
            total = standardise_on(statistics.cosines, cosines, weight=scoring.dense)
            total = total + standardise_on(statistics.bm25, words.of(_keys(number, len(cosines))), weight=scoring.bm25)
            scores[number] = float(best_leaves(total, headings, np.array([len(total)]), scoring)[0])
        return scores


class _Trees:
    """Trees of documents, of which those that were needed last are kept. Threads may share it.

    Args:
        index: At the server.
    """

    def __init__(self, index: LeafIndex) -> None:
        self._index = index
        self._kept: dict[int, LeafTree] = {}
        self._lock = Lock()

    def of(self, numbers: Sequence[int]) -> dict[int, LeafTree]:
        """The trees of these documents, in their order; those that have none are left out."""
        with self._lock:
            found = {number: self._kept.pop(number) for number in numbers if number in self._kept}
        found |= self._index.trees([number for number in numbers if number not in found])
        with self._lock:
            self._kept |= found
            for number in [*self._kept][: max(0, len(self._kept) - N_KEPT)]:
                del self._kept[number]
        return {number: found[number] for number in numbers if number in found}


class _Planted:
    """The trees of the best documents with what is known of their leaves.

    Args:
        trees: By number, the best document first.
        leaves: Their cosines.
        words: Their BM25.
    """

    def __init__(self, trees: Mapping[int, LeafTree], leaves: Leaves, words: "_Words") -> None:
        self._numbers = [*trees]
        self._words = words
        self._cosines = np.concatenate([leaves[number][0] for number in trees])
        sizes = np.array([len(one.n_words) for one in trees.values()], dtype=np.int64)
        firsts = np.cumsum(sizes) - sizes
        self._firsts = dict(zip(trees, firsts.tolist(), strict=True))
        self._forest = _forest(list(trees.values()), firsts)

    def contributors(
        self,
        statistics: CorpusStatistics,
        priors: Mapping[int, float],
        scoring: Scoring,
        selection: Selection,
        max_words: int,
    ) -> list[int]:
        """The documents that contribute to the evidence, and the best others; see ``Corpus._contributors``."""
        forest = self._forest
        scores = forest.scores(self._cosines, self._frequencies(), statistics, scoring)
        gains = np.array([priors.get(number, 0.0) for number in self._numbers], dtype=np.float32)
        scores += gains[forest.document_of_nodes]
        chosen = list(forest.contributors(scores, selection, max_words).documents)
        best_first = np.argsort(-forest.best(scores), kind="stable").tolist()
        others = [place for place in best_first if place not in chosen]
        return [self._numbers[place] for place in chosen + others[: max(0, N_AT_LEAST - len(chosen))]]

    def _frequencies(self) -> Iterator[tuple[float, npt.NDArray[np.uint16]]]:
        """The rarity of each term, and its occurrences in every row."""
        numbers, firsts = np.array(sorted(self._firsts.items()), dtype=np.int64).T
        for term, (keys, counts) in self._words.postings.items():
            column = np.zeros(len(self._cosines), dtype=np.uint16)
            place, is_here = _places(numbers, keys >> _SHIFT)
            column[firsts[place[is_here]] + (keys[is_here] & _PLACE)] = counts[is_here]
            yield self._words.idf(term), column


def _places(
    numbers: npt.NDArray[np.int64], wanted: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Where wanted numbers are among at least one, ascending, and whether they are there."""
    place = np.minimum(np.searchsorted(numbers, wanted), len(numbers) - 1)
    return place, numbers[place] == wanted


def _forest(trees: Sequence[LeafTree], firsts: npt.NDArray[np.int64]) -> Forest:
    """The trees as one, each from its first row on."""
    sizes = np.array([len(one.n_words) for one in trees], dtype=np.int64)
    headings = np.concatenate([one.headings for one in trees])
    moved = np.repeat(firsts, [len(one.ranges) for one in trees])
    return Forest(
        ranges=np.ascontiguousarray(np.concatenate([one.ranges for one in trees]).T).astype(np.int64) + moved,
        lengths=np.concatenate([one.lengths for one in trees]),
        sizes=sizes,
        headings=np.where(headings >= 0, headings + np.repeat(firsts, sizes), -1),
        is_guide=np.concatenate([one.is_guide for one in trees]),
        n_terms=np.concatenate([one.n_terms for one in trees]),
        n_words=np.concatenate([one.n_words for one in trees]),
        texts=np.concatenate([one.texts for one in trees]),
    )


def _beside(keys: Keys, total: Floats, scoring: Scoring) -> Floats:
    """What neighbours add to leaves, if they are among them."""
    order = np.argsort(keys)
    ascending = keys[order]
    gains = np.zeros_like(total)
    for step in (-1, 1):
        at = np.minimum(np.searchsorted(ascending, keys + step), len(keys) - 1)
        gains += np.where(ascending[at] == keys + step, np.float32(scoring.neighbours / 2) * total[order[at]], 0)
    return gains


def _keys(number: int, n_leaves: int) -> Keys:
    return (number << _SHIFT) + np.arange(n_leaves, dtype=np.int64)


def _idf(n_with: int, n_rows: int) -> float:
    return float(np.log1p((n_rows - n_with + 0.5) / (n_with + 0.5)))


@dataclass(frozen=True, slots=True)
class _Words:
    """BM25 of the leaves that have a term of the question, 0 of all others, and what it follows from.

    Attributes:
        keys: Of these leaves, ascending.
        scores: Their BM25.
        n_with: Leaves with each term.
        n_documents_with: Documents with each term.
        frequencies: Occurrences of each term (see ``in_whole``) in each document of the search; 0 if its language asks
            for others.
        postings: Leaves with each term, in languages that ask for it, and its occurrences there.
        n_rows: Leaves of the search.
    """

    keys: Keys
    scores: Floats
    n_with: Mapping[str, int]
    n_documents_with: Mapping[str, int]
    frequencies: Mapping[str, npt.NDArray[np.float64]]
    postings: Mapping[str, tuple[Keys, npt.NDArray[np.uint16]]]
    n_rows: int

    @staticmethod
    def summed(keys: Keys, scores: np.ndarray) -> tuple[Keys, Floats]:
        """The distinct keys, ascending, and the sum of each one's scores."""
        distinct, place = np.unique(keys, return_inverse=True)
        return distinct, np.bincount(place, weights=scores, minlength=len(distinct)).astype(np.float32)

    def idf(self, term: str) -> float:
        """The rarity of a term."""
        return _idf(self.n_with[term], self.n_rows)

    def scale(self) -> Scale:
        """Mean and deviation over all leaves."""
        mean = float(self.scores.sum(dtype=np.float64)) / self.n_rows
        squares = float(np.dot(self.scores, self.scores)) / self.n_rows
        return Scale(mean, max(0.0, squares - mean * mean) ** 0.5)

    def best(self, n: int) -> Keys:
        """The leaves with the best scores, ascending."""
        if len(self.keys) <= n:
            return self.keys
        found: Keys = np.sort(self.keys[np.argpartition(-self.scores, n - 1)[:n]])
        return found

    def of(self, keys: Keys) -> Floats:
        """The scores of leaves."""
        if not len(self.keys):
            return np.zeros(len(keys), dtype=np.float32)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[at] == keys, self.scores[at], np.float32(0))
