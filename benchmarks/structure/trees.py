"""Trees to compare: gold ones with a share of their nodes spoiled, random ones and balanced ones.

A binary tree is written as one split before each unit but the first, with the depth of its node: the tree follows from
the depths. So attachment, nuclearity and relations can be spoiled apart from each other.
"""

from bisect import bisect
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from random import Random
from typing import Final, TypeVar

import numpy as np

from structure.gum import Annotated
from treatise.core.tree import DiscourseTree, Nuclearity, build_tree
from treatise.tree.shapes import balanced, random_splits

ATTACHMENT: Final = "attachment"
NUCLEARITY: Final = "nuclearity"
RELATION: Final = "relation"
ALL: Final = "all"
KINDS: Final = (ATTACHMENT, NUCLEARITY, RELATION, ALL)

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Splits:
    """A tree over ``n_units``; the lists have one value per split, for the splits before units 1 to ``n_units - 1``."""

    n_units: int
    depths: list[float]
    nuclearities: list[Nuclearity]
    relations: list[str]


def splits_of(tree: DiscourseTree) -> Splits:
    """The splits of a binary tree."""
    depths = np.zeros(len(tree.nodes), dtype=int)
    for i in range(len(tree.nodes) - 2, -1, -1):
        depths[i] = depths[tree.parents[i]] + 1
    inner = np.flatnonzero(tree.heights).tolist()
    found = {split: (float(depths[i]), join) for i, (_, split, _, join) in zip(inner, tree.joins(), strict=True)}
    ordered = [found[at] for at in range(1, tree.n_units)]
    return Splits(
        tree.n_units,
        [depth for depth, _ in ordered],
        [join.nuclearity for _, join in ordered],
        [join.relation for _, join in ordered],
    )


def tree_of(splits: Splits) -> DiscourseTree:
    """The tree in which shallower splits come first; of equal ones in one run of units, the leftmost."""
    edges = [0, splits.n_units]
    branches = []
    for at in sorted(range(1, splits.n_units), key=lambda at: splits.depths[at - 1]):
        i = bisect(edges, at)
        branches.append((edges[i - 1], at, edges[i], splits.nuclearities[at - 1], splits.relations[at - 1]))
        edges.insert(i, at)
    return build_tree(splits.n_units, branches)


def spoiled(annotated: Annotated, kind: str, share: float, seed: int) -> DiscourseTree:
    """The gold tree with a share of its nodes drawn by chance, and these nodes' labels or depths shuffled.

    Shuffling keeps how frequent each label is. Depths are shuffled among the splits inside one sentence, among those
    between the sentences of one paragraph, and among those between paragraphs, since no parser confuses these.
    """
    random = Random(f"{annotated.name} {kind} {share} {seed}")
    splits = splits_of(annotated.gold)
    chosen = [at for at in range(splits.n_units - 1) if random.random() < share]
    depths, nuclearities, relations = splits.depths, splits.nuclearities, splits.relations
    if kind in (ATTACHMENT, ALL):
        depths = _shuffled(depths, chosen, _groups(annotated), random)
    if kind in (NUCLEARITY, ALL):
        nuclearities = _shuffled(nuclearities, chosen, [0] * len(nuclearities), random)
    if kind in (RELATION, ALL):
        relations = _shuffled(relations, chosen, [0] * len(relations), random)
    return tree_of(Splits(splits.n_units, depths, nuclearities, relations))


def random_tree(annotated: Annotated, seed: int) -> DiscourseTree:
    """A random tree that keeps sentences and paragraphs whole, with the gold tree's labels in random places."""
    random = Random(f"{annotated.name} {seed}")
    gold = splits_of(annotated.gold)
    shape = splits_of(random_splits(_sizes(annotated), sections=_sections(annotated), seed=random.getrandbits(32)))
    labels = list(zip(gold.nuclearities, gold.relations, strict=True))
    random.shuffle(labels)
    return tree_of(Splits(gold.n_units, shape.depths, [label[0] for label in labels], [label[1] for label in labels]))


def balanced_tree(annotated: Annotated) -> DiscourseTree:
    """Halves of each sentence, paragraph and document; every node ``NN`` joint."""
    return balanced(_sizes(annotated), sections=_sections(annotated))


def _sizes(annotated: Annotated) -> list[int]:
    """EDUs of each sentence."""
    return [len(list(group)) for _, group in groupby(annotated.sentence_of_edu)]


def _sections(annotated: Annotated) -> list[int]:
    """Sentences of each paragraph."""
    return [len(paragraph) for paragraph in annotated.sentences.paragraphs]


def _groups(annotated: Annotated) -> list[Hashable]:
    """For each split, what it lies in: a sentence, a paragraph, or the document."""
    sentences, paragraphs = annotated.sentence_of_edu, annotated.paragraph_of_sentence
    found: list[Hashable] = []
    for before, after in pairwise(sentences):
        if before == after:
            found.append(("sentence", before))
        elif paragraphs[before] == paragraphs[after]:
            found.append(("paragraph", paragraphs[before]))
        else:
            found.append("document")
    return found


def _shuffled(
    values: Sequence[_Value], chosen: Sequence[int], groups: Sequence[Hashable], random: Random
) -> list[_Value]:
    """The values with the chosen ones shuffled within their groups."""
    members: dict[Hashable, list[int]] = defaultdict(list)
    for at in chosen:
        members[groups[at]].append(at)
    found = list(values)
    for places in members.values():
        for at, other in zip(places, random.sample(places, len(places)), strict=True):
            found[at] = values[other]
    return found
