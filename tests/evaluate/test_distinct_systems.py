"""The law of distinct systems: rows of a paper's table that ought to differ retrieve other text or get another answer.

Every experiment of the catalogue runs on data of the suite's own, in the form of its data set. The scripted model's
answer is a function of the whole prompt, so two equal answers mean two equal requests.
"""

import json
import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.evaluate.paper_data import write_all
from tests.evaluate.scripted_engines import scripted_engines
from treatise.core.recipe import Recipe
from treatise.evaluate.papers.catalogue import PAPERS
from treatise.evaluate.run.experiment import Experiment, Task
from treatise.evaluate.run.gold import GOLD_EVIDENCE
from treatise.evaluate.run.run_experiments import recipes_of
from treatise.evaluate.run.spec import RunSpec
from treatise.evaluate.run.tasks import TASK_RUNNERS

EXPERIMENTS = {
    f"{name}-{experiment.name}": experiment
    for name, item in PAPERS.items()
    for experiment in item.experiments
    if TASK_RUNNERS[experiment.task].uses_recipes
}

_COST = re.compile(r'(, )?"(seconds|tokens)": [0-9.e-]+')

Results = dict[str, str]
"""What each recipe wrote, by slug, without its name and without times."""


class Tables:
    """Runs experiments, each once, on their first data set at their largest budget."""

    def __init__(self, data: Path, out: Path) -> None:
        self._data, self._out = data, out
        self._found: dict[str, Results] = {}

    def results(self, name: str) -> Results:
        """What every recipe of an experiment wrote."""
        if name not in self._found:
            experiment = EXPERIMENTS[name]
            self._found[name] = self.run(experiment, recipes_of(experiment), budget_of(experiment), self._out / name)
        return self._found[name]

    def run(self, experiment: Experiment, recipes: list[Recipe], budget: int, out: Path) -> Results:
        """The same for some recipes at one budget."""
        runner, dataset = TASK_RUNNERS[experiment.task], experiment.datasets[0]
        spec = RunSpec(
            dataset=dataset,
            data=runner.find_data(dataset, self._data),
            out=out,
            engines=scripted_engines(),
            recipes=recipes,
            budgets=[budget],
            open_domain=experiment.open_domain,
        )
        runner.run(spec)
        return {recipe.slug: written(recipe, experiment.task, out) for recipe in recipes}


def budget_of(experiment: Experiment) -> int:
    """The largest budget; of lengths of text, the smallest."""
    return min(experiment.budgets) if experiment.task is Task.COST else max(experiment.budgets, default=1)


def written(recipe: Recipe, task: Task, out: Path) -> str:
    """The lines of a recipe's result file, or its part of the summary for tasks without one."""
    if task in (Task.ANATOMY, Task.COST):
        (found,) = json.loads((out / "summary.json").read_text(encoding="utf-8")).values()
        text = json.dumps([one for one in found if one["recipe"] == recipe.slug])
    else:
        (path,) = (path for path in out.glob("*.jsonl") if path.stem.rpartition("-")[0] == recipe.slug)
        text = path.read_text(encoding="utf-8")
    return _COST.sub("", text.replace(f'"{recipe.slug}"', ""))


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    folder = tmp_path_factory.mktemp("papers")
    return Tables(write_all(folder / "data"), folder / "out")


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_rows_of_an_experiment_differ(name: str, tables: Tables) -> None:
    rows = tables.results(name)
    assert not [(a, b) for a, b in combinations(rows, 2) if rows[a] == rows[b]]


def test_equal_systems_agree_in_all_tables(tables: Tables) -> None:
    found: dict[Any, set[str]] = {}
    n_rows = 0
    for name, experiment in EXPERIMENTS.items():
        rows = tables.results(name)
        where = (experiment.task, experiment.datasets[0], budget_of(experiment), experiment.open_domain)
        for recipe in (one for one in recipes_of(experiment) if one != GOLD_EVIDENCE):
            found.setdefault((*where, replace(recipe, name="ANY")), set()).add(rows[recipe.slug])
            n_rows += 1
    assert all(len(texts) == 1 for texts in found.values())
    assert len(found) < n_rows  # some systems are in several tables, under one name or several


def test_a_reader_of_the_full_text_gets_the_same_request_at_every_budget(tables: Tables, tmp_path: Path) -> None:
    (experiment,) = (one for one in PAPERS["disretrieval:table2"].experiments if one.name == "marked")
    whole = [one for one in recipes_of(experiment) if one.slug == "full-context"]
    rows = [tables.run(experiment, whole, budget, tmp_path / str(budget)) for budget in experiment.budgets]
    assert all(row == rows[0] for row in rows)


def test_every_item_is_run_or_says_why_not() -> None:
    assert all(item.experiments or item.instead for item in PAPERS.values())
