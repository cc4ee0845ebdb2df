"""The transition system of DISRetrieval (appendix A.1): shift, reduce with nuclearity and relation, pop root.

A stack holds trees over neighbouring units, a queue the units that follow. A state is wholly described by where the
trees on its stack begin and end, so one array of edges holds it, and many texts are stepped together.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.errors import TreeError
from treatise.core.tree import RELATIONS, DiscourseTree, Join, Node, Nuclearity, Unit
from treatise.parse.nary import Branch

Ranges = npt.NDArray[np.int32]
"""Half-open ranges of units; ``[0, 0)`` stands for nothing there."""

VIEW: Final = ("s1", "s2", "s3", "q1")
"""What a scorer sees of a state: the three topmost trees of the stack, top first, and the next item of the queue."""


@dataclass(frozen=True, slots=True)
class Shift:
    """Moves the next unit from the queue to the stack."""


@dataclass(frozen=True, slots=True)
class Reduce:
    """Joins the two topmost trees of the stack into one."""

    nuclearity: Nuclearity
    relation: str


@dataclass(frozen=True, slots=True)
class PopRoot:
    """Takes the finished tree off the stack."""


Action = Shift | Reduce | PopRoot


def inventory(relations: Sequence[str] = RELATIONS) -> tuple[Action, ...]:
    """Every action, in the order of a scorer's columns: shift, pop root, then a reduce per nuclearity and relation."""
    return (Shift(), PopRoot(), *(Reduce(nuclearity, relation) for nuclearity in Nuclearity for relation in relations))


def oracle(tree: DiscourseTree) -> list[Action]:
    """The actions that build a binary tree: its nodes in post-order, then pop root.

    Raises:
        TreeError: Where the tree is a forest or has nodes that join without a relation.
    """
    actions: list[Action] = []
    for node in tree.nodes:
        match node:
            case Unit():
                actions.append(Shift())
            case Join(nuclearity=nuclearity, relation=relation):
                actions.append(Reduce(nuclearity, relation))
            case _:
                raise TreeError("no action builds a group: a transition system makes binary nodes with relations")
    if len(tree.roots) != 1:
        raise TreeError(f"the tree has {len(tree.roots)} roots, expected one")
    return [*actions, PopRoot()]


def build(n_units: int, actions: Iterable[Action]) -> DiscourseTree:
    """The tree that a sequence of actions makes of ``n_units`` units; ``build(n, oracle(tree)) == tree``.

    Raises:
        TreeError: Where an action is not legal in its state, or the sequence ends before the root is popped.
    """
    nodes: list[Node] = []
    stack: list[int] = []
    n_shifted, popped = 0, False
    for step, action in enumerate(actions):
        match action:
            case Shift() if n_shifted < n_units:
                nodes.append(Unit(n_shifted))
                stack.append(len(nodes) - 1)
                n_shifted += 1
            case Reduce(nuclearity, relation) if len(stack) > 1:
                right, left = stack.pop(), stack.pop()
                nodes.append(Join(left, right, nuclearity, relation))
                stack.append(len(nodes) - 1)
            case PopRoot() if len(stack) == 1 and n_shifted == n_units:
                stack.pop()
                popped = True
            case _:
                left_over = n_units - n_shifted
                raise TreeError(f"action {step}: no {action} with {len(stack)} trees and {left_over} units left")
    if not popped:
        raise TreeError(f"the actions end with {len(stack)} trees on the stack and no root popped")
    return DiscourseTree(n_units, tuple(nodes))


