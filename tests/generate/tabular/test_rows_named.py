"""Which rows a question names, by cells that look like other words, by codes or by ranges."""

from itertools import product

import pytest

from tests.generate.tabular.test_answered import answered, document_of, found, refused


def test_a_sum_of_one_row_says_how_many_rows_have_no_value() -> None:
    units = "Quarter,Manager,Units\nQ1,Raj Patel,98\nQ2,Raj Patel,\nQ1,Eva Stone,120\n"
    answer = answered("Total units of Raj Patel?", document_of(units, "units.csv"))
    assert answer is not None
    assert answer.text == "Units: 98, of 2 rows with Manager Raj Patel (1 without a value)"


@pytest.mark.parametrize("head", ["Extension", "phone_no", "Fax", "Durchwahl", "Telefon", "PLZ", "Start year", "Zip"])
@pytest.mark.parametrize("op", ["Total", "Average"])
def test_numbers_of_telephones_and_the_like_are_not_added(head: str, op: str) -> None:
    content = f"Name,Team,{head}\nAnna Berg,Red,4411\nTom Ortiz,Red,4412\nAda Finn,Blue,4710\nBo Kent,Blue,4709\n"
    assert "ranks, codes or years" in refused(f"{op} {head} of Red?", content)
    assert "ask for the total" not in refused(f"{head} of Red?", content)


def test_an_amount_of_a_year_is_added() -> None:
    assert found("Total revenue this year?", "Town,Revenue this year\nAu,10\nBo,25\nCy,20\n") == "55"


MONTHS = "Month,Branch,Sales\nJanuary,Oslo,100\nFebruary,Rome,200\nMarch,Oslo,400\nApril,Rome,800\nMay,Oslo,1600\n"
DAYS = "Tag;Filiale;Umsatz\nMontag;Köln;100\nDienstag;Bonn;200\nMittwoch;Köln;400\nDonnerstag;Bonn;800\n"
WEEKS = "Week,Sales\nWeek 1,100\nWeek 2,200\nWeek 3,450\n"


@pytest.mark.parametrize(
    ("question", "content"),
    [
        ("Total sales January to March?", MONTHS),
        ("Total sales January - March?", MONTHS),
        ("What are the total sales since March?", MONTHS),
        ("Total sales until February?", MONTHS),
        ("Total sales by February?", MONTHS),
        ("Total sales from January to June?", MONTHS),
        ("Summe Umsatz von Montag bis Mittwoch?", DAYS),
        ("Summe Umsatz zwischen Montag und Mittwoch?", DAYS),
        ("Wie hoch ist der Umsatz seit Dienstag?", DAYS),
        ("Summe Umsatz ab Dienstag?", DAYS),
        ("Total sales from Week 1 to Week 3?", WEEKS),
        ("Total sales since Week 2?", WEEKS),
    ],
)
def test_the_ends_of_a_range_are_not_added_alone(question: str, content: str) -> None:
    assert found(question, content) is None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Total sales from January to March?", "700"),
        ("Total sales from January to May?", "3,100"),
        ("Total sales between January and April?", "1,500"),
        ("Average sales from January to April?", "375"),
        ("What were the total sales in the first quarter?", "700"),
    ],
)
def test_all_months_of_a_range_are_added(question: str, expected: str) -> None:
    assert found(question, MONTHS) == expected


def test_a_quarter_is_of_the_year_beside_its_months() -> None:
    keys = product(("Ohio", "Utah"), (2016, 2020), ("Jan", "Feb", "Mar", "Apr"))
    rows = "".join(f"{state},{year},{month},{7 * at % 13 + 1}\n" for at, (state, year, month) in enumerate(keys))
    voters = f"State,Year,Month,New voters\n{rows}"
    assert found("How many new voters were there in Utah in the first quarter of 2020?", voters) == "16"
    assert found("How many new voters were there in Utah from January to February 2016?", voters) == "17"
    assert found("How many new voters were there in Utah in the fourth quarter of 2020?", voters) is None


@pytest.mark.parametrize(
    ("question", "content", "expected"),
    [
        ("Total sales in January and March?", MONTHS, "500"),
        ("Total sales from Oslo and Rome?", MONTHS, "3,100"),
        ("Summe Umsatz Montag und Mittwoch?", DAYS, "500"),
    ],
)
def test_values_with_and_are_no_range(question: str, content: str, expected: str) -> None:
    assert found(question, content) == expected


ORDERS = "Order,Customer,Amount\nR-2024-001,Huber,1200\nR-2024-002,Maier,124\nR-2024-003,Huber,980\n"


@pytest.mark.parametrize(
    "question",
    [
        "Total of R-2024-001 to R-2024-003?",
        "Total amount from R-2024-001 to R-2024-003?",
        "Total amount between R-2024-001 and R-2024-003?",
        "Total amount from r-2024-001 to r-2024-003?",
    ],
)
def test_codes_with_dashes_are_ends_of_a_range_too(question: str) -> None:
    assert found(question, ORDERS) is None


YEARS = "Year,Sales\n2019,100\n2020,250\n2021,475\n"


@pytest.mark.parametrize(
    ("question", "content", "expected"),
    [
        ("Total amount of R-2024-001 and R-2024-002?", ORDERS, "1,324"),
        ("What is the amount of R-2024-002?", ORDERS, "124"),
        ("Wie hoch ist der Amount von R-2024-002?", ORDERS, "124"),
        ("Total sales of 2019-2021?", YEARS, None),
    ],
)
def test_the_dash_of_a_code_is_of_no_range(question: str, content: str, expected: str | None) -> None:
    assert found(question, content) == expected


