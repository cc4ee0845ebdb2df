"""Draft, feedback, revision: how the loop ends, and what it never lets through."""

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.builders import make_document
from treatise.core.answer import Answer, Support
from treatise.core.document import Span
from treatise.core.errors import EngineError, EngineUnavailableError, ModelReplyError, RecipeError
from treatise.core.evidence import Evidence, Passage
from treatise.core.ports import Message
from treatise.core.recipe import ReaderText, Refinement
from treatise.generate.prompted import answer_by_model
from treatise.generate.refined import Writer
from treatise.testing import HashingEncoder, ScriptedModel

SENTENCES = ["Anna wants the tall tower.", "Ben calls the tower a costly mistake.", "They meet again in May."]
DOCUMENT = make_document([SENTENCES])


def passages() -> tuple[Passage, ...]:
    places = [DOCUMENT.text.index(sentence) for sentence in SENTENCES]
    return tuple(
        Passage(DOCUMENT.id, Span(at, at + len(sentence)), sentence, 1.0)
        for at, sentence in zip(places, SENTENCES, strict=True)
    )


EVIDENCE = Evidence("What do they think of the tower?", passages(), "", 300, 0.9)
DRAFT = "Anna wants the tall tower. [1]"
FULL = "Anna wants the tall tower. [1] Ben calls the tower a costly mistake. [2]"
INVENTED = "Anna wants the tall tower. [1] The mayor resigned over 300 bribes. [2]"


def verdict(satisfied: bool, *feedback: str) -> str:
    return json.dumps({"satisfied": satisfied, "feedback": feedback})


MORE = verdict(False, "Ben's opinion is missing (passage 2).")
FINE = verdict(True)


def refined(script: Sequence[str | EngineError], **limits: int) -> tuple[Answer, ScriptedModel]:
    model = ScriptedModel(script)
    writer = Writer(model, HashingEncoder(), refinement=Refinement("Every opinion, by name.", **limits))
    return answer_by_model(EVIDENCE, [DOCUMENT], writer), model


def plain(text: str) -> str:
    return " ".join(part for part in text.split() if not part.startswith("["))


def test_a_draft_is_revised_until_the_critic_is_satisfied_and_every_round_is_kept() -> None:
    answer, _ = refined([DRAFT, MORE, FULL, FINE])
    assert answer.text == plain(FULL)
    assert [(r.text, r.satisfied) for r in answer.rounds] == [(plain(DRAFT), False), (plain(FULL), True)]
    assert answer.rounds[0].feedback == ("Ben's opinion is missing (passage 2).",)
    assert not answer.notes
    assert answer.usage.total_model.n_calls == 4


def test_the_critic_sees_goal_passages_and_draft_and_the_revision_sees_the_remarks() -> None:
    _, model = refined([DRAFT, MORE, FULL, FINE])
    critic, revision = model.prompts[1], model.prompts[2]
    assert "Every opinion, by name." in critic[0].content
    assert all(text in critic[1].content for text in (*SENTENCES, DRAFT))
    assert revision[:2] == model.prompts[0]
    assert revision[2] == Message("assistant", DRAFT)
    assert "Ben's opinion is missing" in revision[3].content
    assert model.schemas == [None, model.schemas[1], None, model.schemas[1]]
    assert model.schemas[1] is not None


def test_a_critic_that_never_agrees_ends_at_the_round_limit() -> None:
    revisions = [f"{FULL} They meet again in May. [3]" + " They meet again in May. [3]" * n for n in range(5)]
    script = [DRAFT] + [line for revision in revisions for line in (MORE, revision)]
    answer, model = refined(script, max_rounds=3, max_calls=99)
    assert len(answer.rounds) == 4
    assert answer.rounds[-1].satisfied is None
    assert len(model.prompts) == 7
    assert any("did not agree within 3 revisions" in note for note in answer.notes)


def test_the_budget_of_calls_is_kept() -> None:
    answer, model = refined([DRAFT, MORE, FULL, MORE, DRAFT], max_calls=4)
    assert len(model.prompts) <= 4
    assert answer.text == plain(FULL)
    assert "would pass the limit" in answer.notes[0]
    assert len(refined([DRAFT], max_calls=1)[1].prompts) == 1


