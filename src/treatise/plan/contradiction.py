"""Do two texts contradict each other? A small scorer without a language model.

Two contradicting texts describe the same thing in the same words and differ in one place. The score has three features:
the cosine of the texts, the share of common content words, and (negatively) the share of common numbers. The weights
are those of a logistic regression (docs/log/disco-rag.md has figures and failed variants), that of the cosine on the
scale of treatise-en-3 (docs/log/retrieval.md). The difference shows in a
*slot*: two words in similar contexts, each in only one of the texts ("built in 1902", "built in 1885"). Negation is
left to :mod:`treatise.claims.polarity`.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from itertools import combinations
from typing import Final

import numpy as np

from treatise.core.document import Span
from treatise.core.patterns import lazy_pattern
from treatise.core.ports import Encoder
from treatise.core.vectors import Floats

_WORD: Final = lazy_pattern(r"\d+(?:[.,:]\d+)*|[^\W\d_]+")
_AROUND: Final = 6
_FUNCTION: Final = lazy_pattern(
    "about|after|also|before|been|both|does|from|have|having|here|into|more|most|only|other|over|same|some|such|than|that|"
    "their|them|then|there|these|they|this|those|under|were|what|when|where|which|while|will|with|would|your"
)
_MONTH: Final = lazy_pattern("January|February|March|April|May|June|July|August|September|October|November|December")
_LONGEST_LIGHT_WORD: Final = 3
_LIGHT: Final = 0.2
_WEIGHTS: Final = (3.53, 4.01, -1.16)  # of cosine, shared words, shared numbers
_BIAS: Final = -1.94

LIKELY: Final = 0.6
"""Minimum score of a contradiction; the texts must also have a differing slot."""

OPEN_SLOT: Final = 0.55
"""Minimum similarity of the contexts of two different numbers or names that are compared."""

OPEN_PLAIN_SLOT: Final = 0.6
"""The same for other words, which are weaker evidence."""


class _Kind(IntEnum):
    """The kind of a word; only words of one kind fill a slot."""

    NUMBER = 0  # or a month
    NAME = 1  # any word with a capital
    PLAIN = 2


@dataclass(frozen=True, slots=True)
class Slot:
    """Two words in similar contexts, each in only one of the texts.

    Attributes:
        first, second: Their spans in the texts.
        likeness: Similarity of their contexts, 0 to 1.
        is_plain: Whether they are neither numbers nor names.
    """

    first: Span
    second: Span
    likeness: float
    is_plain: bool

    @property
    def is_open(self) -> bool:
        """Whether their contexts are similar enough to compare the two words."""
        return self.likeness >= (OPEN_PLAIN_SLOT if self.is_plain else OPEN_SLOT)


@dataclass(frozen=True, slots=True)
class Contrast:
    """How two texts relate to each other.

    Attributes:
        cosine: Of their vectors.
        score: Probability of a contradiction if half of all pairs were contradictions, 0 to 1.
        slot: The two words in the most similar contexts, if any.
    """

    cosine: float
    score: float
    slot: Slot | None

    @property
    def is_contradiction(self) -> bool:
        """Whether the pair counts as a contradiction: a high score and a differing slot."""
        return self.score >= LIKELY and self.slot is not None and self.slot.is_open


def contrasts(texts: Sequence[str], encoder: Encoder, min_cosine: float = -1.0) -> Iterator[tuple[int, int, Contrast]]:
    """Every pair ``(i, j)``, ``i < j``, with at least that cosine, and its comparison; each text is encoded once."""
    vectors = encoder.encode(texts)
    read = [_Text.of(text) for text in texts]
    for i, j in combinations(range(len(texts)), 2):
        if float(vectors[i] @ vectors[j]) >= min_cosine:
            yield i, j, _contrast(read[i], read[j], float(vectors[i] @ vectors[j]))


def open_slot(one: str, other: str) -> Slot | None:
    """The two words in the most similar contexts, each in only one text, if the contexts are similar enough."""
    slot = _best_slot(_Text.of(one), _Text.of(other))
    return slot if slot and slot.is_open else None


@dataclass(frozen=True, slots=True)
class _Word:
    plain: str
    kind: _Kind
    span: Span

    @property
    def is_light(self) -> bool:
        """Whether a word is a function word: a short one, or a longer one from the English list."""
        is_short = len(self.plain) <= _LONGEST_LIGHT_WORD and self.plain.isascii()
        return bool(_FUNCTION.fullmatch(self.plain)) or (self.kind is _Kind.PLAIN and is_short)


@dataclass(frozen=True)
class _Text:
    """The words of a text, and the context of each content word.

    Attributes:
        words: In order.
        content: Its content words.
        numbers: The numbers among them.
        slots: Indices of the words that can fill a slot.
    """

    words: tuple[_Word, ...]
    content: frozenset[str]
    numbers: frozenset[str]
    slots: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> "_Text":
        words = tuple(
            _Word(found.group().casefold(), _kind(found.group()), Span(found.start(), found.end()))
            for found in _WORD.finditer(text)
        )
        heavy = [i for i, word in enumerate(words) if not word.is_light]
        numbers = frozenset(word.plain for word in words if word.kind is _Kind.NUMBER)
        return cls(words, frozenset(words[i].plain for i in heavy), numbers, tuple(heavy))

    @cached_property
    def plain_words(self) -> frozenset[str]:
        """All words, function words included."""
        return frozenset(word.plain for word in self.words)

    def around(self, i: int) -> frozenset[str]:
        """The words on each side of a word."""
        before, after = self.words[max(0, i - _AROUND) : i], self.words[i + 1 : i + _AROUND + 1]
        return frozenset(word.plain for word in (*before, *after))


def _kind(word: str) -> _Kind:
    if word[0].isdigit() or _MONTH.fullmatch(word):
        return _Kind.NUMBER
    return _Kind.NAME if word[0].isupper() else _Kind.PLAIN


def _contrast(first: _Text, second: _Text, cosine: float) -> Contrast:
    features = (cosine, _in_common(first.content, second.content), _in_common(first.numbers, second.numbers))
    logit = _BIAS + sum(weight * feature for weight, feature in zip(_WEIGHTS, features, strict=True))
    return Contrast(cosine, 1 / (1 + math.exp(-logit)), _best_slot(first, second))


def _in_common(one: frozenset[str], other: frozenset[str]) -> float:
    """Share of the smaller set that is also in the larger; 0 if it is empty."""
    return len(one & other) / max(1, min(len(one), len(other)))


def _best_slot(first: _Text, second: _Text) -> Slot | None:
    return max(_slots(first, second), key=lambda slot: (slot.is_open, slot.likeness), default=None)


def _slots(first: _Text, second: _Text) -> Iterator[Slot]:
    """For each kind, the two words in the most similar contexts, among the words in only one of the texts."""
    for kind in _Kind:
        here, there = _only_in(first, second, kind), _only_in(second, first, kind)
        likeness = _likeness([first.around(i) for i in here], [second.around(i) for i in there])
        if likeness.any():
            a, b = divmod(int(likeness.argmax()), len(there))
            yield Slot(
                first.words[here[a]].span, second.words[there[b]].span, float(likeness[a, b]), kind is _Kind.PLAIN
            )


def _only_in(text: _Text, other: _Text, kind: _Kind) -> list[int]:
    return [i for i in text.slots if text.words[i].kind is kind and text.words[i].plain not in other.plain_words]


def _likeness(ones: Sequence[frozenset[str]], others: Sequence[frozenset[str]]) -> Floats:
    """Shared words over the geometric mean of both counts; function words have a low weight. Shape ``(len(ones),
    len(others))``.
    """
    columns = {word: column for column, word in enumerate(sorted(frozenset().union(*ones, *others)))}
    weights = np.array([_weight(word) for word in columns], dtype=np.float32)
    rows, other_rows = (_membership(sets, columns) for sets in (ones, others))
    sizes = np.sqrt(np.outer(rows @ weights, other_rows @ weights))
    return np.divide(rows * weights @ other_rows.T, sizes, out=np.zeros_like(sizes), where=sizes > 0)


def _membership(sets: Sequence[frozenset[str]], columns: Mapping[str, int]) -> Floats:
    """1 if the column's word is in the row's set, else 0. Shape ``(len(sets), len(columns))``."""
    found = np.zeros((len(sets), len(columns)), dtype=np.float32)
    for row, words in enumerate(sets):
        found[row, [columns[word] for word in words]] = 1
    return found


def _weight(word: str) -> float:
    return _LIGHT if len(word) <= _LONGEST_LIGHT_WORD and word.isalpha() else 1.0
