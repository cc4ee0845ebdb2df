"""The training loop of all recipes: deterministic given a seed, resumable at each epoch, with early stopping."""

import hashlib
import json
import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

import numpy as np
import torch
from torch import nn

from treatise.core.errors import DataError
from treatise.core.ports import Progress
from treatise.train.checkpoint import (
    RunState,
    below,
    load_checkpoint,
    optimiser_tensors,
    restore_optimiser,
    save_checkpoint,
    trained,
    under,
)

CHECKPOINT: Final = "checkpoint.safetensors"
BEST: Final = "best.safetensors"
LOG: Final = "log.jsonl"

_FLOOR: Final = 0.02  # of the highest learning rate: the decay ends there

Step = TypeVar("Step")


@dataclass(frozen=True, slots=True)
class LoopOptions:
    """Settings of the loop.

    Attributes:
        epochs: Maximum passes over the training data.
        seed: Seed of all random numbers.
        threads: Processor threads; figures are bit-identical only for the same number.
        clip: Maximum gradient norm per group.
        average: Decay of the running mean of the weights, which is scored and saved; 0 disables it.
        patience: Epochs without a better score after which a run ends; 0 for never.
        score_every: Epochs between two scorings on dev.
    """

    epochs: int = 12
    seed: int = 1
    threads: int = 1
    clip: float = 5.0
    average: float = 0.0
    patience: int = 0
    score_every: int = 1

    def __post_init__(self) -> None:
        for name in ("epochs", "threads", "score_every"):
            if getattr(self, name) < 1:
                raise DataError(f"{name!r} of the recipe must be at least 1, found {getattr(self, name)}")


class Task(Protocol[Step]):
    """A training task.

    Attributes:
        module: Its parameters; those without gradient are neither trained nor saved.
        optimiser: With the highest learning rate of each group.
    """

    module: nn.Module
    optimiser: torch.optim.Optimizer

    def steps(self, epoch: int, chance: random.Random, /) -> Sequence[Step]:
        """The steps of an epoch in order, the same number in every epoch."""
        ...

    def loss(self, step: Step, chance: random.Random, /) -> tuple[torch.Tensor, Mapping[str, float]]:
        """The loss, and its parts for the log."""
        ...

    def rate(self, share: float, n_steps: int, /) -> float:
        """Factor of the learning rate after this share, and this number, of steps."""
        ...

    def score(self) -> tuple[float, Mapping[str, float]]:
        """Quality on dev: one number for selection, and the figures behind it."""
        ...


