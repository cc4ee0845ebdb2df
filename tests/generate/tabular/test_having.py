"""Rows that have a value, listed or counted."""

import pytest

from tests.generate.tabular.test_answered import answered, document_of, found, is_left

STAFF = """\
Name,Department,Office,Extension,Drives
Anna Berg,Sales,B-201,4411,yes
Tom Ortiz,Sales,B-202,4412,no
Priya Nair,Engineering,C-110,4520,yes
Lars Holm,Engineering,C-111,4521,no
Mei Chen,Finance,A-015,4100,no
"""
ROOMS = "Room,Seats,Floor,Projector\nR-101,24,1,yes\nR-102,60,1,no\nR-103,120,2,yes\n"
INVOICES = "Invoice;Customer;Amount\nR-101;Huber;30 €\nR-102;Meier;40 €\nR-104;Huber;50 €\n"
KEYS = "Key,Room,Holder\nK1,Lab,Ann\nK2,Office,Bob\nK3,Lab,Cy\n"
GERMAN = "Name;Abteilung;Telefon\nMüller, Hans;Einkauf;2301\nSchmidt, Eva;Vertrieb;2315\nKrause, Jens;Vertrieb;2316\n"


@pytest.mark.parametrize(
    ("question", "content", "expected"),
    [
        ("Which rooms are on floor 1?", ROOMS, "R-101, R-102"),
        ("List the rooms on floor 2", ROOMS, "R-103"),
        ("Which rooms have a projector?", ROOMS, "R-101, R-103"),
        ("Which invoices are for Huber?", INVOICES, "R-101, R-104"),
        ("Invoices of Huber?", INVOICES, "R-101, R-104"),
        ("Who is in Engineering?", STAFF, "Priya Nair, Lars Holm"),
        ("Who works in Finance?", STAFF, "Mei Chen"),
        ("Who is in office C-111?", STAFF, "Lars Holm"),
        ("Which department does Lars Holm work in?", STAFF, "Engineering"),
        ("How many people work in Sales?", STAFF, "2"),
        ("How many employees are in Engineering?", STAFF, "2"),
        ("Which keys are for the Lab?", KEYS, "K1, K3"),
        ("Wer ist im Vertrieb?", GERMAN, "Schmidt, Eva; Krause, Jens"),
        ("Wie viele Mitarbeiter arbeiten im Vertrieb?", GERMAN, "2"),
    ],
)
def test_the_rows_with_a_value_are_listed_and_counted(question: str, content: str, expected: str) -> None:
    assert found(question, content) == expected


def test_each_row_is_cited_and_the_value_stated() -> None:
    answer = answered("Who is in Engineering?", document_of(STAFF))
    assert answer is not None
    assert answer.text == "2 rows with Department Engineering: Priya Nair, Lars Holm"
    assert [one.quote.split("\t")[0] for one in answer.citations] == ["Priya Nair", "Lars Holm"]


@pytest.mark.parametrize(
    "question",
    [
        "Who in Sales likes tea?",
        "Who is not in Sales?",
        "Which people are in Sales or Finance?",
        "Who is in Sales and Finance?",
        "How many people work in Sales at night?",
        "Who is the manager?",
    ],
)
def test_other_words_and_comparisons_are_left_to_the_reader(question: str) -> None:
    assert is_left(question, STAFF)
