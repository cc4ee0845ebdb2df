"""Training of the retrieval encoder: MiniLM learns to find answering sentences in the context of their paragraphs.

A paragraph is encoded once; a sentence's vector is the mean of its token vectors, a paragraph's the mean of its
sentences' unit vectors. A question's logit for a sentence is its mean cosine with the sentence and with the paragraph.
Which sentences of an evidence paragraph answer is only partly known: targets mix the annotated weights with the model's
own predictions (multiple-instance learning). All other paragraphs of a step are negatives, most of the same document.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch.nn import functional

from treatise.engines.onnx_tokens import OnnxTokens
from treatise.parse.spans.tokens import TokenReader
from treatise.train.bert import TorchTokens
from treatise.train.config import TrainingFiles
from treatise.train.encoder_export import export_encoder
from treatise.train.loop import LoopOptions, cosine
from treatise.train.questions import Item, read_items
from treatise.train.readers import EncoderConfig
from treatise.train.run import Product, Run
from treatise.train.source import MINILM_WINDOW, EncoderSource, Weights, encoder_source, read_weights, tuned

_ENCODER: Final = "bert."
_MAX_PARAGRAPH: Final = MINILM_WINDOW - 2
_MAX_SENTENCE: Final = 128
_MAX_QUESTION: Final = 64
_BLOCK: Final = 2048  # tokens per batch, including padding
_NEVER: Final = -1e4
_ABOUT: Final = (
    "A sentence encoder for retrieval within long documents: token vectors, to be averaged over a sentence alone or in "
    "its paragraph. int8 ONNX, loaded without torch."
)
_MEASURED: Final = "Mean reciprocal rank of this folder's encoder within dev items, in percent."


@dataclass(frozen=True, slots=True)
class EncoderTraining:
    """Settings of one run.

    Attributes:
        steps_per_epoch: Steps between two scorings; data is repeated as needed.
        step_tokens: Tokens per step.
        scale: Of cosines, before the softmax.
        mix: Share of the sentence's cosine in its logit; the rest is the paragraph's.
        given: Share of the annotated weights in the targets; the rest is the model's own predictions.
        paragraph: Weight of the loss over paragraphs.
        warm_up: Share of the steps in which the rate rises.
        share: Interpolation of the exported weights from the base (0) to the tuned ones (1).
        encoder: The encoder.
        loop: Epochs, seed, early stopping.
    """

    steps_per_epoch: int = 100
    step_tokens: int = 4000
    scale: float = 25.0
    mix: float = 0.5
    given: float = 0.6
    paragraph: float = 0.5
    warm_up: float = 1 / 15
    share: float = 1.0
    encoder: EncoderConfig = field(default_factory=EncoderConfig)
    loop: LoopOptions = field(default_factory=LoopOptions)


@dataclass(frozen=True, slots=True)
class QuestionSets(TrainingFiles):
    """Files of training items.

    Attributes:
        weights: ``"<set> <weight>"`` for sets that count other than 1.
    """

    weights: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EncoderRecipe:
    """The recipe of a retrieval encoder.

    Attributes:
        name: Identifies the weights.
        training: The run.
        data: The questions.
    """

    name: str
    training: EncoderTraining
    data: QuestionSets


@dataclass(frozen=True, slots=True)
class Example:
    """An item in tokens.

    Attributes:
        paragraphs: Token ids of each sentence.
        questions: Token ids, and by paragraph the weights of its sentences.
        weight: Of each of its questions in a step.
    """

    paragraphs: list[list[list[int]]]
    questions: list[tuple[list[int], dict[int, tuple[float, ...]]]]
    weight: float

    @property
    def n_tokens(self) -> int:
        """Number of tokens of paragraphs and questions."""
        in_paragraphs = sum(len(sentence) for sentences in self.paragraphs for sentence in sentences)
        return in_paragraphs + sum(len(ids) for ids, _ in self.questions)


@dataclass(frozen=True, slots=True)
class Similarities:
    """Similarities of the questions of some examples to their sentences and paragraphs.

    Attributes:
        sentences: Cosines. Shape ``(n_questions, n_sentences)``.
        paragraphs: Cosines. Shape ``(n_questions, n_paragraphs)``.
        paragraph_of: The paragraph of each sentence. Shape ``(n_sentences,)``.
        gold: Weights of the sentences, summing to 1. Shape ``(n_questions, n_sentences)``.
    """

    sentences: torch.Tensor
    paragraphs: torch.Tensor
    paragraph_of: torch.Tensor
    gold: torch.Tensor

    def mixed(self, share: float) -> torch.Tensor:
        """Cosines of sentences, each with its paragraph's. Shape ``(n_questions, n_sentences)``."""
        return share * self.sentences + (1 - share) * self.paragraphs[:, self.paragraph_of]

    def gold_paragraphs(self) -> torch.Tensor:
        """Weights of the paragraphs. Shape ``(n_questions, n_paragraphs)``."""
        return torch.zeros_like(self.paragraphs).index_add(1, self.paragraph_of, self.gold)