class Trainer(Generic[Step]):
    """A run in a folder: ``checkpoint.safetensors``, ``best.safetensors`` and ``log.jsonl`` with one line per epoch."""

    def __init__(self, task: Task[Step], options: LoopOptions, folder: Path, *, settings: str) -> None:
        torch.set_num_threads(options.threads)
        on_processor = all(weight.device.type == "cpu" for weight in task.module.parameters())
        torch.use_deterministic_algorithms(mode=True, warn_only=not on_processor)
        torch.utils.deterministic.fill_uninitialized_memory = False  # costs a sixth of a step
        folder.mkdir(parents=True, exist_ok=True)
        self._task, self._options, self._folder = task, options, folder
        self._highest = [group["lr"] for group in task.optimiser.param_groups]
        self._state, tensors = load_checkpoint(folder / CHECKPOINT, settings)
        if tensors:
            task.module.load_state_dict(below(tensors, "weights"), strict=False)
            restore_optimiser(task.optimiser, below(tensors, "optimiser"))
        self._average = below(tensors, "average") or {k: v.clone() for k, v in trained(task.module).items()}

    def run(self, *, progress: Progress | None = None, report: Callable[[str], None] | None = None) -> RunState:
        """Trains to the end, resuming an earlier run.

        Args:
            progress: Called with the number of finished steps, and of all.
            report: Called with one line per epoch.
        """
        options = self._options
        while self._state.epoch < options.epochs and not self._stale():
            line = self._epoch(progress)
            with (self._folder / LOG).open("a", encoding="utf-8") as log:
                log.write(json.dumps(line) + "\n")
            if report:
                report(summary(line))
        return self._state

    def _stale(self) -> bool:
        state, patience = self._state, self._options.patience
        return bool(patience and state.best_epoch and state.epoch - state.best_epoch >= patience)

    def _epoch(self, progress: Progress | None) -> dict[str, Any]:
        options, epoch = self._options, self._state.epoch
        chance = seeded(options.seed * 1000 + epoch)
        steps = self._task.steps(epoch, chance)
        started = time.monotonic()
        sums: dict[str, float] = {}
        for number, step in enumerate(steps):
            parts = self._step(step, chance, n_all=len(steps) * options.epochs)
            sums |= {name: sums.get(name, 0.0) + value for name, value in parts.items()}
            if progress:
                progress(epoch * len(steps) + number + 1, len(steps) * options.epochs)
        seconds = time.monotonic() - started
        self._state = replace(self._state, epoch=epoch + 1)
        line: dict[str, Any] = {
            "epoch": epoch + 1,
            "loss": {name: round(value / max(1, len(steps)), 4) for name, value in sums.items()},
            "seconds": round(seconds, 1),
            "steps_per_s": round(len(steps) / max(seconds, 1e-9), 2),
        }
        if (epoch + 1) % options.score_every == 0 or epoch + 1 == options.epochs:
            line |= self._score()
        self._save()
        line["remaining_s"] = round((time.monotonic() - started) * (options.epochs - epoch - 1))
        return line

    def _step(self, step: Step, chance: random.Random, *, n_all: int) -> Mapping[str, float]:
        task, n_done = self._task, self._state.n_steps
        factor = task.rate(n_done / n_all, n_done)
        for group, highest in zip(task.optimiser.param_groups, self._highest, strict=True):
            group["lr"] = highest * factor
        task.module.train()
        loss, parts = task.loss(step, chance)
        loss.backward()
        for group in task.optimiser.param_groups:
            nn.utils.clip_grad_norm_(group["params"], self._options.clip)
        task.optimiser.step()
        task.optimiser.zero_grad(set_to_none=True)
        self._state = replace(self._state, n_steps=n_done + 1)
        self._follow()
        return parts

    def _follow(self) -> None:
        """Moves the running mean; its decay is lower at first, so that early weights fade quickly."""
        done = self._state.n_steps
        decay = min(self._options.average, (1 + done) / (10 + done))
        for name, weight in trained(self._task.module).items():
            self._average[name].lerp_(weight, 1 - decay)

    def _score(self) -> dict[str, Any]:
        """Scores the mean weights, and saves them if they are the best so far."""
        module = self._task.module
        last = {name: weight.clone() for name, weight in trained(module).items()}
        module.load_state_dict(self._average, strict=False)
        module.eval()
        with torch.no_grad():
            score, figures = self._task.score()
        if better := score > self._state.best:
            epoch = self._state.epoch
            self._state = replace(self._state, best=score, best_epoch=epoch, figures=dict(figures))
            save_checkpoint(self._folder / BEST, self._state, self._average)
        module.load_state_dict(last, strict=False)
        return {"score": round(score, 3), "best": better, "figures": {k: round(v, 2) for k, v in figures.items()}}

    def _save(self) -> None:
        tensors = {
            **dict(under("weights", trained(self._task.module))),
            **dict(under("average", self._average)),
            **dict(under("optimiser", optimiser_tensors(self._task.optimiser))),
        }
        save_checkpoint(self._folder / CHECKPOINT, self._state, tensors)


def seeded(seed: int) -> random.Random:
    """Seeds torch and numpy, and returns a generator of the same seed."""
    torch.manual_seed(seed)
    np.random.seed(seed % 2**32)
    return random.Random(seed)


def digest(recipe: object) -> str:
    """A hash of a recipe (a dataclass)."""
    return hashlib.sha256(json.dumps(asdict(recipe), sort_keys=True).encode()).hexdigest()[:16]  # type: ignore[call-overload]


def linear(share: float, *, warm_up: float) -> float:
    """Factor with linear warm-up, then linear decay."""
    return min((share + 1e-3) / max(warm_up, 1e-3), max(_FLOOR, (1 - share) / (1 - warm_up)))


def cosine(share: float, *, warm_up: float = 1 / 15) -> float:
    """Factor with linear warm-up, then cosine decay."""
    fall = _FLOOR + (1 - _FLOOR) * 0.5 * (1 + math.cos(math.pi * min(1.0, share)))
    return min((share + 1e-3) / max(warm_up, 1e-3), fall)


def summary(line: Mapping[str, Any]) -> str:
    """One epoch as text.

    >>> summary({"epoch": 3, "loss": {"shape": 1.5}, "seconds": 60.0, "steps_per_s": 2.0, "remaining_s": 120})
    'epoch 3  60 s, 2.0 steps/s, 120 s left  loss shape 1.5'
    """
    text = (
        f"epoch {line['epoch']}  {line['seconds']:.0f} s, {line['steps_per_s']} steps/s, {line['remaining_s']} s left"
    )
    text += "  loss " + ", ".join(f"{name} {value}" for name, value in line["loss"].items())
    if "figures" in line:
        text += "  dev " + ", ".join(f"{name} {value}" for name, value in line["figures"].items())
        text += "  (best so far)" if line["best"] else ""
    return text
