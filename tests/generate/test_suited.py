"""How well texts suit a question."""

import pytest

from treatise.generate.asked import defined_term
from treatise.generate.suited import opens_section, suitability, tidied
from treatise.ingest import read_bytes

ROWS = ["Kettle number 63 boils at 83 degrees.", "Kettle number 69 boils at 89 degrees."]


def test_a_text_without_the_number_in_the_question_loses_if_another_has_it() -> None:
    has, lacks = suitability("At how many degrees does kettle number 63 boil?", ROWS)
    assert has > lacks


def test_a_number_that_no_text_has_decides_nothing() -> None:
    one, other = suitability("At how many degrees does kettle number 70 boil?", ROWS)
    assert one == other


def test_a_text_without_the_ordinal_or_the_name_in_code_loses_if_another_has_it() -> None:
    texts = ["This is the first meeting.", "Another meeting is in May."]
    first, other = suitability("When is the next meeting?", texts)
    assert first < other
    long, short = suitability("What does /opt hold?", ["/etc/opt holds settings.", "/opt holds add-ons."])
    assert long < short


def test_a_text_that_names_the_party_gains() -> None:
    named, other = suitability("Who is the Tenant?", ['Jo (the "Tenant") pays.', "The Tenant pays."])
    assert named > other


def test_a_text_about_the_opposite_loses() -> None:
    texts = ["The lease begins on 1 March.", "The lease ends on 30 June."]
    begins, ends = suitability("When does the lease end?", texts)
    assert begins < ends
    begins, ends = suitability("When does the lease begin and when does it end?", texts)
    assert begins == ends


def test_the_first_sentence_of_the_section_of_a_term_says_what_it_is_for() -> None:
    text = "# 3. Root\n\n## 3.1. /srv : Data\n\n### Purpose\n\nThis holds data. It grows.\n\n## /opt\n\nOther things.\n"
    document = read_bytes(text.encode(), name="a.md")
    assert defined_term("What is /srv for?") == defined_term("What is in /srv?") == "/srv"
    assert opens_section("/srv", document, document.text.index("This holds"))
    assert not opens_section("/srv", document, document.text.index("It grows"))
    assert not opens_section("/srv", document, document.text.index("Other"))


def test_what_a_thing_contains_answers_what_it_is_for() -> None:
    contains, other = suitability("What is /srv for?", ["/srv contains data.", "One method under /srv is by protocol."])
    assert contains > other


@pytest.mark.parametrize(
    ("text", "whole"), [("{green", "green"), ("お茶」", "お茶"), ("f{x}", "f{x}"), ("„Tee", "Tee")]
)
def test_half_of_a_pair_of_marks_at_an_end_is_no_word_of_an_answer(text: str, whole: str) -> None:
    assert tidied(text) == whole
