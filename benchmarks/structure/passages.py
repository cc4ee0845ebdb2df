"""How to split a text into passages? Cuts by the tree, against pronouns that are cut off from what they stand for."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from structure.gum import Annotated
from treatise.core.tree import DiscourseTree
from treatise.core.vectors import Floats

MAX_WORDS: Final = 100
_SLACK: Final = 1.3  # passages beyond the fewest possible
_EVEN: Final = 1e-3  # what uneven lengths cost beside where the cuts are


def even(annotated: Annotated) -> Floats:
    """No preference: lengths alone decide."""
    return np.zeros(len(annotated.sentences.units) + 1, dtype=np.float32)


def by_paragraphs(annotated: Annotated) -> Floats:
    """A cut inside a paragraph costs 1."""
    costs = even(annotated)
    paragraphs = annotated.paragraph_of_sentence
    costs[1:-1] = np.equal(paragraphs[1:], paragraphs[:-1])
    return costs


def by_tree(annotated: Annotated, tree: DiscourseTree) -> Floats:
    """A cut costs the less, the more sentences its node covers.

    Args:
        annotated: The document.
        tree: Over its sentences.
    """
    costs = even(annotated)
    for start, split, end, _ in tree.joins():
        costs[split] = 1 - np.log(end - start) / np.log(max(3, tree.n_units))
    return costs


def cuts(annotated: Annotated, costs: Floats, max_words: int = MAX_WORDS) -> list[int]:
    """The first sentence of each passage but the first: the cheapest cuts into a fixed number of passages."""
    words = annotated.words_of_sentence
    n_passages = max(_fewest(words, max_words), round(_SLACK * sum(words) / max_words))
    n_passages = min(n_passages, len(words))
    return _best(np.cumsum([0, *words]), costs, n_passages, max_words)


def _fewest(words: Sequence[int], max_words: int) -> int:
    n, left = 0, 0
    for one in words:
        if one > left:
            n, left = n + 1, max_words
        left -= one
    return n


def _best(edges: np.ndarray, costs: Floats, n_passages: int, max_words: int) -> list[int]:
    """Dynamic programming over ends of passages; a passage of one sentence may be longer than the limit."""
    n, mean = len(edges) - 1, edges[-1] / n_passages
    best = np.full((n_passages + 1, n + 1), np.inf)
    before = np.zeros((n_passages + 1, n + 1), dtype=int)
    best[0, 0] = 0
    for k in range(1, n_passages + 1):
        for end in range(k, n + 1):
            starts = np.array([s for s in range(end) if s == end - 1 or edges[end] - edges[s] <= max_words])
            uneven = _EVEN * ((edges[end] - edges[starts]) / mean - 1) ** 2
            totals = best[k - 1, starts] + costs[starts] + uneven
            before[k, end] = starts[chosen := int(totals.argmin())]
            best[k, end] = totals[chosen]
    found, end = [], n
    for k in range(n_passages, 1, -1):
        end = int(before[k, end])
        found.append(end)
    return found[::-1]


def intact(annotated: Annotated, starts: Sequence[int]) -> Iterator[float]:
    """For each pronoun with its antecedent in an earlier sentence: 1 if the nearest one is in the same passage."""
    passage = np.zeros(len(annotated.sentences.units), dtype=int)
    passage[list(starts)] = 1
    passage = np.cumsum(passage)
    last: dict[int, int] = {}
    for mention in annotated.mentions:
        if not mention.is_pronoun:
            last[mention.entity] = mention.sentence
        elif (holder := last.get(mention.entity, mention.sentence)) < mention.sentence:
            yield float(passage[holder] == passage[mention.sentence])
