"""Perturbs structure to measure its value (the paper's figures 3c and 4). Equal seeds give equal results."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import ceil
from random import Random
from typing import Final, TypeVar

from treatise.core.graph import ChunkTree, Edge, Link
from treatise.core.plan import Plan, Structure
from treatise.core.recipe import Perturbation, PerturbationKind
from treatise.core.tree import DiscourseTree, Group, Join, Nuclearity

_Item = TypeVar("_Item")

_STEP_END: Final = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])")
_FLIPPED: Final = {Nuclearity.NS: Nuclearity.SN, Nuclearity.SN: Nuclearity.NS, Nuclearity.NN: Nuclearity.NN}


def perturb(structure: Structure, perturbations: Iterable[Perturbation], question: str) -> Structure:
    """The structure after each perturbation in turn; noise chunks are added at retrieval instead.

    The places depend on seed and question, so they differ between questions.
    """
    for one in perturbations:
        structure = _perturbed_once(structure, one, Random(f"{one.seed} {one.harm} {question}"))
    return structure


def sample_places(n: int, share: float, random: Random) -> list[int]:
    """A random share of n places, rounded up, in ascending order."""
    return sorted(random.sample(range(n), min(n, ceil(share * n))))


def _perturbed_once(structure: Structure, one: Perturbation, random: Random) -> Structure:
    if one.harm in _TREES:
        trees = tuple(tree and _TREES[one.harm](tree, one.share, random) for tree in structure.trees)
        return replace(structure, trees=trees)
    if one.harm in _EDGES and structure.graph:
        edges = _EDGES[one.harm](structure.graph.edges, one.share, random)
        ordered = sorted({(edge.source, edge.target): edge for edge in edges}.items())
        return replace(structure, graph=replace(structure.graph, edges=tuple(edge for _, edge in ordered)))
    if one.harm in _STEPS and structure.plan:
        return replace(structure, plan=_plan(structure.plan, one, random))
    return structure


def _shuffled_relations(tree: ChunkTree, share: float, random: Random) -> ChunkTree:
    places = _joins(tree, share, random)
    relations = [_join(tree, i).relation for i in places]
    random.shuffle(relations)
    return _with(tree, {i: replace(_join(tree, i), relation=r) for i, r in zip(places, relations, strict=True)})


def _flipped_nuclei(tree: ChunkTree, share: float, random: Random) -> ChunkTree:
    places = _joins(tree, share, random)
    return _with(tree, {i: replace(_join(tree, i), nuclearity=_FLIPPED[_join(tree, i).nuclearity]) for i in places})


def _removed_subtrees(tree: ChunkTree, share: float, random: Random) -> ChunkTree:
    return _with(tree, {i: Group((_join(tree, i).left, _join(tree, i).right)) for i in _joins(tree, share, random)})


def _joins(tree: ChunkTree, share: float, random: Random) -> list[int]:
    joins = [i for i, node in enumerate(tree.tree.nodes) if isinstance(node, Join)]
    return [joins[place] for place in sample_places(len(joins), share, random)]


def _join(tree: ChunkTree, i: int) -> Join:
    node = tree.tree.nodes[i]
    assert isinstance(node, Join)
    return node


def _with(tree: ChunkTree, nodes: Mapping[int, Join | Group]) -> ChunkTree:
    changed = tuple(nodes.get(i, node) for i, node in enumerate(tree.tree.nodes))
    return ChunkTree(tree.units, DiscourseTree(tree.tree.n_units, changed))


def _removed_edges(edges: Sequence[Edge], share: float, random: Random) -> list[Edge]:
    gone = set(sample_places(len(edges), share, random))
    return [edge for i, edge in enumerate(edges) if i not in gone]


def _flipped_edges(edges: Sequence[Edge], share: float, random: Random) -> list[Edge]:
    """Reverses a share of the edges; an edge between the same chunks as a reversed one is dropped."""
    hit = {edges[i] for i in sample_places(len(edges), share, random)}
    flipped = [replace(edge, source=edge.target, target=edge.source) for edge in edges if edge in hit]
    taken = {(edge.source, edge.target) for edge in flipped}
    return flipped + [edge for edge in edges if edge not in hit and (edge.source, edge.target) not in taken]


def _replaced_links(edges: Sequence[Edge], share: float, random: Random) -> list[Edge]:
    hit = set(sample_places(len(edges), share, random))
    return [
        replace(edge, link=random.choice([link for link in Link if link is not edge.link]), marker="")
        if i in hit
        else edge
        for i, edge in enumerate(edges)
    ]


def _shuffled_steps(steps: Sequence[_Item], share: float, random: Random) -> list[_Item]:
    places = sample_places(len(steps), share, random)
    if len(places) < 2 <= len(steps):  # a single step cannot move
        places = sorted(random.sample(range(len(steps)), 2))
    moved = places[1:] + places[:1] if random.random() < 0.5 else places[-1:] + places[:-1]  # no step keeps its place
    result = list(steps)
    for to, source in zip(places, moved, strict=True):
        result[to] = steps[source]
    return result


def _dropped_steps(steps: Sequence[_Item], share: float, random: Random) -> list[_Item]:
    """Drops this share of the items, but keeps at least one."""
    gone = set(sample_places(len(steps), share, random)[: max(0, len(steps) - 1)])
    return [step for i, step in enumerate(steps) if i not in gone]


def _plan(plan: Plan, one: Perturbation, random: Random) -> Plan:
    """The steps of a structured plan with their sentences, or the sentences of a prose plan."""
    sentences = _STEP_END.split(plan.text)
    order = _STEPS[one.harm](range(max(len(plan.steps), len(sentences))), one.share, random)
    steps = tuple(plan.steps[i] for i in order if i < len(plan.steps))
    return Plan(" ".join(sentences[i] for i in order if i < len(sentences)), steps)


_TREES: Final[Mapping[PerturbationKind, Callable[[ChunkTree, float, Random], ChunkTree]]] = {
    PerturbationKind.SHUFFLED_RELATIONS: _shuffled_relations,
    PerturbationKind.FLIPPED_NUCLEI: _flipped_nuclei,
    PerturbationKind.REMOVED_SUBTREES: _removed_subtrees,
}
_EDGES: Final[Mapping[PerturbationKind, Callable[[Sequence[Edge], float, Random], list[Edge]]]] = {
    PerturbationKind.REMOVED_EDGES: _removed_edges,
    PerturbationKind.FLIPPED_EDGES: _flipped_edges,
    PerturbationKind.REPLACED_LINKS: _replaced_links,
}
_STEPS: Final[Mapping[PerturbationKind, Callable[[Sequence[int], float, Random], list[int]]]] = {
    PerturbationKind.SHUFFLED_STEPS: _shuffled_steps,
    PerturbationKind.DROPPED_STEPS: _dropped_steps,
}
