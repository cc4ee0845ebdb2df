"""The span parser as a task for the loop: a step is a document, the score is that of the shipped code on dev."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
import torch

from treatise.core.errors import DataError
from treatise.engines.span_parser import HEADS
from treatise.parse.spans.model import SpanModel
from treatise.parse.spans.parser import SpanParser
from treatise.parse.spans.places import Edges
from treatise.parse.spans.tokens import TokenRun, window_vectors
from treatise.train.figures import boundary_figures, tree_figures
from treatise.train.loop import linear
from treatise.train.parser.data import Document, Sentences, prepare
from treatise.train.parser.labels import Inventory, labelled
from treatise.train.parser.loss import auxiliary_loss, boundary_loss, tree_loss
from treatise.train.parser.network import ONLY_FOR_TRAINING, Moments, Network
from treatise.train.parser.recipe import ParserRecipe, TrainConfig
from treatise.train.parser.teaching import Teachers
from treatise.train.readers import open_readers
from treatise.train.source import EncoderSource, read_weights, shipped
from treatise.train.treebanks import read_documents

_SCALE: Final = 100  # a document's loss is a sum over hundreds of nodes and tokens


class ParserTask:
    """See ``loop.Task``.

    Args:
        recipe: The recipe.
        source: The initial encoder.
        root: The data folder.
        folder: The run's folder; a frozen encoder is exported into it.
        device: Where the encoder is trained.

    Raises:
        DataError: If data or encoder do not fit the recipe.
    """

    def __init__(
        self, recipe: ParserRecipe, source: EncoderSource, root: Path, folder: Path, *, device: str = "cpu"
    ) -> None:
        if source.dim != recipe.parser.hidden:
            raise DataError(f"{source.name} has vectors of {source.dim}, but parser.hidden is {recipe.parser.hidden}")
        self._config, self._training = recipe.parser, recipe.training
        torch.manual_seed(recipe.training.loop.seed)
        threads = recipe.training.loop.threads
        self._readers = open_readers(recipe.training.encoder, source, folder, threads=threads, device=device)
        self._dev = read_documents(root, recipe.data.dev)
        inventory = Inventory()
        self._train = self._documents(recipe, root, inventory)
        loop = recipe.training.loop
        self._teachers = Teachers(recipe.teaching, root, n_parts=loop.epochs, threads=loop.threads)
        self.module: Network = Network(
            recipe.parser,
            dropout=recipe.training.dropout,
            auxiliary=inventory.sizes(),
            encoder=self._readers.module,
            moments=self._moments() if self._readers.module is None else None,
            silver=bool(recipe.data.silver),
        )
        if recipe.training.heads:
            _begin_with(self.module, shipped(recipe.training.heads) / HEADS)
            if recipe.data.silver:
                self.module.begin_silver()
        self.optimiser = _optimiser(self.module, recipe.training)

    def steps(self, epoch: int, chance: random.Random) -> Sequence[Document]:
        """Every document once, or twice if the recipe repeats its language, and a part of the texts without trees."""
        documents = [*self._train, *self._teachers.documents(epoch, self._readers.train)]
        return chance.sample(documents, len(documents))

    def loss(self, step: Document, chance: random.Random) -> tuple[torch.Tensor, Mapping[str, float]]:
        """The loss of a document: the sum over its trees and boundaries, times its weight."""
        tokens = self._tokens(step, chance)
        total, parts = auxiliary_loss(self.module, self.module.standardised(tokens), step), {}
        if step.sentences is not None:
            boundaries = boundary_loss(self.module, self._of_sentences(step, step.sentences, tokens), step.sentences)
            total = total + boundaries
            parts["EDU boundaries"] = boundaries.item()
        for example in step.examples:
            shape, labels = tree_loss(self.module, tokens, example)
            total = total + shape + labels
            parts |= {f"{example.level} shape": shape.item(), f"{example.level} labels": labels.item()}
        return total * step.weight / _SCALE, parts

    def rate(self, share: float, _n_steps: int) -> float:
        """Linear warm-up and decay."""
        return linear(share, warm_up=self._training.warm_up)

    def score(self) -> tuple[float, Mapping[str, float]]:
        """All figures of the shipped parser with these weights, and the sum of tree and boundary figures."""
        figures = self.figures(SpanParser(SpanModel(self._config, self.module.heads()), self._readers.dev))
        return sum(figures.values()) - figures.get("EDU beginnings", 0.0), figures

    def figures(self, parser: SpanParser) -> Mapping[str, float]:
        """Figures of a parser on dev."""
        return tree_figures(parser, self._dev) | boundary_figures(parser, self._dev)

    def _documents(self, recipe: ParserRecipe, root: Path, inventory: Inventory) -> list[Document]:
        folders = [root / folder for folder in recipe.data.labels]
        found = read_documents(root, recipe.data.train, fraction=recipe.data.fraction)
        documents = [
            labelled(prepare(document, self._readers.train), document.rows[0].text.units, folders, inventory)
            for document in found
        ]
        languages = zip(documents, (document.lang for document in found), strict=True)
        documents += [document for document, lang in languages if lang in recipe.data.twice]
        silver = read_documents(root, recipe.data.silver) if recipe.data.silver else []
        documents += [_as_silver(prepare(document, self._readers.train)) for document in silver]
        weight = recipe.data.translated_weight
        return documents + [
            replace(prepare(document, self._readers.train), weight=weight)
            for document in read_documents(root, recipe.data.translated, fraction=recipe.data.fraction)
        ]

    def _tokens(self, document: Document, chance: random.Random) -> torch.Tensor:
        """Token vectors in the windows of the shipped parser; in random windows if the encoder is trained."""
        of_paragraphs, size = document.of_paragraphs, self._config.window
        if self._readers.module is not None:
            size = chance.randint(min(self._training.shortest_window, size), size)
            if chance.random() < self._training.unmarked:
                of_paragraphs = _one_paragraph(of_paragraphs)
        return self._read(document.run, of_paragraphs, document.of_sentences, size)

    def _of_sentences(self, document: Document, sentences: Sentences, tokens: torch.Tensor) -> torch.Tensor:
        """Token vectors as in the segmenter; those of the trees, ``tokens``, if the encoder is trained on the same."""
        if self._readers.module is not None and np.array_equal(sentences.run.ids, document.run.ids):
            return tokens
        of_sentences = np.ones(len(sentences.run.units), dtype=bool)
        return self._read(sentences.run, _one_paragraph(of_sentences), of_sentences, self._config.window)

    def _read(self, run: TokenRun, of_paragraphs: Edges, of_sentences: Edges, window: int) -> torch.Tensor:
        """Token vectors of a text. Shape ``(n_tokens, hidden)``."""
        found = window_vectors(self._readers.train, run, of_paragraphs, of_sentences, window)
        return torch.cat([torch.as_tensor(vectors) for _, _, vectors in found])

    def _moments(self) -> Moments:
        """Mean and spread of the frozen encoder's vectors over the training documents."""
        n = 0
        total = squares = torch.zeros(1, dtype=torch.double)
        for document in self._train:
            window = self._config.window
            vectors = self._read(document.run, document.of_paragraphs, document.of_sentences, window).double()
            n, total, squares = n + len(vectors), total + vectors.sum(0), squares + vectors.square().sum(0)
        mean = total / n
        return Moments(mean.float(), (squares / n - mean.square()).clamp(min=0).sqrt().float())


