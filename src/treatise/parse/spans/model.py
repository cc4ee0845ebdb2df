"""The trained network after the encoder, in numpy: units in context, span scores, labels, EDU boundaries."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from treatise.core.tree import RELATIONS, Nuclearity
from treatise.core.vectors import Floats
from treatise.parse.spans.places import N_PLACES, Places

NUCLEARITIES: Final = (Nuclearity.NS, Nuclearity.SN, Nuclearity.NN)

_LSTM_PARTS: Final = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
_ROWS: Final = 1_024  # spans, nodes, units or fenceposts that are multiplied at once
_PARTS: Final = 4  # of a long text, that the LSTM reads in step; BLAS multiplies four rows in the time of two
_WARM_UP: Final = 64  # units that it reads before each part: after 32 it has forgotten where it began, to rounding


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
class SegmenterConfig:
    """A segmenter that is not part of a parser, saved beside its weights.

    Attributes:
        name: Identifies the weights.
        window: Tokens that the encoder reads together.
    """

    name: str
    window: int


@dataclass(frozen=True, slots=True)
class SpanState:
    """What the scores and labels of spans are computed from; one row a fencepost that they may begin and end at.

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
        KeyError: If one is missing.
    """

    def __init__(self, weights: Mapping[str, npt.NDArray[np.floating]]) -> None:
        self._layers = [
            tuple(weights[f"segment.{layer}.{part}"].astype(np.float32, order="F") for part in ("weight", "bias"))
            for layer in (0, 3)
        ]

    def scores(self, before: Floats, vectors: Floats) -> Floats:
        """How much each token looks like the first of an EDU: above 0 is more likely than not. Shape ``(n,)``.

        ``before`` are the vectors of the tokens before them.
        """
        (first, first_bias), (last, last_bias) = self._layers
        hidden = _gelu(np.concatenate([before, vectors], axis=-1) @ first.T + first_bias)
        scores: Floats = (hidden @ last.T + last_bias)[:, 0]
        return scores

    def begins(self, last: Floats, vectors: Floats, begins_word: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Which tokens begin an EDU, of those that begin a word; ``last`` is the vector of the token before them all.

        Shape ``(n,)``, from ``(1, hidden)``, ``(n, hidden)`` and ``(n,)``.
        """
        return self.word_scores(last, vectors, begins_word) > 0

    def word_scores(self, last: Floats, vectors: Floats, begins_word: npt.NDArray[np.bool_]) -> Floats:
        """The scores of the tokens that begin a word, minus infinity for the others; as in :meth:`begins`."""
        before = np.concatenate([last, vectors[:-1]])
        scores = np.full(len(vectors), -np.inf, dtype=np.float32)
        scores[begins_word] = self.scores(before[begins_word], vectors[begins_word])
        return scores


