"""The protocol of action scorers for the transition system, and a trivial scorer."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from treatise.core.tree import Nuclearity
from treatise.core.vectors import Floats
from treatise.parse.rows import Text
from treatise.parse.transition import Action, PopRoot, Ranges, Reduce, Shift

Score = Callable[[Ranges], Floats]
"""From views of states, shape ``(n_states, 4, 2)``, to a score per action, shape ``(n_states, n_actions)``.

Views are ranges of units even if the items are paragraphs, so a tree's vector is the mean over its range in both
phases; an empty range means an absent tree.
"""


class TreeScore(ABC):
    """A ``Score`` that depends on the trees within the ranges, not only on the ranges."""

    @abstractmethod
    def __call__(self, views: Ranges, /) -> Floats:
        """As ``Score``; every tree of more than one unit in the views was joined before."""

    @abstractmethod
    def join(self, spans: Ranges) -> None:
        """Takes note of joined trees: start, split and end of each. Shape ``(n, 3)``."""


class Scorer(Protocol):
    """Scores of the parser's actions, for many states at a time.

    Attributes:
        name: Identifies model and settings: the same name gives the same scores.
        actions: The columns of the scores; they include ``Shift`` and at least one ``Reduce``.
    """

    @property
    def name(self) -> str:
        """See the attributes above."""
        ...

    @property
    def actions(self) -> tuple[Action, ...]:
        """See the attributes above."""
        ...

    def read(self, texts: Sequence[Text]) -> list[Score]:
        """Encodes each text once, in order, and returns the functions that score its states.

        A higher score is a better action; illegal actions are masked by the caller. A state's row depends only on
        its view and its text (and on the joined trees, for a ``TreeScore``), up to rounding. Without texts the list
        is empty.

        Raises:
            EngineError: If a model failed.
        """
        ...


class NullScorer:
    """Shifts as long as possible, then joins with ``NN`` joint: right-branching trees.

    The usual baseline for English parsers, and a scorer for tests.
    """

    name = "null"
    actions: tuple[Action, ...] = (Shift(), PopRoot(), Reduce(Nuclearity.NN, "joint"))

    def read(self, texts: Sequence[Text]) -> list[Score]:
        """Scores that ignore the text."""
        return [self._score] * len(texts)

    def _score(self, views: Ranges) -> Floats:
        return np.tile(np.array([1, 0, 0], dtype=np.float32), (len(views), 1))
