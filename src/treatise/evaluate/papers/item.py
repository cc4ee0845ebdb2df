"""One table or figure of a paper, and short ways to write its experiments."""

from dataclasses import dataclass
from typing import Final

from treatise.evaluate.run.experiment import Experiment, Task

BUDGETS: Final = (200, 300, 400)
"""Words of evidence in the tables of DISRetrieval."""


@dataclass(frozen=True, slots=True)
class Item:
    """A table or figure.

    Attributes:
        name: Kind and number, such as ``"table2"``.
        shows: What it shows, and how the paper's setting differs from ours.
        experiments: What to run; empty if nothing can be run.
        instead: What to do by hand, or why nothing can be measured.
    """

    name: str
    shows: str
    experiments: tuple[Experiment, ...] = ()
    instead: str = ""


def retrieval(name: str, datasets: tuple[str, ...], recipes: tuple[str, ...], **rest: tuple[str, ...]) -> Experiment:
    """Evidence at the budgets of DISRetrieval."""
    return Experiment(name, Task.RETRIEVAL, datasets, recipes, BUDGETS, **rest)


def answers(
    name: str,
    datasets: tuple[str, ...],
    recipes: tuple[str, ...],
    budgets: tuple[int, ...] = BUDGETS,
    **rest: tuple[str, ...],
) -> Experiment:
    """Answers from evidence of so many words."""
    return Experiment(name, Task.GENERATION, datasets, recipes, budgets, **rest)


def indexing_cost(recipes: tuple[str, ...]) -> Experiment:
    """Seconds, calls and tokens of indexing from 10,000 to 90,000 words."""
    return Experiment("cost", Task.COST, ("squality",), recipes, (10_000, 30_000, 50_000, 70_000, 90_000))


def census(*datasets: str) -> tuple[Experiment, ...]:
    """Counts of the data sets themselves."""
    return (Experiment("data", Task.CENSUS, datasets),)
