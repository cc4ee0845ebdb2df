"""Distillation: some layers of a deep encoder are trained to predict its token vectors, on unlabelled texts.

Heads on the deep encoder, such as the parser's, then need fewer epochs on the shallow one. The embeddings stay the
teacher's.
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import numpy as np
import torch
from safetensors.numpy import save

from treatise.core.errors import DataError
from treatise.core.vectors import Floats
from treatise.engines.onnx_tokens import OnnxTokens
from treatise.parse.rows import Text, numbered, read_text
from treatise.parse.spans.places import edges
from treatise.parse.spans.tokens import TokenReader, text_windows, token_run
from treatise.train.bert import ArrayTokens, TorchTokens
from treatise.train.loop import LoopOptions, linear
from treatise.train.run import Product, Run
from treatise.train.source import EncoderSource, made_source, read_weights, shipped, tuned
from treatise.train.treebanks import read_lines

Rows = list[list[int]]
"""Windows of token ids, special tokens included."""

_ENCODER: Final = "bert."
_ABOUT: Final = "An encoder to train from, in float32: layers of a deeper one that give nearly its token vectors."
_MEASURED: Final = (
    "Share of the teacher's token vectors on the dev texts that these explain, in percent of their squares."
)


@dataclass(frozen=True, slots=True)
class DistilConfig:
    """Settings of one run.

    Attributes:
        teacher: A folder with an encoder trained by this package, or the name of a shipped one.
        layers: The teacher's layers that initialise the student, counted from 0, lowest first.
        learning_rate: Peak rate.
        warm_up: Share of the steps with a rising rate.
        step_windows: Windows per step.
        steps_per_epoch: Steps between two scorings; texts are repeated as needed.
        window, shortest_window: Maximum and minimum window in tokens, drawn per text.
        unmarked: Share of texts read without paragraph marks, as by the segmenter.
        loop: Epochs, seed, early stopping.
    """

    teacher: str
    layers: tuple[int, ...]
    learning_rate: float = 5e-4
    warm_up: float = 0.05
    step_windows: int = 16
    steps_per_epoch: int = 200
    window: int = 252
    shortest_window: int = 160
    unmarked: float = 0.2
    loop: LoopOptions = field(default_factory=LoopOptions)

    def __post_init__(self) -> None:
        for name in ("step_windows", "steps_per_epoch", "window", "shortest_window"):
            if getattr(self, name) < 1:
                raise DataError(f"{name!r} of the recipe must be at least 1, found {getattr(self, name)}")


@dataclass(frozen=True, slots=True)
class Texts:
    """The files of a recipe, in the form of ``treatise parse --input``; paths are below the data folder.

    Attributes:
        train: Training data.
        dev: Development data.
        licence: Licence of models trained on them.
        sources: Attributions: one line each on the model card.
    """

    train: tuple[str, ...]
    dev: tuple[str, ...]
    licence: str = ""
    sources: tuple[str, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """All files."""
        return (*self.train, *self.dev)


@dataclass(frozen=True, slots=True)
class DistilRecipe:
    """The recipe of a distilled encoder.

    Attributes:
        name: Identifies the weights.
        training: The run.
        data: The texts.
    """

    name: str
    training: DistilConfig
    data: Texts


class DistilTask:
    """See ``loop.Task``; a step is a batch of windows."""

    def __init__(self, recipe: DistilRecipe, root: Path) -> None:
        training = recipe.training
        torch.manual_seed(training.loop.seed)
        self._training = training
        folder = shipped(training.teacher)
        self.source: EncoderSource = with_layers(made_source(folder), training.layers)
        self._teacher = OnnxTokens(folder, threads=training.loop.threads)
        self.module: TorchTokens = TorchTokens(self.source, dropout=0.0)
        self.module.bert.freeze(0)
        chance = random.Random(training.loop.seed)
        self._train = list(self._windows(read_texts(root, recipe.data.train), chance))
        self._dev = list(self._windows(read_texts(root, recipe.data.dev), chance))
        trained = [weight for weight in self.module.parameters() if weight.requires_grad]
        self.optimiser = torch.optim.AdamW(trained, lr=training.learning_rate, weight_decay=0.01, betas=(0.9, 0.98))

    def steps(self, epoch: int, _chance: random.Random) -> Sequence[Rows]:
        """The next steps of one long schedule, which does not depend on where a run resumes."""
        n, first = self._training.step_windows, epoch * self._training.steps_per_epoch
        rounds = _rounds(len(self._train), random.Random(self._training.loop.seed))
        numbers = [next(rounds) for _ in range((first + self._training.steps_per_epoch) * n)]
        return [[self._train[at] for at in numbers[start : start + n]] for start in range(first * n, len(numbers), n)]

    def loss(self, step: Rows, _chance: random.Random) -> tuple[torch.Tensor, Mapping[str, float]]:
        """The squared distance to the teacher's vectors, relative to the sum of their squares."""
        wanted = [torch.from_numpy(vectors) for vectors in self._teacher.read(step)]
        missed = torch.stack(
            [(got - want).square().sum() for got, want in zip(self.module.read(step), wanted, strict=True)]
        )
        loss = missed.sum() / torch.stack([want.square().sum() for want in wanted]).sum()
        return loss, {"unexplained": loss.item()}

    def rate(self, share: float, _n_steps: int) -> float:
        """Linear warm-up and decay."""
        return linear(share, warm_up=self._training.warm_up)

    def score(self) -> tuple[float, Mapping[str, float]]:
        """Share of the teacher's vectors explained on dev."""
        figures = self.figures(ArrayTokens(self.module))
        return figures["explained"], figures

    def figures(self, reader: TokenReader) -> Mapping[str, float]:
        """Share explained by a reader on dev."""
        missed = total = 0.0
        for row in self._dev:
            (want,), (got,) = self._teacher.read([row]), reader.read([row])
            missed, total = missed + _squares(want - got), total + _squares(want)
        return {"explained": 100 * (1 - missed / total)}

    def _windows(self, texts: Sequence[Text], chance: random.Random) -> Iterator[list[int]]:
        training = self._training
        for text in texts:
            run = token_run(self._teacher, text.units)
            of_paragraphs, of_sentences = edges(text.paragraphs, text.level)
            if chance.random() < training.unmarked:
                of_paragraphs = np.isin(np.arange(len(of_paragraphs)), (0, len(of_paragraphs) - 1))
            size = chance.randint(min(training.shortest_window, training.window), training.window)
            for window in text_windows(run, of_paragraphs, of_sentences, size):
                yield window.row(self._teacher, run)


