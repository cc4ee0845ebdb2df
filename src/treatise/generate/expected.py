"""Which of several possible answers is expected to share most words with the right one.

A reader's probability is spread over spans that differ by a word at either end, so the most probable one is often too
short. The one with the highest expected overlap is the choice of least Bayes risk (Kumar and Byrne, 2004), for the
overlap that answers are scored by.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

from treatise.core.scripts import UNSPACED
from treatise.core.words import folded_words

_ARTICLES: Final = frozenset(("a", "an", "the"))


def most_expected(texts: Sequence[str], weights: Sequence[float], *, of_time: bool = False) -> int:
    """The index of the text with the highest expected F1 of words with the right answer; ties go to the first.

    In scripts without spaces it is the text with the highest weight: by characters, long spans win too often.

    Args:
        texts: The possible answers, at least one.
        weights: Of each, how probable it is that it is the right one; they need not sum to 1.
        of_time: Whether they are dates: "March 2015" and "May 5, 2015" have nothing in common, unlike "2015" and both.

    >>> most_expected(["May", "in May", "in May 2013", "a"], [0.3, 0.25, 0.25, 0.2])
    1
    """
    if any(map(UNSPACED.search, texts)):
        return int(np.argmax(weights))
    bags = [_bag(text) for text in texts]
    column = {word: i for i, word in enumerate(dict.fromkeys(word for bag in bags for word in bag))}
    counts = np.zeros((len(texts), len(column)))
    for row, bag in zip(counts, bags, strict=True):
        for word, n in bag.items():
            row[column[word]] = n
    shared = np.minimum(counts[:, None], counts[None]).sum(axis=2)
    lengths = counts.sum(axis=1)
    if of_time:
        shared = np.where(shared == np.minimum(lengths[:, None], lengths[None]), shared, 0)
    f1 = 2 * shared / np.maximum(lengths[:, None] + lengths[None], 1)
    return int(np.argmax((f1 @ np.asarray(weights)).round(9)))


def _bag(text: str) -> Counter[str]:
    """The words, without articles."""
    return Counter(word for word in folded_words(text) if word not in _ARTICLES)