class EncoderTask:
    """See ``loop.Task``; a step is some examples of different documents."""

    def __init__(self, recipe: EncoderRecipe, source: EncoderSource, root: Path, *, device: str = "cpu") -> None:
        training = recipe.training
        torch.manual_seed(training.loop.seed)
        self._training = training
        self.module: TorchTokens = TorchTokens(source, dropout=training.encoder.dropout, bf16=training.encoder.bf16)
        self.module.bert.freeze(training.encoder.frozen_layers)
        self.module.to(device)
        weights = dict(_weight(text) for text in recipe.data.weights)
        self._train = list(self._examples(read_items(root, recipe.data.train), weights))
        self._dev = list(self._examples(read_items(root, recipe.data.dev), weights))
        self.optimiser: torch.optim.AdamW = torch.optim.AdamW(
            [weight for weight in self.module.parameters() if weight.requires_grad],
            lr=training.encoder.learning_rate,
            weight_decay=0.01,
            betas=(0.9, 0.98),
        )

    def steps(self, epoch: int, _chance: random.Random) -> Sequence[list[Example]]:
        """The next steps of one long schedule, which does not depend on where a run resumes."""
        first = epoch * self._training.steps_per_epoch
        schedule = scheduled(self._train, self._training.step_tokens, random.Random(self._training.loop.seed))
        return list(islice(schedule, first, first + self._training.steps_per_epoch))

    def loss(self, step: list[Example], _chance: random.Random) -> tuple[torch.Tensor, Mapping[str, float]]:
        """Cross entropy over all sentences of the step, and over all of its paragraphs."""
        found = similarities(self.module, step)
        of_sentences, of_paragraphs = self._losses(found)
        weight = torch.tensor([e.weight / len(e.questions) ** 0.5 for e in step for _ in e.questions])
        weight = weight / weight.sum()
        sentences, paragraphs = (weight * of_sentences).sum(), (weight * of_paragraphs).sum()
        parts = {"sentences": sentences.item(), "paragraphs": paragraphs.item()}
        return sentences + self._training.paragraph * paragraphs, parts

    def rate(self, share: float, _n_steps: int) -> float:
        """Linear warm-up, cosine decay."""
        return cosine(share, warm_up=self._training.warm_up)

    def score(self) -> tuple[float, Mapping[str, float]]:
        """The figures of these weights, and their sum."""
        figures = self.figures(self.module)
        return sum(figures.values()), figures

    def figures(self, reader: TokenReader) -> Mapping[str, float]:
        """Mean reciprocal rank, in percent, of the best sentence and of the best paragraph within each dev item."""
        ranks: list[tuple[float, float]] = []
        for example in self._dev:
            found = similarities(reader, [example])
            best_sentences = reciprocal_ranks(found.mixed(self._training.mix), found.gold)
            ranks += zip(best_sentences, reciprocal_ranks(found.paragraphs, found.gold_paragraphs()), strict=True)
        sentence, paragraph = (100 * float(np.mean(column)) for column in zip(*ranks, strict=True))
        return {"sentence MRR": sentence, "paragraph MRR": paragraph}

    def _losses(self, found: Similarities) -> tuple[torch.Tensor, torch.Tensor]:
        training = self._training
        logits = training.scale * found.mixed(training.mix)
        own_view = logits.detach().masked_fill(found.gold == 0, _NEVER).softmax(dim=-1)
        target = training.given * found.gold + (1 - training.given) * own_view
        of_sentences = -(target * logits.log_softmax(dim=-1)).sum(dim=-1)
        log_paragraphs = (training.scale * found.paragraphs).log_softmax(dim=-1)
        of_paragraphs = -log_paragraphs.masked_fill(found.gold_paragraphs() == 0, _NEVER).logsumexp(dim=-1)
        return of_sentences, of_paragraphs

    def _examples(self, items: Sequence[Item], weights: Mapping[str, float]) -> Iterator[Example]:
        for item in items:
            example = in_tokens(self.module, item, weights.get(item.set, 1.0))
            if example.questions:
                yield example


def in_tokens(reader: TokenReader, item: Item, weight: float) -> Example:
    """The tokenised item: paragraphs are truncated to the window; questions without remaining evidence are left out."""
    paragraphs: list[list[list[int]]] = []
    for sentences in item.paragraphs:
        kept: list[list[int]] = []
        for found in reader.tokenise(sentences):
            ids = found.ids[:_MAX_SENTENCE] or [reader.unknown_id]
            if sum(map(len, kept)) + len(ids) > _MAX_PARAGRAPH:
                break
            kept.append(ids)
        paragraphs.append(kept)
    asked = reader.tokenise([question.text for question in item.questions])
    questions = []
    for found, question in zip(asked, item.questions, strict=True):
        left = {number: values[: len(paragraphs[number])] for number, values in question.evidence.items()}
        if any(sum(values) > 0 for values in left.values()):
            questions.append((found.ids[:_MAX_QUESTION], left))
    return Example(paragraphs, questions, weight)


