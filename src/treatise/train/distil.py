"""Distillation: a shallow encoder learns, on unlabelled texts, what a deep one makes of their tokens.

It is some layers of the deep one and learns its token vectors; or it is another encoder and learns what a parser's
heads take from these, for which its own vectors may be shorter. Heads on the deep encoder then need fewer epochs on the
shallow one. The embeddings stay as they were.
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from safetensors.numpy import save
from tokenizers import Tokenizer
from torch import nn

from treatise.core.errors import DataError
from treatise.core.vectors import Floats
from treatise.engines.onnx_tokens import OnnxTokens
from treatise.engines.span_parser import HEADS
from treatise.engines.trained_tokens import open_model_tokens
from treatise.parse.rows import Text, numbered, read_text
from treatise.parse.spans.places import edges
from treatise.parse.spans.tokens import TokenReader, text_windows, token_run
from treatise.train.bert import ArrayTokens, TorchTokens
from treatise.train.config import TrainingFiles
from treatise.train.loop import LoopOptions, linear
from treatise.train.parser.first_layers import first_layers, with_first_layers
from treatise.train.readers import KeptTokens
from treatise.train.run import Product, Run
from treatise.train.source import (
    EncoderSource,
    encoder_source,
    made_source,
    read_weights,
    shipped,
    tuned,
    weights_below,
)
from treatise.train.treebanks import read_lines

Rows = list[list[int]]
"""Windows of token ids, special tokens included."""

Ids = npt.NDArray[np.int64]
"""Token ids by token id."""

_ENCODER: Final = "tokens.bert."
_FIRST: Final = "first."
_FIRST_RATE: Final = 3.0  # their rate, as a multiple of the encoder's
_SAMPLE: Final = 120  # windows from which the first layers are initialised
_RIDGE: Final = 1e-4
_ABOUT: Final = "An encoder to train from, in float32, which gives nearly the token vectors of a deeper one."
_MEASURED: Final = (
    "Share of the teacher's token vectors on the dev texts, or of what its heads take from them, that this encoder "
    "explains, in percent of their squares."
)


@dataclass(frozen=True, slots=True)
class DistilConfig:
    """Settings of one run.

    Attributes:
        teacher: A folder with an encoder trained by this package, or the name of a shipped one; for another ``student``
            that of a parser.
        layers: The teacher's layers that initialise the student, counted from 0, lowest first.
        student: Another encoder that is trained in place of the teacher's layers, of the same vocabulary; see
            :func:`~treatise.train.source.encoder_source`.
        learning_rate: Peak rate; three times that for the first layers over another student.
        bf16: Computes in bfloat16.
        kept: Folder in which the teacher's vectors are kept, and in memory, in half precision; empty for none.
        warm_up: Share of the steps with a rising rate.
        step_windows: Windows per step.
        steps_per_epoch: Steps between two scorings; texts are repeated as needed.
        window, shortest_window: Maximum and minimum window in tokens, drawn per text.
        unmarked: Share of texts read without paragraph marks, as by the segmenter.
        loop: Epochs, seed, early stopping.
    """

    teacher: str
    layers: tuple[int, ...] = ()
    student: str = ""
    learning_rate: float = 5e-4
    bf16: bool = False
    kept: str = ""
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
        if self.student and self.layers:
            raise DataError("the recipe names 'layers' of the teacher and another 'student': expected one of them")


@dataclass(frozen=True, slots=True)
class DistilRecipe:
    """The recipe of a distilled encoder.

    Attributes:
        name: Identifies the weights.
        training: The run.
        data: The texts, in the form of ``treatise parse --input``.
    """

    name: str
    training: DistilConfig
    data: TrainingFiles


class Student(nn.Module):
    """The shallow encoder, and what is learned with it.

    Args:
        tokens: The encoder.
        first: The first layers of a parser's heads over its vectors, if these are learned.
    """

    def __init__(self, tokens: TorchTokens, first: nn.Linear | None) -> None:
        super().__init__()
        self.tokens: TorchTokens = tokens
        self.first: nn.Linear | None = first

    def of(self, vectors: torch.Tensor) -> torch.Tensor:
        """What is compared with the teacher."""
        return vectors if self.first is None else self.first(vectors)


class DistilTask:
    """See ``loop.Task``; a step is a batch of windows."""

    def __init__(self, recipe: DistilRecipe, root: Path) -> None:
        training = recipe.training
        torch.manual_seed(training.loop.seed)
        self._training = training
        folder = shipped(training.teacher)
        teacher = open_model_tokens(folder, threads=training.loop.threads)
        self._teacher: TokenReader = KeptTokens(teacher, Path(training.kept)) if training.kept else teacher
        if training.student:
            self.source: EncoderSource = encoder_source(training.student)
            self._rows: Floats | None = first_layers(read_weights(folder / HEADS))
        else:
            self.source, self._rows = with_layers(made_source(folder), training.layers), None
        tokens = TorchTokens(self.source, dropout=0.0, bf16=training.bf16)
        tokens.bert.freeze(0)
        self._ids = _same_tokens(self.source, teacher, folder)
        chance = random.Random(training.loop.seed)
        self._train = list(self._windows(tokens, read_texts(root, recipe.data.train), chance))
        self._dev = list(self._windows(tokens, read_texts(root, recipe.data.dev), chance))
        self.module: Student = Student(tokens, self._first(tokens, chance))
        self.optimiser = _optimiser(self.module, training.learning_rate)

    def steps(self, epoch: int, _chance: random.Random) -> Sequence[Rows]:
        """The next steps of one long schedule, which does not depend on where a run resumes."""
        n, first = self._training.step_windows, epoch * self._training.steps_per_epoch
        rounds = _rounds(len(self._train), random.Random(self._training.loop.seed))
        numbers = [next(rounds) for _ in range((first + self._training.steps_per_epoch) * n)]
        return [[self._train[at] for at in numbers[start : start + n]] for start in range(first * n, len(numbers), n)]

    def loss(self, step: Rows, _chance: random.Random) -> tuple[torch.Tensor, Mapping[str, float]]:
        """The squared distance to what is wanted, relative to the sum of its squares."""
        wanted = torch.from_numpy(self._wanted(step))
        got = self.module.of(torch.cat(list(self.module.tokens.read(step))))
        loss = (got - wanted).square().sum() / wanted.square().sum()
        return loss, {"unexplained": loss.item()}

    def rate(self, share: float, _n_steps: int) -> float:
        """Linear warm-up and decay."""
        return linear(share, warm_up=self._training.warm_up)

    def score(self) -> tuple[float, Mapping[str, float]]:
        """Share of what is wanted explained on dev."""
        figures = self.figures(ArrayTokens(self.module.tokens))
        return figures["explained"], figures

    def figures(self, reader: TokenReader) -> Mapping[str, float]:
        """Share explained by a reader on dev, with the first layers as they are."""
        missed = total = 0.0
        for row in self._dev:
            want, (vectors,) = self._wanted([row]), reader.read([row])
            with torch.no_grad():
                got = self.module.of(torch.from_numpy(np.asarray(vectors))).numpy()
            missed, total = missed + _squares(want - got), total + _squares(want)
        return {"explained": 100 * (1 - missed / total)}

    def _wanted(self, rows: Rows) -> Floats:
        """What the teacher, and the first layers if they are learned, make of the tokens. Shape ``(n_tokens, n)``."""
        vectors = np.concatenate(list(self._teacher.read(self._ids[row].tolist() for row in rows)))
        return vectors if self._rows is None else vectors @ self._rows.T

    def _first(self, tokens: TorchTokens, chance: random.Random) -> nn.Linear | None:
        """The first layers over the student's vectors, as far as these explain what is wanted before training."""
        if self._rows is None:
            return None
        sample = chance.sample(self._train, min(_SAMPLE, len(self._train)))
        vectors = np.concatenate([*chain.from_iterable(ArrayTokens(tokens).read([row]) for row in sample)])
        return _regression(vectors, self._wanted(sample))

    def _windows(self, tokens: TorchTokens, texts: Sequence[Text], chance: random.Random) -> Iterator[list[int]]:
        training = self._training
        for text in texts:
            run = token_run(tokens, text.units)
            of_paragraphs, of_sentences = edges(text.paragraphs, text.level)
            if chance.random() < training.unmarked:
                of_paragraphs = np.isin(np.arange(len(of_paragraphs)), (0, len(of_paragraphs) - 1))
            size = chance.randint(min(training.shortest_window, training.window), training.window)
            for window in text_windows(run, of_paragraphs, of_sentences, size):
                yield window.row(tokens, run)


