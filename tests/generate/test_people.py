"""People below a heading: those who answered a roll call, and those whom a heading such as "Directors" names."""

import pytest

from treatise.core.evidence import Evidence
from treatise.generate.attendance import answer_attendance
from treatise.generate.headed import answer_under_heading
from treatise.ingest import read_bytes

MINUTES = "# Minutes 2025-03-05\n\n## Roll call\n\n{}\n\n## Agenda\n\n- Tea\n"
REPORT = "# Teapot Society\n\n## Directors\n\n{}\n\n## Office\n\n2 High Street\n\nLondon\n"


def said(rule, question: str, text: str) -> str | None:
    document = read_bytes(text.encode(), name="a.md")
    answer = rule(Evidence(question, (), "", 99, 0.9), [document])
    return answer.direct.text if answer and answer.direct else None


@pytest.mark.parametrize(
    ("question", "people", "says"),
    [
        ("Who attended the meeting?", "Ann, Bo, Cy R, Di-Di", "Ann, Bo, Cy R, Di-Di"),
        ("Who was present?", "Ann, Bo,\nCy Roe", "Ann, Bo, Cy Roe"),
        ("Roll call?", "Ann Lee\n\nBo Ek (chair)", "Ann Lee, Bo Ek"),
        ("Who was there?", "Ann, Bo, Bo(Rye)", "Ann, Bo, Bo(Rye)"),
        ("How many people attended?", "Ann, Bo, Cy", "3"),
        ("Did Bo attend?", "Ann, Bo, Cy", "Yes"),
        ("Who was absent?", "Ann, Bo, Cy", None),
        ("Who attended the meeting?", "Ann, Bo - absent, Cy", None),
        ("Who attended the meeting?", "Ann\n\nBo (sick)", None),
        ("Who attended the meeting?", "Ann aye, Bo nay", None),
        ("Who attended the meeting?", "Ann, Bo and twelve guests", None),
        ("Who attended the meeting?", "Waived", None),
        ("Who attended the meeting?", "The roll was called at nine.", None),
        ("Who attended the meeting?", "Ann, Bo\n\nThe chair opened the meeting.", None),
    ],
)
def test_those_below_a_roll_call_came(question: str, people: str, says: str | None) -> None:
    assert said(answer_attendance, question, MINUTES.format(people)) == says


def test_of_the_roll_calls_of_two_meetings_none_is_chosen() -> None:
    text = MINUTES.format("Ann, Bo") + "\n" + MINUTES.format("Cy, Di").replace("03-05", "04-02")
    assert said(answer_attendance, "Who attended the meeting?", text) is None


@pytest.mark.parametrize(
    ("question", "people", "says"),
    [
        ("Who are the directors?", "Ann Lee\n\nBo van Ek\n\nCy Roe", "Ann Lee, Bo van Ek, Cy Roe"),
        ("names of the directors", "Ann Lee, Bo Ek and Cy Roe", "Ann Lee, Bo Ek, Cy Roe"),
        ("Who were the directors of the Teapot Society?", "Ann Lee\nBo Ek", "Ann Lee, Bo Ek"),
        ("Who are the directors?", "Ann Lee\n\nBo Ek (resigned 3 May)", "Ann Lee, Bo Ek (resigned 3 May)"),
        ("Who are the directors?", "The following were directors:\n\nAnn Lee\n\nBo Ek", "Ann Lee, Bo Ek"),
        ("Who are the directors?", "The following are not directors:\n\nAnn Lee\n\nBo Ek", None),
        ("Who are the directors?", "Ann Lee, Bo Ek (resigned 3 May)", None),
        ("Who are the directors?", "Ann Lee\n\nBo Ek resigned", None),
        ("Who are the directors?", "Report\n\nAccounts", None),
        ("Who are the directors?", "Ann Lee, 5 High Street, Rye\n\nBo Ek, 7 High Street, Rye", None),
        ("Who are the directors?", "Ann Lee, Rye Road\n\nBo Ek, Oak Road", None),
        ("Who is the director?", "Ann Lee\n\nBo Ek", None),
        ("Who are not directors?", "Ann Lee\n\nBo Ek", None),
        ("Who are the directors of the Kettle Club?", "Ann Lee\n\nBo Ek", None),
        ("What are the directors responsible for?", "Ann Lee\n\nBo Ek", None),
    ],
)
def test_full_names_below_a_heading_are_those_that_it_says(question: str, people: str, says: str | None) -> None:
    assert said(answer_under_heading, question, REPORT.format(people)) == says