def _as_silver(document: Document) -> Document:
    return replace(document, examples=tuple(replace(example, silver=True) for example in document.examples))


def _begin_with(module: Network, heads: Path) -> None:
    """Replaces the new heads by those of a parser.

    Raises:
        DataError: If they cannot be read or are of another shape.
    """
    weights = {name: torch.from_numpy(array) for name, array in read_weights(heads).items()}
    found = {name: tuple(array.shape) for name, array in weights.items()}
    wanted = {name: tuple(array.shape) for name, array in module.state_dict().items()}
    wanted = {name: shape for name, shape in wanted.items() if not name.startswith(ONLY_FOR_TRAINING)}
    for name in sorted(found.keys() | wanted.keys()):
        if (has := found.get(name)) != (wants := wanted.get(name)):
            raise DataError(
                f"{heads} is of a parser of another shape: {name} is {has or 'missing'} there, {wants or 'unknown'} in "
                "the recipe; name other 'heads', or none"
            )
    module.load_state_dict(weights, strict=False)


def _one_paragraph(edges: Edges) -> Edges:
    """Paragraph edges of a single paragraph: the segmenter's view."""
    one = np.zeros_like(edges)
    one[[0, -1]] = True
    return one


def _optimiser(module: Network, training: TrainConfig) -> torch.optim.Optimizer:
    named = [(name, weight) for name, weight in module.named_parameters() if weight.requires_grad]
    encoder = [weight for name, weight in named if name.startswith("encoder.")]
    heads = [weight for name, weight in named if not name.startswith("encoder.")]
    groups = [{"params": heads, "lr": training.learning_rate}]
    if encoder:
        groups.append({"params": encoder, "lr": training.encoder.learning_rate})
    return torch.optim.AdamW(groups, weight_decay=0.01)
