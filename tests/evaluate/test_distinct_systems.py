"""The law of distinct systems: rows of a paper's table that ought to differ send other requests or retrieve other text.

Every experiment of the catalogue runs on data of the suite's own, with a scripted model that records its prompts.
"""

import json
import re
from itertools import combinations
from pathlib import Path

import pytest

from tests.evaluate.paper_data import write_all
from tests.evaluate.scripted_engines import RandomChunkParser, RandomParser, speak
from treatise.core.recipe import Recipe
from treatise.evaluate.papers.catalogue import PAPERS
from treatise.evaluate.run.experiment import Experiment, Task
from treatise.evaluate.run.run_experiments import recipes_of
from treatise.evaluate.run.spec import RunSpec
from treatise.evaluate.run.tasks import TASK_RUNNERS
from treatise.pipeline.engines import Engines
from treatise.testing import HashingEncoder, ScriptedModel, ScriptedReranker

Row = tuple[str, str]
"""All requests of a row, and all that it wrote."""


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_all(tmp_path_factory.mktemp("papers"))


EXPERIMENTS = [
    pytest.param(experiment, id=f"{name}-{experiment.name}")
    for name, item in PAPERS.items()
    for experiment in item.experiments
    if TASK_RUNNERS[experiment.task].uses_recipes
]


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_rows_of_an_experiment_differ(experiment: Experiment, data: Path, tmp_path: Path) -> None:
    budget = min(experiment.budgets) if experiment.task is Task.COST else max(experiment.budgets, default=1)
    rows = {one.slug: row(experiment, one, budget, data, tmp_path) for one in recipes_of(experiment)}
    assert not [(a, b) for a, b in combinations(rows, 2) if rows[a] == rows[b]]


def test_a_reader_of_the_full_text_gets_the_same_request_at_every_budget(data: Path, tmp_path: Path) -> None:
    (experiment,) = (one for one in PAPERS["disretrieval:table2"].experiments if one.task is Task.GENERATION)
    (whole,) = (one for one in recipes_of(experiment) if one.slug == "full-context")
    rows = {row(experiment, whole, budget, data, tmp_path / str(budget)) for budget in experiment.budgets}
    assert len(rows) == 1


def test_every_item_is_run_or_says_why_not() -> None:
    assert all(item.experiments or item.instead for item in PAPERS.values())


def row(experiment: Experiment, recipe: Recipe, budget: int, data: Path, folder: Path) -> Row:
    """What one recipe sends and writes on the experiment's first data set at one budget."""
    runner, dataset, out = TASK_RUNNERS[experiment.task], experiment.datasets[0], folder / recipe.slug
    model = ScriptedModel(speak)
    engines = Engines(
        encoder=HashingEncoder(64, reads_context=True),
        parser=RandomParser(),
        model=model,
        reranker=ScriptedReranker(),
        chunk_parser=RandomChunkParser(),
    )
    runner.run(
        RunSpec(
            dataset=dataset,
            data=runner.find_data(dataset, data),
            out=out,
            engines=engines,
            recipes=[recipe],
            budgets=[budget],
        )
    )
    requests = json.dumps([[message.content for message in prompt] for prompt in model.prompts])
    results = sorted(out.glob(f"{recipe.slug}-*.jsonl")) or [out / "summary.json"]
    written = [_without_seconds(path.read_text(encoding="utf-8").replace(recipe.slug, "")) for path in results]
    return requests, "".join(written)


def _without_seconds(text: str) -> str:
    return re.sub(r'"seconds": [0-9.e-]+', "", text)
