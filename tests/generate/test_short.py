"""Answers in the short forms of data sets, without a language model."""

import pytest

from treatise.core.answer import Answer, DirectAnswer
from treatise.core.evidence import Evidence
from treatise.core.form import FormKind
from treatise.generate import shortened

EVIDENCE = Evidence("", (), "", 0, 0.9)


def make_answer(question: str, direct: str = "", *, found: bool = True) -> Answer:
    of_reader = DirectAnswer(direct, "span", 0.9) if direct else None
    return Answer(question, "The quoted sentences.", (), (), EVIDENCE, found=found, direct=of_reader)


@pytest.mark.parametrize("kind", [FormKind.SHORT, FormKind.SPAN, FormKind.STORY, FormKind.SHORT_ZH])
def test_a_short_form_is_the_direct_answer(kind: FormKind) -> None:
    assert shortened(make_answer("What was found?", "71 percent"), kind).text == "71 percent"


@pytest.mark.parametrize("kind", [FormKind.CITED, FormKind.CHOICE])
def test_other_forms_stay_quoted(kind: FormKind) -> None:
    assert shortened(make_answer("What was found?", "71 percent"), kind).text == "The quoted sentences."


def test_without_a_reader_sentences_are_quoted_in_every_form() -> None:
    assert shortened(make_answer("What was found?"), FormKind.SHORT).text == "The quoted sentences."


def test_only_forms_that_know_the_word_refuse_by_it() -> None:
    assert shortened(make_answer("What was found?", found=False), FormKind.SHORT).text == "Unanswerable"
    assert shortened(make_answer("What was found?", found=False), FormKind.SPAN).text == "Unanswerable"
    assert shortened(make_answer("What was found?", found=False), FormKind.STORY).text == "The quoted sentences."


@pytest.mark.parametrize(
    ("question", "sentence", "verdict"),
    [
        ("Do they use a parser?", "We use the parser of Collins.", "Yes"),
        ("Do they use a parser?", "We do not use a parser.", "No"),
        ("Do they use a parser?", "A parser isn’t needed.", "No"),
        ("Is the model not trained?", "The model is not trained.", "Yes"),
    ],
)
def test_a_yes_or_no_question_is_decided_by_the_negation_in_the_sentence(
    question: str, sentence: str, verdict: str
) -> None:
    answer = shortened(make_answer(question, sentence), FormKind.SHORT)
    assert answer.direct
    assert (answer.text, answer.direct.kind) == (verdict, verdict.lower())
    assert shortened(make_answer(question, sentence), FormKind.SPAN).text == sentence
    assert shortened(make_answer(question, sentence), FormKind.CITED).direct == make_answer(question, sentence).direct
