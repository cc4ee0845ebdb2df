"""Names that are headings, and lists that are all of a section."""

from treatise.core.answer import Answer
from treatise.core.document import Document
from treatise.core.evidence import Evidence, Passage
from treatise.generate import answer_under_heading, under_named_headings
from treatise.ingest import read_bytes

LEAVE = read_bytes(
    b"# Leave by state\n\n## Oregon\n\nBonding leave lasts 12 weeks.\n\n## Utah\n\nNothing is offered.\n\n"
    b"### Details\n\nAsk in June.\n\n## Notes\n\nOregon was added last. Forms are online.\n",
    name="leave.md",
)
MINUTES = read_bytes(
    b"# Meeting 2025-03-05\n\n## Present\n\n* Ann Lee (chair)\n* Bo Ek\n\n## Agenda\n\nTea was moved.\n\n* cups\n",
    name="minutes.md",
)


def evidence_of(question: str, document: Document, *texts: str) -> Evidence:
    found = [(document.text.index(text), text) for text in texts]
    spans = [one for one in document.sentences() for start, _ in found if one.start <= start < one.end]
    passages = [Passage(document.id, one, document.quote(one.start, one.end).strip(), 1.0) for one in spans]
    return Evidence(question, tuple(passages), "", 99, 0.9)


def texts_of(evidence: Evidence) -> list[str]:
    """Of its passages that are no headings."""
    return [passage.text for passage in evidence.passages if not passage.text.startswith("#")]


def test_a_name_that_is_a_heading_leaves_out_the_sections_beside_it() -> None:
    evidence = evidence_of("How long is bonding leave in Utah?", LEAVE, "Bonding leave", "Oregon was added")
    assert texts_of(under_named_headings(evidence, [LEAVE])) == ["Nothing is offered.", "Ask in June."]


def test_a_passage_with_the_name_stays_wherever_it_is() -> None:
    evidence = evidence_of("When was Oregon added?", LEAVE, "Oregon was added", "Nothing is offered")
    assert texts_of(under_named_headings(evidence, [LEAVE]))[0] == "Oregon was added last."


def test_evidence_about_no_named_heading_is_unchanged() -> None:
    for question in ("How long is bonding leave?", "How long is it in Texas?"):
        evidence = evidence_of(question, LEAVE, "Bonding leave", "Nothing is offered")
        assert under_named_headings(evidence, [LEAVE]) is evidence


def listed(question: str) -> Answer | None:
    return answer_under_heading(evidence_of(question, MINUTES, "Tea was moved"), MINUTES)


def test_the_items_under_a_heading_answer_who_was_there() -> None:
    answer = listed("Who was present at the meeting?")
    assert answer is not None
    assert answer.direct is not None
    assert answer.direct.text == "Ann Lee, Bo Ek"
    assert [citation.section for citation in answer.citations] == ["Meeting 2025-03-05 > Present"] * 2


def test_a_section_of_more_than_a_list_or_another_question_is_not_answered_so() -> None:
    assert listed("What was on the agenda of the meeting?") is None
    assert listed("Who was present when the tea was moved to Ann?") is None
    assert listed("Why was Ann present?") is None
    assert listed("Who was not present at the meeting?") is None
