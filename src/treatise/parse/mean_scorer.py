"""DISRetrieval's scorer (appendix A.1) without torch: mean leaf vector per item of the state, then a linear layer.

The mean is that of the authors' code; equation 5 as printed is the mean of a node's children, which weights leaves by
depth.

Sentence vectors are means of token vectors, and the encoder reads the text in windows of whole paragraphs, as for the
span parser, so that both are compared with the same encoder.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treatise.core.vectors import Floats
from treatise.parse.rows import Text
from treatise.parse.scorer import Score
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
    """

    name: str
    hidden: int
    window: int


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
        self._window = config.window
        self._reader = reader
        self._weight = weights["actions.weight"].astype(np.float32)
        self._bias = weights["actions.bias"].astype(np.float32)
        if self._weight.shape != (len(self.actions), len(VIEW) * config.hidden):
            raise KeyError(f"actions.weight has shape {self._weight.shape}, which does not match {config}")

    def read(self, texts: Sequence[Text]) -> list[Score]:
        """See :class:`treatise.parse.scorer.Scorer`."""
        return [self._score(unit_vectors(self._reader, text, self._window)) for text in texts]

    def _score(self, units: Floats) -> Score:
        total = np.concatenate([np.zeros((1, units.shape[1])), np.cumsum(units, axis=0, dtype=np.float64)])

        def score(views: Ranges) -> Floats:
            start, end = views[..., 0], views[..., 1]
            means = (total[end] - total[start]) / np.maximum(end - start, 1)[..., None]
            scores: Floats = (
                means.reshape(len(views), self._weight.shape[1]).astype(np.float32) @ self._weight.T + self._bias
            )
            return scores

        return score


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
