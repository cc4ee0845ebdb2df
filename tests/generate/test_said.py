"""What somebody said is answered from their turns."""

from treatise.core.document import Document
from treatise.core.evidence import Evidence, Passage
from treatise.generate.said import said_by_named
from treatise.ingest import read_bytes

MEETING = read_bytes(
    b"Ann Lee: The vote is on Monday.\n\nBo Ek: The vote is off. I pay for it.\n\nAnn Lee: Is it?\n\nBo Ek: It is.\n\n"
    b"Ann Lee: Well.\n\nBo Ek: Well.\n",
    name="meeting.txt",
)


def evidence_of(question: str, document: Document = MEETING) -> Evidence:
    passages = [Passage(document.id, one, document.quote(one.start, one.end), 1.0) for one in document.sentences()]
    return Evidence(question, tuple(passages), "", 99, 0.9)


def test_only_the_turns_of_named_speakers_are_kept() -> None:
    kept = said_by_named(evidence_of("What did Bo say about the vote?"), [MEETING])
    assert [one.text.strip() for one in kept.passages] == [
        "Bo Ek: The vote is off.",
        "I pay for it.",
        "Bo Ek: It is.",
        "Bo Ek: Well.",
    ]
    assert kept.context.startswith("Bo Ek: The vote is off.")


def test_reports_of_what_they_said_are_kept() -> None:
    document = read_bytes(f"{MEETING.text}\n\nAnn Lee: Bo said that tea is out.\n".encode(), name="meeting.txt")
    kept = said_by_named(evidence_of("What did Bo say about tea?", document), [document])
    assert "Ann Lee: Bo said that tea is out." in [one.text.strip() for one in kept.passages]


def test_evidence_is_unchanged_without_such_a_speaker_or_question() -> None:
    for question in ("What did Cy say about the vote?", "When is the vote?", "Does Bo Ek pay?"):
        evidence = evidence_of(question)
        assert said_by_named(evidence, [MEETING]) is evidence