class SpanModel:
    """Weights by name, as the training recipe saves them.

    Args:
        config: The network's shape.
        weights: Arrays by name; used as float32.

    Raises:
        KeyError: If a weight is missing.
    """

    def __init__(self, config: ParserConfig, weights: Mapping[str, npt.NDArray[np.floating]]) -> None:
        self.config = config
        # Products are with the transposed weights, lookups of whole rows.
        self._weights: dict[str, Floats] = {
            name: array.astype(np.float32, order="C" if "table" in name else "F") for name, array in weights.items()
        }
        for table, columns in (("span_table", 1), ("label_table", 3)):
            if len(self._weights[f"{table}.weight"]) != columns * N_PLACES:
                raise KeyError(f"{table} has not the {columns * N_PLACES} rows that this version looks up")
        self._lstm = _Lstm(self._weights)
        self.boundaries: BoundaryModel = BoundaryModel(weights)

    def pooled(self, means: Floats, first: Floats, last: Floats) -> Floats:
        """Projection of the mean, first and last token vectors of units. Shape ``(n, unit)``."""
        return self._linear("units.pool", np.concatenate([means, first, last], axis=-1))

    def in_context(self, pooled: Iterable[Floats], flags: Floats) -> Floats:
        """Units with what is before and after them in the text, and a row of zeros at both ends of it.

        Args:
            pooled: From ``pooled``, some units after the other; ``n`` in all. Shapes ``(_, unit)``.
            flags: From ``places.unit_flags``.

        Returns:
            Shape ``(n + 2, unit + 2 * context)``.
        """
        found = np.zeros((len(flags) + 2, self.config.unit + 2 * self.config.context), np.float32)
        units, around = found[1:-1, : self.config.unit], found[1:-1, self.config.unit :]
        first = 0
        for part in pooled:
            some = slice(first, first + len(part))
            units[some] = _gelu(part + flags[some] @ self._weights["units.flags.weight"].T)
            first = some.stop
        self._lstm.run(units, around)
        return found

    def state(self, vectors: Floats, places: Places, at: npt.NDArray[np.integer]) -> SpanState:
        """What the scores of all spans between some fenceposts rest on.

        Args:
            vectors: From ``in_context``, of the whole text.
            places: Rows of the tables for spans of this text.
            at: The fenceposts that spans may begin and end at, ascending.
        """
        config = self.config
        edge = np.concatenate([vectors[at], vectors[at + 1]], axis=-1)
        of_span = self._linear("span_edge", edge)
        between = vectors[1 + at[0] : 1 + at[-1]]
        sums = np.add.reduceat(between, at[:-1] - at[0], axis=0)
        total = np.zeros((len(at), vectors.shape[1]), np.float32)
        total[1:] = np.cumsum(sums, axis=0, dtype=np.float64)
        return SpanState(
            at=at,
            span_start=of_span[:, : config.span],
            span_end=of_span[:, config.span :],
            span_total=total @ self._weights["span_mean.weight"].T,
            pair=self._linear("bilinear", edge),
            label_edge=self._linear("label_edge", edge),
            label_total=total @ self._weights["label_mean.weight"].T,
            places=places,
        )

    def span_scores(self, state: SpanState) -> Floats:
        """Scores of all spans of a state, as left and as right child. Shape ``(2, n + 1, n + 1)``."""
        rows, columns = np.triu_indices(len(state.at), 1)
        start, end = state.at[rows], state.at[columns]
        lengths = (end - start)[:, None].astype(np.float32)
        of_places, place = self._of_places(state.places(start, end))
        a, b, c, d = np.split(state.pair, 4, axis=-1)
        scores: Floats = np.triu(np.stack([a @ b.T, c @ d.T]) / np.float32(self.config.bilinear**0.5), 1)
        parts = np.empty((2, min(_ROWS, len(rows)), self.config.span), np.float32)
        for some in _slices(len(rows)):
            i, j = rows[some], columns[some]
            hidden, part = parts[:, : len(i)]
            state.span_total.take(j, axis=0, out=hidden, mode="clip")  # without a mode it would copy what it writes to
            hidden -= state.span_total.take(i, axis=0, out=part, mode="clip")
            hidden /= lengths[some]
            for of_span, at in ((state.span_start, i), (state.span_end, j), (of_places, place[some])):
                hidden += of_span.take(at, axis=0, out=part, mode="clip")
            scores[:, i, j] += self._linear("span_out", np.maximum(hidden, 0, out=hidden)).T
        return scores

    def _of_places(self, places: npt.NDArray[np.int64]) -> tuple[Floats, npt.NDArray[np.integer]]:
        """What each place adds to a span's score, and which of these each span has: many spans have the same."""
        codes = places @ N_PLACES ** np.arange(places.shape[1])
        _, first, place = np.unique(codes, return_index=True, return_inverse=True)
        return self._weights["span_table.weight"][places[first]].sum(axis=1), place

    def label_log_probabilities(self, state: SpanState, nodes: npt.NDArray[np.integer]) -> Floats:
        """Of each node, one row of all pairs of nuclearity and relation.

        ``nodes`` are ``(start, split, end)`` by the fenceposts of the state, shape ``(n, 3)``.
        """
        return _log_softmax(self._label_scores(state, nodes))

    def _label_scores(self, state: SpanState, nodes: npt.NDArray[np.integer]) -> Floats:
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

    def _linear(self, name: str, x: Floats) -> Floats:
        y: Floats = x @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return y


