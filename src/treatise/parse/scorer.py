"""The seam between the transition system and whatever scores its actions, and the scorer that knows nothing."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from treatise.core.tree import Nuclearity
from treatise.core.vectors import Floats
from treatise.parse.rows import Text
from treatise.parse.transition import Action, PopRoot, Ranges, Reduce, Shift

Score = Callable[[Ranges], Floats]
"""From views of states, shape ``(n_states, 4, 2)``, to a score per action, shape ``(n_states, n_actions)``.

Views are ranges of the text's units also where whole paragraphs are the items, so a tree's vector is the mean of the
rows of its range in either phase; an empty range stands for nothing there.
"""


class Scorer(Protocol):
    """Scores of the parser's actions, for many states at a time.

    Attributes:
        name: Identifies model and settings: the same name gives the same scores.
        actions: The columns of the scores; ``Shift`` and at least one ``Reduce`` are among them.
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
        """Encodes each text once, in order, and returns what scores the states over it.

        A higher score is a better action; illegal actions are masked by the caller. A state's row depends on its view
        and its text alone, beyond rounding. No text gives an empty list.

        Raises:
            EngineError: If a model failed.
        """
        ...


class NullScorer:
    """Shifts while it can, then joins with ``NN`` joint: each unit joined to all that follow it.

    The usual floor for parsers of English, and what tests of the machinery run on.
    """

    name = "null"
    actions: tuple[Action, ...] = (Shift(), PopRoot(), Reduce(Nuclearity.NN, "joint"))

    def read(self, texts: Sequence[Text]) -> list[Score]:
        """Scores that do not look at the text."""
        return [self._score] * len(texts)

    def _score(self, views: Ranges) -> Floats:
        return np.tile(np.array([1, 0, 0], dtype=np.float32), (len(views), 1))
