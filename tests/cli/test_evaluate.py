"""``treatise eval``: the files and numbers of PROMISES."""

import json
from pathlib import Path

import pytest

from tests.engines.conftest import Answer, serve  # noqa: F401  (a fixture)
from treatise.cli.eval.group import evaluation

MEETINGS = Path(__file__).parents[1] / "evaluate" / "data" / "qmsum-excerpt.jsonl"


def test_a_run_writes_what_is_promised(run_json, data: Path, home: Path) -> None:
    options = ("--recipes", "flat-sentence,treatise", "--budgets", "5,9", "--out", "out", "--trec")
    summary = run_json("eval", "retrieval", "--dataset", "qasper", "--data", data, *options)
    assert {row["recipe"] for row in summary["rows"]} == {"flat-sentence", "treatise"}
    for name in ("flat-sentence-5", "flat-sentence-9", "treatise-5", "treatise-9"):
        (line,) = (home / "out" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        row = json.loads(line)
        assert row["question_id"] == "q1"
        assert len(row["context"].split()) <= int(name.rpartition("-")[2])
        assert all(len(span) == 2 for span in row["spans"])
    assert json.loads((home / "out" / "summary.json").read_text(encoding="utf-8"))["rows"] == summary["rows"]
    trec = {path.name for path in (home / "out" / "trec").iterdir()}
    runs = {f"{recipe}-{budget}.run" for recipe in ("flat-sentence", "treatise") for budget in (5, 9)}
    assert trec == {"qrels.txt", "queries.tsv", *runs}


def test_without_json_the_table_is_printed(run, data: Path) -> None:
    result = run("eval", "retrieval", "--dataset", "qasper", "--data", data, "--out", "out", "--budgets", "5")
    assert result.stdout.startswith("| recipe |")


@pytest.mark.parametrize(
    ("option", "value", "status"),
    [
        ("--budgets", "200,many", 2),
        ("--budgets", "0", 2),
        ("--recipes", "treatsie", 2),
        ("--dataset", "quasper", 2),
        ("--data", "gone.json", 1),
    ],
)
def test_a_wrong_value_is_named(run, data: Path, option: str, value: str, status: int) -> None:
    given = {"--dataset": "qasper", "--data": str(data), "--out": "out", option: value}
    result = run("eval", "retrieval", *(part for pair in given.items() for part in pair))
    assert result.exit_code == status
    assert value in result.stderr


def test_answers_are_measured_with_and_without_a_model(run, run_json, data: Path, home: Path, serve) -> None:  # noqa: F811
    reply = {"choices": [{"message": {"content": "100 degrees"}, "finish_reason": "stop"}]}
    server = serve(lambda _, request: Answer(reply))
    options = ("--dataset", "qasper", "--data", data, "--recipes", "flat-sentence", "--budgets", "20")
    written = run_json("eval", "generation", *options, "--out", "a", "--llm", server.url, "--llm-model", "m")
    assert written["model"] == "openai-chat m seed 0"
    assert written["rows"][0]["scores"]["answer_f1"]["mean"] == pytest.approx(200 / 3)
    (line,) = (home / "a" / "flat-sentence-20.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["answer"] == "100 degrees"
    quoted = run_json("eval", "generation", *options, "--out", "b")
    assert quoted["model"] == ""
    assert (home / "b" / "summary.md").exists()
    assert "`treatise eval generation`" in run("eval", "report", "b", "--out", "report.html").stderr


def test_the_anatomy_of_recipes_is_told(run, run_json, data: Path) -> None:
    options = ("--dataset", "qasper", "--data", data, "--recipes", "flat-sentence,disretrieval-nuclei", "--top-k", 6)
    flat, nuclei = run_json("eval", "anatomy", *options)["anatomies"]
    assert (flat["recipe"], flat["inner_share"]) == ("flat-sentence", 0)
    assert 0 < nuclei["inner_share"] < 1
    assert nuclei["relations_all"]
    assert "of those found" in run("eval", "anatomy", *options).stdout


def test_data_sets_are_listed_and_found_in_the_folder_that_the_environment_names(
    run_json, run, data: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "sets" / "qasper").mkdir(parents=True)
    data.rename(home / "sets" / "qasper" / "qasper-dev-v0.3.json")
    monkeypatch.setenv("TREATISE_DATA", "sets")
    found = {row["name"]: row for row in run_json("eval", "datasets")["datasets"]}
    assert found["qasper"]["file"]
    assert found["loong"]["file"] is None
    assert "treatise eval fetch loong" in found["loong"]["remedy"]
    assert "loong" in run("eval", "datasets").stdout
    run_json("eval", "retrieval", "--dataset", "qasper", "--out", "out", "--budgets", "5")
    failed = run("eval", "retrieval", "--dataset", "loong", "--out", "out")
    assert failed.exit_code == 1
    assert "treatise eval fetch loong" in failed.stderr


def test_every_command_on_a_data_set_finds_it_by_the_environment() -> None:
    told = {name: {one.name: one for one in command.params} for name, command in evaluation.commands.items()}
    on_a_set = {name: options["data"] for name, options in told.items() if "dataset" in options}
    assert {"retrieval", "summaries", "generation", "anatomy", "sweep", "segmentation", "discorag"} <= set(on_a_set)
    assert {option.envvar for option in on_a_set.values()} == {"TREATISE_DATA"}
    assert not any(option.required for option in on_a_set.values())


@pytest.mark.parametrize(
    ("command", "made"),
    [
        (("generation", "--recipes", "bm25", "--budgets", "20", "--out", "out"), "out/bm25-20.jsonl"),
        (("anatomy", "--recipes", "balanced"), None),
        (("sweep", "--vary", "leaf_words=5", "--budgets", "9", "--out", "out"), "out/sweep.md"),
        (("discorag", "--recipes", "standard-rag", "--out", "out"), "out/standard-rag.jsonl"),
        (("rating-sheet", "a.jsonl", "--out", "sheet.html"), "sheet.html"),
    ],
)
def test_a_data_set_is_found_in_the_folder_of_the_environment(
    run_json, data: Path, home: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], made: str | None
) -> None:
    (home / "sets" / "qasper").mkdir(parents=True)
    data.rename(home / "sets" / "qasper" / "qasper-dev-v0.3.json")
    (home / "a.jsonl").write_text('{"question_id": "q1", "answer": "At 100 degrees."}\n')
    monkeypatch.setenv("TREATISE_DATA", "sets")
    assert run_json("eval", *command, "--dataset", "qasper")
    assert made is None or (home / made).exists()


def test_a_list_is_read_again_by_the_language_model_that_is_named(run, data: Path) -> None:
    options = ("--dataset", "qasper", "--data", data, "--recipes", "treatise-reranked", "--out", "out")
    result = run("eval", "retrieval", *options, "--reranker", "listwise")
    assert result.exit_code == 2
    assert "--llm" in result.stderr
    result = run("eval", "retrieval", *options, "--reranker", "listwise", "--llm", "bogus")
    assert "no language model is named 'bogus'" in result.stderr


@pytest.mark.parametrize(
    "command",
    [
        ("retrieval", "--dataset", "qasper", "--open-domain"),
        ("generation", "--dataset", "qasper"),
        ("sweep", "--dataset", "qasper", "--vary", "leaf_words=50"),
    ],
)
def test_the_prior_of_a_run_is_chosen_by_name(run, data: Path, command: tuple[str, ...]) -> None:
    result = run("eval", *command, "--data", data, "--out", "out", "--prior", "missing")
    assert result.exit_code == 2
    assert "no prior is named 'missing'" in result.stderr


def test_the_prior_of_experiments_is_chosen_by_name(run, data: Path, home: Path) -> None:
    (home / "one.toml").write_text(
        '[[experiment]]\nname = "one"\ntask = "retrieval"\ndatasets = ["qasper"]\nrecipes = ["treatise"]\n'
    )
    (home / "sets" / "qasper").mkdir(parents=True)
    data.rename(home / "sets" / "qasper" / "qasper-dev-v0.3.json")
    result = run("eval", "run", "one.toml", "--data", "sets", "--out", "out", "--prior", "missing")
    assert result.exit_code == 1
    assert "no prior is named 'missing'" in result.stdout


def test_answers_with_a_second_stage_want_a_reranker(run, data: Path) -> None:
    options = ("--dataset", "qasper", "--data", data, "--out", "out")
    result = run("eval", "generation", *options, "--recipes", "treatise-reranked", "--reranker", "bogus")
    assert result.exit_code == 2
    assert "no reranker is named 'bogus'" in result.stderr
    assert run("eval", "generation", *options, "--recipes", "bm25", "--reranker", "late-interaction").exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "status", "expected"),
    [
        (("fetch", "qasper"), 2, "--data FOLDER"),
        (("fetch", "spans", "--data", "d"), 1, "not a published data set"),
        (("fetch", "quasper", "--data", "d"), 2, "did you mean qasper"),
        (("fetch", "fairytaleqa", "--data", "d"), 1, "join its published tables"),
        (("paper",), 2, "name a table"),
        (("paper", "disretrieval:table2"), 2, "--out DIR"),
        (("paper", "disretrieval:table99", "--out", "o"), 2, "did you mean disretrieval:table9"),
        (("run", "gone.toml", "--out", "o"), 1, "gone.toml cannot be read"),
    ],
)
def test_what_an_evaluation_command_needs_is_said(run, arguments: tuple[str, ...], status: int, expected: str) -> None:
    result = run("eval", *arguments)
    assert result.exit_code == status
    assert expected in result.stderr