FLOORS = "Room,Floor,Seats,Team\nAlpha,1,10,Red\nBeta,2,20,Red\nGamma,3,30,Blue\nDelta,3,10,Blue\n"


@pytest.mark.parametrize("word", ["under", "over", "above", "below", "beyond"])
@pytest.mark.parametrize("asked", ["Which rooms are", "Rooms", "How many rooms are", "Total seats"])
def test_rows_over_or_under_a_number_are_not_those_that_have_it(asked: str, word: str) -> None:
    assert "not computed" in refused(f"{asked} {word} floor 3?", FLOORS)


def test_rows_over_or_under_a_number_are_refused_in_german() -> None:
    content = "Raum;Etage;Plätze\nAlpha;1;10\nBeta;2;20\nGamma;3;30\nDelta;3;15\n"
    assert "not computed" in refused("Welche Räume sind unter Etage 3?", content)
    assert "not computed" in refused("Summe Plätze über Etage 1?", content)


def test_a_bound_of_numbers_is_no_range_of_the_rows() -> None:
    assert found("Which rooms on floor 3 have over 20 seats?", FLOORS) == "Gamma"


@pytest.mark.parametrize("question", ["What were the sales from January to March?", "Sales since March?"])
def test_numbers_of_a_range_are_refused_and_not_left_to_the_reader(question: str) -> None:
    assert "not computed" in refused(question, MONTHS)


CLIENTS = "Client,Country,Open amount\nAdams & Co,UK,1200\nBaker Ltd,UK,300\nCole plc,US,450\nDunn SA,France,\n"
DEPARTMENTS = (
    "Name,Department,Salary\nAnna Berg,IT,72000\nTom Adam,IT,51000\nRosa Diaz,HR,39000\nBen Roth,Sales,45000\n"
)
HOURS = (
    "Mitarbeiter;Abteilung;Ort;Stunden\nAnna Berg;Vertrieb;Köln;38\nUwe Kern;IT;Köln;40\nMia Sand;Personal;Bonn;35\n"
)
CATEGORIES = "Order,Customer,Category,Amount\n1001,Huber,Travel,1200\n1002,Maier,Other,124\n1005,Huber,Other,980\n"
GRADES = "Student,Subject,Grade\nAnn,Maths,A\nAnn,Art,A-\nBob,Maths,C\nBob,Art,A\n"


@pytest.mark.parametrize(
    ("question", "content", "expected"),
    [
        ("Total open amount in US?", CLIENTS, "450"),
        ("Total open amount in the US?", CLIENTS, "450"),
        ("How many clients are in the US?", CLIENTS, "1"),
        ("Total salary in IT?", DEPARTMENTS, "123,000"),
        ("Average salary of IT?", DEPARTMENTS, "61,500"),
        ("IT total salary?", DEPARTMENTS, "123,000"),
        ("Who is in IT?", DEPARTMENTS, "Anna Berg, Tom Adam"),
        ("Who has the lowest salary in IT?", DEPARTMENTS, "Tom Adam"),
        ("Summe Stunden IT?", HOURS, "40"),
        ("Total amount of Other?", CATEGORIES, "1,104"),
        ("Total amount of Huber for Other?", CATEGORIES, "980"),
        ("Other total amount?", CATEGORIES, "1,104"),
        ("What are the total sales in May?", MONTHS, "1600"),
        ("What may the total sales be?", MONTHS, "3,100"),
        ("Who has an A in Maths?", GRADES, "Ann"),
        ("Which students have an A in Art?", GRADES, "Bob"),
        ("Who has an A- in Art?", GRADES, "Ann"),
        ("Which students are in Art?", GRADES, "Ann, Bob"),
    ],
)
def test_cells_like_function_words_are_named_as_the_table_writes_them(
    question: str, content: str, expected: str
) -> None:
    assert found(question, content) == expected


@pytest.mark.parametrize(
    ("question", "content"),
    [
        ("Total open amount in us?", CLIENTS),
        ("How many clients are in the us?", CLIENTS),
        ("What is the total salary in it?", DEPARTMENTS),
        ("WHAT IS THE TOTAL SALARY IN IT?", DEPARTMENTS),
        ("Total amount of other?", CATEGORIES),
        ("What are the total sales in may?", MONTHS),
        ("Total price of table?", "Item,Colour,Price\nTable,Red,30\nChair,Blue,20\nTable,Blue,45\n"),
    ],
)
def test_words_that_may_be_such_a_cell_are_refused(question: str, content: str) -> None:
    assert "write it as the table does" in refused(question, content)


@pytest.mark.parametrize(
    ("question", "content"),
    [
        ("Total open amount in IT?", CLIENTS),
        ("Total salary in US?", DEPARTMENTS),
        ("What is the total salary in May?", DEPARTMENTS),
        ("Total salary of Other?", DEPARTMENTS),
        ("How many clients are in IT?", CLIENTS),
        ("Total sales of A?", "Class,Sales\nB,10\nC,25\nB,30\n"),
        ("Total sales of I?", "Class,Sales\nI,10\nII,25\nI,30\n"),
    ],
)
def test_capitals_that_no_cell_has_are_not_understood(question: str, content: str) -> None:
    assert "no column or cell of the table is called" in refused(question, content)
