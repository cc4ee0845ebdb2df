"""Lists of items within a text: an item's cell, and the sums below."""

import pytest

from treatise.core.evidence import Evidence
from treatise.generate.fields import answer_from_fields
from treatise.generate.items import answer_from_items
from treatise.ingest import read_bytes

ABOUT = (
    "Bitte überweisen Sie den Betrag innerhalb von vierzehn Tagen auf das unten genannte Konto bei unserer Bank. " * 4
)
GERMAN = f"""# Rechnung

Kundennummer: K-2291

Gültig bis: 31. August 2024

| Pos. | Artikelnr. | Bezeichnung | Menge | Einzelpreis | Gesamt |
|---|---|---|---|---|---|
| 1 | TR-7720 | Trekkingrad Avalon | 1 | 1.349,00 | 1.349,00 |
| 2 | SL-0114 | Faltschloss 90 cm | 2 | 69,95 | 139,90 |
| 3 | GP-3301 | Gepäcktasche groß | 2 | 54,50 | 109,00 |
| 4 | GP-3302 | Gepäcktasche klein | 1 | 39,50 | 39,50 |
|  |  |  |  | Nettobetrag | 1.376,00 |
|  |  |  |  | MwSt. 19 % | 261,40 |
|  |  |  |  | Rechnungsbetrag | 1.637,40 |

{ABOUT}
"""
ENGLISH = f"""# Invoice

| Item | Description | Qty | Unit price | Amount |
|---|---|---|---|---|
| 1 | Oak dining table | 1 | £840.00 | £840.00 |
| 2 | Dining chair, grey wool | 6 | £129.50 | £777.00 |
|  |  |  | VAT 20 % | £323.40 |
|  |  |  | Total due | £1,940.40 |

{"Please pay within thirty days of the date of this invoice by bank transfer to the account named below. " * 4}
"""


def ask(text: str, question: str) -> str:
    """The short answer; the reason of a refusal in brackets."""
    document = read_bytes(text.encode(), name="invoice.md")
    evidence = Evidence(question, (), "", 300, 0.1)
    answer = answer_from_items(evidence, document) or answer_from_fields(evidence, document)
    if answer is None:
        return ""
    return answer.direct.text if answer.direct else f"[{answer.notes[0]}]"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Was kostet das Trekkingrad?", "1.349,00"),
        ("Was kosten die Faltschlösser insgesamt?", "139,90"),
        ("Wie viele Faltschlösser wurden bestellt?", "2"),
        ("Was ist der Einzelpreis des Faltschlosses?", "69,95"),
        ("Welche Artikelnummer hat das Faltschloss?", "SL-0114"),
        ("Was steht unter Position 2?", "Faltschloss 90 cm"),
        ("Wie hoch ist die Mehrwertsteuer?", "261,40"),
        ("Wie hoch ist der Gesamtbetrag?", "1.637,40"),
        ("Wie hoch ist der Nettobetrag?", "1.376,00"),
        ("Wie lautet die Kundennummer?", "K-2291"),
        ("Bis wann ist das Angebot gültig?", "31. August 2024"),
    ],
)
def test_questions_about_an_invoice_in_german_are_answered(question: str, answer: str) -> None:
    assert ask(GERMAN, question) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many dining chairs were ordered?", "6"),
        ("How much is the dining chair?", "Unit price £129.50, Amount £777.00"),
        ("How much is the oak table?", "£840.00"),
        ("What is item 1?", "Oak dining table"),
        ("How much VAT is charged?", "£323.40"),
        ("What is the total?", "£1,940.40"),
        ("What is the invoice total?", "£1,940.40"),
    ],
)
def test_questions_about_an_invoice_are_answered(question: str, answer: str) -> None:
    assert ask(ENGLISH, question) == answer


@pytest.mark.parametrize(
    "question", ["What does the sofa cost?", "Who made the oak table?", "How much is a red chair?"]
)
def test_what_no_item_has_is_left_to_others(question: str) -> None:
    assert ask(ENGLISH, question) == ""


def test_an_item_that_is_named_in_part_is_asked_for() -> None:
    assert ask(GERMAN, "Was kostet die Gepäcktasche?").startswith("[")
    assert "Gepäcktasche groß and Gepäcktasche klein" in ask(GERMAN, "Was kostet die Gepäcktasche?")


def test_fields_are_left_to_the_reader_in_english() -> None:
    assert ask("Order no: 77\n\nPlaced on 3 May.\n", "What is the order number?") == ""


@pytest.mark.parametrize(
    "question",
    [
        "What is the VAT number?",
        "How many dining chairs were not delivered?",
        "Who paid the amount?",
        "When was the amount paid?",
        "Is delivery included in the amount?",
        "What is not included in the total?",
        "What was ordered in total?",
    ],
)
def test_a_question_that_no_cell_answers_is_left_to_the_reader(question: str) -> None:
    assert ask(ENGLISH, question) == ""


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Der Leiter ist Max Roth.\n\nEhemaliger Leiter: Tom Vogt", "Wer ist der Leiter?"),
        ("Zahlung: per Überweisung", "Wann ist die Zahlung?"),
        ("Verwaltung: siehe Anhang B", "Wo ist die Verwaltung?"),
        ("Anna: Ich komme morgen um halb elf.", "Wer ist Anna?"),
        ("Schlüssel: drei Stück", "Wer gibt die Schlüssel aus?"),
        ("Treffpunkt: noch offen", "Wo ist der Treffpunkt?"),
    ],
)
def test_a_field_that_does_not_answer_is_no_answer(text: str, question: str) -> None:
    assert ask(f"{ABOUT}\n\n{text}\n", question) == ""
