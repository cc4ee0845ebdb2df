"""Values that stand for what the question asks: a row without its column, amounts with a currency, and codes."""

import pytest

from tests.generate.tabular.test_answered import answered, document_of, found, is_left, refused
from treatise.generate.tabular.numbers import read_values
from treatise.generate.tabular.words import light_of

STATES = """\
State,Country,Capital,Population
Quintana Roo,Mexico,Chetumal,1857985
Yucatan,Mexico,Merida,2320898
Texas,United States,Austin,30503301
Ontario,Canada,Toronto,15608369
"""
EUROS = """\
Invoice;Customer;Amount
R-101;Huber;1.234,50 €
R-102;Meier;300,00 €
R-103;Schulz;2.050,00 €
R-104;Huber;89,90 €
"""
CODES = """\
Invoice,Customer,Amount,Quarter
R-101,Huber,300 EUR,Q1
R-102,Meier,450 EUR,Q2
R-103,Schulz,1200 EUR,Q1
R-104,Weber,80 EUR,Q3
"""
FURNITURE = """\
Artikel;Farbe;Preis;Lager
Lampe;rot;39,90 €;12
Tisch;braun;129,00 €;3
Stuhl;schwarz;49,50 €;25
"""
QUARTERS = """\
Quarter,Revenue,Costs
Q1,120,80
Q2,150,95
Q3,90,70
Q4,200,110
"""


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("Area of Quintana Roo?", "Area"),
        ("The area of Texas?", "area"),
        ("Quintana Roo area", "area"),
        ("Texas gross income?", "gross income"),
        ("area Texas", "area"),
        ("What is the area of Texas?", "area"),
        ("Population density of Texas?", "Population density"),
    ],
)
def test_a_missing_column_is_named_however_short_the_question(question: str, noun: str) -> None:
    expected = f"the table has no column “{noun}”, but State, Country, Capital and Population"
    assert refused(question, STATES) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Population of Quintana Roo?", "1857985"),
        ("Quintana Roo population", "1857985"),
        ("The capital of Texas?", "Austin"),
        ("Texas capital?", "Austin"),
    ],
)
def test_a_cell_is_asked_for_without_a_verb(question: str, expected: str) -> None:
    assert found(question, STATES) == expected


@pytest.mark.parametrize("question", ["Population of Mexico?", "What is the population of Mexico?"])
def test_a_value_of_several_rows_names_none_of_them(question: str) -> None:
    expected = "2 rows have the Country Mexico; name one, or ask for the total of Population"
    assert refused(question, STATES) == expected


def test_the_name_of_several_rows_names_none_of_them() -> None:
    expected = "2 rows have the Customer Huber; name one, or ask for the total of Amount"
    assert refused("What is the amount of Huber?", EUROS) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Texas",
        "Area",
        "Area of Nevada?",
        "Overall population of Texas?",
        "Wie viel kostet Texas?",
        "Combien coûte Texas?",
    ],
)
def test_phrases_that_name_no_row_or_no_value_of_it_are_left_to_the_reader(question: str) -> None:
    assert is_left(question, STATES)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Farbe der Lampe?", "rot"),
        ("Die Farbe der Lampe", "rot"),
        ("Preis vom Tisch?", "129,00 €"),
        ("Preis des Stuhls?", "49,50 €"),
        ("Preis des Tisches?", "129,00 €"),
        ("Welche Farbe hat die Lampe?", "rot"),
        ("Was kostet der Tisch?", "129,00 €"),
        ("Farbe von Tisch und Stuhl?", "Tisch: braun; Stuhl: schwarz"),
        ("Couleur de la Lampe: Farbe?", None),
        ("Quel est le prix du Tisch ?", "129,00 €"),
        ("Preis der Lampen?", "39,90 €"),
        ("Ist die Farbe der Lampe rot?", None),
        ("Was kostet mehr als die Lampe?", None),
    ],
)
def test_articles_and_prepositions_of_other_languages_are_no_part_of_a_name(
    question: str, expected: str | None
) -> None:
    assert found(question, FURNITURE) == expected


