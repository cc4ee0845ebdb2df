"""Selects the sentences of a summary: what the document is, then its parts in proportion, without repeats."""

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.indexed import IndexedDocument
from treatise.core.vectors import Floats
from treatise.core.words import n_words
from treatise.generate.parts import parts_of
from treatise.generate.purpose import purpose, words_of
from treatise.generate.quotable import Quotable
from treatise.generate.salience import Weights
from treatise.generate.topics import Topic

_CANDIDATES: Final = 200  # candidates compared with each other, plus one per word of the summary
_PER_PART: Final = 8  # candidates of each part, however low they rank
_MAX_BEFORE: Final = 2  # sentences before one that are quoted with it
_OPENING_SHARE: Final = 0.15  # of the document, in which it says what it is
_OPENING_UNITS: Final = 40  # at least
_OPENING_WORDS: Final = 60
_FIRST: Final = 8  # sentences of which one opens the summary if none says what the document is
_SAME_WORDS: Final = 0.6  # share of its words that a repeat has from the sentence that it repeats
_WORDS_COUNT: Final = 0.3  # how far below the limit a cosine may be if the words are the same
_ENOUGH: Final = 0.6  # share of the limit from which only sentences above the average are added
_LONG: Final = 40  # words; longer sentences leave no room for others
_VERBOSITY: Final = 1.0
_SALIENCE_OF_OPENING: Final = 0.3
_LATENESS: Final = 2.0
_ON_TOPIC: Final = 5.0
_LIST_SHARE: Final = 0.5  # of a summary, for one list


_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")


def numbers_in(text: str) -> frozenset[str]:
    """The numbers of a text, as written."""
    return frozenset(_NUMBER.findall(text))


