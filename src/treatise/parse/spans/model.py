"""The trained network after the encoder, in numpy: units in context, span scores, labels, EDU boundaries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.tree import RELATIONS, Nuclearity
from treatise.core.vectors import Floats
from treatise.parse.spans.places import N_PLACES, Places

NUCLEARITIES: Final = (Nuclearity.NS, Nuclearity.SN, Nuclearity.NN)

_ROWS: Final = 65_536  # spans scored at once
_STEPS: Final = 4_096  # units or fenceposts that are multiplied at once


@dataclass(frozen=True, slots=True)
class ParserConfig:
    """Shape of the network, saved beside its weights.

    Attributes:
        name: Identifies the weights.
        hidden: Length of a token's vector.
        unit: Length of a unit's own vector.
        context: Length of its context in one direction (bidirectional LSTM).
        span, label, bilinear: Widths of the layers that score spans and labels.
        window: Tokens that the encoder reads together.
        two_levels: Whether it has learned EDU boundaries and trees over EDUs too: trees over sentences then count both.
    """

    name: str
    hidden: int
    unit: int
    context: int
    span: int
    label: int
    bilinear: int
    window: int
    two_levels: bool = True


@dataclass(frozen=True, slots=True)
class TextState:
    """What span scores and labels of one text are computed from; one row a fencepost.

    Attributes:
        at: Where each fencepost is, in the units that the network has read: these, or smaller ones. Shape ``(n + 1,)``.
        span_start, span_end: Parts of a span's score from its two ends. Shape ``(n + 1, span)``.
        span_total: Running sums, for means. Shape ``(n + 1, span)``.
        pair: Factors of the bilinear part. Shape ``(n + 1, 4 * bilinear)``.
        label_edge: Parts of a node's label from start, split and end. Shape ``(n + 1, 3 * label)``.
        label_total: Running sums of both children. Shape ``(n + 1, 2 * label)``.
        places: Rows of the tables by which a span's place counts.
    """

    at: npt.NDArray[np.integer]
    span_start: Floats
    span_end: Floats
    span_total: Floats
    pair: Floats
    label_edge: Floats
    label_total: Floats
    places: Places


class BoundaryModel:
    """Where EDUs begin, by each token and the one before it.

    Args:
        weights: The arrays ``segment.0`` and ``segment.3``, weight and bias; used as float32.

    Raises:
        KeyError: Where one is missing.
    """

    def __init__(self, weights: Mapping[str, npt.NDArray[np.floating]]) -> None:
        self._layers = [
            tuple(weights[f"segment.{layer}.{part}"].astype(np.float32) for part in ("weight", "bias"))
            for layer in (0, 3)
        ]

    def scores(self, before: Floats, vectors: Floats) -> Floats:
        """How much each token looks like the first of an EDU: above 0 is more likely than not. Shape ``(n,)``.

        ``before`` are the vectors of the tokens before them.
        """
        (first, first_bias), (last, last_bias) = self._layers
        hidden = _gelu(np.concatenate([before, vectors], axis=-1) @ first.T + first_bias)
        found: Floats = (hidden @ last.T + last_bias)[:, 0]
        return found


class SpanModel:
    """Weights by name, as the training recipe saves them.

    Args:
        config: The network's shape.
        weights: Arrays by name; used as float32.

    Raises:
        KeyError: Where a weight is missing.
    """

    def __init__(self, config: ParserConfig, weights: Mapping[str, npt.NDArray[np.floating]]) -> None:
        self.config = config
        self._weights: dict[str, Floats] = {name: array.astype(np.float32) for name, array in weights.items()}
        for table, columns in (("span_table", 1), ("label_table", 3)):
            if len(self._weights[f"{table}.weight"]) != columns * N_PLACES:
                raise KeyError(f"{table} has not the {columns * N_PLACES} rows that this version looks up")
        self.boundaries = BoundaryModel(weights)

    def pooled(self, means: Floats, first: Floats, last: Floats) -> Floats:
        """Projection of the mean, first and last token vectors of units. Shape ``(n, unit)``."""
        return self._linear("units.pool", np.concatenate([means, first, last], axis=-1))

    def state(
        self, pooled: Floats, flags: Floats, places: Places, at: npt.NDArray[np.integer] | None = None
    ) -> TextState:
        """What all scores of a text rest on.

        Args:
            pooled: From ``pooled``. Shape ``(n, unit)``.
            flags: From ``places.unit_flags``.
            places: Rows of the tables for spans of this text.
            at: The fenceposts that spans may begin and end at, ascending, the first and the last among them; None for
                all of them.
        """
        config = self.config
        at = np.arange(len(pooled) + 1) if at is None else at
        units = _gelu(pooled + flags @ self._weights["units.flags.weight"].T)
        forward, backward = self._lstm(units, "l0"), self._lstm(units[::-1], "l0_reverse")[::-1]
        zero = np.zeros((1, config.unit + 2 * config.context), dtype=np.float32)
        vectors = np.concatenate([zero, np.concatenate([units, forward, backward], axis=-1), zero])
        sums = np.add.reduceat(vectors[1:-1], at[:-1], axis=0, dtype=np.float64)
        total = np.concatenate([zero, np.cumsum(sums, axis=0, out=sums).astype(np.float32)])
        of_span, pair, label_edge = self._of_edges(("span_edge", "bilinear", "label_edge"), vectors, at)
        return TextState(
            at=at,
            span_start=of_span[:, : config.span],
            span_end=of_span[:, config.span :],
            span_total=total @ self._weights["span_mean.weight"].T,
            pair=pair,
            label_edge=label_edge,
            label_total=total @ self._weights["label_mean.weight"].T,
            places=places,
        )

    def span_scores(self, state: TextState, fenceposts: npt.NDArray[np.integer]) -> Floats:
        """Scores of all spans between the given fenceposts, as left and as right child. ``(2, m + 1, m + 1)``."""
        m = len(fenceposts) - 1
        rows, columns = np.triu_indices(m + 1, 1)
        scores = np.zeros((2, m + 1, m + 1), dtype=np.float32)
        for first in range(0, len(rows), _ROWS):
            row, column = rows[first : first + _ROWS], columns[first : first + _ROWS]
            i, j = fenceposts[row], fenceposts[column]
            start, end = state.at[i], state.at[j]
            hidden = state.span_start[i] + state.span_end[j]
            hidden += (state.span_total[j] - state.span_total[i]) / (end - start)[:, None].astype(np.float32)
            for places in state.places(start, end).T:
                hidden += self._weights["span_table.weight"][places]
            scores[:, row, column] = self._linear("span_out", np.maximum(hidden, 0)).T
        a, b, c, d = np.split(state.pair[fenceposts], 4, axis=-1)
        pair = np.stack([a @ b.T, c @ d.T]) / np.float32(self.config.bilinear**0.5)
        scores += np.triu(pair, 1).astype(np.float32)
        return scores

    def labels(self, states: Sequence[TextState], nodes: npt.NDArray[np.integer]) -> list[tuple[Nuclearity, str]]:
        """Nuclearity and relation of each node: the most probable by the product over all readings of the text.

        ``nodes`` are ``(start, split, end)``, shape ``(n, 3)``.
        """
        found: list[tuple[Nuclearity, str]] = []
        for first in range(0, len(nodes), _ROWS // 16):
            chunk = nodes[first : first + _ROWS // 16]
            scores = np.sum([_log_softmax(self._label_scores(state, chunk)) for state in states], axis=0)
            best = scores.argmax(axis=-1)
            found += [(NUCLEARITIES[b // len(RELATIONS)], RELATIONS[b % len(RELATIONS)]) for b in best.tolist()]
        return found

    def _label_scores(self, state: TextState, nodes: npt.NDArray[np.integer]) -> Floats:
        """Of each node, one row of ``len(NUCLEARITIES) * len(RELATIONS)``."""
        size = self.config.label
        i, k, j = nodes.T
        start, split, end = state.at[i], state.at[k], state.at[j]
        edge, total = state.label_edge, state.label_total
        hidden = edge[i, :size] + edge[k, size : 2 * size] + edge[j, 2 * size :]
        hidden += (total[k, :size] - total[i, :size]) / (split - start)[:, None].astype(np.float32)
        hidden += (total[j, size:] - total[k, size:]) / (end - split)[:, None].astype(np.float32)
        places = state.places(start, split), state.places(split, end), state.places(start, end)
        for column, rows in enumerate(places):
            hidden += self._weights["label_table.weight"][rows + column * N_PLACES].sum(axis=1)
        hidden = np.maximum(self._linear("label_hidden", np.maximum(hidden, 0)), 0)
        logits = self._linear("label_out", hidden)
        n_nuclearities, n_relations = len(NUCLEARITIES), len(RELATIONS)
        nuclearity, relation = logits[:, :n_nuclearities], logits[:, n_nuclearities : n_nuclearities + n_relations]
        together = logits[:, n_nuclearities + n_relations :].reshape(-1, n_nuclearities, n_relations)
        scores: Floats = (together + nuclearity[:, :, None] + relation[:, None, :]).reshape(len(nodes), -1)
        return scores

    def _of_edges(self, names: Sequence[str], vectors: Floats, at: npt.NDArray[np.integer]) -> list[Floats]:
        """Layers over the two units that meet at each fencepost, some fenceposts at a time; units are from row 1."""
        found = [np.empty((len(at), len(self._weights[f"{name}.bias"])), np.float32) for name in names]
        for first in range(0, len(at), _STEPS):
            some = slice(first, first + _STEPS)
            edge = np.concatenate([vectors[at[some]], vectors[at[some] + 1]], axis=-1)
            for name, rows in zip(names, found, strict=True):
                rows[some] = self._linear(name, edge)
        return found

    def _linear(self, name: str, x: Floats) -> Floats:
        y: Floats = x @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return y

    def _lstm(self, x: Floats, suffix: str) -> Floats:
        weights = self._weights
        of_input = weights[f"units.context.weight_ih_{suffix}"].T
        bias = weights[f"units.context.bias_ih_{suffix}"] + weights[f"units.context.bias_hh_{suffix}"]
        recurrent = np.ascontiguousarray(weights[f"units.context.weight_hh_{suffix}"].T)
        size = len(recurrent)
        state, cell = np.zeros(size, np.float32), np.zeros(size, np.float32)
        out = np.empty((len(x), size), np.float32)
        for t in range(len(x)):
            if t % _STEPS == 0:
                inputs = x[t : t + _STEPS] @ of_input + bias
            gates = inputs[t % _STEPS] + state @ recurrent
            gate = _sigmoid(gates)
            cell = gate[size : 2 * size] * cell + gate[:size] * np.tanh(gates[2 * size : 3 * size])
            state = gate[3 * size :] * np.tanh(cell)
            out[t] = state
        return out


def _log_softmax(x: Floats) -> Floats:
    x = x - x.max(axis=-1, keepdims=True)
    log_probabilities: Floats = x - np.log(np.exp(x).sum(axis=-1, keepdims=True))
    return log_probabilities


def _sigmoid(x: Floats) -> Floats:
    sigmoid: Floats = 0.5 * (1 + np.tanh(0.5 * x))
    return sigmoid


def _gelu(x: Floats) -> Floats:
    gelu: Floats = (0.5 * x * (1 + _erf(x / np.float32(2**0.5)))).astype(np.float32)
    return gelu


def _erf(x: Floats) -> Floats:
    """Error function to 1.5e-7 (Abramowitz and Stegun 7.1.26): numpy has none."""
    t = 1 / (1 + 0.3275911 * np.abs(x))
    poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    erf: Floats = np.sign(x) * (1 - poly * np.exp(-x * x))
    return erf
