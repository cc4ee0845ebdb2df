"""Who holds an office."""

import pytest

from treatise.core.evidence import Evidence
from treatise.generate.offices import answer_office, answer_signed
from treatise.ingest import read_bytes

MINUTES = (
    "# Minutes\n\nPresent: Ann Lee (Chair), Bo Ek (Treasurer), Cllr. C. Roe - Vice Chairman, Di Fox\n\n"
    "**Secretary:** Ed Hay\n\nThe chair opened the meeting. Tea was moved.\n"
)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Who is the treasurer?", "Bo Ek"),
        ("Who was the chairman of the meeting?", "Ann Lee"),
        ("Who chaired the meeting?", "Ann Lee"),
        ("Who is the vice-chair?", "Cllr. C. Roe"),
        ("Who is the secretary?", "Ed Hay"),
        ("Who is the gardener?", None),
        ("Who is the treasurer of Norway?", None),
        ("Why is Bo Ek the treasurer?", None),
    ],
)
def test_an_office_is_held_by_the_only_name_beside_it(question: str, says: str | None) -> None:
    document = read_bytes(MINUTES.encode(), name="a.md")
    answer = answer_office(Evidence(question, (), "", 99, 0.9), document)
    assert (answer.direct.text if answer and answer.direct else None) == says


@pytest.mark.parametrize(
    "text",
    [
        "Charles Dickens, the secretary, was young. Ann Lee (Chair) sat down.\n",
        MINUTES + "\nEd Hay resigned and Jo Kay was elected secretary.\n",
        MINUTES.replace("Ed Hay", "Vacant"),
    ],
)
def test_a_novel_an_election_and_a_vacancy_name_no_secretary(text: str) -> None:
    document = read_bytes(text.encode(), name="a.md")
    assert answer_office(Evidence("Who is the secretary?", (), "", 99, 0.9), document) is None


def test_an_office_with_two_names_is_nobodys() -> None:
    document = read_bytes((MINUTES + "\nMay: Flo Gee (Treasurer) resigned.\n").encode(), name="a.md")
    assert answer_office(Evidence("Who is the treasurer?", (), "", 99, 0.9), document) is None


SIGNED = "# Resolution 7\n\nThe council resolves to buy tea.\n\n{}\n"


@pytest.mark.parametrize(
    ("question", "text", "says"),
    [
        ("Who is the mayor?", "Ann Lee, Mayor   Bo J. Ek, City Clerk", "Ann Lee"),
        ("Who is the city clerk?", "Ann Lee, Mayor   Bo J. Ek, City Clerk", "Bo J. Ek"),
        ("Who is the clerk?", "Ann Lee, Mayor   Bo J. Ek, City Clerk", "Bo J. Ek"),
        ("Who is the mayor?", "Ann Lee, Mayor\nBo Ek, City Clerk", "Ann Lee"),
        ("Who is the clerk?", "Ann Lee, Mayor   Bo Ek, Deputy Clerk", None),
        ("Who is the county clerk?", "Ann Lee, Mayor   Bo Ek, City Clerk", None),
        ("Who is the mayor?", "Ann Lee, Mayor\n\nBo Ek, Mayor", None),
        ("Who is the mayor?", "Ann Lee, Mayor\n\nMayor Roe opened the meeting.", None),
        ("Who is the mayor?", "Ann Lee, Mayor\n\nAnn Lee was elected mayor.", None),
        ("Who is the mayor?", "Ann Lee, Mayor of Oakham in 1920, drank tea.", None),
        ("Who is the mayor of Oakham?", "Ann Lee, Mayor", None),
        ("Why is Ann Lee the mayor?", "Ann Lee, Mayor", None),
    ],
)
def test_signatures_in_one_line_keep_each_name_with_its_office(question: str, text: str, says: str | None) -> None:
    document = read_bytes(SIGNED.format(text).encode(), name="a.txt")
    answer = answer_signed(Evidence(question, (), "", 99, 0.9), document)
    assert (answer.direct.text if answer and answer.direct else None) == says