def test_experiments_of_a_file_are_run_and_what_is_skipped_is_listed(run, run_json, data: Path, home: Path) -> None:
    (home / "sets" / "qasper").mkdir(parents=True)
    data.rename(home / "sets" / "qasper" / "qasper-dev-v0.3.json")
    (home / "mine.toml").write_text(
        '[[experiment]]\nname = "mine"\ntask = "retrieval"\ndatasets = ["qasper", "qmsum"]\n'
        'recipes = ["bm25", "treatise"]\nbudgets = [5]\n'
    )
    outcome = run_json("eval", "run", "mine.toml", "--data", "sets", "--out", "out")
    assert [result["title"] for result in outcome["results"]] == ["mine: qasper"]
    assert "qmsum" in outcome["skipped"][0]
    printed = run("eval", "run", "mine.toml", "--data", "sets", "--out", "out").stdout
    assert "| bm25 | 5 |" in printed
    assert "Skipped or limited:\n- mine on qmsum" in printed


def test_the_list_of_papers_says_what_can_run_and_what_is_missing(run_json, run, data: Path, home: Path) -> None:
    folder = home / "sets"
    (folder / "qasper").mkdir(parents=True)
    (folder / "qasper" / "qasper-dev-v0.3.json").write_bytes(data.read_bytes())
    arguments = ("eval", "paper", "--list", "--data", folder)
    listed = {row["name"]: row for row in run_json(*arguments)["papers"]}
    assert listed["disretrieval:table5"]["can_run"]
    assert any("no language model was named" in reason for reason in listed["disretrieval:table5"]["missing"])
    assert not listed["disretrieval:table4"]["can_run"]
    assert any("eval fetch narrativeqa" in reason for reason in listed["disretrieval:table4"]["missing"])
    named = {row["name"]: row for row in run_json(*arguments, "--llm", "ollama")["papers"]}
    assert not named["disretrieval:table5"]["missing"]
    assert "cannot run: generation on narrativeqa" in run(*arguments).stdout