class _Lstm:
    """A bidirectional LSTM; each step computes both directions.

    Gates are sigmoids by ``(1 + tanh(x / 2)) / 2``: their weights are halved here, so that one tanh serves all four.
    """

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        parts = [[weights[f"units.context.{name}_{way}"] for way in ("l0", "l0_reverse")] for name in _LSTM_PARTS]
        of_input, of_state, of_input_bias, of_state_bias = map(np.stack, parts)
        self._size = of_state.shape[2]
        halves = np.repeat(np.array([0.5, 0.5, 1, 0.5], np.float32), self._size)  # input, forget, cell, output
        self._of_input = np.ascontiguousarray(of_input.transpose(0, 2, 1)) * halves
        self._of_state = np.ascontiguousarray(of_state.transpose(0, 2, 1)) * halves
        self._bias = ((of_input_bias + of_state_bias) * halves)[:, None]

    def run(self, x: Floats, out: Floats) -> None:
        """Writes the states of both directions at each of ``x``'s rows into ``out``. Shape ``(n, 2 * size)``."""
        n_parts = _PARTS * -(-len(x) // _ROWS) if len(x) > _PARTS * _WARM_UP else 1
        n_new = -(-(len(x) - _WARM_UP) // n_parts)
        length = n_new + _WARM_UP
        begins = np.minimum(n_new * np.arange(n_parts), len(x) - length)
        for some in begins.reshape(-1, min(n_parts, _PARTS))[::-1]:
            rows = some + np.arange(length)[:, None]
            states = self._states(np.stack([x[rows], x[::-1][rows]]))
            for part in range(len(some) - 1, -1, -1):  # writes a part's warm-up first, over it the part before
                at = slice(some[part], some[part] + length)
                out[at, : self._size] = states[0, :, part]
                out[::-1][at, self._size :] = states[1, :, part]

    def _states(self, x: Floats) -> Floats:
        """The states after each step of all parts. Shape ``(2, n_steps, n_parts, size)``, from ``x`` likewise."""
        _, n_steps, n_parts, width = x.shape
        inputs = (x.reshape(2, -1, width) @ self._of_input + self._bias).reshape(2, n_steps, n_parts, -1)
        into, keep, new, show = (slice(at, at + self._size) for at in range(0, 4 * self._size, self._size))
        state, cell = np.zeros((2, 2, n_parts, self._size), np.float32)
        states = np.empty((2, n_steps, n_parts, self._size), np.float32)
        for t in range(n_steps):
            gates = np.tanh(inputs[:, t] + state @ self._of_state)
            gate = 0.5 * gates + 0.5
            cell = gate[..., keep] * cell + gate[..., into] * gates[..., new]
            state = gate[..., show] * np.tanh(cell)
            states[:, t] = state
        return states


def _slices(n: int) -> Iterator[slice]:
    """Consecutive parts of this many rows."""
    return (slice(first, min(n, first + _ROWS)) for first in range(0, n, _ROWS))


def best_labels(log_probabilities: Sequence[Floats]) -> list[tuple[Nuclearity, str]]:
    """Nuclearity and relation of each node: the most probable by the product over all readings of the text."""
    best = np.sum(log_probabilities, axis=0).argmax(axis=-1).tolist()
    return [(NUCLEARITIES[b // len(RELATIONS)], RELATIONS[b % len(RELATIONS)]) for b in best]


def _log_softmax(x: Floats) -> Floats:
    x = x - x.max(axis=-1, keepdims=True)
    log_probabilities: Floats = x - np.log(np.exp(x).sum(axis=-1, keepdims=True))
    return log_probabilities


def _gelu(x: Floats) -> Floats:
    gelu: Floats = (0.5 * x * (1 + _erf(x / np.float32(2**0.5)))).astype(np.float32)
    return gelu


def _erf(x: Floats) -> Floats:
    """Error function to 1.5e-7 (Abramowitz and Stegun 7.1.26): numpy has none."""
    t = 1 / (1 + 0.3275911 * np.abs(x))
    poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    erf: Floats = np.sign(x) * (1 - poly * np.exp(-x * x))
    return erf
