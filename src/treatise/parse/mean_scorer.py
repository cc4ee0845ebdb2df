"""DISRetrieval's scorer (appendix A.1) without torch: a vector per item of the state, then a linear layer.

A tree's vector is the mean of its leaves' vectors, as in the authors' code, or the mean of its two children's vectors,
as in equation 5. The second weights a leaf by its depth.

Sentence vectors are means of token vectors, and the encoder reads the text in windows of whole paragraphs, as for the
span parser, so that both are compared with the same encoder.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treatise.core.vectors import Floats
from treatise.parse.rows import Text
from treatise.parse.scorer import Score, TreeScore
from treatise.parse.spans.places import edges
from treatise.parse.spans.tokens import TokenReader, token_run, window_vectors
from treatise.parse.transition import VIEW, Action, Ranges, inventory


@dataclass(frozen=True, slots=True)
class MeanScorerConfig:
    """Shape of the scorer, saved beside its weights.

    Attributes:
        name: Identifies the weights.
        hidden: Length of a token's vector.
        window: Tokens that the encoder reads together.
        over_children: Whether a tree's vector is the mean over its two children, recursively (equation 5 as printed),
            and not over its leaves (the authors' code).
    """

    name: str
    hidden: int
    window: int
    over_children: bool = False


class MeanScorer:
    """``Scorer`` with weights ``actions.weight`` of shape ``(n_actions, 4 * hidden)`` and ``actions.bias``.

    Args:
        config: Its shape.
        weights: Arrays by name; used as float32.
        reader: Its encoder.

    Raises:
        KeyError: If a weight is missing or has another shape.
    """

    def __init__(
        self, config: MeanScorerConfig, weights: Mapping[str, npt.NDArray[np.floating]], reader: TokenReader
    ) -> None:
        self.name: str = f"mean/{config.name}"
        self.actions: tuple[Action, ...] = inventory()
        self._config = config
        self._reader = reader
        self._weight = weights["actions.weight"].astype(np.float32)
        self._bias = weights["actions.bias"].astype(np.float32)
        if self._weight.shape != (len(self.actions), len(VIEW) * config.hidden):
            raise KeyError(f"actions.weight has shape {self._weight.shape}, which does not match {config}")

    def read(self, texts: Sequence[Text]) -> list[Score]:
        """See :class:`treatise.parse.scorer.Scorer`."""
        return [self._score(unit_vectors(self._reader, text, self._config.window)) for text in texts]

    def _score(self, units: Floats) -> Score:
        if self._config.over_children:
            return _ChildMeans(units, self._weight, self._bias)
        total = np.concatenate([np.zeros((1, units.shape[1])), np.cumsum(units, axis=0, dtype=np.float64)])

        def score(views: Ranges) -> Floats:
            start, end = views[..., 0], views[..., 1]
            means = (total[end] - total[start]) / np.maximum(end - start, 1)[..., None]
            return _linear(means.astype(np.float32), self._weight, self._bias)

        return score


class _ChildMeans(TreeScore):
    """Scores from the mean vectors of children: equation 5. Keeps one vector per joined tree of a text."""

    def __init__(self, units: Floats, weight: Floats, bias: Floats) -> None:
        self._weight, self._bias = weight, bias
        self._absent: Floats = np.zeros(units.shape[1], dtype=np.float32)
        self._vectors: dict[tuple[int, int], Floats] = {(i, i + 1): vector for i, vector in enumerate(units)}

    def __call__(self, views: Ranges, /) -> Floats:
        vectors = [self._vector(start, end) for start, end in views.reshape(-1, 2).tolist()]
        return _linear(np.stack(vectors).reshape(*views.shape[:2], -1), self._weight, self._bias)

    def join(self, spans: Ranges) -> None:
        for start, split, end in spans.tolist():
            total: Floats = self._vector(start, split) + self._vector(split, end)
            self._vectors[start, end] = total * np.float32(0.5)

    def _vector(self, start: int, end: int) -> Floats:
        return self._vectors[start, end] if end > start else self._absent


def _linear(vectors: Floats, weight: Floats, bias: Floats) -> Floats:
    """Scores from ``(n, 4, hidden)``. Shape ``(n, n_actions)``."""
    scores: Floats = vectors.reshape(len(vectors), weight.shape[1]) @ weight.T + bias
    return scores


def unit_vectors(reader: TokenReader, text: Text, window: int) -> Floats:
    """The mean token vector of each unit, read in windows. Shape ``(n_units, dim)``, float32."""
    run = token_run(reader, text.units)
    sums: npt.NDArray[np.float64] | None = None
    for start, end, vectors in window_vectors(reader, run, *edges(text.paragraphs, text.level), window):
        sums = np.zeros((len(text.units), vectors.shape[1])) if sums is None else sums
        units = np.searchsorted(run.units, np.arange(start, end), side="right") - 1
        np.add.at(sums, units, vectors)
    means: Floats = (sums / np.diff(run.units)[:, None]).astype(np.float32)
    return means
