"""Questions for the rows between two numbers or dates."""

import pytest

from tests.generate.tabular.test_answered import answered, document_of, found, refused

INVOICES = (
    "Invoice,Customer,Date,Amount,Status\nINV-001,Huber,2024-01-05,1200,paid\nINV-002,Maier,2024-01-20,124,open\n"
    "INV-003,Huber,2024-02-03,980,open\nINV-004,Zeiss,2024-03-11,450,paid\nINV-005,Maier,2024-03-30,501,paid\n"
)
GOODS = "Good,From,To\nTea,2010,2014\nRice,2012,2019\nOil,2018,2020\n"
ROOMS = "Room,Seats,Rent\nAlpha,10,300\nBeta,24,450\nGamma,60,900\n"
YEARS = "Year,Town,Rain (mm)\n2018,Alm,812\n2019,Alm,905\n2020,Alm,777\n"
GERMAN = (
    "Rechnung;Kunde;Datum;Betrag\nRE-1;Huber;05.01.2024;1.200,00\nRE-2;Maier;20.01.2024;124,50\n"
    "RE-3;Huber;03.02.2024;980,00\nRE-4;Zeiss;11.03.2024;450,00\n"
)


@pytest.mark.parametrize(
    ("question", "content", "expected"),
    [
        ("Which invoices have an amount between 400 and 1000?", INVOICES, "INV-003, INV-004, INV-005"),
        ("Which invoices are between 400 and 1,000?", INVOICES, "INV-003, INV-004, INV-005"),
        ("How many invoices are between 400 and 1000?", INVOICES, "3"),
        ("Show me all invoices between January and February 2024", INVOICES, "INV-001, INV-002, INV-003"),
        ("Total amount between 400 and 1000?", INVOICES, "1,931"),
        ("How many rooms have between 20 and 60 seats?", ROOMS, "2"),
        ("Which rooms have between 20 and 60 seats?", ROOMS, "Beta, Gamma"),
        ("Total rent of rooms with between 20 and 60 seats?", ROOMS, "1,350"),
        ("Which invoices are between 2000 and 3000?", INVOICES, "none"),
        ("Total amount between 2024-01-01 and 2024-02-28?", INVOICES, "2,304"),
        ("Total amount from January to February 2024?", INVOICES, "2,304"),
        ("What is the total amount from 1 to 15 January 2024?", INVOICES, "1200"),
        ("Total amount since February 2024?", INVOICES, "1,931"),
        ("Which invoices are dated after 11 March 2024?", INVOICES, "INV-005"),
        ("How many invoices were issued before February 2024?", INVOICES, "2"),
        ("How many invoices are there in January 2024?", INVOICES, "2"),
        ("Invoices in March 2024?", INVOICES, "INV-004, INV-005"),
        ("Total amount of Huber in January?", INVOICES, "1200"),
        ("Which invoice from January to February 2024 has the lowest amount?", INVOICES, "INV-002"),
        ("Total rain from 2018 to 2019?", YEARS, "1,717"),
        ("What was the total rain since 2019?", YEARS, "1,682"),
        ("Average rain between 2018 and 2020?", YEARS, "831.33"),
        ("Which year from 2018 to 2019 had the most rain?", YEARS, "2019"),
        ("Welche Rechnungen liegen zwischen 100 und 500?", GERMAN, "RE-2, RE-4"),
        ("Summe der Rechnungen von Januar bis Februar 2024?", GERMAN, "2.304,50"),
        ("Wie viele Rechnungen gibt es im Januar 2024?", GERMAN, "2"),
        ("Welche Rechnungen sind über 500?", GERMAN, "RE-1, RE-3"),
        ("Welche Rechnungen haben mindestens 980 Betrag?", GERMAN, "RE-1, RE-3"),
    ],
)
def test_the_rows_in_a_range_are_listed_counted_and_added(question: str, content: str, expected: str) -> None:
    assert found(question, content) == expected


def test_the_statement_says_what_the_range_is_of() -> None:
    answer = answered("How many invoices are between 400 and 1000?", document_of(INVOICES))
    assert answer is not None
    assert answer.text == "3 rows with Amount from 400 to 1000"