def share_known(text: str, known: str) -> float:
    """The share of a text's words of at least three letters that another text has; 0 without such words."""
    words, others = words_of([text]), words_of([known])
    return len(words & others) / len(words) if words else 0.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence with those before it that it needs.

    Attributes:
        units: In text order; the last one is the sentence itself.
        value: Their salience, weighted by their words.
    """

    units: tuple[int, ...]
    value: float


@dataclass
class Selection:
    """Greedy selection of whole sentences within a word limit.

    Attributes:
        indexed: The document.
        scores: Salience of each unit, shape ``(n_units,)``.
        weights: The penalties.
        max_words: The limit.
        n_units: Only sentences before this one are taken; all by default.
        chosen: The units so far, in the order of their choice.
    """

    indexed: IndexedDocument
    scores: Floats
    weights: Weights
    max_words: int
    n_units: int = sys.maxsize
    chosen: list[int] = field(default_factory=list)
    _lengths: dict[int, int] = field(default_factory=dict)

    def run(self) -> list[int]:
        """The units of the summary: first the one that says what the document is, if wanted, the others in text order.

        Every unit can be understood alone or follows the ones that it needs, none repeats another, and none is padding:
        a summary may have fewer words than the limit. If no sentence can be quoted alone, any that states something
        may be; empty if none fits the limit.
        """
        opening = self.opening if self.weights.opens else None
        if opening is not None:
            self.chosen.append(opening)
        ranking = [int(unit) for unit in np.argsort(-self.scores, kind="stable") if unit < self.n_units]
        if self.weights.opens:
            self._add_topics(self.quotable.topics, ranking)
        self._fill(self._candidates(ranking), max_likeness=self.weights.max_likeness)
        if not self.chosen:
            self._fill(self._last_resort(ranking), max_likeness=2.0)
        if opening is None or not self.purpose(opening):
            return sorted(self.chosen)
        return [opening, *sorted(unit for unit in self.chosen if unit != opening)]

    def purpose(self, unit: int) -> float:
        """How clearly a unit says what the document is."""
        text = " ".join(self.quotable.text(unit).split())
        return purpose(text, self.indexed.document.title, is_transcript=self.quotable.is_transcript)

    @cached_property
    def quotable(self) -> Quotable:
        """The rules for single sentences."""
        return Quotable(self.indexed, self.weights.min_words, whole=self.weights.whole)

    @cached_property
    def _vectors(self) -> Floats:
        return self.indexed.vectors[self.indexed.tree.leaf_nodes].astype(np.float32, copy=False)

    @cached_property
    def _parts(self) -> npt.NDArray[np.int64]:
        return parts_of(self.indexed)

    @cached_property
    def _shares(self) -> npt.NDArray[np.float64]:
        """The share of each part in the summary."""
        lengths = np.array([len(unit) for unit in self.indexed.units], dtype=np.float64)
        of_parts = np.bincount(self._parts, weights=lengths)
        shares: npt.NDArray[np.float64] = of_parts / max(1.0, of_parts.sum())
        return shares

    def _n_words(self, units: Sequence[int]) -> int:
        for unit in units:
            if unit not in self._lengths:
                self._lengths[unit] = n_words(self.quotable.shown(unit))
        return sum(self._lengths[unit] for unit in units)

    def _worth(self, unit: int) -> float:
        excess = max(0, self._n_words([unit]) - _LONG) / _LONG
        return float(self.scores[unit]) + self.quotable.bonus(unit) - _VERBOSITY * excess

    @cached_property
    def opening(self) -> int | None:
        """The early sentence that says what the document is; without topics, else the most salient of the first few.

        None if no sentence fits.
        """
        n_early = max(_OPENING_UNITS, int(_OPENING_SHARE * len(self.indexed.units)))
        best, best_value, n_seen = None, -np.inf, _FIRST * bool(self.quotable.topics)
        for unit in range(min(n_early, len(self.indexed.units))):
            if not self._is_independent(unit) or self._n_words([unit]) > min(self.max_words, _OPENING_WORDS):
                continue
            n_seen += 1
            stated = self.purpose(unit)
            value = stated + _SALIENCE_OF_OPENING * self._worth(unit) - _LATENESS * unit / n_early
            if (stated or n_seen <= _FIRST) and value > best_value:
                best, best_value = unit, value
        return best

    def _is_independent(self, unit: int) -> bool:
        """Whether a unit can open a summary. "This is our first meeting" needs no sentence before it."""
        topics = self.quotable.topics if self.quotable.is_contract else ()
        if not self.quotable.can_quote(unit) or any(self.quotable.strength(unit, one) is not None for one in topics):
            return False
        return self.quotable.needed(unit) is None or (self.quotable.is_transcript and self.purpose(unit) > 0)

    def _add_topics(self, topics: Sequence[Topic], ranking: Sequence[int]) -> None:
        """Adds a sentence on each topic, then a second one on those that deserve more, as far as they fit."""
        pools = [list(filter(None, (self._on_topic(unit, topic) for unit in ranking))) for topic in topics]
        for turn in range(max((topic.most for topic in topics), default=0)):
            for topic, pool in zip(topics, pools, strict=True):
                if turn < topic.most:
                    self._add_best(pool)

    def _add_best(self, candidates: Sequence[Candidate]) -> None:
        """Adds the best candidate that fits and says nothing twice."""
        if not candidates:
            return
        costs = self._costs(candidates, ~self._repeats(candidates, self.chosen, self.weights.max_likeness))
        left = self.max_words - self._n_words(self.chosen)
        fitting = [one for one, cost in zip(candidates, costs, strict=True) if 0 < cost <= left]
        if fitting:
            best = max(fitting, key=lambda one: one.value)
            self.chosen.extend(unit for unit in best.units if unit not in self.chosen)

    def _on_topic(self, unit: int, topic: Topic) -> Candidate | None:
        """The unit with those that it needs, or with the list that it leads in; None if it is not on the topic."""
        if (strength := self.quotable.strength(unit, topic)) is None:
            return None
        items = self.quotable.led_items(unit)
        if items and self._n_words([unit, *items]) <= _LIST_SHARE * self.max_words:
            return Candidate((unit, *items), self._worth(unit) + _ON_TOPIC * strength)
        found = self._candidate(unit)
        if not found or (self.quotable.is_transcript and found.value < 0):
            return None
        return replace(found, value=found.value + _ON_TOPIC * strength)

    def _candidates(self, ranking: Sequence[int]) -> list[Candidate]:
        """The most salient sentences overall and of each part that can be quoted, without equal ones."""
        limit = _CANDIDATES + self.max_words
        found: list[Candidate] = []
        seen: set[str] = set()
        n_wanted = np.full(len(self._shares), _PER_PART if self.weights.coverage else 0)
        for unit in ranking:
            part = self._parts[unit]
            if len(found) >= limit and n_wanted[part] <= 0:
                if (n_wanted <= 0).all():
                    break
                continue
            words = " ".join(self.quotable.text(unit).casefold().split())
            if words not in seen and (candidate := self._candidate(unit)):
                found.append(candidate)
                n_wanted[part] -= 1
            seen.add(words)
        return found

    def _candidate(self, unit: int) -> Candidate | None:
        """The unit with those that it needs; None if one of these cannot be quoted, or there are too many."""
        units: list[int] = []
        at: int | None = unit
        while at is not None:
            if at < 0 or len(units) > _MAX_BEFORE or not self.quotable.can_quote(at):
                return None
            units.insert(0, at)
            at = self.quotable.needed(at)
        lengths = [self._n_words([one]) for one in units]
        worth = sum(self._worth(one) * length for one, length in zip(units, lengths, strict=True))
        return Candidate(tuple(units), worth / max(1, sum(lengths)))

    def _fill(self, candidates: Sequence[Candidate], *, max_likeness: float) -> None:
        """Adds the best candidate that fits until none does: its value less the penalties for repeating and for parts
        that have their share.
        """
        if not candidates:
            return
        values = np.array([candidate.value for candidate in candidates])
        keys = np.array([candidate.units[-1] for candidate in candidates])
        near, free = self._likeness(keys, self.chosen), ~self._repeats(candidates, self.chosen, max_likeness)
        while free.any():
            costs = self._costs(candidates, free)
            fitting = free & (costs > 0) & (costs <= self.max_words - self._n_words(self.chosen))
            if not fitting.any():
                break
            total = values - self.weights.redundancy * near - self.weights.coverage * self._excess(keys, costs)
            best = int(np.argmax(np.where(fitting, total, -np.inf)))
            if total[best] < 0 and self._n_words(self.chosen) > _ENOUGH * self.max_words:
                break
            new = [unit for unit in candidates[best].units if unit not in self.chosen]
            self.chosen.extend(new)
            free = fitting & (np.arange(len(keys)) != best)
            free &= ~self._repeats(candidates, new, max_likeness)
            near = np.maximum(near, self._likeness(keys, new))

    def _costs(self, candidates: Sequence[Candidate], free: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """Words that each candidate would add; 0 for those that are not free or add nothing."""
        costs = np.zeros(len(candidates), dtype=np.int64)
        for i in map(int, np.flatnonzero(free)):
            costs[i] = self._n_words([unit for unit in candidates[i].units if unit not in self.chosen])
        return costs

    def _likeness(self, keys: npt.NDArray[np.int64], units: Sequence[int]) -> npt.NDArray[np.float32]:
        """The highest cosine of each candidate's sentence with these units; 0 if there are none."""
        near = np.zeros(len(keys), dtype=np.float32)
        for unit in units:
            near = np.maximum(near, self._vectors[keys] @ self._vectors[unit])
        return near

    def _repeats(
        self, candidates: Sequence[Candidate], chosen: Sequence[int], max_likeness: float
    ) -> npt.NDArray[np.bool_]:
        """Whether a sentence of each candidate says the same as one of the chosen, in its words or in others.

        A sentence with a number of its own is no repeat.
        """
        units = np.array([unit for candidate in candidates for unit in candidate.units])
        owners = np.repeat(np.arange(len(candidates)), [len(candidate.units) for candidate in candidates])
        repeats = np.zeros(len(candidates), dtype=bool)
        for unit in chosen:
            known = self.quotable.text(unit)
            cosines = self._vectors[units] @ self._vectors[unit]
            for i in map(int, np.flatnonzero((cosines >= max_likeness - _WORDS_COUNT) & (units != unit))):
                text = self.quotable.text(int(units[i]))
                says_same = cosines[i] >= max_likeness or share_known(text, known) >= _SAME_WORDS
                repeats[owners[i]] |= says_same and numbers_in(text) <= numbers_in(known)
        return repeats

    def _excess(self, keys: npt.NDArray[np.int64], costs: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """How far each candidate would lift its part above its share of the summary, in shares."""
        used = np.zeros(len(self._shares))
        for unit in self.chosen:
            used[self._parts[unit]] += self._n_words([unit])
        parts = self._parts[keys]
        quotas = np.maximum(1.0, self._shares[parts] * self.max_words)
        excess: npt.NDArray[np.float64] = np.maximum(0.0, used[parts] + costs / 2 - quotas) / quotas
        return excess

    def _last_resort(self, ranking: Sequence[int]) -> list[Candidate]:
        """Any sentence that states something, else the lines from the beginning, such as rows, each once."""
        standing = [unit for unit in ranking if self.quotable.stands(unit)]
        if standing:
            return [Candidate((unit,), float(self.scores[unit])) for unit in standing[:_CANDIDATES]]
        first = {self.quotable.shown(unit): unit for unit in sorted(ranking, reverse=True)}
        units = sorted(first.values())[:_CANDIDATES]
        return [Candidate((unit,), float(len(units) - i)) for i, unit in enumerate(units)]
