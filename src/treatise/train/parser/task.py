"""The span parser as a task for the loop: a step is a document, the score is what the shipped code reaches on dev."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple
from pathlib import Path

import numpy as np
import torch

from treatise.core.errors import DataError
from treatise.parse.parseval import parseval, segmentation_f1
from treatise.parse.rows import Level
from treatise.parse.spans import SpanParser, TokenReader
from treatise.parse.spans.model import ParserConfig, SpanModel
from treatise.parse.spans.tokens import window_vectors
from treatise.train.bert import ArrayTokens, TorchTokens
from treatise.train.frozen import KeptTokens, exported_tokens
from treatise.train.loop import linear
from treatise.train.parser.data import Document, prepare
from treatise.train.parser.labels import Inventory, labelled
from treatise.train.parser.loss import auxiliary_loss, boundary_loss, tree_loss
from treatise.train.parser.network import Network
from treatise.train.parser.recipe import ParserRecipe, TrainConfig
from treatise.train.source import encoder_source
from treatise.train.treebanks import TreebankDocument, gold_sentences, read_documents

_SCALE = 100  # a document's loss is a sum over its nodes and tokens: some hundreds


class ParserTask:
    """See ``loop.Task``.

    Args:
        recipe: The recipe.
        root: The data folder.
        folder: The run's; a frozen encoder is exported into it.

    Raises:
        DataError: Where data or encoder do not fit the recipe.
    """

    def __init__(self, recipe: ParserRecipe, root: Path, folder: Path) -> None:
        source = encoder_source(recipe.training.encoder)
        if source.dim != recipe.parser.hidden:
            raise DataError(f"{source.name} has vectors of {source.dim}, but parser.hidden is {recipe.parser.hidden}")
        torch.manual_seed(recipe.training.seed)
        self._config, self._training = recipe.parser, recipe.training
        encoder: TorchTokens | None = None
        if recipe.training.frozen:
            self._reader: TokenReader = KeptTokens(exported_tokens(source, folder, recipe.training.threads))
            self._dev_reader = self._reader
        else:
            encoder = _trained_encoder(recipe.training)
            self._reader, self._dev_reader = encoder, ArrayTokens(encoder)
        self._dev = read_documents(root, recipe.data.dev)
        train = read_documents(root, recipe.data.train, fraction=recipe.data.fraction)
        inventory = Inventory()
        folders = [root / labels for labels in recipe.data.labels]
        self._train = [self._prepared(document, folders, inventory) for document in train]
        sizes = inventory.sizes()
        self.module = Network(recipe.parser, dropout=recipe.training.dropout, auxiliary=sizes, encoder=encoder)
        self.optimiser = _optimiser(self.module, recipe.training)

    def steps(self, epoch: int, chance: random.Random) -> Sequence[Document]:  # noqa: ARG002  (the loop's)
        """Every document once."""
        return chance.sample(self._train, len(self._train))

    def loss(self, step: Document, chance: random.Random) -> tuple[torch.Tensor, Mapping[str, float]]:
        """The sum over both trees and the boundaries."""
        tokens = self._tokens(step, chance)
        boundaries = boundary_loss(self.module, tokens, step)
        total = boundaries + auxiliary_loss(self.module, tokens, step)
        parts = {"boundaries": boundaries.item()}
        for example in step.examples:
            shape, labels = tree_loss(self.module, tokens, example)
            total = total + shape + labels
            parts |= {f"{example.level} shape": shape.item(), f"{example.level} labels": labels.item()}
        return total / _SCALE, parts

    def rate(self, share: float, n_steps: int) -> float:  # noqa: ARG002  (the loop's)
        """Up, then down in straight lines."""
        return linear(share, warm_up=self._training.warm_up)

    def score(self) -> tuple[float, Mapping[str, float]]:
        """The sum of all figures that the shipped parser would reach with these weights."""
        parser = SpanParser(SpanModel(self._config, self.module.heads()), self._dev_reader)
        figures = dict(dev_figures(parser, self._dev))
        return sum(figures.values()), figures

    def _prepared(self, document: TreebankDocument, folders: Sequence[Path], inventory: Inventory) -> Document:
        prepared = prepare(document, self._reader)
        return labelled(prepared, document.rows[0].text.units, folders, inventory)

    def _tokens(self, document: Document, chance: random.Random) -> torch.Tensor:
        """Token vectors in windows as the shipped parser cuts them; where the encoder is trained, cut by chance."""
        of_paragraphs, size = document.of_paragraphs, self._config.window
        if not self._training.frozen:
            size = chance.randint(min(self._training.shortest_window, size), size)
            if chance.random() < self._training.unmarked:
                of_paragraphs = np.zeros_like(of_paragraphs)
                of_paragraphs[[0, -1]] = True
        found = window_vectors(self._reader, document.run, of_paragraphs, document.of_sentences, size)
        return torch.cat([torch.as_tensor(vectors) for _, _, vectors in found])


def dev_figures(parser: SpanParser, documents: Sequence[TreebankDocument]) -> Iterator[tuple[str, float]]:
    """Original Parseval by level, ``<level> <figure>``, and F1 of EDU boundaries inside sentences."""
    for level in Level:
        rows = [row for document in documents for row in document.rows if row.text.level is level]
        if rows:
            trees = parser.parse_texts([row.text for row in rows])
            names = [row.text.id for row in rows]
            gold = {name: row.tree for name, row in zip(names, rows, strict=True)}
            figures = parseval(gold, dict(zip(names, trees, strict=True)))
            yield from zip([f"{level} {name}" for name in figures.__slots__], astuple(figures), strict=True)
    cut = [(document, gold_sentences(document)) for document in documents]
    if any(sentences for _, sentences in cut):
        wanted = [edus for _, sentences in cut for edus in sentences]
        yield "boundaries", segmentation_f1(wanted, [edus for each in cut for edus in _segmented(parser, *each)]).inside


def _segmented(parser: SpanParser, document: TreebankDocument, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
    """The EDUs that the parser finds in the sentences of one document, read together."""
    lang = document.rows[0].text.lang
    space = "" if lang in ("zh", "ja") else " "
    return parser.segment([space.join(edus) for edus in sentences], lang)


def _trained_encoder(training: TrainConfig) -> TorchTokens:
    encoder = TorchTokens(encoder_source(training.encoder), masked=training.masked, bf16=training.bf16)
    encoder.bert.freeze(training.frozen_layers)
    return encoder


def _optimiser(module: Network, training: TrainConfig) -> torch.optim.Optimizer:
    named = [(name, weight) for name, weight in module.named_parameters() if weight.requires_grad]
    encoder = [weight for name, weight in named if name.startswith("encoder.")]
    heads = [weight for name, weight in named if not name.startswith("encoder.")]
    groups = [{"params": heads, "lr": training.learning_rate}]
    if encoder:
        groups.append({"params": encoder, "lr": training.encoder_rate})
    return torch.optim.AdamW(groups, weight_decay=0.01)


def shape_of(config: ParserConfig) -> list[str]:
    """Names of the weights that a parser of this shape holds."""
    return list(Network(config, dropout=0.0, auxiliary={}, encoder=None).heads())
