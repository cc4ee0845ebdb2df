"""Answers measured: over a small file, with a model that says what it is told to."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.evaluate.specs import make_spec
from treatise.core.errors import DataError, EngineUnavailableError, ModelReplyError
from treatise.core.ports import Message
from treatise.evaluate.data.dataset import AnswerKind, Question, Reference
from treatise.evaluate.run.generation import run, scores_of
from treatise.evaluate.run.spec import OWN_BUDGET
from treatise.recipes import BISECTION, FLAT_SENTENCE, STANDARD_RAG, TREATISE
from treatise.testing import HashingEncoder, ScriptedModel

ARTICLES = [
    {
        "article_id": f"a{i}",
        "article": f"The pot of room {i} holds tea.\n\nThe jar of room {i} holds salt. Nobody knows why.",
        "questions": [
            {"question": "What does the pot hold?", "options": ["salt", "tea", "ink"], "gold_label": 2},
            {"question": "What does the jar hold?", "options": ["salt", "tea", "ink"], "gold_label": 1},
        ],
    }
    for i in range(3)
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "articles.jsonl"
    path.write_text("\n".join(map(json.dumps, ARTICLES)))
    return path


def says_tea(messages: Sequence[Message]) -> str:
    assert "(B) tea" in messages[1].content
    return "(B) It is tea."


def measured(data: Path, model: ScriptedModel | None, out: str = "out", **options: object):
    recipes, folder = [FLAT_SENTENCE, TREATISE], data.parent / out
    return run(make_spec("quality", data, recipes, [20], folder, model=model, encoder=HashingEncoder(16), **options))


def test_options_are_scored_by_letter_and_by_nearness(data: Path) -> None:
    summary = measured(data, ScriptedModel(says_tea))
    for row in summary.rows:
        assert {name: score.mean for name, score in row.scores.items()} == {
            "accuracy": 50.0, "accuracy_nearest": 50.0, "unread": 0.0,
        }  # fmt: skip
        assert row.n == 6
    assert summary.model == "scripted"
    lines = (data.parent / "out" / "treatise-20.jsonl").read_text().splitlines()
    assert json.loads(lines[0]) == {"question_id": "a0/1", "answer": "(B) It is tea.", "error": "", "is_cut": False}


def test_a_stopped_run_resumes_at_the_question_where_it_stopped(data: Path) -> None:
    class Dying(ScriptedModel):
        n = 0

    model = Dying(lambda messages: fail() if model.n > 4 else count())

    def count() -> str:
        model.n += 1
        return "(A)"

    def fail() -> str:
        raise EngineUnavailableError("gone")

    with pytest.raises(EngineUnavailableError, match="gone"):
        measured(data, model)
    healthy = ScriptedModel(says_tea)
    measured(data, healthy)
    assert len(healthy.prompts) == 12 - 5
    again = ScriptedModel(says_tea)
    measured(data, again)
    assert not again.prompts


def test_a_reply_of_no_use_is_counted_and_wrong(data: Path) -> None:
    def empty(_: Sequence[Message]) -> str:
        raise ModelReplyError("it is empty")

    row = measured(data, ScriptedModel(empty)).rows[0]
    assert (row.scores["unread"].mean, row.scores["accuracy"].mean) == (100.0, 0.0)


def test_evidence_is_cut_to_the_window_of_the_model(tmp_path: Path) -> None:
    article = {**ARTICLES[0], "article": " ".join(f"Sentence {i} speaks of pots." for i in range(900))}
    (tmp_path / "long.jsonl").write_text(json.dumps(article))
    model = ScriptedModel(says_tea, context_tokens=600)
    engines = {"model": model, "encoder": HashingEncoder(16)}
    run(make_spec("quality", tmp_path / "long.jsonl", [FLAT_SENTENCE], [3_000], tmp_path / "out", **engines))
    rows = [json.loads(line) for line in (tmp_path / "out" / "flat-sentence-3000.jsonl").read_text().splitlines()]
    assert all(row["is_cut"] for row in rows)
    assert all(len(prompt[1].content) < 4 * 600 for prompt in model.prompts)


def test_without_a_model_answers_are_quoted(data: Path) -> None:
    summary = measured(data, None, questions_each=1, limit=2)
    assert summary.model == ""
    assert summary.rows[0].n == 2
    assert [row.stand_ins for row in summary.rows] == [("quoted answers",)] * 2
    assert "| stands in |" in (data.parent / "out" / "summary.md").read_text(encoding="utf-8")


def test_a_file_without_questions_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({**ARTICLES[0], "questions": []}))
    with pytest.raises(DataError, match=r"a\.jsonl: expected questions"):
        measured(tmp_path / "a.jsonl", None)


@pytest.mark.parametrize(
    ("gold", "answer", "f1"),
    [
        ("Unanswerable", "No answer.", 1.0),
        ("the tea pot", "A pot of tea", 0.8),
        ("厦门大学。", "厦门大学", 1.0),
        ("厦门大学", "北京大学", 0.5),
        ("Yes", "", 0.0),
    ],
)
def test_answers_are_compared_word_by_word_or_character_by_character(gold: str, answer: str, f1: float) -> None:
    question = Question("q", "?", (Reference(gold, AnswerKind.ABSTRACTIVE),))
    assert scores_of(question, answer)["answer_f1"] == pytest.approx(f1)


def test_all_documents_of_a_question_are_read(tmp_path: Path) -> None:
    texts = {"ACME": "ACME earned 7 million.", "BOLT": "BOLT earned 9 million."}
    for name, text in texts.items():
        path = tmp_path / "doc" / "financial" / f"2024-{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    row = {"id": "l1", "set": 1, "level": 2, "type": "financial", "language": "en", "doc": list(texts),
           "question": "Which company earned more?", "instruction": "Compare.", "answer": "BOLT"}  # fmt: skip
    (tmp_path / "loong.jsonl").write_text(json.dumps(row))
    model = ScriptedModel(lambda _: "BOLT earned more. [2]")
    engines = {"model": model, "encoder": HashingEncoder(16)}
    run(make_spec("loong", tmp_path / "loong.jsonl", [STANDARD_RAG], [OWN_BUDGET], tmp_path / "out", **engines))
    (prompt,) = model.prompts
    assert all(text in prompt[-1].content for text in texts.values())


def test_a_second_run_pays_for_no_note_again(data: Path, tmp_path: Path) -> None:
    calls = tmp_path / "calls.db"
    n_calls = []
    for budget in (20, 30):
        model = ScriptedModel(lambda messages: "(B)" if "Question:" in messages[-1].content else "Pots and jars.")
        engines = {"model": model, "encoder": HashingEncoder(16)}
        run(make_spec("quality", data, [BISECTION], [budget], tmp_path / str(budget), calls=calls, **engines))
        n_calls.append(len(model.prompts))
    assert n_calls[0] > n_calls[1] == sum(len(article["questions"]) for article in ARTICLES)
