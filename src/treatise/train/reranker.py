"""Training of the reranker: MiniLM learns to score how well a passage answers a question.

Passages are like those of retrieval: runs of one to four sentences of a paragraph. A softmax over a group distinguishes
one run with evidence from runs without, most of which share words with the question.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from treatise.train.bert import Bert, padded
from treatise.train.encoder import QuestionSets, reciprocal_ranks
from treatise.train.encoder_export import export_reranker
from treatise.train.loop import LoopOptions, cosine
from treatise.train.questions import Item, Question, read_items
from treatise.train.readers import EncoderConfig
from treatise.train.run import Product, Run
from treatise.train.source import EncoderSource, encoder_source, read_weights, tuned

_LONGEST_RUN: Final = 4
_DEV_GROUP: Final = 16
_ABOUT: Final = (
    "A cross-encoder that reads a question and a passage together and gives one number: how well the passage answers. "
    "int8 ONNX, loaded without torch."
)
_MEASURED: Final = (
    f"Mean reciprocal rank of the evidence among up to {_DEV_GROUP} passages of its document, in percent."
)


@dataclass(frozen=True, slots=True)
class RerankerTraining:
    """Settings of one run.

    Attributes:
        steps_per_epoch: Steps between two scorings; data is repeated as needed.
        questions: Questions per step.
        group: Passages per question; one has evidence.
        dev_questions: Maximum number of dev questions, sampled once.
        window_tokens: Longest pair, special tokens included; passages are cut to it.
        warm_up: Share of the steps in which the rate rises.
        head_rate: Learning rate of the last layer, which is initialised randomly.
        encoder: The encoder.
        loop: Epochs, seed, early stopping.
    """

    steps_per_epoch: int = 50
    questions: int = 4
    group: int = 8
    dev_questions: int = 200
    window_tokens: int = 160
    warm_up: float = 1 / 15
    head_rate: float = 1e-3
    encoder: EncoderConfig = field(default_factory=EncoderConfig)
    loop: LoopOptions = field(default_factory=LoopOptions)


@dataclass(frozen=True, slots=True)
class RerankerRecipe:
    """The recipe of a reranker.

    Attributes:
        name: Identifies the weights.
        training: The run.
        data: The questions: the files of the retrieval encoder.
    """

    name: str
    training: RerankerTraining
    data: QuestionSets


@dataclass(frozen=True, slots=True)
class Group:
    """A question, a passage with evidence, and others without."""

    question: str
    passages: tuple[str, ...]  # the first has the evidence


class CrossEncoder(nn.Module):
    """Scores pairs of texts with a linear layer on the vector of the first token.

    Args:
        source: Initial weights, and the tokenizer.
        config: Which parts are trained.
        window_tokens: Longest pair.
    """

    def __init__(self, source: EncoderSource, config: EncoderConfig, window_tokens: int) -> None:
        from tokenizers import Tokenizer

        super().__init__()
        self.bert: Bert = Bert(source, dropout=config.dropout)
        self.bert.freeze(config.frozen_layers)
        self.head: nn.Linear = nn.Linear(source.dim, 1)
        self._padding_id = source.special_id("[PAD]")
        self._bf16 = config.bf16
        self._tokenizer = Tokenizer.from_str(source.tokenizer)
        self._tokenizer.enable_truncation(window_tokens, strategy="only_second")
        self._tokenizer.no_padding()

    def forward(self, pairs: Sequence[tuple[str, str]]) -> torch.Tensor:
        """One logit per pair. Shape ``(n_pairs,)``."""
        rows = [encoding.ids for encoding in self._tokenizer.encode_batch(list(pairs))]
        ids, mask = padded(rows, self._padding_id)
        with torch.autocast("cpu", torch.bfloat16, enabled=self._bf16 and self.training):
            vectors = self.bert(ids, mask)
        logits: torch.Tensor = self.head(vectors[:, 0].float())[:, 0]
        return logits


class RerankerTask:
    """See ``loop.Task``; a step is a batch of groups."""

    def __init__(self, recipe: RerankerRecipe, source: EncoderSource, root: Path) -> None:
        training = recipe.training
        torch.manual_seed(training.loop.seed)
        self._training = training
        self.module: CrossEncoder = CrossEncoder(source, training.encoder, training.window_tokens)
        self._weights = {name: float(value) for name, value in (text.split() for text in recipe.data.weights)}
        self._train = read_items(root, recipe.data.train)
        chance = random.Random(training.loop.seed)
        asked = [(item, question) for item in read_items(root, recipe.data.dev) for question in item.questions]
        asked = chance.sample(asked, min(len(asked), training.dev_questions))
        self._dev = [group_of(item, question, _DEV_GROUP, chance) for item, question in asked]
        self.optimiser: torch.optim.AdamW = torch.optim.AdamW(
            [
                {
                    "params": [p for p in self.module.bert.parameters() if p.requires_grad],
                    "lr": training.encoder.learning_rate,
                },
                {"params": list(self.module.head.parameters()), "lr": training.head_rate},
            ],
            weight_decay=0.01,
        )

    def steps(self, epoch: int, _chance: random.Random) -> Sequence[list[Group]]:
        """The next steps of one long schedule, which does not depend on where a run resumes."""
        first = epoch * self._training.steps_per_epoch
        return list(islice(self._schedule(), first, first + self._training.steps_per_epoch))

    def loss(self, step: list[Group], _chance: random.Random) -> tuple[torch.Tensor, Mapping[str, float]]:
        """Cross entropy of the passage with evidence within its group."""
        logits = self._logits(step)
        value = functional.cross_entropy(logits, torch.zeros(len(step), dtype=torch.long))
        return value, {"group": float(value.detach())}

    def rate(self, share: float, _n_steps: int) -> float:
        """Linear warm-up, cosine decay."""
        return cosine(share, warm_up=self._training.warm_up)

    def score(self) -> tuple[float, Mapping[str, float]]:
        """The figure of these weights."""
        figures = dict(self.figures(self.module))
        return sum(figures.values()), figures

    def figures(self, scorer: nn.Module) -> Mapping[str, float]:
        """Mean reciprocal rank of the passage with evidence within its dev group, in percent."""
        ranks: list[float] = []
        for group in self._dev:
            scores = scorer([(group.question, passage) for passage in group.passages])[None]
            gold = torch.zeros_like(scores)
            gold[0, 0] = 1
            ranks += reciprocal_ranks(scores, gold)
        return {"MRR": 100 * float(np.mean(ranks))}

    def _schedule(self) -> Iterator[list[Group]]:
        """Endless groups; questions are drawn with the weight of their set."""
        chance = random.Random(self._training.loop.seed)
        asked = [(item, question) for item in self._train for question in item.questions]
        weights = [self._weights.get(item.set, 1.0) / len(item.questions) ** 0.5 for item, _ in asked]
        while asked:
            drawn = chance.choices(asked, weights, k=self._training.questions)
            yield [group_of(item, question, self._training.group, chance) for item, question in drawn]

    def _logits(self, step: Sequence[Group]) -> torch.Tensor:
        """Shape ``(n_groups, passages of the longest)``; -inf where a group has fewer."""
        pairs = [(group.question, passage) for group in step for passage in group.passages]
        found = self.module(pairs).split([len(group.passages) for group in step])
        return nn.utils.rnn.pad_sequence(list(found), batch_first=True, padding_value=float("-inf"))


def group_of(item: Item, question: Question, size: int, chance: random.Random) -> Group:
    """A run of sentences around one with evidence, drawn by its weight, and up to ``size - 1`` runs without any."""
    evidence = [
        (number, place, weight)
        for number, weights in sorted(question.evidence.items())
        for place, weight in enumerate(weights)
        if weight > 0
    ]
    number, place, _ = chance.choices(evidence, [weight for _, _, weight in evidence])[0]
    others = [(n, p) for n, sentences in enumerate(item.paragraphs) for p in range(len(sentences))]
    free = [(n, p) for n, p in others if not any(question.evidence.get(n, ()))]
    near = sorted(free, key=lambda at: -_shared(question.text, item.paragraphs[at[0]][at[1]]))[: 2 * size]
    n_near = min(len(near), (size - 1 + 1) // 2)
    chosen = chance.sample(near, n_near)
    rest = [at for at in free if at not in chosen]
    chosen += chance.sample(rest, min(len(rest), size - 1 - n_near))
    return Group(question.text, tuple(_run(item.paragraphs[n], p, chance) for n, p in [(number, place), *chosen]))


def _run(sentences: Sequence[str], place: int, chance: random.Random) -> str:
    """One to four neighbouring sentences, including the one at ``place``."""
    length = min(chance.randint(1, _LONGEST_RUN), len(sentences))
    first = chance.randint(max(0, place - length + 1), min(place, len(sentences) - length))
    return " ".join(sentences[first : first + length])


def _shared(question: str, sentence: str) -> int:
    """Words of more than three letters in common."""
    return len({w for w in question.lower().split() if len(w) > 3} & set(sentence.lower().split()))


def train_reranker(recipe: RerankerRecipe, run: Run) -> Mapping[str, float]:
    """Writes the folder for ``OnnxReranker`` and returns its dev figures; see ``Run.make``."""
    source = encoder_source(recipe.training.encoder.source)
    task = RerankerTask(recipe, source, run.root)

    def export(best: Path, folder: Path) -> Mapping[str, float]:
        weights = read_weights(best)
        head = weights["head.weight"], weights["head.bias"]
        made = tuned(source, weights, "bert.")
        export_reranker(made, head, folder, name=recipe.name, window_tokens=recipe.training.window_tokens)
        return task.figures(_Exported(folder))

    data = recipe.data
    product = Product(recipe.name, _ABOUT, _MEASURED, data.licence, data.sources, source.name, data.files)
    return run.make(recipe, task, recipe.training.loop, export, product)


class _Exported(nn.Module):
    """The exported folder, with the interface of the module."""

    def __init__(self, folder: Path) -> None:
        from treatise.engines.onnx_reranker import OnnxReranker

        super().__init__()
        self._reranker = OnnxReranker(folder, threads=1)

    def forward(self, pairs: Sequence[tuple[str, str]]) -> torch.Tensor:
        return torch.tensor(self._reranker.score(pairs[0][0], [passage for _, passage in pairs]))