def test_tables_of_papers_are_listed_and_run(run, run_json, data: Path, home: Path) -> None:
    listed = {row["name"]: row for row in run_json("eval", "paper", "--list")["papers"]}
    assert listed["disretrieval:table2"]["experiments"][0]["task"] == "retrieval"
    table = run("eval", "paper", "--list").stdout
    assert "htsir:table9" in table
    assert "parsers trained on 0 to 100 % of the treebank: treatise train transition" in " ".join(table.split())
    assert "rating-sheet" in run("eval", "paper", "disco-rag:table5").stdout
    (home / "sets" / "qasper").mkdir(parents=True)
    data.rename(home / "sets" / "qasper" / "qasper-dev-v0.3.json")
    outcome = run_json("eval", "paper", "disretrieval:table8", "--data", "sets", "--out", "out", "--limit", "1")
    assert [result["title"] for result in outcome["results"]] == ["data: qasper"]
    assert len(outcome["skipped"]) == 3
    assert "| NarrativeQA | test |" in outcome["published"]
    printed = run("eval", "paper", "disretrieval:table8", "--data", "sets", "--out", "out", "--limit", "1").stdout
    assert "Published:\n\n| data set |" in printed
    nothing = run("eval", "paper", "disretrieval:table8", "--data", "none", "--out", "out")
    assert nothing.exit_code == 1
    assert "Skipped or limited:" in nothing.stdout


