"""A code of a table means what the legend below or beside the table says."""

import pytest

from treatise.core.answer import Answer
from treatise.core.document import Document
from treatise.core.evidence import Evidence
from treatise.generate.legends import answer_by_legend
from treatise.ingest import read_bytes

SHEET = read_bytes(
    b"Code,Item,Price,Tax\nP1,Rice,2.75,Z\nP2,Soap,1.40,S\nP3,Oil,,R\nZ = zero-rated food\nS = standard rate\n",
    name="shop.csv",
)
MENU = read_bytes(
    b"# Menu\n\n| Dish | Price | Contains |\n|---|---|---|\n| Soup | 5.50 | G, N |\n| Tart | 6.00* | G, E |\n\n"
    b"G: gluten, N: nuts, E: eggs. Ask us about allergies.\n\n*\\* = on Sundays only*\n",
    name="menu.md",
)
BUSES = read_bytes(
    b"# Buses\n\n| Stop | Note |\n|---|---|\n| Mill | SX |\n| Quay | A |\n\nRoute A: 5 km\n\n"
    b"| Sign | Day | Meaning |\n|---|---|---|\n| SX | Sat | Saturdays excepted |\n",
    name="buses.md",
)


def answered(question: str, document: Document) -> Answer | None:
    return answer_by_legend(Evidence(question, (), "", max_words=100, confidence=0.5), [document])


@pytest.mark.parametrize(
    ("question", "document", "expected"),
    [
        ("What does the code Z mean?", SHEET, "zero-rated food"),
        ("What does tax code S stand for?", SHEET, "standard rate"),
        ("What is the meaning of the letter G?", MENU, "gluten"),
        ("What does N in the table mean?", MENU, "nuts"),
        ("What does E mean?", MENU, "eggs"),
        ("What does the mark * mean?", MENU, "on Sundays only"),
    ],
)
def test_the_legend_explains_a_code(question: str, document: Document, expected: str) -> None:
    answer = answered(question, document)
    assert answer is not None
    assert answer.direct is not None
    assert answer.direct.text == expected
    assert expected in answer.citations[0].quote


def test_a_column_of_meanings_explains_the_code_before_it() -> None:
    shifts = read_bytes(b"Name,Shift\nAnn,L\nBo,E\n,\nKey,Meaning\nL,late\nE,early\n", name="shifts.csv")
    beside = read_bytes(b"Name,Shift,Key,Meaning\nAnn,L,E,early\nBo,E,L,late\n", name="shifts.csv")
    for document in (shifts, beside):
        answer = answered("What does the code L mean?", document)
        assert answer is not None
        assert answer.direct is not None
        assert answer.direct.text == "late"


def test_two_columns_that_are_no_codes_explain_nothing() -> None:
    teams = read_bytes(b"Team,Captain\nA,Ann\nB,Bo\n", name="teams.csv")
    answer = answered("What does A mean?", teams)
    assert answer is not None
    assert not answer.found
    answer = answered("What does A mean?", read_bytes(b"Class,Teacher\nA,Ann\nB,Bo\n", name="classes.csv"))
    assert answer is not None
    assert not answer.found
    classes = read_bytes(b"Class,Name\nA,Very good\nB,Good\n", name="classes.csv")
    answer = answered("What does A mean?", classes)
    assert answer is not None
    assert answer.direct is not None
    assert answer.direct.text == "Very good"
    symbols = read_bytes(b"Symbol,Name\nA,Amber\nB,Blue\n", name="symbols.csv")
    answer = answered("What does A mean?", symbols)
    assert answer is not None
    assert answer.direct is not None
    assert answer.direct.text == "Amber"
    points = read_bytes(b"Grade,Points\nA,90\nB,80\n", name="grades.csv")
    answer = answered("What does grade A mean?", points)
    assert answer is not None
    assert not answer.found


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("What does R mean?", SHEET),
        ("What does the code Q mean?", SHEET),
        ("What does A mean?", BUSES),
        ("What does the soup cost?", MENU),
        ("What does Ann mean by that?", MENU),
    ],
)
def test_other_questions_and_codes_are_left_to_others(question: str, document: Document) -> None:
    assert answered(question, document) is None


def test_a_code_without_an_explanation_or_with_two_is_refused() -> None:
    answer = answered("What does the code R mean?", SHEET)
    assert answer is not None
    assert answer.notes == ("no legend explains the code R",)
    twice = read_bytes(f"{SHEET.text}\nZ = Zurich\n".replace("\t", ",").encode(), name="shop.csv")
    answer = answered("What does the code Z mean?", twice)
    assert answer is not None
    assert answer.notes == ("the code Z has several explanations: zero-rated food and Zurich",)
