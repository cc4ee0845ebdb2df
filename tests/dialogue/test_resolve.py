"""What follow-up questions refer to, by rules over the turn before."""

import pytest
from builders import make_document
from hypothesis import given
from hypothesis import strategies as st

from treatise.core.answer import Answer, DirectAnswer, Statement, Support
from treatise.core.conversation import Turn
from treatise.core.document import Span
from treatise.core.evidence import Evidence, Passage
from treatise.dialogue import resolve

FRAGMENTS = [
    ("What was the profit in 2018?", "And in 2019?", "What was the profit in 2019?"),
    ("Who led Debian from April 2008 to April 2010?", "And from May 2015 to June 2016?",
     "Who led Debian from May 2015 to June 2016?"),
    ("When was Debian 1.1 Buzz released?", "What about Debian 2.1 Slink?", "When was Debian 2.1 Slink released?"),
    ("What does the First Amendment protect?", "And the second?", "What does the Second Amendment protect?"),
    ("When was the treaty signed?", "Where?", "Where was the treaty signed?"),
    ("What was the gross margin of Acme in 2019?", "What about the operating margin?",
     "What was the operating margin of Acme in 2019?"),
    ("Who founded Debian?", "When?", "When was Debian founded?"),
    ("Can members be removed?", "Why not?", "Why can members not be removed?"),
    ("How many people work in Berlin?", "And in Paris?", "How many people work in Paris?"),
    ("What does the clone command do?", "And the reassign command?", "What does the reassign command do?"),
    ("What is the resolution of the ADC?", "And its range?", "What is the range of the ADC?"),
    ("What was the profit?", "And in 2019?", "What was the profit in 2019?"),
    ("When was Debian 2.0 released?", "and 2.1?", "When was Debian 2.1 released?"),
    ("What does section 3 grant?", "And 6?", "What does section 6 grant?"),
    ("Who led the project in 2001?", "And then?", "Who led the project after 2001?"),
    ("How many kinds of triggers are there?", "Which ones?", "Which kinds of triggers are there?"),
    ('What does "Tea" mean in the law?', 'And "Cup"?', 'What does "Cup" mean in the law?'),
    ("What uid did the operator user have?", "And gnats?", "What uid did the gnats user have?"),
    ("Quand Debian 7.0 a-t-elle été publiée ?", "Et Debian 5.0 ?", "Quand Debian 5.0 a-t-elle été publiée ?"),
]  # fmt: skip

PRONOUNS = [
    ("How many packages did Buzz contain?", "When was it released?", "When was Buzz released?"),
    ("What is the teaser banner for?", "How do I disable it?", "How do I disable the teaser banner?"),
    ("Which command copies a report?", "What does it need?", "What does the command that copies a report need?"),
    ("How long does the President serve?", "Who elects him?", "Who elects the President?"),
    ("What do the tests in Lyon show?", "How long do they run?", "How long do the tests run?"),
    ("What is a pebble?", "What is its weight?", "What is the pebble's weight?"),
    ("What is a pebble?", "And its weight?", "the pebble's weight?"),
    ("How many people live in Berlin?", "What happens there?", "What happens in Berlin?"),
    ("How long is the term of the Project Leader?", "Can they be removed?", "Can the Project Leader be removed?"),
    ("What is the teaser banner for?", "What does the name stand for?",
     "What does the name of the teaser banner stand for?"),
    ("What happens if the teaser banner fails?", "Will it be repeated?", "Will the teaser banner be repeated?"),
    ("May I charge a fee for support?", "Who pays then?", "Who pays then?"),
    ("What are the subdirectories of /var?", "Which one is for logs?", "Which subdirectory of /var is for logs?"),
    ("Which directories are required in /usr?", "Which ones are shared?", "Which directories in /usr are shared?"),
    ("Which groups give access to a drive?", "Which of them is for tapes?", "Which groups is for tapes?"),
    ("What was the operating margin in 2018?", "Did it improve?", "Did the operating margin improve?"),
    ("What did the firm sell in 2018?", "Who led it then?", "Who led the firm in 2018?"),
]  # fmt: skip

