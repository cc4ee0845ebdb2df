"""Checkpoints of training runs: one safetensors file, replaced atomically."""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import nn

from treatise.core.errors import DataError

_KEY: Final = "run"


@dataclass(frozen=True, slots=True)
class RunState:
    """The state of a run.

    Attributes:
        settings: Digest of the recipe; a run resumes only with the same recipe.
        epoch: Epochs done.
        n_steps: Steps of the optimiser done.
        best: The best score so far, and the epoch that reached it.
        best_epoch: That epoch; 0 if none was scored.
        figures: Figures of the best epoch.
    """

    settings: str
    epoch: int = 0
    n_steps: int = 0
    best: float = float("-inf")
    best_epoch: int = 0
    figures: Mapping[str, float] = field(default_factory=dict)


def save_checkpoint(path: Path, state: RunState, tensors: Mapping[str, torch.Tensor]) -> None:
    """Replaces the file atomically: a killed run leaves the old file or the new one."""
    half = path.with_name(path.name + ".half")
    save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, half, {_KEY: json.dumps(asdict(state))})
    with half.open("rb") as written:
        os.fsync(written.fileno())
    half.replace(path)


def load_checkpoint(path: Path, settings: str) -> tuple[RunState, dict[str, torch.Tensor]]:
    """State and tensors of a run of this recipe; a new state without tensors if there is no file.

    Raises:
        DataError: If the file is damaged or belongs to a run with another recipe.
    """
    if not path.exists():
        return RunState(settings), {}
    try:
        with safe_open(path, framework="pt") as file:
            state = RunState(**json.loads(file.metadata()[_KEY]))
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  (a file, not a dict)
    except Exception as error:  # safetensors and json raise their own exceptions
        raise DataError(f"{path} is not a checkpoint: {error!r}; remove it to start again") from error
    if state.settings != settings:
        raise DataError(f"{path} belongs to a run with another recipe: remove it, or choose another folder")
    return state, tensors


def trained(module: nn.Module) -> dict[str, torch.Tensor]:
    """The parameters that training changes, by name."""
    return {name: value.detach() for name, value in module.named_parameters() if value.requires_grad}


def optimiser_tensors(optimiser: torch.optim.Optimizer) -> dict[str, torch.Tensor]:
    """The optimiser's state, by ``<number of the parameter>.<name>``."""
    state = optimiser.state_dict()["state"]
    return {f"{number}.{name}": value for number, values in state.items() for name, value in values.items()}


def restore_optimiser(optimiser: torch.optim.Optimizer, tensors: Mapping[str, torch.Tensor]) -> None:
    """Restores the state from :func:`optimiser_tensors`."""
    state: dict[int, dict[str, Any]] = {}
    for key, value in tensors.items():
        number, name = key.split(".", 1)
        state.setdefault(int(number), {})[name] = value
    optimiser.load_state_dict({"state": state, "param_groups": optimiser.state_dict()["param_groups"]})


def below(tensors: Mapping[str, torch.Tensor], prefix: str) -> dict[str, torch.Tensor]:
    """The tensors whose name begins with ``<prefix>/``, without it."""
    return {name.removeprefix(f"{prefix}/"): value for name, value in tensors.items() if name.startswith(f"{prefix}/")}


def under(prefix: str, tensors: Mapping[str, torch.Tensor]) -> Iterator[tuple[str, torch.Tensor]]:
    """The tensors with ``<prefix>/`` before their names."""
    yield from ((f"{prefix}/{name}", value) for name, value in tensors.items())
