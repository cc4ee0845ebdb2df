"""A table or figure of a paper, and helpers to define its experiments."""

from dataclasses import dataclass
from typing import Any, Final

from treatise.evaluate.run.experiment import Experiment, Task

BUDGETS: Final = (200, 300, 400)
"""Evidence budgets, in words, in DISRetrieval's tables."""


@dataclass(frozen=True, slots=True)
class Item:
    """A table or figure.

    Attributes:
        name: Type and number, such as ``"table2"``.
        shows: What it shows, and how the paper's setting differs from ours.
        experiments: Experiments to run; empty if none can be run.
        instead: Manual steps instead, or why nothing can be measured.
    """

    name: str
    shows: str
    experiments: tuple[Experiment, ...] = ()
    instead: str = ""


def retrieval(name: str, datasets: tuple[str, ...], recipes: tuple[str, ...], **rest: Any) -> Experiment:
    """Evidence retrieval at DISRetrieval's budgets."""
    return Experiment(name, Task.RETRIEVAL, datasets, recipes, BUDGETS, **rest)


def answers(
    name: str,
    datasets: tuple[str, ...],
    recipes: tuple[str, ...],
    budgets: tuple[int, ...] = BUDGETS,
    **rest: Any,
) -> Experiment:
    """Answers from evidence within the word budgets."""
    return Experiment(name, Task.GENERATION, datasets, recipes, budgets, **rest)


def indexing_cost(recipes: tuple[str, ...]) -> Experiment:
    """Indexing cost in seconds, calls and tokens, from 10,000 to 90,000 words."""
    return Experiment("cost", Task.COST, ("squality",), recipes, (10_000, 30_000, 50_000, 70_000, 90_000))


def census(*datasets: str) -> tuple[Experiment, ...]:
    """Statistics of the data sets."""
    return (Experiment("data", Task.CENSUS, datasets),)
