import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from evaluate.qasper_oracle import score

from tests.evaluate.specs import make_spec
from treatise.core.errors import DataError, RecipeError
from treatise.core.recipe import Scoring
from treatise.evaluate.data.registry import DATASETS
from treatise.evaluate.report.summary import Summary
from treatise.evaluate.run import retrieval
from treatise.recipes import BALANCED, FLAT_SENTENCE, TREATISE

DATA = Path(__file__).parent / "data"
EXCERPT = DATA / "qasper-excerpt.json"
BUDGETS = [30, 120]


def run(*parts: Any, **rest: Any) -> Summary:
    return retrieval.run(make_spec(*parts, **rest))


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_run_writes_a_line_for_every_question_in_file_order(tmp_path, encoder, question_ids):
    run("qasper", EXCERPT, [FLAT_SENTENCE, BALANCED], BUDGETS, tmp_path, encoder=encoder)
    for recipe in ("flat-sentence", "balanced"):
        for budget in BUDGETS:
            rows = lines(tmp_path / f"{recipe}-{budget}.jsonl")
            assert [row["question_id"] for row in rows] == question_ids
            assert {tuple(row) for row in rows} == {("question_id", "context", "spans")}


def test_contexts_fill_the_budget_exactly_and_hold_the_text_of_their_spans(tmp_path, encoder):
    run("qasper", EXCERPT, [TREATISE], BUDGETS, tmp_path, encoder=encoder)
    texts = {q.id: d.document.text for d in DATASETS["qasper"].load(EXCERPT) for q in d.questions}
    for budget in BUDGETS:
        for row in lines(tmp_path / f"treatise-{budget}.jsonl"):
            assert len(row["context"].split()) == budget
            pieces = [texts[row["question_id"]][start:end] for start, end in row["spans"]]
            assert row["context"] == "\n\n".join(pieces)


def test_scores_equal_those_of_the_oracle_to_the_digit(tmp_path, encoder):
    summary = run("qasper", EXCERPT, [FLAT_SENTENCE, BALANCED], BUDGETS, tmp_path, encoder=encoder)
    for row in summary.rows:
        contexts = {
            line["question_id"]: line["context"] for line in lines(tmp_path / f"{row.recipe}-{row.budget}.jsonl")
        }
        f1, recall = score(contexts, EXCERPT)
        assert row.scores["f1"].mean == pytest.approx(f1, abs=1e-9)
        assert row.scores["recall"].mean == pytest.approx(recall, abs=1e-9)


def test_the_summary_names_all_that_a_result_rests_on(tmp_path, encoder, question_ids):
    run("qasper", EXCERPT, [FLAT_SENTENCE, BALANCED], BUDGETS, tmp_path, encoder=encoder)
    summary = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))
    record, rows = summary["record"], summary["rows"]
    assert record["encoder"] == encoder.name
    assert record["recipes"]["balanced"]["indexing"]["tree"] == "balanced"
    assert len(record["data_sha256"]) == len(record["code_sha256"]) == 64
    assert (record["n_documents"], record["n_questions"]) == (2, len(question_ids))
    assert [(row["recipe"], row["budget"], row["n"]) for row in rows] == [
        (recipe, budget, len(question_ids)) for recipe in ("flat-sentence", "balanced") for budget in BUDGETS
    ]
    assert rows[0]["differences"] == {}
    assert set(rows[2]["differences"]["f1"]) == {
        *("mean", "low", "high"),
        *("p", "p_holm", "p_bootstrap", "p_bootstrap_holm", "p_t", "p_t_holm"),
    }
    assert rows[2]["differences"]["f1"]["mean"] == pytest.approx(
        rows[2]["scores"]["f1"]["mean"] - rows[0]["scores"]["f1"]["mean"]
    )


