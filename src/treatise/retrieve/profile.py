"""Statistics of the nodes that retrieval finds: DISRetrieval's tables 6 and 7 and figure 7, on any index."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from treatise.core.indexed import IndexedDocument
from treatise.core.tree import Join
from treatise.core.vectors import Floats

_BIN_WORDS: Final = 5
"""Width of the bins of sentence lengths."""


@dataclass(frozen=True, slots=True)
class RetrievalProfile:
    """Means and distributions over questions.

    Attributes:
        n_questions: Number of questions.
        depth: Mean depth of the inner nodes found, counted from the leaves (depth 1); 0 if none was found.
        leaves_per_node: Mean number of leaves below the inner nodes found; 0 if none was found.
        inner_share: Share of inner nodes among the nodes found, 0 to 1.
        sentence_words: Mean words of a leaf of the documents.
        relations_found: Share of each relation among the joins found, the most frequent first.
        relations_all: Share of each relation among all joins of the documents.
        sentence_lengths: Share of the leaves of the documents by their words, such as ``"5-9"``, the shortest first.
        depths: Share of the inner nodes found by their depth, the lowest first.
    """

    n_questions: int
    depth: float
    leaves_per_node: float
    inner_share: float
    sentence_words: float
    relations_found: dict[str, float]
    relations_all: dict[str, float]
    sentence_lengths: dict[str, float]
    depths: dict[int, float]


def anatomy(asked: Sequence[tuple[IndexedDocument, Floats]], top_k: int = 20) -> RetrievalProfile:
    """The statistics over questions, each given as its document and the scores of the document's nodes."""
    found = [(indexed, int(node)) for indexed, scores in asked for node in _best(scores, top_k)]
    inner = [(indexed, node) for indexed, node in found if len(indexed.units_under(node)) > 1]
    documents = {indexed.document.id: indexed for indexed, _ in asked}.values()
    words = [len(indexed.document.quote(u.start, u.end).split()) for indexed in documents for u in indexed.units]
    depths = [_depth(indexed, node) for indexed, node in inner]
    bins = _by_value(n // _BIN_WORDS for n in words)
    return RetrievalProfile(
        n_questions=len(asked),
        depth=_mean(depths),
        leaves_per_node=_mean(len(indexed.units_under(node)) for indexed, node in inner),
        inner_share=len(inner) / len(found) if found else 0.0,
        sentence_words=_mean(words),
        relations_found=_shares(_relations(inner)),
        relations_all=_shares(_relations((one, node) for one in documents for node in range(len(one.tree.nodes)))),
        sentence_lengths={f"{_BIN_WORDS * i}-{_BIN_WORDS * (i + 1) - 1}": share for i, share in bins.items()},
        depths=_by_value(depths),
    )


def _best(scores: Floats, top_k: int) -> Sequence[int]:
    best: list[int] = np.argsort(-scores, kind="stable")[:top_k].tolist()
    return best


def _depth(indexed: IndexedDocument, node: int) -> int:
    n_in_tree = len(indexed.tree.nodes)
    height = indexed.tree.heights[node] if node < n_in_tree else indexed.clusters[node - n_in_tree].layer
    return int(height) + 1


def _relations(nodes: Iterable[tuple[IndexedDocument, int]]) -> Iterator[str]:
    for indexed, node in nodes:
        if node < len(indexed.tree.nodes) and isinstance(join := indexed.tree.nodes[node], Join):
            yield join.relation


def _shares(relations: Iterable[str]) -> dict[str, float]:
    counts = Counter(relations)
    return {
        relation: n / counts.total() for relation, n in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    }


def _by_value(values: Iterable[int]) -> dict[int, float]:
    """The share of each value, the lowest first."""
    counts = Counter(values)
    return {value: counts[value] / counts.total() for value in sorted(counts)}


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0
