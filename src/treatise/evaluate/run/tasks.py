"""The task table. A new task is a module with ``run(spec)``, a member of ``Task``, and a row here."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from treatise.evaluate.data.files import data_file, treebank_file
from treatise.evaluate.data.registry import dataset_named
from treatise.evaluate.run import census, cost, generation, node_profile, parsing, retrieval, summaries
from treatise.evaluate.run.experiment import Task
from treatise.evaluate.run.spec import RunSpec


def _dataset_file(name: str, folder: Path | None) -> Path:
    return data_file(dataset_named(name), folder)


@dataclass(frozen=True, slots=True)
class TaskRunner:
    """The runner of a task.

    Attributes:
        run: Runs one spec, and writes ``summary.json`` and ``summary.md`` into its folder.
        uses_recipes: Whether it runs recipes, and needs engines for them.
        uses_model: Whether it calls a language model if one is named.
        find_data: Finds the file of a data set, from its name and the folder of data sets.
    """

    run: Callable[[RunSpec], object]
    uses_recipes: bool = True
    uses_model: bool = False
    find_data: Callable[[str, Path | None], Path] = _dataset_file


TASK_RUNNERS: Final[dict[Task, TaskRunner]] = {
    Task.RETRIEVAL: TaskRunner(retrieval.run, uses_model=True),
    Task.GENERATION: TaskRunner(generation.run, uses_model=True),
    Task.SUMMARIES: TaskRunner(summaries.run, uses_model=True),
    Task.ANATOMY: TaskRunner(node_profile.run, uses_model=True),
    Task.COST: TaskRunner(cost.run),
    Task.PARSING: TaskRunner(parsing.run, uses_recipes=False, uses_model=True, find_data=treebank_file),
    Task.CENSUS: TaskRunner(census.run, uses_recipes=False),
}