def _optimiser(module: Student, rate: float) -> torch.optim.Optimizer:
    trained = [weight for weight in module.tokens.parameters() if weight.requires_grad]
    groups = [{"params": trained, "lr": rate}]
    if module.first is not None:
        groups.append({"params": list(module.first.parameters()), "lr": _FIRST_RATE * rate})
    return torch.optim.AdamW(groups, weight_decay=0.01, betas=(0.9, 0.98))


def _same_tokens(source: EncoderSource, teacher: OnnxTokens, folder: Path) -> Ids:
    """The teacher's id of each token of the student.

    Raises:
        DataError: If the teacher lacks a token.
    """
    of_teacher = teacher.vocabulary
    of_student = Tokenizer.from_str(source.tokenizer).get_vocab()
    ends = {"[CLS]": teacher.start_id, "[SEP]": teacher.end_id, "[UNK]": teacher.unknown_id}
    special = {source.special_id(token): at for token, at in ends.items()}
    unread = {source.special_id(token) for token in ("[PAD]", "[MASK]")}
    ids = np.full(1 + max(of_student.values()), teacher.unknown_id)
    for token, at in of_student.items():
        if at not in special and at not in unread and token not in of_teacher:
            raise DataError(f"{source.name} has the token {token!r}, which its teacher {folder} lacks: name another")
        ids[at] = special.get(at, of_teacher.get(token, teacher.unknown_id))
    return ids