def scheduled(examples: Sequence[Example], step_tokens: int, chance: random.Random) -> Iterator[list[Example]]:
    """Endless steps of at least this many tokens; examples are shuffled in every round."""
    step: list[Example] = []
    while examples:
        for example in chance.sample(examples, len(examples)):
            step.append(example)
            if sum(one.n_tokens for one in step) >= step_tokens:
                yield step
                step = []


def similarities(reader: TokenReader, examples: Sequence[Example]) -> Similarities:
    """Reads every paragraph and question once."""
    paragraphs = [sentences for example in examples for sentences in example.paragraphs]
    rows = [[reader.start_id, *(i for sentence in p for i in sentence), reader.end_id] for p in paragraphs]
    asked = [[reader.start_id, *ids, reader.end_id] for example in examples for ids, _ in example.questions]
    vectors = token_vectors(reader, [*rows, *asked])
    paragraph_of = torch.tensor([number for number, sentences in enumerate(paragraphs) for _ in sentences])
    pooled = [mean for row, p in zip(vectors, paragraphs, strict=False) for mean in _means(row, list(map(len, p)))]
    sentences = functional.normalize(torch.stack(pooled), dim=-1)
    summed = sentences.new_zeros(len(rows), sentences.shape[1]).index_add(0, paragraph_of, sentences)
    questions = functional.normalize(torch.stack([row.mean(dim=0) for row in vectors[len(rows) :]]), dim=-1)
    return Similarities(
        sentences=questions @ sentences.T,
        paragraphs=questions @ functional.normalize(summed, dim=-1).T,
        paragraph_of=paragraph_of,
        gold=_gold(examples),
    )


def token_vectors(reader: TokenReader, rows: Sequence[list[int]]) -> list[torch.Tensor]:
    """The vectors of each row, in order; rows of similar length are read together."""
    found: dict[int, torch.Tensor] = {}
    block: list[int] = []
    order = sorted(range(len(rows)), key=lambda number: len(rows[number]))
    for number, following in zip(order, [*order[1:], None], strict=True):
        block.append(number)
        if following is None or len(rows[following]) * (len(block) + 1) > _BLOCK:
            read = map(torch.as_tensor, reader.read([rows[i] for i in block]))
            found |= zip(block, read, strict=True)
            block = []
    return [found[number] for number in range(len(rows))]


def reciprocal_ranks(scores: torch.Tensor, gold: torch.Tensor) -> list[float]:
    """1 / rank of the column with the greatest gold weight, for each row."""
    best = scores.gather(1, gold.argmax(dim=1, keepdim=True))
    return (1 / (scores > best).sum(dim=1).add(1).double()).tolist()


def _means(row: torch.Tensor, lengths: Sequence[int]) -> list[torch.Tensor]:
    """Mean vectors of the sentences of a paragraph that was read between two special tokens."""
    return [part.mean(dim=0) for part in row[1:-1].split(list(lengths))]


def _gold(examples: Sequence[Example]) -> torch.Tensor:
    """Weights of all sentences for each question, summing to 1; 0 in the other examples."""
    n_sentences = sum(len(sentences) for example in examples for sentences in example.paragraphs)
    rows: list[list[float]] = []
    first = 0
    for example in examples:
        sizes = list(map(len, example.paragraphs))
        for _, evidence in example.questions:
            own = [w for number, size in enumerate(sizes) for w in evidence.get(number, (0.0,) * size)]
            rows.append([0.0] * first + own + [0.0] * (n_sentences - first - len(own)))
        first += sum(sizes)
    gold = torch.tensor(rows)
    return gold / gold.sum(dim=1, keepdim=True)


def _weight(text: str) -> tuple[str, float]:
    name, value = text.split()
    return name, float(value)


def interpolated(source: EncoderSource, weights: Weights, share: float) -> EncoderSource:
    """The encoder between its own weights (share 0) and the tuned ones (share 1)."""
    new = tuned(source, weights, _ENCODER).weights
    between = {name: old + np.float32(share) * (new[name] - old) for name, old in source.weights.items()}
    return replace(source, weights=between)


def train_encoder(recipe: EncoderRecipe, run: Run) -> Mapping[str, float]:
    """Writes the folder for ``OnnxEncoder`` and returns its dev figures; see ``Run.make``."""
    source = encoder_source(recipe.training.encoder.source)
    task = EncoderTask(recipe, source, run.root, device=run.device)

    def export(best: Path, folder: Path) -> Mapping[str, float]:
        made = interpolated(source, read_weights(best), recipe.training.share)
        export_encoder(made, folder, name=recipe.name, window_tokens=MINILM_WINDOW)
        return task.figures(OnnxTokens(folder, threads=recipe.training.loop.threads))

    data = recipe.data
    product = Product(recipe.name, _ABOUT, _MEASURED, data.licence, data.sources, source.name, data.files)
    return run.make(recipe, task, recipe.training.loop, export, product)
