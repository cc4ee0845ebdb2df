"""Which sentences does a summary need? Extracts by nuclearity, with the salience of ``treatise summarize``.

They are without its opening, its shares of parts and its rules for loose pronouns and repeats.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from treatise.core.indexed import IndexedDocument
from treatise.core.tree import DiscourseTree
from treatise.core.vectors import Floats, standardise
from treatise.generate.salience import FOR_DOCUMENT, Weights, choose, salience

BUDGETS: Final = (50, 100)
_ALONE: Final = Weights(relevance=1.0, centrality=0.0, promotion=0.0, title=0.0, length=0.0, redundancy=0.0, whole=True)


@dataclass(frozen=True, slots=True)
class Extra:
    """Weights of two features, beside those of the product.

    Attributes:
        promotion: Nuclearity; 0.5 in the product.
        place: Nearness to the beginning, by the logarithm of the sentence's number; 0 in the product.
    """

    promotion: float = 0.0
    place: float = 0.0


def over(indexed: IndexedDocument, tree: DiscourseTree) -> IndexedDocument:
    """The same sentences and sentence vectors under another tree; vectors of inner nodes are zero."""
    leaves = indexed.vectors[indexed.tree.leaf_nodes]
    vectors = np.zeros((len(tree.nodes), leaves.shape[1]), dtype=leaves.dtype)
    vectors[tree.leaf_nodes] = leaves
    return replace(indexed, tree=tree, vectors=vectors)


def by_one_score(indexed: IndexedDocument, scores: Floats, max_words: int) -> list[int]:
    """The sentences with the highest scores, the earlier of equal ones, within the limit.

    What may be selected is as in the product.
    """
    first = scores - np.arange(len(scores), dtype=np.float32) * np.float32(1e-4)
    return choose(indexed, first, _ALONE, max_words)


def by_product(indexed: IndexedDocument, tree: DiscourseTree, extra: Extra, max_words: int) -> list[int]:
    """The sentences of ``treatise summarize``, with these weights."""
    weights = replace(FOR_DOCUMENT, promotion=extra.promotion)
    return choose(over(indexed, tree), product_scores(indexed, tree, extra), weights, max_words)


def product_scores(indexed: IndexedDocument, tree: DiscourseTree, extra: Extra) -> Floats:
    """The salience of each sentence, with these weights."""
    scores = salience(over(indexed, tree), replace(FOR_DOCUMENT, promotion=extra.promotion))
    place = np.log1p(np.arange(len(scores), dtype=np.float32))
    found: Floats = scores - np.float32(extra.place) * standardise(place)
    return found
