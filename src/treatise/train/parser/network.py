"""The parser's network in torch, equivalent to ``treatise.parse.spans.model``."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from treatise.core.tree import RELATIONS
from treatise.parse.spans.model import NUCLEARITIES, ParserConfig
from treatise.parse.spans.places import N_PLACES
from treatise.train.parser.data import Example, Indices

FINE: Final = "fine"
"""The auxiliary label of nodes; the others are of tokens."""

N_LABELS: Final = (len(NUCLEARITIES), len(RELATIONS), len(NUCLEARITIES) * len(RELATIONS))

ONLY_FOR_TRAINING: Final = ("encoder.", "auxiliary.", "standard.", "silver.")
"""Prefixes of weights that are not exported."""

_FIRST: Final = ("units.pool", "segment.0")  # layers on token vectors

_OUTPUTS: Final = ("span_out", "bilinear", "label_hidden", "label_out")  # of these silver trees have their own

_BOUNDARY: Final = 128  # width of the EDU boundary layer


class Units(nn.Module):
    """Units in context: their tokens pooled, their flags, and a bidirectional LSTM over the text."""

    def __init__(self, config: ParserConfig, dropout: float) -> None:
        super().__init__()
        self.pool: nn.Linear = nn.Linear(3 * config.hidden, config.unit)
        self.flags: nn.Linear = nn.Linear(6, config.unit, bias=False)
        self.context: nn.LSTM = nn.LSTM(config.unit, config.context, bidirectional=True, batch_first=True)
        self.drop: nn.Dropout = nn.Dropout(dropout)

    def forward(self, tokens: torch.Tensor, example: Example) -> torch.Tensor:
        """From ``(n_tokens, hidden)`` to ``(n_units, unit + 2 * context)``."""
        fenceposts = torch.from_numpy(example.fenceposts)
        start, end = fenceposts[:-1], fenceposts[1:]
        total = running_sum(tokens)
        means = ((total[end] - total[start]) / (end - start)[:, None]).float()
        pooled = self.pool(self.drop(torch.cat([means, tokens[start], tokens[end - 1]], dim=-1)))
        unit = functional.gelu(pooled + self.flags(torch.from_numpy(example.flags)))
        context, _ = self.context(self.drop(unit)[None])
        return self.drop(torch.cat([unit, context[0]], dim=-1))


@dataclass(frozen=True, slots=True)
class Moments:
    """Mean and spread of token vectors, per dimension. Shape ``(hidden,)`` each.

    Attributes:
        mean: Their mean.
        spread: Their standard deviation.
    """

    mean: torch.Tensor
    spread: torch.Tensor


class Standard(nn.Module):
    """Standardises the vectors of a frozen encoder per dimension, with trainable parameters.

    The map is affine and is folded into the exported weights: see ``Network.heads``.
    """

    def __init__(self, moments: Moments) -> None:
        super().__init__()
        self.mean: nn.Parameter = nn.Parameter(moments.mean.clone())
        self.scale: nn.Parameter = nn.Parameter(1 / moments.spread.clamp(min=1e-4))

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Keeps the shape."""
        return (tokens - self.mean) * self.scale

    def folded(self, weight: torch.Tensor, bias: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Equivalent weight and bias for vectors that are not standardised."""
        times = len(weight[0]) // len(self.scale)
        folded = weight * self.scale.repeat(times)
        return folded, bias - folded @ self.mean.repeat(times)


class Network(nn.Module):
    """Scores of spans, labels and boundaries of one document.

    Args:
        config: Shape.
        dropout: Dropout between layers.
        auxiliary: Number of auxiliary labels by kind.
        encoder: The encoder to train too; None if token vectors are the input.
        moments: Mean and spread of the input token vectors, to standardise them.
        silver: Whether there are silver trees: see ``Treebanks.silver``.
    """

    def __init__(
        self,
        config: ParserConfig,
        *,
        dropout: float,
        auxiliary: Mapping[str, int],
        encoder: nn.Module | None,
        moments: Moments | None = None,
        silver: bool = False,
    ) -> None:
        super().__init__()
        self.config = config
        self.standard: Standard | None = None if moments is None else Standard(moments)
        width = config.unit + 2 * config.context
        self.units: Units = Units(config, dropout)
        self.span_edge: nn.Linear = nn.Linear(2 * width, 2 * config.span)
        self.span_mean: nn.Linear = nn.Linear(width, config.span, bias=False)
        self.span_table: nn.Embedding = nn.Embedding(N_PLACES, config.span)
        self.span_out: nn.Linear = nn.Linear(config.span, 2)
        self.bilinear: nn.Linear = nn.Linear(2 * width, 4 * config.bilinear)
        self.label_edge: nn.Linear = nn.Linear(2 * width, 3 * config.label)
        self.label_mean: nn.Linear = nn.Linear(width, 2 * config.label, bias=False)
        self.label_table: nn.Embedding = nn.Embedding(3 * N_PLACES, config.label)
        self.label_hidden: nn.Linear = nn.Linear(config.label, config.label)
        self.label_out: nn.Linear = nn.Linear(config.label, sum(N_LABELS))
        self.segment = boundary_layers(config.hidden)
        sizes = {kind: (config.label if kind == FINE else config.hidden, n) for kind, n in auxiliary.items()}
        self.auxiliary: nn.ModuleDict = nn.ModuleDict({kind: nn.Linear(*size) for kind, size in sizes.items()})
        self.drop: nn.Dropout = nn.Dropout(dropout)
        self.encoder = encoder
        for table in (self.span_table, self.label_table):
            nn.init.normal_(table.weight, std=0.02)
        self.silver: nn.ModuleDict = nn.ModuleDict()
        if silver:
            self.begin_silver()

    def begin_silver(self) -> None:
        """Output layers for silver trees, as those for the treebanks are now."""
        self.silver = nn.ModuleDict({name: deepcopy(getattr(self, name)) for name in _OUTPUTS})

    def _output(self, name: str, example: Example) -> nn.Module:
        found: nn.Module = self.silver[name] if example.silver else getattr(self, name)
        return found

    def standardised(self, tokens: torch.Tensor) -> torch.Tensor:
        """The token vectors as the other layers read them."""
        return tokens if self.standard is None else self.standard(tokens)

    def state(self, tokens: torch.Tensor, example: Example) -> "TextState":
        """The inputs of all scores of a tree."""
        units = self.units(self.standardised(tokens), example)
        zero = units.new_zeros(1, units.shape[1])
        edge = torch.cat([torch.cat([zero, units]), torch.cat([units, zero])], dim=-1)
        return TextState(edge, running_sum(units).float(), example)

    def span_scores(self, state: "TextState") -> torch.Tensor:
        """Scores of all spans as left and as right child: ``(2, n + 1, n + 1)``, zero for invalid spans."""
        start, end = np.triu_indices(state.edge.shape[0], 1)
        i, j = torch.from_numpy(start), torch.from_numpy(end)
        of_start, of_end = self.span_edge(state.edge).chunk(2, dim=-1)
        mean = self.span_mean(state.total)
        hidden = of_start.index_select(0, i) + of_end.index_select(0, j)  # its gradient takes half as long as [i]'s
        hidden = hidden + (mean.index_select(0, j) - mean.index_select(0, i)) / (j - i)[:, None]
        hidden = hidden + _of_places(self.span_table, state.example.places(start, end))
        n = state.edge.shape[0]
        scores = state.edge.new_zeros(2, n, n)
        span_out = self._output("span_out", state.example)
        scores[:, i, j] = span_out(torch.relu(hidden) * self.drop(hidden.new_ones(hidden.shape[1]))).T
        a, b, c, d = self._output("bilinear", state.example)(state.edge).chunk(4, dim=-1)
        pair = torch.stack([a @ b.T, c @ d.T]) / self.config.bilinear**0.5
        return scores + torch.triu(pair, 1)

    def label_hiddens(self, state: "TextState", nodes: Indices) -> torch.Tensor:
        """The last hidden layer for the labels of nodes ``(start, split, end)``. Shape ``(n_nodes, label)``."""
        i, k, j = torch.from_numpy(nodes).unbind(dim=-1)
        a, b, c = self.label_edge(state.edge).chunk(3, dim=-1)
        left, right = self.label_mean(state.total).chunk(2, dim=-1)
        hidden = a[i] + b[k] + c[j]
        hidden = hidden + (left[k] - left[i]) / (k - i)[:, None] + (right[j] - right[k]) / (j - k)[:, None]
        start, split, end = nodes.T
        of_place = state.example.places
        rows = [of_place(start, split), of_place(split, end) + N_PLACES, of_place(start, end) + 2 * N_PLACES]
        hidden = hidden + _of_places(self.label_table, np.concatenate(rows, axis=-1))
        label_hidden = self._output("label_hidden", state.example)
        return self.drop(torch.relu(label_hidden(self.drop(torch.relu(hidden)))))

    def label_log_probabilities(self, hidden: torch.Tensor, example: Example) -> torch.Tensor:
        """Logits of each nuclearity and relation jointly. Shape ``(n_nodes, n_nuclearities, n_relations)``."""
        nuclearity, relation, pair = self._output("label_out", example)(hidden).split(N_LABELS, dim=-1)
        together = pair.view(len(pair), *N_LABELS[:2]) + nuclearity[:, :, None] + relation[:, None, :]
        return together.flatten(1).log_softmax(dim=-1).view(together.shape)

    def boundary_scores(self, tokens: torch.Tensor) -> torch.Tensor:
        """Logits of each token being the first of an EDU. Shape ``(n_tokens,)``."""
        return boundary_scores(self.segment, tokens, self.standard)

    def heads(self) -> dict[str, Any]:
        """The exported weights, as arrays by name."""
        weights = self.state_dict()
        standard = self.standard
        if standard is not None:
            for first in _FIRST:
                weight, bias = f"{first}.weight", f"{first}.bias"
                weights[weight], weights[bias] = standard.folded(weights[weight], weights[bias])
        return {
            name: value.detach().numpy() for name, value in weights.items() if not name.startswith(ONLY_FOR_TRAINING)
        }


class TextState:
    """The inputs of the scores of one tree.

    Attributes:
        edge: The units on both sides of each fencepost. Shape ``(n_units + 1, 2 * width)``.
        total: Running sums of the units. Shape ``(n_units + 1, width)``.
        example: The tree.
    """

    def __init__(self, edge: torch.Tensor, total: torch.Tensor, example: Example) -> None:
        self.edge = edge
        self.total = total
        self.example = example


def boundary_layers(hidden: int) -> nn.Sequential:
    """From the vectors of two neighbouring tokens to the score of a boundary between them."""
    return nn.Sequential(nn.Linear(2 * hidden, _BOUNDARY), nn.GELU(), nn.Dropout(0.1), nn.Linear(_BOUNDARY, 1))


def boundary_scores(layers: nn.Sequential, tokens: torch.Tensor, standard: Standard | None = None) -> torch.Tensor:
    """The score of a boundary before each token; the first token is preceded by zeros. Shape ``(n_tokens,)``."""
    both = torch.cat([torch.zeros_like(tokens[:1]), tokens])
    both = both if standard is None else standard(both)
    scores: torch.Tensor = layers(torch.cat([both[:-1], both[1:]], dim=-1))[:, 0]
    return scores


def running_sum(rows: torch.Tensor) -> torch.Tensor:
    """Sums of the first 0, 1, … rows, in double precision."""
    return torch.cumsum(torch.cat([rows.new_zeros(1, rows.shape[1]), rows]).double(), 0)


def _of_places(table: nn.Embedding, rows: Indices) -> torch.Tensor:
    return functional.embedding_bag(torch.from_numpy(rows), table.weight, mode="sum")