@pytest.mark.parametrize(
    ("question", "content", "reason"),
    [
        ("Which rooms are between 20 and 60?", ROOMS, "names no column of numbers for its range"),
        ("Which rooms have between 20 and 60 €  rent?", ROOMS, "not in €"),
        ("Total amount from 2019 to 2024?", INVOICES.replace("450", "2020"), "may be of years, or of Amount"),
        ("Total amount in March?", INVOICES.replace("2024-03-30", "2023-03-30"), "March"),
        ("Total amount in March 2024?", INVOICES.replace("2024-03-30", ""), "some rows have no Date"),
        ("Total rain from March 2018 to 2019?", YEARS, "no days"),
        ("Total amount between 1000 and 400?", INVOICES, "begins after its end"),
        ("Total amount from March 2024 to January 2024?", INVOICES, "begins after its end"),
        (
            "Total amount in March 2024?",
            INVOICES.replace("Status", "Due").replace("paid", "2024-04-01").replace("open", "2024-05-01"),
            "several columns: Date and Due",
        ),
        ("Total sales between January and April?", "Month,Sales\nJanuary,10\nFebruary,20\nApril,45\n", "not computed"),
    ],
)
def test_an_open_range_is_refused(question: str, content: str, reason: str) -> None:
    assert reason in refused(question, content)


STAFF = "Rep,Region,Revenue,Start date\nAna,North,240,2019-05-01\nBen,South,190,2021-02-15\nCara,North,312,2018-09-01\n"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Total revenue of reps who started before 2020?", "552"),
        ("How many reps started between 2019 and 2021?", "2"),
        ("Total revenue before 2020?", None),
        ("Total revenue from 2019 to 2021?", None),
    ],
)
def test_a_date_of_start_is_that_of_a_range_only_if_the_question_says_so(question: str, expected: str | None) -> None:
    assert found(question, STAFF) == expected


BIRTHS = "Year,Births,Deaths\n2018,1500,900\n2019,2010,950\n2020,1800,2015\n2021,1700,1100\n"
FLIGHTS = (
    "Flight,Departure,Duration,Seats,Price\nLH-1,2025-01-05 08:15,2:05,180,€120\nLH-2,2025-02-01 07:00,1:50,90,€95\n"
)
STAFF_BY_AGE = "Name,Salary,Age\nAnna Berg,52000,34\nTom Ortiz,61000,45\nMei Lin,58500,29\n"


@pytest.mark.parametrize(
    ("question", "content", "expected"),
    [
        ("Total deaths between 2018 and 2020?", BIRTHS, "3,865"),
        ("How many flights in January 2025?", FLIGHTS, "1"),
        ("Flights under €100?", FLIGHTS, "LH-2"),
        ("Flights under 100?", FLIGHTS, None),
        ("Which flights are between €90 and €100?", FLIGHTS, "LH-2"),
        ("Who is older than 30?", STAFF_BY_AGE, None),
        ("Which people are older than 30?", STAFF_BY_AGE, None),
        ("Total salary of all names over 30?", STAFF_BY_AGE, None),
        ("What is the total salary of names over 30?", STAFF_BY_AGE, None),
        ("Which names are older than 30?", STAFF_BY_AGE, "Anna Berg, Tom Ortiz"),
    ],
)
def test_amounts_like_years_and_durations_are_no_dates(question: str, content: str, expected: str | None) -> None:
    assert found(question, content) == expected


def test_a_month_that_is_a_cell_is_no_range_of_dates() -> None:
    content = "Month,Sales,Start date\nMarch,10,2024-01-05\nApril,25,2024-03-06\nMarch,40,2024-05-06\n"
    assert found("Total sales in March?", content) == "50"


def test_a_year_of_the_title_is_no_range_of_other_dates() -> None:
    answer = answered("Total revenue in 2025?", document_of(STAFF, "sales-2025.csv"))
    assert answer is not None
    assert answer.direct is not None
    assert answer.direct.text == "742"


def test_days_and_months_that_cannot_be_told_apart_are_no_days() -> None:
    content = "Order,Date,Amount\nA-1,03/04/2024,10\nA-2,05/06/2024,20\nA-3,07/08/2024,45\n"
    assert "no days" in refused("Total amount in April 2024?", content)
    assert found("Total amount in 2024?", content) == "75"


def test_a_row_with_both_ends_below_from_and_to_is_left_to_the_reader() -> None:
    assert answered("Which goods are from 2012 to 2019?", document_of(GOODS)) is None
    assert refused("Which goods are from 2012 to 2018?", GOODS)