@dataclass(slots=True)
class States:
    """The states of many texts, stepped together; each text is a run of items: units, or ranges of units.

    Attributes:
        edges: Edges of the items of every text, concatenated: where each begins and where the last one ends, in units.
        first: Where each text's edges start in ``edges``; one more at the end.
        stack: Edges of the trees on each stack, in the place of the items' edges that they came from. A stack never
            has more edges than items have been shifted, so both fit the same layout.
        depth: Trees on each stack.
        shifted: Items taken from each queue.
        branches: The nodes made so far, in the order of their making.
    """

    edges: Ranges
    first: npt.NDArray[np.int64]
    stack: Ranges
    depth: npt.NDArray[np.int64]
    shifted: npt.NDArray[np.int64]
    branches: list[Branch] = field(default_factory=list)

    @classmethod
    def start(cls, texts: Sequence[Sequence[int]]) -> "States":
        """Empty stacks and full queues. ``texts[i]`` are the edges of its items, ascending: one more than items."""
        lengths = np.array([len(edges) for edges in texts], dtype=np.int64)
        edges = np.fromiter((edge for text in texts for edge in text), dtype=np.int32, count=int(lengths.sum()))
        zeros = np.zeros(len(texts), dtype=np.int64)
        return cls(edges, np.concatenate([[0], np.cumsum(lengths)]), edges.copy(), zeros, zeros.copy())

    def left(self, which: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Items left in the queues of these texts. Shape ``(len(which),)``."""
        counts: npt.NDArray[np.int64] = self.first[which + 1] - self.first[which] - 1 - self.shifted[which]
        return counts

    def views(self, which: npt.NDArray[np.int64]) -> Ranges:
        """What a scorer sees of these texts' states, in the order of ``VIEW``. Shape ``(len(which), 4, 2)``."""
        views = np.zeros((len(which), len(VIEW), 2), dtype=np.int32)
        top = self.first[which] + self.depth[which]
        for item in range(3):
            there = self.depth[which] > item
            ends = top[there] - item
            views[there, item, 0], views[there, item, 1] = self.stack[ends - 1], self.stack[ends]
        there = self.left(which) > 0
        queued = (self.first[which] + self.shifted[which])[there]
        views[there, 3, 0], views[there, 3, 1] = self.edges[queued], self.edges[queued + 1]
        return views

    def shift(self, which: npt.NDArray[np.int64]) -> None:
        """Shifts in these texts; their queues must not be empty."""
        self.depth[which] += 1
        self.shifted[which] += 1
        self.stack[self.first[which] + self.depth[which]] = self.edges[self.first[which] + self.shifted[which]]

    def reduce(self, which: npt.NDArray[np.int64], labels: Sequence[Reduce]) -> None:
        """Joins the two topmost trees of these texts, each with its label; their stacks must hold two."""
        top = self.first[which] + self.depth[which]
        spans = np.stack([self.stack[top - 2], self.stack[top - 1], self.stack[top]], axis=1).tolist()
        self.branches += [
            (start, split, end, label.nuclearity, label.relation)
            for (start, split, end), label in zip(spans, labels, strict=True)
        ]
        self.stack[top - 1] = self.stack[top]
        self.depth[which] -= 1


def legal(states: States, which: npt.NDArray[np.int64], actions: Sequence[Action]) -> npt.NDArray[np.bool_]:
    """Which actions these texts' states allow. Shape ``(len(which), len(actions))``.

    A shift needs an item in the queue, a reduce two trees on the stack, pop root one tree and an empty queue.
    """
    left, depth = states.left(which), states.depth[which]
    allowed = {Shift: left > 0, Reduce: depth > 1, PopRoot: (depth == 1) & (left == 0)}
    return np.stack([allowed[type(action)] for action in actions], axis=1)


def gold_views(tree: DiscourseTree) -> tuple[Ranges, list[Action]]:
    """Each state on the way to a binary tree and the action taken there: what a scorer is trained on.

    Returns:
        Views in the order of ``VIEW``, shape ``(n_actions, 4, 2)``, and the actions of :func:`oracle`.
    """
    actions = oracle(tree)
    views = np.zeros((len(actions), len(VIEW), 2), dtype=np.int32)
    edges = [0]
    n_shifted = 0
    for view, action in zip(views, actions, strict=True):
        for item, (start, end) in enumerate(reversed(list(pairwise(edges[-4:])))):
            view[item] = start, end
        if n_shifted < tree.n_units:
            view[3] = n_shifted, n_shifted + 1
        match action:
            case Shift():
                n_shifted += 1
                edges.append(n_shifted)
            case Reduce():
                del edges[-2]
            case PopRoot():
                edges.clear()
    return views, actions
