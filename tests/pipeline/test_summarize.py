"""Summaries by a language model, of any length, within its window; by discourse without one."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.builders import make_document, make_indexed
from treatise.core.answer import Answer, Support
from treatise.core.errors import EngineError, EngineUnavailableError, ModelReplyError, QuestionError, SourceError
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import Message
from treatise.core.recipe import Balanced, Flat, Indexing, Recipe, Refinement, Scoring
from treatise.core.words import n_tokens
from treatise.llm.budget import Budget
from treatise.llm.cache import MemoryCache
from treatise.pipeline.condense import stretches
from treatise.pipeline.engines import Engines
from treatise.pipeline.index import index_document
from treatise.pipeline.library import Library
from treatise.pipeline.system import System
from treatise.recipes import BISECTION, TREATISE
from treatise.store import SqliteStore
from treatise.testing import HashingEncoder, ScriptedModel

ENCODER = HashingEncoder()
RECIPE = Recipe("X", Indexing(tree=Balanced()))


def document_of(n_paragraphs: int, n_sentences: int = 5) -> IndexedDocument:
    paragraphs = [
        [f"Person {p} told the board that plan {p}-{s} costs {100 * p + s} crowns." for s in range(n_sentences)]
        for p in range(n_paragraphs)
    ]
    return index_document(make_document(paragraphs), RECIPE.indexing, encoder=ENCODER)


def condensing(messages: Sequence[Message]) -> str:
    """Notes: the first words of each part. The summary: the first sentence of each of the first passages, cited."""
    text = messages[-1].content
    if "<part>" in text:
        return " ".join(text.split("<part>")[1].split()[:12])
    passages = text.split('<passage number="')[1:]
    first = [passage.split(">", 1)[1].split("</passage")[0].strip().split(".")[0] for passage in passages[:3]]
    return " ".join(f"{sentence}. [{i}]" for i, sentence in enumerate(first, 1))


def summary(
    indexed: IndexedDocument,
    question: str = "",
    *,
    model: ScriptedModel | None = None,
    max_words: int = 60,
    recipe: Recipe = RECIPE,
    **options: Any,
) -> Answer:
    system = System(recipe, Engines(ENCODER, model=model), **options)
    return system.summarize(indexed, question, max_words=max_words, fallback=False)


def assert_cited(answer: Answer, indexed: IndexedDocument) -> None:
    for citation in answer.citations:
        assert indexed.document.quote(citation.span.start, citation.span.end) == citation.quote
    assert all(0 <= i < len(answer.citations) for statement in answer.statements for i in statement.citations)


@pytest.mark.parametrize("max_words", [1, 20, 57, 400, 10_000])
def test_stretches_tile_the_document_and_keep_to_the_limit(max_words: int) -> None:
    for indexed in (document_of(9), make_indexed([["One."]])):
        runs = list(stretches(indexed, max_words))
        assert [unit for start, end in runs for unit in range(start, end)] == list(range(len(indexed.units)))
        for start, end in runs:
            words = indexed.document.quote(indexed.units[start].start, indexed.units[end - 1].end).split()
            assert len(words) <= max_words or end - start == 1


def test_a_document_that_fits_is_given_as_it_stands_in_one_call() -> None:
    indexed, model = document_of(4), ScriptedModel(condensing)
    answer = summary(indexed, model=model)
    (conversation,) = model.prompts
    assert all(indexed.document.quote(u.start, u.end) in conversation[1].content for u in indexed.units)
    assert "at most 60 words" in conversation[0].content
    assert all(statement.support is not Support.UNVERIFIED for statement in answer.statements)
    assert_cited(answer, indexed)


def test_a_long_document_is_condensed_bottom_up_and_no_prompt_leaves_the_window() -> None:
    indexed, window = document_of(150, 10), 2_048
    model = ScriptedModel(condensing, context_tokens=window)
    answer = summary(indexed, model=model, max_words=50)
    assert len(model.prompts) > 20
    longest = max(sum(n_tokens(message.content) for message in prompt) for prompt in model.prompts)
    assert longest < window
    assert answer.usage.total_model.n_calls == len(model.prompts)
    assert answer.statements
    assert_cited(answer, indexed)
    assert all(citation.quote.startswith("Person") for citation in answer.citations), "sentences are cited, not notes"


def test_no_call_is_paid_twice() -> None:
    indexed, cache = document_of(100, 10), MemoryCache()
    first, second = (ScriptedModel(condensing, context_tokens=2_048) for _ in range(2))
    once, again = (summary(indexed, model=model, max_words=50, cache=cache) for model in (first, second))
    assert len(second.prompts) == 1
    assert again.text == once.text
    assert again.usage.total_model.n_reused == len(first.prompts) - 1


def test_sentences_of_the_document_replace_notes_beyond_the_budget() -> None:
    indexed, model = document_of(100, 10), ScriptedModel(condensing, context_tokens=2_048)
    answer = summary(indexed, model=model, max_words=50, budget=Budget(max_calls=2))
    assert len(model.prompts) == 3
    assert answer.statements
    assert_cited(answer, indexed)


def test_sentences_of_the_document_replace_rejected_notes() -> None:
    def refusing(messages: Sequence[Message]) -> str:
        return condensing(messages) if "<passage" in messages[-1].content else "I'm sorry, I can't help with that."

    indexed = document_of(60, 10)
    answer = summary(indexed, model=ScriptedModel(refusing, context_tokens=2_048), max_words=50)
    assert answer.statements[0].support is not Support.UNVERIFIED


def test_unsupported_sentences_are_marked_and_those_beyond_the_limit_left_out() -> None:
    indexed = document_of(2)
    reply = (
        "Person 0 told the board that plan 0-0 costs 0 crowns. [1] The mayor fled with 77 millions. [1] " + "On. " * 60
    )
    answer = summary(indexed, model=ScriptedModel([reply]), max_words=30)
    assert [statement.support for statement in answer.statements[:2]] == [Support.QUOTED, Support.UNVERIFIED]
    assert len(answer.text.split()) <= 30
    assert any("could not be verified" in note for note in answer.notes)
    assert any("more than 30 words" in note for note in answer.notes)


def test_a_summary_on_a_question_reads_relevant_sentences_in_text_order() -> None:
    indexed, model = document_of(80, 10), ScriptedModel(condensing)
    answer = summary(indexed, "What did Person 41 say of plan 41-3?", model=model, max_words=40)
    (conversation,) = model.prompts
    asked = conversation[1].content
    assert "Summarise what the passages say on this: What did Person 41" in asked
    assert "plan 41-3" in asked
    places = [asked.index(passage.text) for passage in answer.evidence.passages]
    assert places == sorted(places)
    assert 300 < sum(len(passage.text.split()) for passage in answer.evidence.passages) < 1_000


def test_a_summary_is_refined_towards_its_goal() -> None:
    indexed = document_of(2)
    good = "Person 0 told the board that plan 0-0 costs 0 crowns. [1]"
    more = good + " Person 1 told the board that plan 1-0 costs 100 crowns. [1]"
    verdicts = [
        json.dumps({"satisfied": False, "feedback": ["Person 1 is missing."]}),
        '{"satisfied": true, "feedback": []}',
    ]
    model = ScriptedModel([good, verdicts[0], more, verdicts[1]])
    answer = summary(indexed, model=model, recipe=replace(RECIPE, refinement=Refinement("Every opinion.")))
    assert [one.satisfied for one in answer.rounds] == [False, True]
    assert "plan 1-0" in answer.text
    assert answer.usage.total_model.n_calls == 4


def test_a_model_that_fails_is_an_error() -> None:
    with pytest.raises(EngineUnavailableError, match="down"):
        summary(document_of(1), model=ScriptedModel([EngineUnavailableError("down")]))
    with pytest.raises(ModelReplyError, match="it is empty"):
        summary(document_of(1), model=ScriptedModel([" ", " "]))


def test_a_meeting_of_two_hundred_speakers() -> None:
    turns = [[f"Speaker {n}: I, for one, think that item {n} should be settled by May {n % 30}."] for n in range(200)]
    indexed = index_document(make_document(turns), RECIPE.indexing, encoder=ENCODER)
    lexical = replace(RECIPE, scoring=Scoring(dense=0, bm25=1))
    quoted = summary(indexed, "What does Speaker 117 think?", recipe=lexical, max_words=40)
    assert "Speaker 117:" in quoted.text
    model = ScriptedModel(condensing, context_tokens=2_048)
    assert summary(indexed, model=model).statements


def test_without_a_model_sentences_are_quoted_to_the_letter_and_the_limit_is_hard() -> None:
    indexed = document_of(20)
    for max_words in (1, 5, 30, 100):
        answer = summary(indexed, max_words=max_words)
        assert 1 <= len(answer.text.split()) <= max_words
        assert all(statement.support is Support.QUOTED for statement in answer.statements)
        assert [c.span.start for c in answer.citations] == sorted(c.span.start for c in answer.citations)
        assert_cited(answer, indexed)


def test_a_note_says_if_the_document_holds_little_on_the_question() -> None:
    answer = summary(document_of(3), "Zebras?", max_words=30)
    assert answer.evidence.confidence < 0.3
    assert "may hold little on this question" in answer.notes[0]


def test_a_library_summarizes_a_file_and_a_document(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("Anna wants the tall tower. Ben calls the tower a mistake. They meet again in the month of May.\n")
    library = Library(SqliteStore(tmp_path / "s.db"), System(replace(TREATISE, name="T"), Engines(ENCODER)))
    of_file = library.summarize(file, max_words=10)
    (entry,) = library.documents()
    assert library.summarize(document=entry.id, max_words=10).text == of_file.text
    assert len(of_file.text.split()) <= 10
    with pytest.raises(SourceError):
        library.summarize()
    with pytest.raises(QuestionError):
        library.summarize(file, "why " * 3_000)
    library.close()


@pytest.mark.parametrize("failure", [EngineUnavailableError("down"), ModelReplyError("half a body")])
def test_a_library_quotes_if_the_model_fails_and_says_why(tmp_path: Path, failure: EngineError) -> None:
    file = tmp_path / "a.txt"
    file.write_text("Anna wants the tall tower. Ben calls the tower a mistake. They meet again in the month of May.\n")
    system = System(replace(TREATISE, name="T"), Engines(ENCODER))
    with SqliteStore(tmp_path / "s.db") as store:
        quoted = Library(store, system).summarize(file, max_words=10)
        failing = Library(store, system.with_model(ScriptedModel([failure] * 2))).summarize(file, max_words=10)
    assert (failing.text, failing.citations) == (quoted.text, quoted.citations)
    reason, *others = failing.notes
    assert reason.startswith("made without the language model, which failed: ")
    assert reason.endswith(str(failure))
    assert tuple(others) == quoted.notes


def test_indexing_and_summary_share_one_ceiling(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    topics = [f"Anna of house {i} wants the tall tower of town {i} to be rebuilt in the spring." for i in range(400)]
    file.write_text("\n\n".join(topics))
    model = ScriptedModel(lambda messages: messages[1].content[8:80])
    with SqliteStore(tmp_path / "s.db") as store:
        library = Library(store, System(BISECTION, Engines(ENCODER, model=model), budget=Budget(max_calls=5)))
        made = library.summarize(file, max_words=50)
    assert len(model.prompts) == 5 + 1, "the ceiling is of notes; the summary itself is one call more"
    assert made.usage.total_model.n_calls == 1


def test_a_forest_without_any_tree_is_summarized_as_well() -> None:
    flat = replace(RECIPE, indexing=Indexing(tree=Flat()))
    indexed = index_document(make_document([["Anna wants the tall tower."] * 40]), flat.indexing, encoder=ENCODER)
    assert np.isfinite(indexed.vectors).all()
    assert summary(indexed, max_words=12, recipe=flat).text.startswith("Anna wants")
    assert len(list(stretches(indexed, 50))) == 4
