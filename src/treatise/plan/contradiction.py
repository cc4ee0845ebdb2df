"""Do two texts contradict each other? A small scorer without a language model.

Two texts that contradict speak about the same thing in the same words, and differ somewhere. Three features say so: the
cosine of the texts, how many content words they share, and, against it, how many numbers they agree in. The weights are
those of a logistic regression (docs/log/disco-rag.md has figures and failed variants). Where they differ shows in a
*slot*: two words in like surroundings, of which each stands in one text only ("built in 1902" beside "built in 1885").
What differs by a denial is for :mod:`treatise.plan.polarity`.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from itertools import combinations
from typing import Final

import numpy as np

from treatise.core.document import Span
from treatise.core.ports import Encoder
from treatise.core.vectors import Floats

_WORD: Final = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+")
_AROUND: Final = 6
_FUNCTION: Final = re.compile(
    "about|after|also|before|been|both|does|from|have|having|here|into|more|most|only|other|over|same|some|such|than|that|"
    "their|them|then|there|these|they|this|those|under|were|what|when|where|which|while|will|with|would|your"
)
_MONTH: Final = re.compile("January|February|March|April|May|June|July|August|September|October|November|December")
_LONGEST_LIGHT_WORD: Final = 3
_LIGHT: Final = 0.2
_WEIGHTS: Final = (4.48, 4.01, -1.16)  # of cosine, shared words, shared numbers
_BIAS: Final = -2.83

LIKELY: Final = 0.6
"""Score from which on two texts are called contradictory, where they have an open slot as well."""

OPEN_SLOT: Final = 0.55
"""Likeness of surroundings from which on two different numbers or names are held against each other."""

OPEN_PLAIN_SLOT: Final = 0.6
"""The same for two other words, which tell less."""


class _Kind(IntEnum):
    """Only words of one kind can stand in one slot."""

    NUMBER = 0  # or a month
    NAME = 1  # any word with a capital
    PLAIN = 2


@dataclass(frozen=True, slots=True)
class Slot:
    """Two words in like surroundings, each in one text only.

    Attributes:
        first, second: Their spans in the texts.
        likeness: Of their surroundings, 0 to 1.
        is_plain: Whether they are neither numbers nor names.
    """

    first: Span
    second: Span
    likeness: float
    is_plain: bool

    @property
    def is_open(self) -> bool:
        """Whether their surroundings are so alike that the two words are held against each other."""
        return self.likeness >= (OPEN_PLAIN_SLOT if self.is_plain else OPEN_SLOT)


@dataclass(frozen=True, slots=True)
class Contrast:
    """How two texts stand to each other.

    Attributes:
        cosine: Of their vectors.
        score: How likely they contradict each other rather than not, 0 to 1, where half of all pairs do.
        slot: The two words in the most alike surroundings, if any.
    """

    cosine: float
    score: float
    slot: Slot | None

    @property
    def is_contradiction(self) -> bool:
        """Whether to call it one: it is likely, and there are two words to show for it."""
        return self.score >= LIKELY and self.slot is not None and self.slot.is_open


def contrasts(texts: Sequence[str], encoder: Encoder, min_cosine: float = -1.0) -> Iterator[tuple[int, int, Contrast]]:
    """Every pair ``(i, j)``, ``i < j``, of at least that cosine with how it stands; the texts are encoded once."""
    vectors = encoder.encode(texts)
    read = [_Text.of(text) for text in texts]
    for i, j in combinations(range(len(texts)), 2):
        if float(vectors[i] @ vectors[j]) >= min_cosine:
            yield i, j, _contrast(read[i], read[j], float(vectors[i] @ vectors[j]))


def open_slot(one: str, other: str) -> Slot | None:
    """The two words in the most alike surroundings of which each stands in one text only, if they are alike enough."""
    slot = _best_slot(_Text.of(one), _Text.of(other))
    return slot if slot and slot.is_open else None


@dataclass(frozen=True, slots=True)
class _Word:
    plain: str
    kind: _Kind
    span: Span

    @property
    def is_light(self) -> bool:
        """Articles, prepositions and the like: by their length, and the longer ones of English by name."""
        is_short = len(self.plain) <= _LONGEST_LIGHT_WORD and self.plain.isascii()
        return bool(_FUNCTION.fullmatch(self.plain)) or (self.kind is _Kind.PLAIN and is_short)


@dataclass(frozen=True)
class _Text:
    """A text's words, and what stands around each that is not light.

    Attributes:
        words: In order.
        content: The words that are not light.
        numbers: Those of them that are numbers.
        slots: Indices of the words that could stand in a slot.
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
        """All words, light ones too."""
        return frozenset(word.plain for word in self.words)

    def around(self, i: int) -> frozenset[str]:
        """The words on both sides of a word."""
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
    """Share of the smaller set that is in the other; 0 if it is empty."""
    return len(one & other) / max(1, min(len(one), len(other)))


def _best_slot(first: _Text, second: _Text) -> Slot | None:
    return max(_slots(first, second), key=lambda slot: (slot.is_open, slot.likeness), default=None)


def _slots(first: _Text, second: _Text) -> Iterator[Slot]:
    """For each kind of word the two in the most alike surroundings, of the words that stand in one text only."""
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
    """Shared words over the geometric mean of both, light words counting little. Shape ``(len(ones), len(others))``."""
    columns = {word: column for column, word in enumerate(sorted(frozenset().union(*ones, *others)))}
    weights = np.array([_weight(word) for word in columns], dtype=np.float32)
    rows, other_rows = (_membership(sets, columns) for sets in (ones, others))
    sizes = np.sqrt(np.outer(rows @ weights, other_rows @ weights))
    return np.divide(rows * weights @ other_rows.T, sizes, out=np.zeros_like(sizes), where=sizes > 0)


def _membership(sets: Sequence[frozenset[str]], columns: Mapping[str, int]) -> Floats:
    """1 where the word of a column is in the set of a row. Shape ``(len(sets), len(columns))``."""
    found = np.zeros((len(sets), len(columns)), dtype=np.float32)
    for row, words in enumerate(sets):
        found[row, [columns[word] for word in words]] = 1
    return found


def _weight(word: str) -> float:
    return _LIGHT if len(word) <= _LONGEST_LIGHT_WORD and word.isalpha() else 1.0