@pytest.mark.parametrize(
    "question",
    ["Gewicht der Lampe?", "Das Gewicht vom Tisch", "Was ist das Gewicht der Lampe?", "Welches Gewicht hat der Stuhl?"],
)
def test_a_missing_column_is_named_without_its_article_in_german(question: str) -> None:
    assert refused(question, FURNITURE) == "the table has no column “Gewicht”, but Artikel, Farbe, Preis and Lager"


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("What is the profit in Q2?", "profit"),
        ("What was the profit for Q3?", "profit"),
        ("How much profit was made in Q2?", "profit"),
        ("How high was the profit in Q4?", "profit"),
        ("What is the number of employees in Q2?", "employees"),
        ("What was the operating profit during Q1?", "operating profit"),
        ("Wie hoch war der Gewinn im Q2?", "Gewinn"),
        ("Wie viel Gewinn hatte Q2?", "Gewinn"),
    ],
)
def test_a_missing_column_is_named_in_sentences(question: str, noun: str) -> None:
    assert refused(question, QUARTERS) == f"the table has no column “{noun}”, but Quarter, Revenue and Costs"


@pytest.mark.parametrize(
    "question",
    ["What were the opening hours on Monday?", "What is the profit in Bergen?", "What is the weather at noon?"],
)
def test_what_may_be_a_column_or_names_no_row_is_left_to_the_reader(question: str) -> None:
    assert is_left(question, "Day,From,To\nMonday,9:00,17:00\nTuesday,10:00,18:00\nFriday,9:00,13:00\n")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Total of Huber?", "1.324,40 €"),
        ("Huber total", "1.324,40 €"),
        ("Total amount of Huber?", "1.324,40 €"),
        ("What is the total amount for Huber?", "1.324,40 €"),
        ("Summe von Huber?", "1.324,40 €"),
        ("Wie hoch ist die Summe von Huber?", "1.324,40 €"),
        ("What is the average amount of Huber?", "662,20 €"),
        ("Total of Huber and Schulz?", "3.374,40 €"),
        ("Total of Meier?", "300,00 €"),
        ("What is the total of R-101 and R-102?", "1.534,50 €"),
        ("Total?", "3.674,40 €"),
    ],
)
def test_all_rows_of_a_name_are_added(question: str, expected: str) -> None:
    assert found(question, EUROS) == expected


def test_the_rows_that_were_added_are_cited_and_counted() -> None:
    answer = answered("Total of Huber?", document_of(EUROS))
    assert answer is not None
    assert answer.text == "Amount: 1.324,40 €, the sum of 2 rows with Customer Huber"
    assert [one.quote.split("\t")[0] for one in answer.citations] == ["R-101", "R-104"]


def test_what_cannot_be_added_is_refused() -> None:
    assert "so there is no average" in refused("Average amount of Meier?", EUROS)
    assert "“Maier”" in refused("Total of Maier?", EUROS)
    assert "“lakes”" in refused("Total lakes of Texas?", STATES)
    assert "Revenue and Costs" in refused("Total of Q1 and Q2?", QUARTERS)


def test_an_adjective_asks_for_no_sum() -> None:
    expected = "the table has no column “Overall length”, but Invoice, Customer and Amount"
    assert refused("Overall length of Huber?", EUROS) == expected


def test_an_english_word_is_no_german_article() -> None:
    assert "die" not in light_of("How many people die in Texas?")
    assert found("Price of lamps?", "item,price\nlamp,3\ntable,9\n") == "3"


def test_a_question_for_yes_or_no_is_for_no_cell() -> None:
    assert is_left("Is the capital of Texas Austin?", STATES)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the total amount?", "3.674,40 €"),
        ("What is the average amount?", "918,60 €"),
        ("Which invoice has the highest amount?", "R-103"),
        ("Which invoice has the lowest amount?", "R-104"),
        ("Which invoices have an amount over 1.000 €?", "R-101, R-103"),
        ("Which invoices have an amount over 1000 €?", "R-101, R-103"),
        ("Which invoices have an amount of more than 300 EUR?", "R-101, R-103"),
        ("Which invoices have an amount of more than 89,90 €?", "R-101, R-102, R-103"),
        ("How many invoices have an amount above €100?", "3"),
    ],
)
def test_a_currency_may_stand_after_its_number(question: str, expected: str) -> None:
    assert found(question, EUROS) == expected


def test_a_limit_is_refused_whose_separator_may_mean_two_things() -> None:
    assert "may be of thousands or of decimals" in refused("Which invoices have an amount over 1,500 €?", EUROS)
    assert "may be of thousands or of decimals" in refused("Which invoices have an amount over 1.000 €?", CODES)


