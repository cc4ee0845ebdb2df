"""The transition system of DISRetrieval (appendix A.1): shift, reduce with nuclearity and relation, pop root.

The stack contains trees over neighbouring units, the queue the following units. The boundaries of the trees on the
stack describe a state completely, so a state is one array, and many texts advance in lockstep.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.errors import TreeError
from treatise.core.tree import RELATIONS, DiscourseTree, Join, Node, Nuclearity, Unit
from treatise.parse.nary import Branch

Ranges = npt.NDArray[np.int32]
"""Half-open ranges of units; an empty one means an absent tree."""

Indices = npt.NDArray[np.int64]

SHIFT, REDUCE, POP_ROOT = range(3)

VIEW: Final = ("s1", "s2", "s3", "q1")
"""The input of a scorer: the three topmost trees of the stack, top first, and the next item of the queue."""


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

_KINDS: Final = {Shift: SHIFT, Reduce: REDUCE, PopRoot: POP_ROOT}

# Offsets from the top of the stack, or from the front of the queue, to the boundaries of the items.
_THREE_TOPMOST: Final = np.array([[-1, 0], [-2, -1], [-3, -2]])
_LAST_TWO: Final = np.array([-2, -1, 0])
_ONE_AHEAD: Final = np.array([0, 1])


def inventory(relations: Sequence[str] = RELATIONS) -> tuple[Action, ...]:
    """Every action, in the order of a scorer's columns: shift, pop root, then a reduce per nuclearity and relation."""
    return (Shift(), PopRoot(), *(Reduce(nuclearity, relation) for nuclearity in Nuclearity for relation in relations))


def oracle(tree: DiscourseTree) -> list[Action]:
    """The actions that build a binary tree: its nodes in post-order, then pop root.

    Raises:
        TreeError: If the tree is a forest or has nodes that join without a relation.
    """
    actions: list[Action] = []
    for node in tree.nodes:
        match node:
            case Unit():
                actions.append(Shift())
            case Join(nuclearity=nuclearity, relation=relation):
                actions.append(Reduce(nuclearity, relation))
            case _:
                raise TreeError("no action builds a group: the transition system builds binary nodes with relations")
    if len(tree.roots) != 1:
        raise TreeError(f"the tree has {len(tree.roots)} roots, expected one")
    return [*actions, PopRoot()]


def build(n_units: int, actions: Iterable[Action]) -> DiscourseTree:
    """The tree that a sequence of actions builds over ``n_units`` units; ``build(n, oracle(tree)) == tree``.

    Raises:
        TreeError: If an action is illegal in its state, or the sequence ends before the root is popped.
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


class States:
    """The states of many texts in lockstep; each text is a run of items: units, or ranges of units.

    Stacks and items' boundaries are in two flat arrays with the same layout: three copies of the first boundary precede
    each stack, and one copy of the last follows the items, so that absent trees are empty ranges.
    """

    _PAD: Final = 3

    def __init__(self, texts: Sequence[Sequence[int]]) -> None:
        """Empty stacks and full queues. ``texts[i]`` are its n + 1 ascending item boundaries."""
        padded = [edge for edges in texts for edge in (*[edges[0]] * self._PAD, *edges, edges[-1])]
        n_items = np.array([len(edges) - 1 for edges in texts], dtype=np.int64)
        first = np.cumsum(n_items + self._PAD + 2) - n_items - 2
        self._edges = np.array(padded, dtype=np.int32)
        self._stack = self._edges.copy()
        self._last = first + n_items
        self._top = first.copy()
        self._next = first.copy()
        self._first = first
        self._made: list[tuple[Ranges, Indices]] = []

    def __len__(self) -> int:
        return len(self._first)

    def left(self, which: Indices) -> Indices:
        """Items left in the queues of these texts. Shape ``(len(which),)``."""
        left: Indices = self._last[which] - self._next[which]
        return left

    def depth(self, which: Indices) -> Indices:
        """Trees on the stacks of these texts. Shape ``(len(which),)``."""
        depth: Indices = self._top[which] - self._first[which]
        return depth

    def views(self, which: Indices) -> Ranges:
        """The views of these texts' states, in the order of ``VIEW``. Shape ``(len(which), 4, 2)``."""
        views = np.empty((len(which), len(VIEW), 2), dtype=np.int32)
        views[:, :3] = self._stack[self._top[which][:, None, None] + _THREE_TOPMOST]
        views[:, 3] = self._edges[self._next[which][:, None] + _ONE_AHEAD]
        return views

    def shift(self, which: Indices) -> None:
        """Shifts in these texts; their queues must not be empty."""
        self._top[which] += 1
        self._next[which] += 1
        self._stack[self._top[which]] = self._edges[self._next[which]]

    def reduce(self, which: Indices, labels: Indices) -> Ranges:
        """Joins the two topmost trees of these texts; their stacks must have two. ``labels`` are indices of actions.

        Returns start, split and end of each new tree. Shape ``(len(which), 3)``.
        """
        top = self._top[which]
        spans: Ranges = self._stack[top[:, None] + _LAST_TWO]
        self._made.append((spans, labels))
        self._stack[top - 1] = spans[:, 2]
        self._top[which] -= 1
        return spans

    def branches(self, actions: Sequence[Action]) -> Iterator[Branch]:
        """The nodes built so far, in order."""
        for spans, labels in self._made:
            for (start, split, end), label in zip(spans.tolist(), labels.tolist(), strict=True):
                match actions[label]:
                    case Reduce(nuclearity, relation):
                        yield start, split, end, nuclearity, relation


