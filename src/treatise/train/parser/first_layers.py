"""The layers of a parser's heads that read token vectors: what another encoder must give them."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from treatise.core.errors import DataError
from treatise.core.vectors import Floats

_BLOCKS: Final = {"units.pool": 3, "segment.0": 2}
"""The layers, and how many token vectors each reads side by side."""

Heads = Mapping[str, Floats]
"""Arrays by name."""


def first_layers(heads: Heads) -> Floats:
    """The rows of all first layers for one token vector. Shape ``(n_outputs, hidden)``.

    Raises:
        DataError: If these are no heads of a parser.
    """
    if missing := [name for name in _BLOCKS if f"{name}.weight" not in heads]:
        raise DataError(f"no heads of a parser: {missing[0]}.weight is missing")
    rows = [np.split(heads[f"{name}.weight"].astype(np.float32), n, axis=1) for name, n in _BLOCKS.items()]
    return np.concatenate([block for blocks in rows for block in blocks])


def with_first_layers(heads: Heads, weight: Floats, bias: Floats) -> dict[str, Floats]:
    """The heads for the vectors of another encoder.

    Args:
        heads: The heads.
        weight: The rows of their first layers for these vectors, in the order of :func:`first_layers`. Shape
            ``(n_outputs, hidden)``.
        bias: What is added to each. Shape ``(n_outputs,)``.
    """
    found = {name: array.astype(np.float32) for name, array in heads.items()}
    start = 0
    for name, n_blocks in _BLOCKS.items():
        size = len(found[f"{name}.bias"])
        end = start + n_blocks * size
        found[f"{name}.weight"] = np.concatenate(np.split(weight[start:end], n_blocks), axis=1)
        found[f"{name}.bias"] = found[f"{name}.bias"] + bias[start:end].reshape(n_blocks, size).sum(axis=0)
        start = end
    return found