def test_a_limit_in_another_currency_is_refused() -> None:
    assert refused("Which invoices have an amount over 400 USD?", CODES) == "the values of Amount are not in USD"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the total amount?", "2,030 EUR"),
        ("Which invoices have an amount over 400 €?", "R-102, R-103"),
        ("What is the total amount in Q1?", "1,500 EUR"),
        ("How many invoices are in Q1?", "2"),
        ("Which invoice in Q1 has the highest amount?", "R-103"),
        ("What is the amount of R-102?", "450 EUR"),
        ("What is the difference in amount between R-101 and R-103?", "900 EUR"),
    ],
)
def test_codes_and_signs_of_one_currency_are_values(question: str, expected: str) -> None:
    assert found(question, CODES) == expected


def test_a_sign_and_a_code_may_be_of_one_currency() -> None:
    amounts = read_values({0: "300 EUR", 1: "450 €", 2: "EUR 1.200,50", 3: "€80"})
    assert amounts.by_row == {0: 300, 1: 450, 2: 1200.5, 3: 80}
    assert (amounts.problem, amounts.unit) == ("", "EUR")
    assert read_values({0: "300 EUR", 1: "450 $"}).problem == "its values have different units"
    assert read_values({0: "ABC 300", 1: "ABC 450"}).problem == "“ABC 300” is not a number"


def test_amounts_in_several_currencies_are_not_added() -> None:
    mixed = CODES.replace("300 EUR", "300 USD")
    assert "different units" in refused("What is the total amount?", mixed)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the revenue of Q2?", "150"),
        ("Costs of Q4?", "110"),
        ("Which quarter has the highest revenue?", "Q4"),
        ("How much higher is the revenue of Q4 than of Q1?", "80"),
        ("What is the difference in revenue between Q1 and Q2?", "30"),
    ],
)
def test_rows_may_be_named_by_codes(question: str, expected: str) -> None:
    assert found(question, QUARTERS) == expected


def test_measured_numbers_are_no_codes() -> None:
    weights = "Parcel,Weight\nNorth,5kg\nSouth,12kg\nEast,7kg\n"
    assert found("What is the total weight?", weights) == "24 kg"


ROOMS = "Room,Seats,Floor\nR-101,24,1\nR-102,60,1\nR-103,120,2\n"
NUMBERED = "Room,Seats,Projector\n101,24,yes\n102,60,yes\n103,120,no\n"
YEARS = "Year,Station,Mean temperature (°C),Rainfall (mm)\n2018,Alm,7.9,812\n2019,Alm,8.1,905\n2020,Alm,8.4,777\n"


@pytest.mark.parametrize("content", [ROOMS, ROOMS.replace("Room", ""), ROOMS.replace("Room", "Room No")])
@pytest.mark.parametrize("question", ["Seats of R-103?", "How many seats does R-103 have?"])
def test_a_row_is_named_by_its_code_under_any_head(question: str, content: str) -> None:
    answer = answered(question, document_of(content))
    assert answer is not None
    assert answer.direct is not None
    assert (answer.direct.text, [one.quote for one in answer.citations]) == ("120", ["R-103\t120\t2"])


@pytest.mark.parametrize(
    ("question", "content", "expected"),
    [
        ("Seats of room 103?", NUMBERED, "120"),
        ("Projector in 101?", NUMBERED, "yes"),
        ("Total seats of 101 and 102?", NUMBERED, "84"),
        ("Which room has the most seats?", NUMBERED, "103"),
        ("What was the rainfall in 2020?", YEARS, "777"),
        ("Mean temperature in 2019?", YEARS, "8.1"),
        ("Total seats on floor 1?", ROOMS, "84"),
        ("Which room on floor 1 has the most seats?", ROOMS, "R-102"),
        ("How many rooms are on floor 1?", ROOMS, "2"),
        ("Total rainfall from 2018 to 2020?", YEARS, "2,494"),
        ("What was the total rainfall since 2019?", YEARS, "1,682"),
    ],
)
def test_numbers_name_rows_alone_or_after_the_head_of_their_column(
    question: str, content: str, expected: str | None
) -> None:
    assert found(question, content) == expected


def test_the_rows_that_were_counted_are_cited_and_no_others() -> None:
    answer = answered("How many rooms are on floor 1?", document_of(ROOMS))
    assert answer is not None
    assert answer.text == "2 rows with Floor 1"
    assert [one.quote for one in answer.citations] == ["R-101\t24\t1", "R-102\t60\t1"]


def test_a_row_that_shares_its_words_with_others_is_stated_by_its_number() -> None:
    answer = answered("Which year had the most rainfall?", document_of(YEARS))
    assert answer is not None
    assert answer.text == "2019: Rainfall (mm) 905, the highest of 3 rows"