def test_answers_and_ranks_are_scored_from_files(run, run_json, data: Path, home: Path) -> None:
    pytest.importorskip("ir_measures")
    (home / "mine.jsonl").write_text('{"question_id": "q1", "answer": "100"}\n')
    told = ("--dataset", "qasper", "--data", data, "--out", "out")
    (row,) = run_json("eval", "answers", *told, "--metrics", "exact_match", "mine.jsonl")["rows"]
    assert (row["recipe"], row["scores"]["exact_match"]["mean"]) == ("mine", 100)
    assert "| mine |" in run("eval", "answers", *told, "mine.jsonl").stdout
    assert "share a name" in run("eval", "answers", *told, "mine.jsonl", "mine.jsonl").stderr
    refused = run("eval", "report", "out", "--out", "report.html")
    assert refused.exit_code == 1
    assert "scores of `treatise eval answers or ranks`" in refused.stderr
    run_json("eval", "retrieval", *told, "--recipes", "bm25", "--budgets", "20")
    (row,) = run_json("eval", "ranks", *told, "--measures", "RR", "out/bm25-20.jsonl")["rows"]
    assert row["scores"]["RR"]["mean"] == 100


def test_the_baseline_is_named_and_results_become_tables_and_a_page(run, run_json, data: Path, home: Path) -> None:
    options = ("--recipes", "flat-sentence,balanced", "--budgets", "5,9", "--out", "ours", "--baseline", "balanced")
    summary = run_json("eval", "retrieval", "--dataset", "qasper", "--data", data, *options)
    assert [bool(row["differences"]) for row in summary["rows"]] == [True, True, False, False]
    (home / "peer.jsonl").write_text('{"question_id": "q1", "passages": ["Water boils at 100 degrees."]}\n')
    options = ("--dataset", "qasper", "--data", data, "--budgets", "5,9", "--out", "theirs")
    scored = run_json("eval", "score", "peer.jsonl", "again=ours/balanced-9.jsonl", *options)
    assert [row["recipe"] for row in scored["rows"]] == ["peer", "peer", "again", "again"]
    assert scored["rows"][0]["scores"]["f1"]["mean"] == 100
    table = run_json("eval", "tables", "ours", "theirs", "--out", "tables")
    assert [row["recipe"] for row in table["rows"][::2]] == ["flat-sentence", "balanced", "peer", "again"]
    assert {path.name for path in (home / "tables").iterdir()} == {
        f"summary.{kind}" for kind in ("json", "csv", "md", "tex")
    }
    made = run_json("eval", "report", "ours", "theirs", "--out", "pages/report.html")
    assert (home / "pages" / "report.html").stat().st_size == made["bytes"]
    assert run("eval", "tables", "ours", "--out", "tables").stdout.startswith("| recipe |")


