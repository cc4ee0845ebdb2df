"""Names that are headings, and lists that are all of a section."""

from dataclasses import replace

import pytest

from treatise.core.answer import Answer
from treatise.core.document import Document
from treatise.core.evidence import Evidence, Passage
from treatise.generate.attendance import answer_attendance
from treatise.generate.headed import answer_under_heading
from treatise.generate.under import under_named_headings
from treatise.ingest import read_bytes

LEAVE = read_bytes(
    b"# Leave by state\n\n## Oregon\n\nBonding leave lasts 12 weeks.\n\n## Utah\n\nNothing is offered.\n\n"
    b"### Details\n\nAsk in June.\n\n## Notes\n\nOregon was added last. Forms are online.\n",
    name="leave.md",
)
MINUTES = read_bytes(
    b"# Meeting 2025-03-05\n\n## Present\n\n* Ann Lee (chair)\n* Bo Ek\n\n## Apologies\n\n* Cy Roe\n\n"
    b"## Agenda\n\nTea was moved.\n\n* cups\n",
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
    evidence = evidence_of(question, MINUTES, "Tea was moved")
    return answer_attendance(evidence, [MINUTES]) or answer_under_heading(evidence, [MINUTES])


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
    assert listed("Who came to the company in May?") is None
    assert listed("Who attended the meeting of 6 April 2025?") is None
    assert listed("Who attended the meeting of the finance committee?") is None
    assert listed("How many guests attended?") is None


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Who attended the meeting of 5 March 2025?", "Ann Lee, Bo Ek"),
        ("Who was at the board meeting?", "Ann Lee, Bo Ek"),
        ("Who was not present at the meeting?", "Cy Roe"),
        ("Who could not come?", "Cy Roe"),
        ("Who sent apologies?", "Cy Roe"),
        ("How many people were present?", "2"),
        ("How many members were absent?", "1"),
    ],
)
def test_headings_of_attendance_are_known_by_what_they_mean(question: str, says: str) -> None:
    answer = listed(question)
    assert answer is not None
    assert answer.direct is not None
    assert answer.direct.text == says


TEAMS = read_bytes(
    b"# Teams\n\n## The security team\n\n### Members\n\n* [__Ann__](https://a.example), <https://b.example>\n  * <https://c.example>\n"
    b"* Bo\n\n"
    b"## Team leads\n\n* Cy\n* Di\n",
    name="teams.md",
)


def test_words_of_the_headings_above_and_of_the_title_are_known() -> None:
    for question, says in (
        ("Who are the members of the security team?", "Ann, Bo"),
        ("Who are the team leads?", "Cy, Di"),
    ):
        answer = answer_under_heading(evidence_of(question, TEAMS, "Bo"), [TEAMS])
        assert answer is not None
        assert answer.direct is not None
        assert answer.direct.text == says


def test_of_several_documents_one_with_evidence_has_the_list() -> None:
    evidence = evidence_of("Who are the members of the security team?", TEAMS, "Bo")
    found = answer_under_heading(evidence, [MINUTES, TEAMS])
    assert found is not None
    assert {citation.document for citation in found.citations} == {TEAMS.id}
    assert answer_under_heading(evidence_of(evidence.question, MINUTES, "Tea was moved"), [MINUTES, TEAMS]) is None
    other = read_bytes(b"# Crew\n\n## The security team\n\n### Members\n\n* Ed\n* Flo\n", name="crew.md")
    both = replace(evidence, passages=(*evidence.passages, *evidence_of(evidence.question, other, "Ed").passages))
    assert answer_under_heading(both, [TEAMS, other]) is None


@pytest.mark.parametrize(
    ("list_", "who", "how_many"),
    [
        ("- Ann Lee, Bob Ray (chair)\n- Di Fox\n", "Ann Lee, Bob Ray, Di Fox", None),
        ("- None\n", None, None),
        ("- must be over 18\n- Ann\n", None, None),
        ("- Ann\n- Bo\n", "Ann, Bo", "2"),
    ],
)
def test_lines_of_several_people_are_listed_but_not_counted(list_: str, who: str | None, how_many: str | None) -> None:
    document = read_bytes(f"# Board\n\n## Present\n\n{list_}\n## Agenda\n\nTea was moved.\n".encode(), name="b.md")
    for question, says in (("Who was present?", who), ("How many people were present?", how_many)):
        answer = answer_attendance(evidence_of(question, document, "Tea was moved"), [document])
        assert (answer.direct.text if answer and answer.direct else None) == says


def test_those_who_did_not_come_are_not_those_who_came_and_of_two_meetings_none_is_chosen() -> None:
    document = read_bytes(b"# Board\n\n## Not participating\n\n- Ann\n- Bo\n\nTea was moved.\n", name="b.md")
    assert answer_attendance(evidence_of("Who participated?", document, "Tea was moved"), [document]) is None
    two = read_bytes(
        b"# Board\n\n## March\n\n### Present\n\n- Ann\n\n### Notes\n\nTea was moved.\n\n"
        b"## May\n\n### Present\n\n- Bo\n\n",
        name="b.md",
    )
    assert answer_attendance(evidence_of("Who was present?", two, "Tea was moved"), [two]) is None


