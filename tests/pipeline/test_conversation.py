"""Conversations over a library: by rules, with a language model, and bounded."""

from dataclasses import replace
from pathlib import Path

import pytest

from treatise import Conversation, Library, open_library
from treatise.core.errors import EngineUnavailableError, QuestionError
from treatise.core.usage import Stage
from treatise.testing import HashingEncoder, ScriptedModel

TEXT = "Green tea is brewed at 70 degrees. Black tea is brewed at 95 degrees. Water boils at 100 degrees."


@pytest.fixture
def conversation(tmp_path: Path) -> Conversation:
    (tmp_path / "tea.txt").write_text(TEXT, encoding="utf-8")
    library = open_library(store=tmp_path / "library.db")
    library = replace(library, system=replace(library.system, engines=_engines(library)))
    return Conversation(library, (library.index(tmp_path / "tea.txt").document,))


def _engines(library: Library):
    return replace(library.system.engines, encoder=HashingEncoder())


def test_a_conversation_answers_as_its_library_does(conversation: Conversation) -> None:
    asked = conversation.ask("How hot is green tea brewed?").ask("And black tea?")
    last = asked.turns[-1]
    assert (last.question, last.resolved) == ("And black tea?", "How hot is black tea brewed?")
    alone = conversation.library.ask(last.resolved, documents=conversation.documents)
    assert last.answer.text == alone.text
    assert last.answer.citations == alone.citations
    assert last.answer.citations


def test_a_conversation_is_a_value(conversation: Conversation) -> None:
    first = conversation.ask("How hot is green tea brewed?")
    assert conversation.turns == ()
    assert len(first.turns) == 1
    assert len(first.ask("And black tea?").turns) == len(first.ask("And white tea?").turns) == 2


def test_the_history_is_bounded(conversation: Conversation) -> None:
    asked = replace(conversation, max_turns=2)
    for question in ("When does water boil?", "How hot is green tea brewed?", "And black tea?"):
        asked = asked.ask(question)
    assert [turn.question for turn in asked.turns] == ["How hot is green tea brewed?", "And black tea?"]
    with pytest.raises(ValueError, match="max_turns=0"):
        replace(conversation, max_turns=0)


def test_a_blank_question_is_refused(conversation: Conversation) -> None:
    with pytest.raises(QuestionError):
        conversation.ask("  ")


def test_a_model_rewrites_from_all_turns_once(conversation: Conversation) -> None:
    model = ScriptedModel(lambda messages: _reply(messages[-1].content))
    asked = replace(conversation, library=conversation.library.with_model(model)).ask("How hot is green tea brewed?")
    again = [asked.ask("And the dark one?") for _ in range(2)]
    assert [one.turns[-1].resolved for one in again] == ["How hot is black tea brewed?"] * 2
    rewrites = [prompt[-1].content for prompt in model.prompts if "<conversation>" in prompt[-1].content]
    assert len(rewrites) == 1
    assert "Q: How hot is green tea brewed?" in rewrites[0]
    assert again[0].turns[-1].answer.usage.model(Stage.QUERIES).n_calls == 1
    assert again[1].turns[-1].answer.usage.model(Stage.QUERIES).n_reused == 1


def _reply(prompt: str) -> str:
    return "How hot is black tea brewed?" if "<conversation>" in prompt else "It is hot. [1]"


def test_rules_replace_a_failing_model_and_a_note_says_so(conversation: Conversation) -> None:
    def fail(_: object) -> str:
        raise EngineUnavailableError("gone")

    first = conversation.ask("How hot is green tea brewed?")
    last = replace(first, library=first.library.with_model(ScriptedModel(fail))).ask("And black tea?").turns[-1]
    assert last.resolved == "How hot is black tea brewed?"
    assert "gone" in last.answer.notes[0]
    assert last.answer.citations


def test_a_new_topic_that_completes_no_question_is_asked_for_itself(tmp_path: Path) -> None:
    (tmp_path / "lease.md").write_text(
        "# Lease\n\n## Rent\n\nThe rent is £925 per month.\n\n## Deposit\n\nThe deposit is £1,050, paid before moving "
        "in.\n\n## Pets\n\nOne cat is allowed. Dogs are not allowed without written consent of the landlord.\n",
        encoding="utf-8",
    )
    with open_library(store=tmp_path / "library.db") as library:
        lease = library.index(tmp_path / "lease.md").document
        asked = Conversation(library, (lease,)).ask("How much is the rent?").ask("What about the deposit?")
        assert "£1,050" in asked.turns[-1].answer.text
        last = asked.ask("What about pets?").turns[-1]
    assert last.answer.found
    assert last.resolved == "What about pets?"
    assert "cat" in last.answer.text