def _regression(vectors: Floats, wanted: Floats) -> nn.Linear:
    """The layer whose outputs are nearest to what is wanted of these vectors; each is moved towards none a little."""
    inputs = np.column_stack([vectors, np.ones(len(vectors))]).astype(np.float64)
    least = _RIDGE * len(inputs) * np.eye(inputs.shape[1])
    weights = np.linalg.solve(inputs.T @ inputs + least, inputs.T @ wanted)
    layer = nn.Linear(vectors.shape[1], wanted.shape[1])
    layer.weight.data = torch.from_numpy(np.ascontiguousarray(weights[:-1].T.astype(np.float32)))
    layer.bias.data = torch.from_numpy(weights[-1].astype(np.float32))
    return layer


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
    """Writes a folder for ``encoder_source``, and returns the dev figures; see ``Run.make``.

    For another student, the folder has the teacher's heads for it too: ``heads`` of a parser's recipe.
    """
    task = DistilTask(recipe, run.root)

    def export(best: Path, folder: Path) -> Mapping[str, float]:
        weights = read_weights(best)
        if not any(name.startswith(_ENCODER) for name in weights):
            raise DataError(f"{best} is not of a distilled encoder: it has no weight under {_ENCODER!r}")
        student = tuned(task.source, weights, _ENCODER)
        write_source(student, folder)
        if recipe.training.student:
            first = weights_below(weights, _FIRST)
            old = read_weights(shipped(recipe.training.teacher) / HEADS)
            (folder / HEADS).write_bytes(save(with_first_layers(old, first["weight"], first["bias"])))
        task.module.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()}, strict=False)
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
