"""Experiments as values, the papers' tables, and what is skipped."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from treatise.compose import library
from treatise.compose.places import MODELS
from treatise.core.errors import DataError
from treatise.evaluate.data.registry import DATASETS, dataset_named
from treatise.evaluate.papers import catalogue
from treatise.evaluate.papers.catalogue import PAPERS, item_named, published
from treatise.evaluate.run.experiment import Experiment, Task, read_experiments
from treatise.evaluate.run.run_experiments import ExperimentOptions, run_experiments
from treatise.evaluate.run.spec import RunSpec
from treatise.evaluate.run.tasks import TASK_RUNNERS, TaskRunner
from treatise.pipeline.openings import Openings
from treatise.settings import Settings
from treatise.testing import HashingEncoder

DATA = Path(__file__).parent / "data"


@pytest.fixture
def bench(tmp_path, monkeypatch) -> ExperimentOptions:
    """A folder with the excerpt of QASPER as its only data set, and an encoder without a model."""
    (tmp_path / "data" / "qasper").mkdir(parents=True)
    shutil.copy(DATA / "qasper-excerpt.json", tmp_path / "data" / "qasper" / "qasper-dev-v0.3.json")
    monkeypatch.setattr(library, "open_encoder", lambda name, _: HashingEncoder(8 if name == "small" else 16))
    return ExperimentOptions(tmp_path / "data")


def retrieval(**changes: object) -> Experiment:
    given: dict[str, object] = {
        "name": "e",
        "task": Task.RETRIEVAL,
        "datasets": ("qasper",),
        "recipes": ("flat-sentence", "balanced"),
        "budgets": (30,),
    }
    return Experiment(**(given | changes))  # type: ignore[arg-type]


def test_every_combination_is_a_run_in_a_folder_of_its_own(bench, tmp_path):
    outcome = run_experiments([retrieval(encoders=("small", "large"))], bench, tmp_path / "out")
    assert [result.folder for result in outcome.results] == [
        tmp_path / "out" / "e" / "qasper-small",
        tmp_path / "out" / "e" / "qasper-large",
    ]
    assert outcome.skipped == []
    for result in outcome.results:
        summary = json.loads((result.folder / "summary.json").read_text(encoding="utf-8"))
        assert [row["recipe"] for row in summary["rows"]] == ["flat-sentence", "balanced"]


def test_the_usual_prior_and_the_large_one_are_two_runs(bench, tmp_path, monkeypatch):
    def openings(settings: Settings) -> Openings | None:
        return Openings(settings.prior, lambda: HashingEncoder(16)) if settings.prior else None

    monkeypatch.setattr(library, "open_openings", openings)
    both = retrieval(priors=("", "large"), open_domain=True)
    # an experiment's own priors come before that of the command line
    outcome = run_experiments([both, retrieval(name="f")], replace(bench, prior="large"), tmp_path / "out")
    assert [result.folder.name for result in outcome.results] == ["qasper-usual-prior", "qasper-large-prior", "qasper"]
    summaries = [json.loads((one.folder / "summary.json").read_text(encoding="utf-8")) for one in outcome.results]
    assert [summary["record"]["prior"] for summary in summaries] == ["", "large", "large"]


def test_a_prior_of_unknown_name_is_named(bench, tmp_path):
    outcome = run_experiments([retrieval(priors=("huge",))], bench, tmp_path / "out")
    assert (outcome.results, len(outcome.skipped)) == ([], 1)
    assert "no prior is named 'huge'" in outcome.skipped[0]


def test_what_is_missing_is_named_and_the_rest_is_run(bench, tmp_path):
    experiment = retrieval(datasets=("qasper", "loong"), recipes=("flat-sentence", "no-such-system"))
    outcome = run_experiments([experiment], bench, tmp_path / "out")
    assert [result.folder.name for result in outcome.results] == ["qasper"]
    assert any("no-such-system" in reason for reason in outcome.skipped)
    assert any("treatise eval fetch loong" in reason for reason in outcome.skipped)


def test_an_experiment_without_a_recipe_is_named(bench, tmp_path):
    outcome = run_experiments([retrieval(recipes=("gone",))], bench, tmp_path / "out")
    assert outcome.results == []
    assert "none of its recipes" in outcome.skipped[-1]


def test_notes_without_a_model_are_reported(bench, tmp_path):
    outcome = run_experiments([retrieval(recipes=("balanced", "bisection"))], bench, tmp_path / "out")
    assert outcome.skipped == ["e: no language model was named (--llm); nucleus text replaces notes: bisection"]


def test_every_task_has_a_runner():
    assert set(TASK_RUNNERS) == set(Task)


def test_a_runner_gets_the_experiment_as_a_spec(bench, tmp_path, monkeypatch):
    specs: list[RunSpec] = []
    monkeypatch.setitem(TASK_RUNNERS, Task.GENERATION, TaskRunner(specs.append, uses_model=True))
    experiment = retrieval(task=Task.GENERATION, budgets=())
    outcome = run_experiments([experiment], ExperimentOptions(bench.data, limit=3), tmp_path / "out")
    (spec,) = specs
    assert (spec.dataset, spec.data.name, spec.out.name, spec.limit) == ("qasper", "qasper-dev-v0.3.json", "qasper", 3)
    assert [recipe.slug for recipe in spec.recipes] == ["flat-sentence", "balanced"]
    assert spec.budgets == (200, 300, 400)
    assert spec.opened_engines().model is None
    assert outcome.skipped == ["e: no language model was named (--llm); answers quote the evidence"]


def test_recipes_are_varied(bench, tmp_path):
    experiment = retrieval(recipes=("balanced",), vary=("leaf_top_k=1,5",))
    (result,) = run_experiments([experiment], bench, tmp_path / "out").results
    rows = json.loads((result.folder / "summary.json").read_text(encoding="utf-8"))["rows"]
    assert [row["recipe"] for row in rows] == ["balanced-leaf-top-k-1", "balanced-leaf-top-k-5"]


def test_a_census_counts_documents_questions_and_words(bench, tmp_path):
    outcome = run_experiments([Experiment("data", Task.CENSUS, ("qasper",))], bench, tmp_path / "out")
    census = json.loads((outcome.results[0].folder / "summary.json").read_text(encoding="utf-8"))
    documents = list(DATASETS["qasper"].load(DATA / "qasper-excerpt.json"))
    lengths = [len(labelled.document.text.split()) for labelled in documents]
    assert (census["n_documents"], census["n_questions"]) == (2, sum(len(d.questions) for d in documents))
    assert (census["mean_words"], census["most_words"]) == (sum(lengths) / 2, max(lengths))


TREE = [{"start": 0, "split": 1, "end": 2, "nuclearity": "NS", "relation": "elaboration"}]


def test_a_parser_is_measured_on_a_treebank_beside_the_data(bench, tmp_path):
    row = {"id": "d1", "lang": "xx", "level": "edu", "paragraphs": [["Tea is hot,", "he said."]], "tree": TREE}
    folder = tmp_path / "data" / "rst" / "dev"
    folder.mkdir(parents=True)
    line = json.dumps(row | {"sentence_of_unit": [0, 0]})
    (folder / "mine.jsonl").write_text(line + "\n", encoding="utf-8")
    experiment = Experiment("parser", Task.PARSING, ("mine", "gone"))
    outcome = run_experiments([experiment], bench, tmp_path / "out")
    found = json.loads((outcome.results[0].folder / "summary.json").read_text(encoding="utf-8"))
    assert found["trees"]["right-branching"]["figures"]["span"] == 100
    assert set(found["boundaries"]) == {"n_sentences", "inside", "starts", "pk", "window_diff"}
    assert "the treebank gone was not found" in outcome.skipped[0]


def test_two_parsers_of_one_folder_name_are_two_runs(bench, tmp_path):
    row = {"id": "d1", "lang": "en", "level": "sentence", "paragraphs": [["Tea is hot.", "It is."]], "tree": TREE}
    folder = tmp_path / "data" / "rst" / "dev"
    folder.mkdir(parents=True)
    (folder / "mine.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    for name in ("children", "leaves"):  # `treatise train` writes its models into folders of this name
        shutil.copytree(MODELS / f"transition-{name}", tmp_path / name / "model")
    parsers = tuple(str(tmp_path / name / "model") for name in ("children", "leaves"))
    outcome = run_experiments([Experiment("p", Task.PARSING, ("mine",), parsers=parsers)], bench, tmp_path / "out")
    found = [set(json.loads((one.folder / "summary.json").read_text())["trees"]) for one in outcome.results]
    assert len(outcome.results) == 2, outcome.skipped
    assert found[0] != found[1]


def test_a_group_of_a_data_sets_questions_goes_by_its_name_after_a_colon(tmp_path):
    rows = [
        {"question": "?", "question_unique_id": f"q{i}", "options": ["a", "b"], "gold_label": 1, "difficult": i % 2}
        for i in range(4)
    ]
    path = tmp_path / "q.jsonl"
    path.write_text(json.dumps({"article_id": "1", "article": "It rained.", "questions": rows}), encoding="utf-8")
    (labelled,) = dataset_named("quality:hard").load(path)
    assert [question.id for question in labelled.questions] == ["q1", "q3"]
    with pytest.raises(DataError, match=r"'odd'; its groups \(read from difficult\): easy, hard"):
        list(dataset_named("quality:odd").load(path))


def test_a_file_of_experiments_is_read(tmp_path):
    path = tmp_path / "e.toml"
    path.write_text(
        '[[experiment]]\nname = "a"\ntask = "retrieval"\ndatasets = ["qasper"]\nbudgets = [5]\npriors = ["", "large"]\n'
    )
    assert read_experiments(path) == [Experiment("a", Task.RETRIEVAL, ("qasper",), budgets=(5,), priors=("", "large"))]


HEAD = '[[experiment]]\nname = "a"\ntask = "census"\ndatasets = ["x"]\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[experiment]\n", "is not TOML"),
        ("[other]\n", r"expected tables \[\[experiment\]\]"),
        ("[experiment]\nname = 1\n", r"expected tables \[\[experiment\]\]"),
        ('[[experiment]]\nname = "a"\n', "experiment 1: it has no task and no datasets"),
        (f'{HEAD}recipe = ["b"]\n', "unknown key 'recipe'; did you mean 'recipes'"),
        (f'{HEAD}budgets = ["200"]\n', "budgets must be a list of whole numbers"),
        (f"{HEAD}recipes = 5\n", "recipes must be a list of texts"),
        (HEAD.replace("census", "poetry"), "task is one of retrieval"),
        (HEAD.replace('"a"', "7"), "name must be a text"),
        (HEAD.replace('"a"', '"a/b"'), "experiment 1: an experiment's name is that of a folder"),
        (HEAD.replace('["x"]', "[]"), "names no data set"),
        (HEAD + HEAD, "experiments of one name: a"),
        (None, "cannot be read"),
    ],
)
def test_what_is_wrong_with_a_file_of_experiments_is_named(tmp_path, text, expected):
    path = tmp_path / "e.toml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(DataError, match=expected):
        read_experiments(path)


N_FIGURES_AND_TABLES = {"disretrieval": (10, 10), "htsir": (3, 9), "disco-rag": (19, 11)}


def test_every_table_and_figure_of_the_papers_is_there_and_says_what_to_do():
    expected = {
        f"{paper}:{kind}{number}"
        for paper, (n_figures, n_tables) in N_FIGURES_AND_TABLES.items()
        for kind, n in (("figure", n_figures), ("table", n_tables))
        for number in range(1, n + 1)
    }
    assert set(PAPERS) == expected
    for name, item in PAPERS.items():
        assert item.shows, name
        assert item.experiments or item.instead, name
        names = [experiment.name for experiment in item.experiments]
        assert len(set(names)) == len(names), name
    with pytest.raises(DataError, match="did you mean disretrieval:table2"):
        item_named("disretrival:table2")


def test_the_papers_experiments_name_known_data_sets():
    for name, item in PAPERS.items():
        for experiment in item.experiments:
            if experiment.task is not Task.PARSING:
                for dataset in experiment.datasets:
                    assert dataset_named(dataset), name


def test_a_table_of_a_paper_is_run_with_what_is_there(bench, tmp_path):
    outcome = run_experiments(item_named("disretrieval:figure4").experiments, bench, tmp_path / "out")
    assert [result.title for result in outcome.results] == ["shape: qasper"]


def test_the_cost_of_indexing_is_told_by_length(bench, tmp_path):
    experiment = retrieval(task=Task.COST, recipes=("balanced", "bisection"), budgets=(100, 400, 10_000_000))
    (result,) = run_experiments([experiment], bench, tmp_path / "out").results
    costs = json.loads((result.folder / "summary.json").read_text(encoding="utf-8"))["costs"]
    assert [(cost["recipe"], cost["n_words"]) for cost in costs] == [
        ("balanced", 100),
        ("bisection", 100),
        ("balanced", 400),
        ("bisection", 400),
    ]
    assert [cost["n_calls"] > 0 for cost in costs] == [False, True] * 2
    assert costs[1]["n_calls"] < costs[3]["n_calls"]
    outcome = run_experiments([retrieval(task=Task.COST, budgets=(10_000_000,))], bench, tmp_path / "out")
    assert "expected 10,000,000 words or more" in outcome.skipped[0]


def test_published_figures_are_whole_tables_of_papers_that_there_are():
    kept = [name for name in PAPERS if published(name)]
    files = (Path(catalogue.__file__).parent / "published").glob("*.md")
    assert {name.replace(":", "-") for name in kept} == {file.stem for file in files}
    for name in kept:
        table = [line for line in published(name).splitlines() if line.startswith("|")]
        assert len(table) >= 4, name
        assert len({line.count("|") for line in table}) == 1, name
    assert "| DISRetrieval | 28.13 | 60.75 |" in published("disretrieval:table2")
    assert published("disretrieval:figure1") == ""
