"""Fine-tuning of a local chat model as a reader, with low-rank adapters (LoRA).

The data are chats written by ``treatise train reader-data`` from any recipe, with or without structure in the prompts.
So the three conditions of Disco-RAG (table 10) and HTSIR (table 5) are three pairs of files.
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import torch
from peft import LoraConfig, get_peft_model, get_peft_model_state_dict
from safetensors.torch import load_file, save_file
from torch.nn import functional
from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.utils.logging import disable_progress_bar

from treatise.core.errors import DataError
from treatise.train.config import TrainingFiles
from treatise.train.loop import LoopOptions, cosine
from treatise.train.run import Product, Run

_IGNORED: Final = -100
_ABOUT: Final = "Low-rank adapters for a chat model that answers questions from passages. Load them with `peft`."
_MEASURED: Final = "Perplexity and share of answer tokens that come first, on the dev chats."
_ROLES: Final = ("system", "user", "assistant")


@dataclass(frozen=True, slots=True)
class Adapter:
    """The low-rank matrices.

    Attributes:
        rank: Rank of each matrix.
        alpha: Their output is scaled by ``alpha / rank``.
        dropout: Dropout on their input.
        targets: Names of the adapted layers; empty for every linear layer except the output.
    """

    rank: int = 16
    alpha: int = 32
    dropout: float = 0.05
    targets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReaderTraining:
    """Settings of one run.

    Attributes:
        learning_rate: Peak rate.
        batch: Chats per step.
        max_tokens: Longest chat; longer ones are skipped and counted, since a truncated prompt would teach guessing.
        adapter: The matrices.
        loop: Epochs, seed, early stopping.
    """

    learning_rate: float = 2e-4
    batch: int = 8
    max_tokens: int = 4096
    adapter: Adapter = field(default_factory=Adapter)
    loop: LoopOptions = field(default_factory=LoopOptions)


@dataclass(frozen=True, slots=True)
class ReaderRecipe:
    """The recipe of a reader.

    Attributes:
        name: Identifies the adapters.
        model: A folder with a chat model and its tokenizer, as ``transformers`` saves them; below the data folder, or
            an absolute path.
        training: The run.
        data: Lines ``{"id", "messages": [{"role", "content"}...]}``; the last message is the answer.
    """

    name: str
    model: str
    training: ReaderTraining
    data: TrainingFiles


@dataclass(frozen=True, slots=True)
class Chat:
    """A tokenised chat: the last ``n_answer`` tokens are the answer."""

    ids: list[int]
    n_answer: int


def train_reader(recipe: ReaderRecipe, run: Run) -> Mapping[str, float]:
    """Trains and writes adapters; returns their dev figures.

    Raises:
        DataError: If model or chats cannot be read, or no chat is short enough.
    """
    folder = run.root / recipe.model
    tokenizer, model = _opened(folder)
    train, dev = ([_read(run.root / file) for file in files] for files in (recipe.data.train, recipe.data.dev))
    chats = [chat for lines in train for chat in _encoded(lines, tokenizer, recipe.training.max_tokens)]
    dev_chats = [chat for lines in dev for chat in _encoded(lines, tokenizer, recipe.training.max_tokens)]
    if not chats or not dev_chats:
        raise DataError(
            f"no chat of {recipe.data.train} or {recipe.data.dev} has at most {recipe.training.max_tokens} tokens"
        )
    torch.manual_seed(recipe.training.loop.seed)
    task = _Reading(_adapted(model, recipe.training.adapter), chats, dev_chats, recipe.training)

    def export(weights: Path, out: Path) -> Mapping[str, float]:
        task.module.load_state_dict(load_file(weights), strict=False)
        out.mkdir(parents=True, exist_ok=True)
        save_file(get_peft_model_state_dict(task.module), out / "adapter_model.safetensors")
        settings = task.module.peft_config["default"].to_dict() | {"base_model_name_or_path": folder.name}
        plain = {key: sorted(value) if isinstance(value, set) else value for key, value in settings.items()}
        (out / "adapter_config.json").write_text(json.dumps(plain, indent=1, default=str) + "\n", encoding="utf-8")
        n_read = sum(map(len, train))
        return dict(task.score()[1]) | {"chats used": 100 * len(chats) / n_read}

    product = Product(
        name=recipe.name,
        about=_ABOUT,
        measured=_MEASURED,
        licence=recipe.data.licence,
        sources=recipe.data.sources,
        encoder=folder.name,
        files=recipe.data.files,
    )
    return run.make(recipe, task, recipe.training.loop, export, product)


class _Reading:
    """Next-token prediction on answers only."""

    def __init__(self, module: Any, chats: Sequence[Chat], dev: Sequence[Chat], training: ReaderTraining) -> None:
        self.module = module
        tuned = [parameter for parameter in module.parameters() if parameter.requires_grad]
        self.optimiser = torch.optim.AdamW(tuned, lr=training.learning_rate, weight_decay=0.0)
        self._chats, self._dev, self._batch = chats, dev, training.batch

    def steps(self, _epoch: int, chance: random.Random) -> Sequence[list[Chat]]:
        """Batches of chats of similar length, in random order."""
        shuffled = sorted(chance.sample(self._chats, len(self._chats)), key=lambda chat: len(chat.ids))
        batches = list(_batches(shuffled, self._batch))
        chance.shuffle(batches)
        return batches

    def loss(self, step: list[Chat], _chance: random.Random) -> tuple[torch.Tensor, Mapping[str, float]]:
        """Mean over the answers' tokens."""
        logits, labels = self._logits(step)
        value = functional.cross_entropy(logits, labels)
        return value, {"answer": float(value.detach())}

    def rate(self, share: float, _n_steps: int) -> float:
        """Linear warm-up, cosine decay."""
        return cosine(share)

    def score(self) -> tuple[float, Mapping[str, float]]:
        """Negative loss; perplexity and accuracy as figures."""
        self.module.eval()
        total = hits = n = 0.0
        with torch.no_grad():
            for step in _batches(self._dev, self._batch):
                logits, labels = self._logits(step)
                total += float(functional.cross_entropy(logits, labels, reduction="sum"))
                hits += float((logits.argmax(-1) == labels).sum())
                n += len(labels)
        self.module.train()
        return -total / n, {"perplexity": float(torch.tensor(total / n).exp()), "answer tokens": 100 * hits / n}

    def _logits(self, step: Sequence[Chat]) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits at every answer token, and the tokens. Shapes ``(n, vocabulary)`` and ``(n,)``."""
        longest = max(len(chat.ids) for chat in step)
        ids = torch.tensor([chat.ids + [0] * (longest - len(chat.ids)) for chat in step])
        mask = torch.tensor([[1] * len(chat.ids) + [0] * (longest - len(chat.ids)) for chat in step])
        labels = torch.full_like(ids, _IGNORED)
        for row, chat in enumerate(step):
            end = len(chat.ids)
            labels[row, end - chat.n_answer : end] = ids[row, end - chat.n_answer : end]
        logits = self.module(input_ids=ids, attention_mask=mask).logits[:, :-1]
        wanted = labels[:, 1:] != _IGNORED
        return logits[wanted].float(), labels[:, 1:][wanted]


def _batches(chats: Sequence[Chat], size: int) -> Iterator[list[Chat]]:
    for start in range(0, len(chats), size):
        yield list(chats[start : start + size])


def _opened(folder: Path) -> tuple[Any, Any]:
    disable_progress_bar()
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        return tokenizer, AutoModelForCausalLM.from_pretrained(folder, local_files_only=True, dtype=torch.float32)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise DataError(f"{folder} contains no chat model that transformers can read: {reason}") from error


def _adapted(model: Any, adapter: Adapter) -> Any:
    config = LoraConfig(
        task_type="CAUSAL_LM",
        r=adapter.rank,
        lora_alpha=adapter.alpha,
        lora_dropout=adapter.dropout,
        target_modules=list(adapter.targets) or "all-linear",
    )
    return get_peft_model(model, config)


def _read(path: Path) -> list[list[dict[str, str]]]:
    """The chats of a file; each ends with the assistant's answer."""
    chats = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path} cannot be read: {error}") from error
    for number, line in enumerate(lines, 1):
        try:
            messages = json.loads(line)["messages"]
            roles = [message["role"] for message in messages]
            is_chat = set(roles) <= set(_ROLES) and all(isinstance(message["content"], str) for message in messages)
        except (ValueError, KeyError, TypeError) as error:
            raise DataError(f'{path}, line {number}: expected {{"id", "messages"}}, found {line[:60]!r}') from error
        if not is_chat or roles[-1:] != ["assistant"] or "user" not in roles:
            raise DataError(f"{path}, line {number}: expected turns of {_ROLES}, the answer last; found {roles}")
        chats.append(messages)
    return chats


def _encoded(chats: Sequence[Sequence[dict[str, str]]], tokenizer: Any, max_tokens: int) -> Iterator[Chat]:
    """The tokenised chats in the model's chat template, if any, without those that are too long."""
    for messages in chats:
        prompt = tokenizer(_prompt(messages[:-1], tokenizer), add_special_tokens=False)["input_ids"]
        end = [tokenizer.eos_token_id] if tokenizer.eos_token_id is not None else []
        answer = tokenizer(messages[-1]["content"], add_special_tokens=False)["input_ids"] + end
        if len(prompt) + len(answer) <= max_tokens:
            yield Chat(prompt + answer, len(answer))


def _prompt(messages: Sequence[dict[str, str]], tokenizer: Any) -> str:
    if tokenizer.chat_template:
        text: str = tokenizer.apply_chat_template(list(messages), tokenize=False, add_generation_prompt=True)
        return text
    turns = "".join(f"{message['role'].upper()}: {message['content']}\n" for message in messages)
    return f"{turns}ASSISTANT: "