LINES = read_bytes(
    b"# Minutes of the board, 4 March 2025\n\n**Present:** Ann Lee (chair), Bob Crane and Cara Diaz\n"
    b"Apologies: Dan Brown\nNotes: Tea was moved.\n",
    name="lines.md",
)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Who was present?", "Ann Lee, Bob Crane, Cara Diaz"),
        ("Who was absent?", "Dan Brown"),
        ("Was Dan Brown present?", "No"),
        ("Was Bob present at the meeting?", "Yes"),
        ("Did Ann Lee attend the meeting of 4 March 2025?", "Yes"),
        ("Did Brown send apologies?", "Yes"),
        ("Was Ann Lee absent?", "No"),
        ("Did Ann Lee attend the meeting of 5 March 2025?", None),
        ("Was Eve Fox present?", None),
        ("How many people were present?", "3"),
        ("Was Tea moved?", None),
    ],
)
def test_people_after_a_label_are_those_who_came_or_did_not(question: str, says: str | None) -> None:
    answer = answer_attendance(evidence_of(question, LINES, "Tea was moved"), [LINES])
    assert (answer.direct.text if answer and answer.direct else None) == says


def test_a_label_before_a_sentence_names_nobody() -> None:
    document = read_bytes(
        b"# Board\n\nAt 10:30 we met.\n\nhttps://a.example/b\n\nPresent: nobody knew what to do.\n"
        b"Attendance: 40 people\n",
        name="b.md",
    )
    assert answer_attendance(evidence_of("Who was present?", document, "Attendance"), [document]) is None


GROUPS = (
    "# Meeting\n\n## Attendance\n\n* Members\n  * Ann Lee\n  * Bo Ek (Acme)\n* Absent\n  * Cy Roe\n\n"
    "## Topics\n\nTea was moved.\n"
)
BELOW = "# Meeting\n\nAttendees:\n- Ann Lee\n- Bo Ek\n\nRegrets:\n- Cy Roe\n\nTea was moved.\n"
IN_LINE = "Minutes\n\nPresent: Ann Lee - Chair, Bo Ek; Apologies: Cy Roe\n\nTea was moved.\n"
GERMAN = "# Sitzung\n\nAnwesend: Ann Lee (Vorsitz), Bo Ek\nEntschuldigt: Cy Roe\n\nTea was moved.\n"


@pytest.mark.parametrize("text", [GROUPS, BELOW, IN_LINE, GERMAN])
def test_people_are_in_groups_in_lists_below_labels_and_after_labels_in_one_line(text: str) -> None:
    document = read_bytes(text.encode(), name="a.md")

    def says(question: str) -> str | None:
        answer = answer_attendance(evidence_of(question, document, "Tea was moved"), [document])
        return answer.direct.text if answer and answer.direct else None

    assert (says("Who was present?"), says("Who was absent?")) == ("Ann Lee, Bo Ek", "Cy Roe")
    assert (says("Was Cy Roe present?"), says("War Bo Ek anwesend?"), says("Wer fehlte?")) == ("No", "Yes", "Cy Roe")
    assert says("How many people were present?") == "2"


@pytest.mark.parametrize(
    ("people", "question"),
    [
        (
            "Present: Ann Lee, Bo Ek\n\nIn attendance: Di Fox (clerk), two members of the public",
            "How many were present?",
        ),
        ("Present:\n- Ann Lee\n- Bo Ek (excused)", "Was Bo Ek present?"),
        ("Present: Mr and Mrs Jones", "How many people were present?"),
        ("Present: Ann Lee, Jean-Paul Roux", "Was Paul present?"),
        ("## Participants\n\n- Adults over 50\n- Smokers", "Who participated?"),
        ("# May\n\nPresent: Ann Lee\n\n# June\n\nPresent: Bo Ek", "Was Ann Lee present?"),
    ],
)
def test_lists_that_are_not_of_people_alone_say_nothing(people: str, question: str) -> None:
    document = read_bytes(f"# Board\n\n{people}\n\nTea was moved.\n".encode(), name="b.md")
    assert answer_attendance(evidence_of(question, document, "Tea was moved"), [document]) is None


def test_an_office_after_a_name_is_nobody() -> None:
    document = read_bytes(b"# Board\n\nPresent: Ann Lee, Chair, Bo Ek, Secretary\n\nTea was moved.\n", name="b.md")
    answer = answer_attendance(evidence_of("Who was present?", document, "Tea was moved"), [document])
    assert answer is not None
    assert answer.direct is not None
    assert answer.direct.text == "Ann Lee, Bo Ek"
