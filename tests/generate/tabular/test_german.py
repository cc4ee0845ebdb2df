"""German questions, whose words have other endings than those of the table."""

import pytest

from tests.generate.tabular.test_answered import found

INVOICES = (
    "Rechnungsnr;Kunde;Betrag;Status\nRE-001;Huber;1.200,00;bezahlt\nRE-002;Maier;124,50;offen\n"
    "RE-003;Huber;980,00;offen\nRE-004;Zeiss;450,00;bezahlt\n"
)
ORDERS = (
    "Bestellung;Kunde;Gesamt;Datum;Status\n2024-17;Holz;50,00 €;2024-04-02;geliefert\n"
    "2024-18;Bau;40,00 €;2024-04-03;offen\n2024-19;Holz;54,00 €;2024-05-06;offen\nSumme;;144,00 €;;\n"
)
ROOMS = "Raum;Plätze;Ausstattung\nAhorn;10;Beamer\nBuche;24;Leinwand\nEiche;60;Beamer\n"
PAY = "Mitarbeiter;Abteilung;Gehalt\nAnna;Vertrieb;3.500 €\nBernd;Technik;4.200 €\nCarla;Vertrieb;900 €\n"


@pytest.mark.parametrize(
    ("question", "content", "expected"),
    [
        ("Welche Rechnungen sind offen?", INVOICES, "RE-002, RE-003"),
        ("Welche Rechnungen sind offen?", INVOICES.replace("snr", ""), "RE-002, RE-003"),
        ("Wie viele Rechnungen sind offen?", INVOICES, "2"),
        ("Wie viele Rechnungen gibt es?", INVOICES, "4"),
        ("Welche Kunden haben offene Rechnungen?", INVOICES, "Maier, Huber"),
        ("Summe der offenen Rechnungen?", INVOICES, "1.104,50"),
        ("Wie hoch ist die Summe aller Rechnungen?", INVOICES, "2.754,50"),
        ("Welche Rechnung hat den höchsten Betrag?", INVOICES, "RE-001"),
        ("Welche Bestellungen sind offen?", ORDERS, "2024-18, 2024-19"),
        ("Wie viele Bestellungen gab es im Mai?", ORDERS, "1"),
        ("Gesamtsumme aller Bestellungen?", ORDERS, "144,00 €"),
        ("Gesamt der offenen Bestellungen?", ORDERS, "94,00 €"),
        ("Welche Kunden haben offene Bestellungen?", ORDERS, "Bau, Holz"),
        ("Höchster Betrag?", INVOICES, "1.200,00"),
        ("Welche Räume haben einen Beamer?", ROOMS, "Ahorn, Eiche"),
        ("Welche Räume haben mehr als 20 Plätze?", ROOMS, "Buche, Eiche"),
        ("Wie viele Räume haben mindestens 24 Plätze?", ROOMS, "2"),
        ("Welcher Raum hat die meisten Plätze?", ROOMS, "Eiche"),
        ("Summe der Gehälter im Vertrieb?", PAY, "4.400 €"),
        ("Wer hat das höchste Gehalt?", PAY, "Bernd"),
        ("Wie viele Mitarbeiter haben ein Gehalt über 3.000 €?", PAY, "2"),
        ("Wie viele Mitarbeiter haben ein Gehalt über 3.50 €?", PAY, None),
    ],
)
def test_other_endings_are_read(question: str, content: str, expected: str | None) -> None:
    assert found(question, content) == expected


@pytest.mark.parametrize(
    "question", ["Welche Rechnungen sind nicht offen?", "Summe ohne Huber?", "Welche Orte sind offen?"]
)
def test_what_is_left_out_and_other_words_are_not_computed(question: str) -> None:
    assert found(question, INVOICES) is None


def test_endings_are_read_in_german_questions_alone() -> None:
    content = "Item,Fabric,Price\nDress,Linen,30\nShirt,Wool,20\n"
    assert found("Which items are of line?", content) is None
