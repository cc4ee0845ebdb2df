"""Losses of the parser, summed over nodes and tokens."""

from typing import Final, Protocol

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from treatise.core.vectors import Floats
from treatise.parse.spans.chart import Table, inside_outside
from treatise.train.parser.data import Document, Example, Sentences, certain
from treatise.train.parser.network import FINE, Network, TextState

_MARGINAL: Final = 0.3  # weights of the losses of nuclearity alone and relation alone
_AUXILIARY: Final = {
    "pos": 0.05,
    "dependency": 0.15,
    "discourse": 0.5,
    FINE: 0.3,
    "left": 0.3,
    "right": 0.1,
}  # not tuned


def tree_loss(network: Network, tokens: torch.Tensor, example: Example) -> tuple[torch.Tensor, torch.Tensor]:
    """Cross entropy of a tree's shape, and of its labels; both 0 for a single unit."""
    if not len(example.nodes):
        return tokens.sum() * 0, tokens.sum() * 0
    state = network.state(tokens, example)
    expected = example.expected or certain(example)
    return shape_loss(network.span_scores(state), expected.spans), label_loss(network, state, expected.labels)


def shape_loss(scores: torch.Tensor, spans: Table) -> torch.Tensor:
    """The loss of a globally normalised distribution over binary trees; its gradient is marginals minus ``spans``.

    Both have the shape ``(2, n + 1, n + 1)``.
    """
    log_z, marginals = inside_outside(scores.detach().numpy())
    value = log_z - float((scores.detach().double() * torch.from_numpy(spans)).sum())
    slope = (torch.from_numpy((marginals - spans).astype(np.float32)) * scores).sum()
    return slope - slope.detach() + value


def label_loss(network: Network, state: TextState, labels: Floats) -> torch.Tensor:
    """Cross entropy of nuclearity and relation jointly, plus a small part of each alone, plus fine relations if
    known.

    ``labels`` are the probabilities to learn, shape ``(n_nodes, n_nuclearities, n_relations)``.
    """
    example = state.example
    hidden = network.label_hiddens(state, example.nodes)
    together = network.label_log_probabilities(hidden, example)
    wanted = torch.from_numpy(labels)
    loss = -(wanted * together).sum()
    for axis in (2, 1):
        loss = loss - _MARGINAL * (wanted.sum(axis) * together.logsumexp(axis)).sum()
    if FINE in network.auxiliary and example.fine is not None:
        logits = network.auxiliary[FINE](hidden)
        fine = torch.from_numpy(example.fine)
        loss = loss + _AUXILIARY[FINE] * functional.cross_entropy(logits, fine, ignore_index=-1, reduction="sum")
    return loss


class Tagger(Protocol):
    """A network that scores tokens: the parser's or the segmenter's.

    Attributes:
        auxiliary: A layer over token vectors for each kind of label.
        drop: Dropout before these layers.
    """

    auxiliary: nn.ModuleDict
    drop: nn.Module

    def boundary_scores(self, tokens: torch.Tensor) -> torch.Tensor:
        """Logits of each token being the first of an EDU. Shape ``(n_tokens,)``."""
        ...


def boundary_loss(network: Tagger, tokens: torch.Tensor, sentences: Sentences) -> torch.Tensor:
    """Cross entropy of EDU boundaries at the word starts inside sentences."""
    inside = sentences.run.begins_word.copy()
    inside[sentences.run.units[:-1]] = False
    gold = torch.from_numpy(sentences.begins_edu[inside].astype(np.float32))
    scores = network.boundary_scores(tokens)[torch.from_numpy(inside)]
    return functional.binary_cross_entropy_with_logits(scores, gold, reduction="sum")


def auxiliary_loss(network: Tagger, tokens: torch.Tensor, document: Document) -> torch.Tensor:
    """Cross entropy of the tokens' labels."""
    loss = tokens.sum() * 0
    for kind, numbers in document.labels.items():
        if kind in network.auxiliary:
            gold = torch.from_numpy(numbers)
            logits = network.auxiliary[kind](network.drop(tokens[gold >= 0]))
            loss = loss + _AUXILIARY[kind] * functional.cross_entropy(logits, gold[gold >= 0], reduction="sum")
    return loss
