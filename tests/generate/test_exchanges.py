"""What named speakers say on a topic anywhere in a conversation, or reply to others who do."""

import time

import pytest

from treatise.claims.words import Text
from treatise.core.document import Document
from treatise.generate.exchanges import exchanges
from treatise.ingest import read_bytes

DEBATE = """\
Mr. John Nater: The arts and culture industry needs help in the towns of my riding.

Hon. Ada Bains: We have set aside 500 million dollars for such organizations.

The Chair: Thank you both.

Mr. John Nater: What will be done for fishing villages along the northern coast?

The Chair: The minister.

Hon. Ada Bains: We shall present a plan for them before the summer.

Mr. John Nater: The price of seed has doubled since the last harvest.

The Chair: Please be brief, as there is little time left.

Hon. Ada Bains: I thank the member for his patience and his good humour.

Hon. Ada Bains: The wage subsidy was extended by three months in April. Was the wage subsidy of any use to farmers?
"""


def said(question: str, topic: str, document: Document, *, max_words: int = 110, max_sentences: int = 4) -> list[str]:
    spans = exchanges(question, Text(topic).content, document, max_words=max_words, max_sentences=max_sentences)
    return [document.quote(one.start, one.end) for one in spans]


@pytest.fixture
def debate() -> Document:
    return read_bytes(DEBATE.encode(), name="debate.txt")


def test_statements_of_the_speaker_on_the_topic_are_found_but_not_his_questions(debate: Document) -> None:
    assert said("What did Bains say about the wage subsidy?", "the wage subsidy", debate) == [
        "Hon. Ada Bains: The wage subsidy was extended by three months in April."
    ]


def test_a_statement_of_another_is_replied_to_in_the_next_turn(debate: Document) -> None:
    assert said("What did Bains say about arts and culture?", "arts and culture", debate) == [
        "Mr. John Nater: The arts and culture industry needs help in the towns of my riding.",
        "Hon. Ada Bains: We have set aside 500 million dollars for such organizations.",
    ]
    assert said("What did Bains say about the price of seed?", "the price of seed", debate) == []


def test_a_question_is_answered_even_if_the_chair_speaks_between(debate: Document) -> None:
    assert said("What did Bains say about fishing villages?", "fishing villages", debate) == [
        "Mr. John Nater: What will be done for fishing villages along the northern coast?",
        "Hon. Ada Bains: We shall present a plan for them before the summer.",
    ]


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("What was said about the wage subsidy?", "the wage subsidy"),
        ("What did Bains say about the wage tax?", "the wage tax"),
        ("What did Bains say about helicopters?", "helicopters"),
    ],
)
def test_nothing_is_found_without_a_speaker_or_with_half_of_the_topic(
    question: str, topic: str, debate: Document
) -> None:
    assert said(question, topic, debate) == []


def test_sentences_are_limited_and_in_order_but_the_best_is_always_one(debate: Document) -> None:
    text = "Ann: Tea is dear this year again. Tea from Assam is better.\n\nBo: I like tea with milk.\n\n" * 3
    document = read_bytes(text.encode(), name="talk.txt")
    question = "What did Ann say about tea?"
    assert len(said(question, "tea", document, max_sentences=1)) == 1
    assert len(said(question, "tea", document, max_words=2)) == 1
    assert said(question, "tea", document, max_sentences=2)[0].startswith("Ann: Tea is dear")


def test_a_long_conversation_takes_linear_time() -> None:
    talk = "Bo: We spoke of the tea and the milk of cows.\n\n" * 12_000
    rest = "Ann: That was good to hear again today.\n\n" * 2_000
    document = read_bytes(f"{talk}{rest}".encode(), name="talk.txt")
    assert document.sentences()
    begin = time.process_time()
    assert len(said("What did Ann say about tea?", "tea", document)) == 2
    assert time.process_time() - begin < 5