def _squares(vectors: Floats) -> float:
    return float(np.square(vectors, dtype=np.float64).sum())


def _rounds(n: int, chance: random.Random) -> Iterator[int]:
    """Endless random permutations of the numbers below n."""
    while True:
        yield from chance.sample(range(n), n)


def read_texts(root: Path, files: Sequence[str]) -> list[Text]:
    """The texts of these files.

    Raises:
        DataError: If a file cannot be read, a line is not of the documented form, or there is no text.
    """
    found = [read_text(line, where) for f in files for line, where in numbered(read_lines(root / f), str(root / f))]
    if not found:
        raise DataError(f"no text to read in {', '.join(files) or 'no file'} below {root}: expected a line each")
    return found


def with_layers(source: EncoderSource, layers: Sequence[int]) -> EncoderSource:
    """The encoder with only these layers, in this order.

    Raises:
        DataError: If it has no such layer, one is named twice, or none.
    """
    at = {f"encoder.layer.{layer}": f"encoder.layer.{new}" for new, layer in enumerate(layers)}
    if missing := [layer for layer in at if not any(name.startswith(f"{layer}.") for name in source.weights)]:
        raise DataError(f"{source.name} has no {missing[0]}: take it out of 'layers', which count from 0")
    if len(at) < len(layers):
        raise DataError(f"a layer is named twice in {list(layers)}: 'layers' names each of the student's once")
    if not layers:
        raise DataError("a student needs at least one layer of its teacher: name it in 'layers'")
    weights = {}
    for name, array in source.weights.items():
        layer = ".".join(name.split(".")[:3])
        if layer in at:
            weights[name.replace(layer, at[layer], 1)] = array
        elif not name.startswith("encoder.layer."):
            weights[name] = array
    return replace(source, weights=weights)


def train_distilled(recipe: DistilRecipe, run: Run) -> Mapping[str, float]:
    """Writes a folder for ``encoder_source``, and returns the dev figures; see ``Run.make``."""
    task = DistilTask(recipe, run.root)

    def export(best: Path, folder: Path) -> Mapping[str, float]:
        weights = read_weights(best)
        if not any(name.startswith(_ENCODER) for name in weights):
            raise DataError(f"{best} is not of a distilled encoder: it has no weight under {_ENCODER!r}")
        student = tuned(task.source, weights, _ENCODER)
        write_source(student, folder)
        return task.figures(ArrayTokens(TorchTokens(student, dropout=0.0)))

    data = recipe.data
    product = Product(recipe.name, _ABOUT, _MEASURED, data.licence, data.sources, task.source.name, data.files)
    return run.make(recipe, task, recipe.training.loop, export, product)


def write_source(source: EncoderSource, folder: Path) -> None:
    """Writes ``model.safetensors``, ``tokenizer.json`` and ``config.json``: a folder for ``encoder_source``."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.safetensors").write_bytes(save({k: np.ascontiguousarray(v) for k, v in source.weights.items()}))
    (folder / "tokenizer.json").write_text(source.tokenizer, encoding="utf-8")
    config = {"num_attention_heads": source.n_heads}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
