"""Runs every measure over every system of trees, and resamples documents for intervals."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from structure.gum import Annotated, read
from structure.measures import MEASURES, USED, Subject, Trees
from structure.trees import ALL, KINDS, balanced_tree, random_tree, spoiled
from treatise.compose import open_encoder, open_parser, open_text_parser
from treatise.core.tree import DiscourseTree
from treatise.parse.parseval import Parseval, parseval
from treatise.parse.treebank import sentence_tree
from treatise.pipeline.index import index_document
from treatise.recipes import SUMMARY

SHARES: Final = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
NONE, GOLD, OURS, OURS_EDUS, BALANCED, RANDOM = "no tree", "gold", "ours", "ours, gold EDUs", "balanced", "random"

Sums = npt.NDArray[np.float64]
"""Numerator and denominator per document, shape ``(n_documents, 2)``; of several seeds, their sums."""


@dataclass(frozen=True, slots=True)
class System:
    """Trees of all documents, drawn with one or several seeds.

    Attributes:
        name: Its name; of spoiled gold trees ``(kind, share)``.
        trees: Per seed, the trees of each document.
    """

    name: str | tuple[str, float]
    trees: Sequence[Sequence[Trees]]

    def parseval(self, subjects: Sequence[Subject]) -> Parseval:
        """Over EDUs, micro-averaged over documents, mean over seeds."""
        gold = {one.annotated.name: one.annotated.gold for one in subjects}
        found = [parseval(gold, dict(zip(gold, (one.edus for one in of_seed), strict=True))) for of_seed in self.trees]
        rows = np.mean([[one.span, one.nuclearity, one.relation, one.full] for one in found], axis=0)
        return Parseval(*rows.tolist())

    def of(self, kept: npt.NDArray[np.bool_]) -> "System":
        """The same for some of the documents."""
        return System(self.name, [[t for t, keep in zip(one, kept, strict=True) if keep] for one in self.trees])


def subjects_of(folders: Iterable[Path]) -> list[Subject]:
    """The documents of the folders, indexed by ``treatise summarize``'s recipe."""
    encoder, parser = open_encoder(), open_parser()
    documents = [document for folder in folders for document in read(folder)]
    return [
        Subject(one, index_document(one.document, SUMMARY.indexing, encoder=encoder, parser=parser))
        for one in documents
    ]


def systems(subjects: Sequence[Subject], n_seeds: int) -> Iterator[System]:
    """Gold, ours, controls, and gold trees with a growing share of nodes spoiled."""
    documents = [subject.annotated for subject in subjects]
    parser = open_text_parser()
    by_edus = parser.parse_texts([one.edus for one in documents])
    by_sentences = parser.parse_texts([one.sentences for one in documents])
    yield System(GOLD, [[_both(one, one.gold) for one in documents]])
    yield System(OURS, [[Trees(edus, whole) for edus, whole in zip(by_edus, by_sentences, strict=True)]])
    yield System(OURS_EDUS, [[_both(one, edus) for one, edus in zip(documents, by_edus, strict=True)]])
    yield System(BALANCED, [[_both(one, balanced_tree(one)) for one in documents]])
    yield System(RANDOM, [[_both(one, random_tree(one, seed)) for one in documents] for seed in range(n_seeds)])
    for kind in KINDS:
        for share in SHARES:
            seeds = range(n_seeds)
            drawn = [[_both(one, spoiled(one, kind, share, seed)) for one in documents] for seed in seeds]
            yield System((kind, share), drawn)


def run(
    subjects: Sequence[Subject], found: Iterable[System], measures: Sequence[str]
) -> dict[tuple[str, object], Sums]:
    """The sums of each measure and system; with no tree under ``NONE``."""
    sums = {}
    for name in measures:
        sums[name, NONE] = np.array([MEASURES[name](subject, None) for subject in subjects], dtype=np.float64)
    for system in found:
        for name in measures:
            if not isinstance(system.name, str) and system.name[0] not in (*USED[name], ALL):
                continue
            of_seeds = [
                [MEASURES[name](subject, trees) for subject, trees in zip(subjects, of_seed, strict=True)]
                for of_seed in system.trees
            ]
            sums[name, system.name] = np.sum(of_seeds, axis=0)
    return sums


def figure(sums: Sums) -> float:
    """The ratio of sums over all documents; 0 without a denominator."""
    above, below = sums.sum(axis=0)
    return float(above / below) if below else 0.0


def interval(sums: Sums, base: Sums | None = None, *, n_samples: int = 10_000) -> tuple[float, float]:
    """95 % bootstrap interval over documents of a figure, or of its difference to another on the same documents."""
    drawn = np.random.default_rng(0).multinomial(len(sums), np.full(len(sums), 1 / len(sums)), size=n_samples)
    values = _ratios(drawn @ sums) - (0.0 if base is None else _ratios(drawn @ base))
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def crossing(qualities: Sequence[float], gains: Sequence[float]) -> float | None:
    """The lowest quality from which on every gain is above 0, interpolated; None if the best tree gains nothing."""
    ordered = sorted(zip(qualities, gains, strict=True), reverse=True)
    if ordered[0][1] <= 0:
        return None
    for (high, gain), (low, loss) in pairwise(ordered):
        if loss <= 0:
            return low + (high - low) * -loss / (gain - loss)
    return ordered[-1][0]


def _both(annotated: Annotated, edus: DiscourseTree) -> Trees:
    return Trees(edus, sentence_tree(edus, annotated.sentence_of_edu))


def _ratios(sums: Sums) -> Sums:
    below = sums[..., 1]
    ratios: Sums = np.divide(sums[..., 0], below, out=np.zeros(below.shape), where=below != 0)
    return ratios