def test_a_claim_that_nothing_bears_out_does_not_win_over_a_draft_without_it() -> None:
    answer, _ = refined([DRAFT, MORE, INVENTED, FINE, INVENTED + " [1]", FINE], max_rounds=2)
    assert answer.text == plain(DRAFT)
    assert answer.rounds[1].n_unverified == 1
    assert answer.rounds[1].satisfied is False, "a satisfied critic does not make a claim pass"
    assert "not borne out" in answer.rounds[1].feedback[-1]
    assert all(statement.support is not Support.UNVERIFIED for statement in answer.statements)


def test_what_was_invented_at_first_is_handed_back_and_goes() -> None:
    answer, model = refined([INVENTED, FINE, FULL, FINE])
    assert "The mayor resigned" in model.prompts[2][-1].content
    assert answer.text == plain(FULL)
    assert answer.rounds[-1].satisfied


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ([DRAFT, MORE, DRAFT], "repeats an earlier draft"),
        ([DRAFT, MORE, "  ", ""], "the revision failed: scripted gave no usable reply: it is empty"),
        ([DRAFT, MORE, EngineUnavailableError("down")], "the revision failed: down"),
        ([DRAFT, verdict(False)], "named nothing to change"),
        ([DRAFT, verdict(False, " ", "")], "named nothing to change"),
        ([DRAFT, "fine!", "really fine!"], "the critic failed: scripted gave no usable reply: it is not the JSON"),
        ([DRAFT, '{"satisfied": "yes", "feedback": []}', "[]"], "the critic failed"),
        ([DRAFT, "", ""], "the critic failed: scripted gave no usable reply: it is empty"),
        ([DRAFT, EngineUnavailableError("down")], "the critic failed: down"),
    ],
)
def test_whatever_breaks_the_loop_the_draft_is_kept_and_a_note_says_why(script: list, says: str) -> None:
    answer, _ = refined(script)
    assert answer.text == plain(DRAFT)
    assert says in answer.notes[0]
    assert len(answer.rounds) == 1


def test_a_revision_without_a_sentence_does_not_win_over_a_draft() -> None:
    answer, _ = refined([DRAFT, MORE, "[1] [2]", FINE])
    assert answer.text == plain(DRAFT)


def test_a_reply_of_marks_alone_is_no_answer() -> None:
    with pytest.raises(ModelReplyError, match="without a sentence"):
        refined(["[1, 2]", FINE])


def test_a_verdict_that_does_not_fit_is_asked_for_once_more() -> None:
    answer, model = refined([DRAFT, "It is fine.", f"```json\n{FINE}\n```"])
    assert answer.rounds[0].satisfied
    assert len(model.prompts) == 3


def test_a_draft_cannot_end_its_own_tag_and_nothing_found_is_not_refined() -> None:
    _, model = refined(["Anna </draft> wants the tall tower. [1]", FINE])
    assert model.prompts[1][1].content.count("</draft>") == 1
    answer, model = refined(["NOT FOUND"])
    assert not answer.found
    assert not answer.rounds


def test_without_refinement_the_first_draft_is_the_answer() -> None:
    model = ScriptedModel([DRAFT])
    answer = answer_by_model(EVIDENCE, [DOCUMENT], Writer(model, HashingEncoder()))
    assert answer.text == plain(DRAFT)
    assert not answer.rounds


@pytest.mark.parametrize(("window", "whole"), [(0, True), (8_000, True), (700, False)])
def test_the_whole_text_stands_behind_the_passages_where_the_window_allows(window: int, whole: bool) -> None:
    model = ScriptedModel([DRAFT], context_tokens=window)
    evidence = replace(EVIDENCE, passages=EVIDENCE.passages[:1])
    reader_text = ReaderText.EVIDENCE_AND_DOCUMENT
    answer = answer_by_model(evidence, [DOCUMENT], Writer(model, HashingEncoder()), reader_text=reader_text)
    asked = model.prompts[0][1].content
    assert (SENTENCES[2] in asked) is whole
    assert asked.index(SENTENCES[0]) < (asked.index("<document>") if whole else len(asked))
    assert bool(answer.notes) is not whole


@pytest.mark.parametrize("wrong", [{"goal": " "}, {"max_rounds": 0}, {"max_calls": 0}])
def test_what_cannot_be_is_refused(wrong: dict) -> None:
    with pytest.raises(RecipeError, match="refinement"):
        Refinement(**wrong)
