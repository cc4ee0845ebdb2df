"""Turns of speakers, in conversations only."""

import pytest

from treatise.core.turns import asked_speakers, asks_of_speech, says, turns
from treatise.ingest import read_bytes

MEETING = """Ann Lee: Shall we begin?

Bo Ek: Yes.

Ann Lee: Tea first: with milk.

Hon. Cy O. Day (Minister of Tea): No milk.

Bo Ek: I agree.

Ann Lee: Agreed.

[00:12] Bo Ek: Good night.
"""


def test_a_turn_has_its_speaker_and_paragraph() -> None:
    document = read_bytes(MEETING.encode(), name="meeting.txt")
    found = turns(document)
    assert [one.speaker for one in found] == ["Ann Lee", "Bo Ek", "Ann Lee", "Bo Ek", "Ann Lee", "Bo Ek"]
    assert document.quote(found[2].span.start, found[2].span.end).strip() == "Ann Lee: Tea first: with milk."


@pytest.mark.parametrize(
    "text",
    [
        "Price: two pounds.\n\nTea is hot.\n\nPrice: three pounds.\n\nPrice: one.\n",  # one label is no conversation
        "Ann: Hello.\n\nBo: Hello.\n",
        "Tea is hot.\n\n" * 60 + MEETING,
        "",
    ],
)
def test_labels_alone_are_no_conversation(text: str) -> None:
    assert not text or turns(read_bytes(text.encode(), name="a.txt")) == []


@pytest.mark.parametrize(
    ("question", "speakers"),
    [
        ("What did the project manager say about cost?", {"Project Manager"}),
        ("What did Morgan think of it?", {"Julie Morgan AM"}),
        ("What did C suggest?", {"Professor C"}),
        ("Why did the professor agree with the Marketing?", {"Professor C"}),
        ("What did Morgan and Marketing think of C?", {"Julie Morgan AM", "Marketing"}),
        ("What did the people think of Hamlet?", set()),
        ("What did the king tell Hamlet?", set()),
        ("What plan did Hamlet suggest to Marketing?", {"HAMLET"}),
        ("What did Morgan say about Marketing?", {"Julie Morgan AM"}),
        ("What was said about tea by Marketing?", {"Marketing"}),
        ("What did Hamlet say?", {"HAMLET"}),
        ("What does the marketing say?", set()),
        ("What was said about marketing?", set()),
        ("Marketing of tea, what is it?", set()),
        ("What did PhD think?", set()),  # two of them
        ("", set()),
    ],
)
def test_speakers_are_named_in_full_by_an_own_word_or_by_their_role(question: str, speakers: set[str]) -> None:
    everyone = ["Project Manager", "Julie Morgan AM", "Professor C", "Marketing", "PhD A", "PhD B", "HAMLET"]
    assert asked_speakers(question, everyone) == speakers


def test_questions_of_speech() -> None:
    assert asks_of_speech("What did Ann say?")
    assert asks_of_speech("According to Ann, who pays?")
    assert not asks_of_speech("Who pays for the tea?")
    assert not asks_of_speech("Who said that Ann pays?")


def test_a_turn_goes_on_to_the_next_name_or_heading() -> None:
    text = "Ann: Yes.\n\nBut no.\n\nBo: No.\n\n# End\n\nTea.\n\nAnn: A.\n\nBo: B.\n\nAnn: C.\n\nBo: D.\n"
    document = read_bytes(text.encode(), name="a.md")
    spoken = [" ".join(document.quote(one.span.start, one.span.end).split()) for one in turns(document)]
    assert spoken == ["Ann: Yes. But no.", "Bo: No.", "Ann: A.", "Bo: B.", "Ann: C.", "Bo: D."]


def test_reports_of_a_speaker_are_found() -> None:
    assert says("Ann Lee").search("Then Lee quietly said that tea is out.")
    assert not says("Ann Lee").search("Ann drinks tea. Bo said no.")