def test_tables_are_written_for_people_and_for_spreadsheets(tmp_path, encoder):
    run("qasper", EXCERPT, [FLAT_SENTENCE, BALANCED], BUDGETS, tmp_path, encoder=encoder)
    table = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert table.startswith("| recipe | words | f1 | Δ f1 | recall | Δ recall |\n")
    assert "points over flat-sentence" in table
    with (tmp_path / "summary.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["metric"] for row in rows] == ["f1", "recall"] * 4
    assert rows[0]["p_holm"] == ""


def test_a_document_is_encoded_once_for_all_recipes_and_budgets(tmp_path, encoder):
    run("qasper", EXCERPT, [FLAT_SENTENCE], [50], tmp_path / "one", encoder=encoder)
    n_texts, n_contexts = encoder.n_texts, encoder.n_contexts
    assert n_contexts == 0
    encoder.n_texts = encoder.n_contexts = 0
    other = replace(TREATISE, name="OTHER", scoring=Scoring(bm25=0))
    run("qasper", EXCERPT, [FLAT_SENTENCE, BALANCED, TREATISE, other], BUDGETS, tmp_path / "four", encoder=encoder)
    assert encoder.n_texts == n_texts
    paragraphs = [p for d in DATASETS["qasper"].load(EXCERPT) for p in d.document.paragraphs]
    assert encoder.n_contexts == len({str(p) for p in paragraphs})


def test_vectors_kept_in_a_file_are_not_made_again_and_give_the_same_results(tmp_path, encoder):
    cache = tmp_path / "vectors.sqlite"
    for out in ("a", "b"):
        run("qasper", EXCERPT, [TREATISE], [50], tmp_path / out, encoder=encoder, cache=cache)
        encoder.n_texts, n_made = 0, encoder.n_texts
    assert n_made == 0
    run("qasper", EXCERPT, [TREATISE], [50], tmp_path / "c", encoder=encoder)
    results = {(tmp_path / out / "treatise-50.jsonl").read_bytes() for out in "abc"}
    assert len(results) == 1


class KilledError(Exception):
    pass


def killed_after(n_documents: int):
    def stop(done: int, total: int) -> None:
        if done == n_documents < total:
            raise KilledError

    return stop


def test_a_killed_run_goes_on_where_it_was_and_ends_with_the_same_files(tmp_path, encoder):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    run("qasper", EXCERPT, [FLAT_SENTENCE, TREATISE], BUDGETS, whole, encoder=encoder)
    with pytest.raises(KilledError):
        run("qasper", EXCERPT, [FLAT_SENTENCE, TREATISE], BUDGETS, killed, encoder=encoder, progress=killed_after(1))
    assert not (killed / "treatise-30.jsonl").exists()
    with (killed / "treatise-30.jsonl.part").open("a", encoding="utf-8") as part:
        part.write('{"question_id": "torn')
    seen: list[tuple[int, int]] = []
    run(
        *("qasper", EXCERPT, [FLAT_SENTENCE, TREATISE], BUDGETS, killed),
        encoder=encoder,
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen == [(1, 2), (2, 2)]
    for path in whole.glob("*-*.jsonl"):
        assert (killed / path.name).read_bytes() == path.read_bytes()


def test_finished_results_are_kept_while_settings_data_and_code_are_the_same(tmp_path, encoder):
    run("qasper", EXCERPT, [FLAT_SENTENCE, BALANCED], [30], tmp_path, encoder=encoder)
    encoder.n_texts = 0
    run("qasper", EXCERPT, [FLAT_SENTENCE, BALANCED], [30], tmp_path, encoder=encoder)
    assert encoder.n_texts == 0
    before = (tmp_path / "balanced-30.jsonl").read_bytes()
    changed = replace(BALANCED, scoring=Scoring(dense=0, bm25=1))
    run("qasper", EXCERPT, [FLAT_SENTENCE, changed], [30], tmp_path, encoder=encoder)
    assert (tmp_path / "balanced-30.jsonl").read_bytes() != before


def test_a_limit_takes_the_first_documents(tmp_path, encoder, question_ids):
    summary = run("qasper", EXCERPT, [FLAT_SENTENCE], [30], tmp_path, encoder=encoder, limit=1)
    found = [row["question_id"] for row in lines(tmp_path / "flat-sentence-30.jsonl")]
    assert found == question_ids[: len(found)]
    assert summary.record.n_documents == 1


@pytest.mark.parametrize(
    ("name", "file", "metrics"),
    [
        ("fairytaleqa", "fairytaleqa-excerpt.jsonl", {"answer_in_context", "span_recall", "span_precision"}),
        ("qmsum", "qmsum-excerpt.jsonl", {"span_recall", "span_precision"}),
    ],
)
def test_other_sets_are_measured_by_their_own_gold(tmp_path, encoder, name, file, metrics):
    summary = run(name, DATA / file, [FLAT_SENTENCE, BALANCED], [100], tmp_path, encoder=encoder)
    assert set(summary.rows[0].scores) == metrics
    assert all(0 < mean.mean < 100 for row in summary.rows for mean in row.scores.values())


def test_a_set_without_evidence_is_retrieved_but_not_scored(tmp_path, encoder):
    row = {"question_text": "What?", "question_number": 1, "responses": [{"response_text": "Rain."}]}
    story = {"metadata": {"passage_id": "7"}, "document": "It rained. All day.", "questions": [row]}
    (tmp_path / "s.jsonl").write_text(json.dumps(story), encoding="utf-8")
    summary = run("squality", tmp_path / "s.jsonl", [FLAT_SENTENCE, BALANCED], [2], tmp_path / "out", encoder=encoder)
    assert [row.scores for row in summary.rows] == [{}, {}]
    assert "Nothing is scored" in (tmp_path / "out" / "summary.md").read_text(encoding="utf-8")


def test_a_document_without_text_has_an_empty_context(tmp_path, encoder):
    paper = {"title": "", "abstract": None, "full_text": [], "qas": []}
    asked = {"question": "What?", "question_id": "q", "answers": [{"answer": {"unanswerable": True}}]}
    (tmp_path / "p.json").write_text(json.dumps({"p": paper | {"qas": [asked]}}), encoding="utf-8")
    run("qasper", tmp_path / "p.json", [BALANCED], [30], tmp_path / "out", encoder=encoder)
    assert lines(tmp_path / "out" / "balanced-30.jsonl") == [{"question_id": "q", "context": "", "spans": []}]


def test_results_hold_characters_that_other_readers_take_for_line_ends(tmp_path, encoder):
    text = "Tea is hot.\u2028Rain is \x85cold."
    question = {"id": "q", "question": "How is tea?", "spans": [[0, 3]]}
    record = json.dumps({"document": text, "questions": [question]})
    (tmp_path / "d.jsonl").write_text(record, encoding="utf-8")
    summary = run("spans", tmp_path / "d.jsonl", [BALANCED], [30], tmp_path / "out", encoder=encoder)
    assert summary.rows[0].scores["span_recall"].mean == 100
    assert len(lines(tmp_path / "out" / "balanced-30.jsonl")) == 1


def test_recipes_of_one_name_and_budgets_of_no_words_are_refused(tmp_path, encoder):
    with pytest.raises(RecipeError, match="balanced, balanced"):
        run("qasper", EXCERPT, [BALANCED, BALANCED], [30], tmp_path, encoder=encoder)
    with pytest.raises(DataError, match="budgets"):
        run("qasper", EXCERPT, [BALANCED], [0], tmp_path, encoder=encoder)


def test_a_file_without_questions_or_with_an_id_twice_is_refused(tmp_path, encoder):
    question = {"id": "1", "question": "How?", "spans": []}
    for questions, expected in (([], "found none"), ([question, question], "'1' 2 times")):
        (tmp_path / "d.jsonl").write_text(json.dumps({"document": "Tea is hot.", "questions": questions}))
        with pytest.raises(DataError, match=expected):
            run("spans", tmp_path / "d.jsonl", [BALANCED], [30], tmp_path / "out", encoder=encoder)


def test_a_folder_that_cannot_be_made_is_named(tmp_path, encoder):
    (tmp_path / "out").write_text("a file", encoding="utf-8")
    with pytest.raises(DataError, match="out: results cannot be written there"):
        run("qasper", EXCERPT, [BALANCED], [30], tmp_path / "out", encoder=encoder)