WHOLE = [
    "When a client connects, what does it do?",
    "Is it possible to combine works?",
    "How many tests are there?",
    "Who presides when the President is tried?",
    "Where can I find the list of members?",
]


@pytest.mark.parametrize(("before", "question", "expected"), FRAGMENTS)
def test_a_fragment_is_completed_from_the_question_before(before: str, question: str, expected: str) -> None:
    assert resolve(question, [_turn(before)]) == expected


@pytest.mark.parametrize(("before", "question", "expected"), PRONOUNS)
def test_a_pronoun_is_replaced_by_what_the_question_before_mentions(before: str, question: str, expected: str) -> None:
    assert resolve(question, [_turn(before)]) == expected


@pytest.mark.parametrize("question", WHOLE)
def test_a_question_that_stands_alone_is_unchanged(question: str) -> None:
    assert resolve(question, [_turn("How many packages did Buzz contain?")]) == question
    assert resolve(question, []) == question


def test_the_direct_answer_is_what_it_refers_to() -> None:
    who = _turn("Who founded the project?", direct="Ian Murdock")
    assert resolve("Where did he work?", [who]) == "Where did Ian Murdock work?"
    which = _turn("Which command copies a report?", direct="clone")
    assert resolve("What does it need?", [which]) == "What does the command clone need?"
    where = _turn("Where did the firm move?", direct="Lyon")
    assert resolve("Who works there?", [where]) == "Who works in Lyon?"


def test_a_name_in_the_quoted_answer_is_the_person_asked_for() -> None:
    turn = _turn("Who led the project in 1999?", quote="Wichert Akkerman led the project from January 1999.")
    assert resolve("Who came after him?", [turn]) == "Who came after Wichert Akkerman?"


def test_only_the_last_turn_counts() -> None:
    turns = [_turn("When was Rex released?"), _turn("When was Buzz released?")]
    assert resolve("How many packages did it contain?", turns) == "How many packages did Buzz contain?"


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_is_resolved_without_error(before: str, question: str) -> None:
    resolved = resolve(question, [_turn(before)])
    assert bool(resolved.strip()) == bool(question.strip())


def _turn(question: str, *, direct: str = "", quote: str = "", kind: str = "span") -> Turn:
    document = make_document([["The teaser banner and the tests in Lyon."]])
    passage = Passage(document.id, Span(0, len(document.text)), document.text, 1.0)
    evidence = Evidence(question, (passage,), document.text, 99, 0.9)
    statements = (Statement(quote, (), Support.QUOTED),) if quote else ()
    found = DirectAnswer(direct, kind, 0.9) if direct else None
    return Turn(question, question, Answer(question, quote, statements, (), evidence, found=True, direct=found))


def listed(question: str, items: str = "root, daemon, bin") -> Turn:
    return _turn(question, direct=items, kind="list")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the second one for?", "What is daemon for?"),
        ("Where is the last one kept?", "Where is bin kept?"),
        ("What is the tenth one?", "What is the tenth one?"),
        ("What is the second volume about?", "What is the second volume about?"),
    ],
)
def test_a_member_of_a_list_is_named_by_its_number(question: str, expected: str) -> None:
    assert resolve(question, [listed("Which users are there?"), _turn("Where are they kept?")]) == expected


def test_the_other_of_two_is_the_one_not_yet_asked_for() -> None:
    turns = [listed("Which states are there?", "pending, awaited"), _turn("Do packages in awaited satisfy rules?")]
    assert resolve("And in the other?", turns) == "Do packages in pending satisfy rules?"
    assert resolve("What is the other one for?", turns) == "What is pending for?"
    three = [listed("Which states are there?", "pending, awaited, gone"), turns[1]]
    assert resolve("And the other?", three) == "And the other?", "nobody knows which: the question is not garbled"


def test_a_sentence_that_announces_a_list_has_no_members() -> None:
    turn = listed("Which directories are required?", "The following directories, or symbolic links to directories")
    assert resolve("What is the second one for?", [turn]) == "What is the second one for?"


def test_he_is_the_name_at_the_beginning_of_a_clause() -> None:
    turn = _turn("Who led it in 2001?", direct="Ben Collins led Debian")
    assert resolve("Who came before him?", [turn]) == "Who came before Ben Collins?"