def test_answers_are_rated_blind_and_summed_up(run, run_json, data: Path, home: Path) -> None:
    (home / "a.jsonl").write_text('{"question_id": "q1", "answer": "At 100 degrees."}\n')
    (home / "b.jsonl").write_text('{"question_id": "q1", "answer": "Never."}\n')
    options = ("--dataset", "qasper", "--data", data, "--out", "sheet.html", "--seed", "3")
    made = run_json("eval", "rating-sheet", "good=a.jsonl", "bad=b.jsonl", *options)
    key = json.loads((home / made["key"]).read_text(encoding="utf-8"))
    letters = {name: letter for letter, name in key["items"][0]["answers"].items()}
    given = {"good": 3, "bad": 1}
    rows = [f"{made['sheet']},Anna,1,{letters[name]},relevance,{score}" for name, score in given.items()]
    (home / "anna.csv").write_text("\n".join(["sheet,rater,item,answer,criterion,score", *rows, ""]))
    summary = run_json("eval", "ratings", "sheet.key.json", "anna.csv", "--baseline", "bad")
    assert {row["system"]: row["mean"] for row in summary["systems"]} == given
    assert run("eval", "ratings", "sheet.key.json", "anna.csv").stdout.startswith("| system | relevance |")
    unfound = run("eval", "rating-sheet", "a.jsonl", "--dataset", "qasper", "--out", "s.html")
    assert unfound.exit_code == 1
    assert "treatise eval fetch qasper" in unfound.stderr
    assert run("eval", "rating-sheet", "x=a.jsonl", "x=b.jsonl", "--out", "s.html").exit_code == 2


def test_summaries_become_tables_and_a_page(run, run_json, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("rouge_score")
    (home / "qmsum").mkdir()
    (home / "qmsum" / "qmsum-val.jsonl").write_bytes(MEETINGS.read_bytes())
    monkeypatch.setenv("TREATISE_DATA", str(home))
    options = ("--baselines", "lead", "--words", "30", "--limit", "1", "--out", "out")
    summary = run_json("eval", "summaries", "--dataset", "qmsum", *options)
    assert [row["recipe"] for row in summary["rows"]] == ["lead", "summary"]
    assert run_json("eval", "tables", "out", "--out", "tables")["rows"] == summary["rows"]
    assert run("eval", "report", "out", "--out", "report.html").exit_code == 0


def test_a_reranker_that_no_recipe_asks_is_refused(run, data: Path, home: Path) -> None:
    options = ("--dataset", "qasper", "--data", data, "--recipes", "bm25", "--out", "out", "--reranker", "listwise")
    result = run("eval", "retrieval", *options)
    assert result.exit_code == 2
    assert "treatise-reranked" in result.stderr
    assert not (home / "out").exists()


@pytest.mark.parametrize("cache", ["words.txt", "."])
def test_a_cache_that_is_something_else_is_named_and_left_alone(run, data: Path, home: Path, cache: str) -> None:
    (home / "words.txt").write_text("Water boils at 100 degrees. " * 9, encoding="utf-8")
    before = (home / "words.txt").read_bytes()
    result = run("eval", "retrieval", "--dataset", "qasper", "--data", data, "--out", "out", "--cache", cache)
    assert result.exit_code in {1, 2}
    assert cache in result.stderr
    assert "fault" not in result.stderr
    assert (home / "words.txt").read_bytes() == before


def test_criteria_of_another_form_are_named(run, home: Path) -> None:
    line = '{"question_id": "q1", "question": "Why?", "answer": "Because."}\n'
    (home / "a.jsonl").write_text(line * 2)
    result = run("eval", "rating-sheet", "a.jsonl", "--criteria", "a.jsonl", "--out", "sheet.html")
    assert result.exit_code == 1
    assert "a.jsonl" in result.stderr
    assert "fault" not in result.stderr