def kinds(actions: Sequence[Action]) -> npt.NDArray[np.int8]:
    """The kind of each action: ``SHIFT``, ``REDUCE`` or ``POP_ROOT``. Shape ``(len(actions),)``."""
    return np.array([_KINDS[type(action)] for action in actions], dtype=np.int8)


def legal(states: States, which: Indices, kinds_of_actions: npt.NDArray[np.int8]) -> npt.NDArray[np.bool_]:
    """Which actions these texts' states allow. Shape ``(len(which), n_actions)``.

    A shift needs an item in the queue, a reduce two trees on the stack, pop root one tree and an empty queue.
    """
    left, depth = states.left(which), states.depth(which)
    allowed = np.stack([left > 0, depth > 1, (depth == 1) & (left == 0)], axis=1)
    return allowed[:, kinds_of_actions]


def gold_views(tree: DiscourseTree, edges: Sequence[int]) -> tuple[Ranges, list[Action]]:
    """Each state on the way to a tree over these items, with its action: the training data of a scorer.

    Args:
        tree: Binary; it contains the tree over the items as a subtree, or with the items as subtrees, or both.
        edges: Boundaries of the items, in units: ``range(n + 1)`` for a whole text in one phase, a paragraph's units,
            or the boundaries of the paragraphs.

    Returns:
        Views in the order of ``VIEW``, shape ``(n_actions, 4, 2)``, and the actions, ending with pop root.

    Raises:
        TreeError: If the tree contains no such tree.
    """
    labels = {(start, split, end): (join.nuclearity, join.relation) for start, split, end, join in tree.joins()}
    actions = inventory(sorted({relation for _, relation in labels.values()}))
    column = {action: i for i, action in enumerate(actions)}
    states, only = States([edges]), np.array([0])
    views: list[Ranges] = []
    taken: list[Action] = []
    while not taken or not isinstance(taken[-1], PopRoot):
        views.append(states.views(only))
        (_, end), (start, split), *_ = views[-1][0].tolist()
        if (label := labels.get((start, split, end))) is not None:
            taken.append(Reduce(*label))
            states.reduce(only, np.array([column[taken[-1]]]))
        elif states.left(only)[0]:
            taken.append(Shift())
            states.shift(only)
        elif states.depth(only)[0] == 1:
            taken.append(PopRoot())
        else:
            raise TreeError(f"the tree has no subtree over units [{edges[0]}, {edges[-1]}) with these items in it")
    return np.concatenate(views), taken
