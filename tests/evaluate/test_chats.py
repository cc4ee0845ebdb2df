"""Chats for readers: a recipe's own prompt, and the data set's answer."""

import json
from pathlib import Path

import pytest

from treatise.compose import open_engines
from treatise.core.errors import EngineError
from treatise.evaluate.run.chats import write_chats
from treatise.evaluate.run.spec import RunSpec
from treatise.recipes import recipe_named

QASPER = {
    "p1": {
        "title": "Mills",
        "abstract": "We study a mill.",
        "full_text": [
            {"section_name": "Data", "paragraphs": ["The mill stands by the river. It grinds corn all day."]}
        ],
        "qas": [
            {
                "question": "Where does the mill stand?",
                "question_id": "q1",
                "answers": [
                    {
                        "answer": {
                            "unanswerable": False,
                            "extractive_spans": ["by the river"],
                            "yes_no": None,
                            "free_form_answer": "",
                            "evidence": ["The mill stands by the river. It grinds corn all day."],
                            "highlighted_evidence": ["The mill stands by the river."],
                        }
                    }
                ],
            }
        ],
    }
}


def chats(tmp_path: Path, recipe: str) -> list[dict[str, object]]:
    data, out = tmp_path / "qasper.json", tmp_path / "chats.jsonl"
    data.write_text(json.dumps(QASPER), encoding="utf-8")

    chosen = [recipe_named(recipe)]
    spec = RunSpec(
        dataset="qasper", data=data, out=out, recipes=chosen, engines=open_engines(chosen, llm=""), calls=tmp_path / "c"
    )
    n = write_chats(spec)
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert len(lines) == n
    return lines


def test_a_chat_is_the_recipes_prompt_and_the_gold_answer(tmp_path: Path) -> None:
    (chat,) = chats(tmp_path, "standard-rag")
    assert chat["id"] == "q1"
    system, user, assistant = chat["messages"]
    assert (system["role"], user["role"], assistant) == (
        "system",
        "user",
        {"role": "assistant", "content": "by the river"},
    )
    assert "The mill stands by the river." in user["content"]
    assert user["content"].endswith("Question: Where does the mill stand?")


def test_structure_stands_in_the_prompts_of_a_recipe_with_structure(tmp_path: Path) -> None:
    (plain,), (structured,) = chats(tmp_path, "standard-rag"), chats(tmp_path, "disco-rag-local")
    assert len(structured["messages"][1]["content"]) > len(plain["messages"][1]["content"])


def test_a_recipe_that_needs_a_model_says_so(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="name one with --llm"):
        chats(tmp_path, "disco-rag")
