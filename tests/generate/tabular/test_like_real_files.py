"""Look-ups in tables as people write them: prices, staff, stock, surveys, accounts and heads of two rows."""

import pytest

from tests.generate.tabular.test_answered import answered, document_of, found, is_left, refused

PRICES = """\
Item,Size,Price,Unit
Bark mulch,70 l,€8.50,bag
Lawn seed,1 kg,€12.40,box
Watering can,10 l,€14.99,piece
"Hose, 25 m",25 m,€29.00,piece
"""
PREISE = """\
Artikelnr.;Bezeichnung;Einheit;Preis (EUR);Bestand
1001;Schraube M4x20;Stück;0,12;5.400
1002;Schraube M6x40;Stück;0,25;2.150
2001;Holzleim 750 g;Flasche;7,95;42
3001;Bohrmaschine BM 500;Stück;89,90;7
"""
STAFF = """\
Name,Department,Extension,Salary
Anna Berg,Sales,4411,72000
Tom Ortiz,Sales,4412,51000
Tom Baker,Support,4610,39000
"""
PERSONAL = "Name;Abteilung;Telefon\nMüller, Hans;Einkauf;2301\nSchmidt, Eva;Vertrieb;2315\n"
STOCK = """\
Part,Qty,Min. stock,Supplier
Steel rod 8 mm,120,50,Norsteel
Steel rod 12 mm,45,50,Norsteel
Brass valve,18,20,Cuprex
Pump P-200,3,2,Aquaflow
"""
SURVEY = """\
Question,Very satisfied,Satisfied,No answer
Delivery time,34%,48%,6%
Packaging,51%,38%,3%
"""
ORDERS = """\
order_id,order_date,customer,quantity,total,status
10231,2024-01-03,Acme Ltd,10,25.00,shipped
10232,2024-01-04,Bolt AG,3,59.70,shipped
10233,2024-01-09,Cato SA,100,210.00,pending
10234,2024-01-15,Bolt AG,40,92.00,pending
"""
FOOD = """\
Lebensmittel;kcal;Fett (g)
Haferflocken;372;7,0
Vollmilch;65;3,6
Apfel;54;0,2
"""
TRAINS = "Linie;Ziel;Abfahrt\nRE 5;Kassel;08:12\nRB 38;Marburg;08:25\nRE 5;Kassel;10:12\n"
ACCOUNTS = """\
Account,2022,2023
Revenue,"4,210","4,985"
Rent,(180),(195)
Interest income,12,25
Net result,"4,042","4,815"
"""


@pytest.mark.parametrize(
    ("question", "content", "expected"),
    [
        ("What is the cheapest item?", PRICES, "Bark mulch"),
        ("Which item is the most expensive?", PRICES, "Hose, 25 m"),
        ("Price of the hose?", PRICES, "€29.00"),
        ("Was kostet die Bohrmaschine BM 500?", PREISE, "89,90"),
        ("Was kostet der Holzleim?", PREISE, "7,95"),
        ("Wie viele Holzleim sind auf Lager?", PREISE, "42"),
        ("What is the price of 3001?", PREISE, "89,90"),
        ("Extension of Anna Berg?", STAFF, "4411"),
        ("Telefon von Eva Schmidt?", PERSONAL, "2315"),
        ("How many brass valves are there?", STOCK, "18"),
        ("How many brass valves do we have left?", STOCK, "18"),
        ("Qty of the pump?", STOCK, "3"),
        ("Satisfied Delivery time", SURVEY, "48%"),
        ("Very satisfied Packaging", SURVEY, "51%"),
        ("No answer for packaging?", SURVEY, "3%"),
        ("Rent in 2022?", ACCOUNTS, "(180)"),
        ("How much did revenue grow from 2022 to 2023?", ACCOUNTS, "775"),
        ("By how much did revenue increase from 2022 to 2023?", ACCOUNTS, "775"),
        ("How much did rent rise between 2022 and 2023?", ACCOUNTS, "15"),
        ("How much did interest income fall from 2022 to 2023?", ACCOUNTS, "-13"),
        ("How many orders are pending?", ORDERS, "2"),
        ("Which orders are pending?", ORDERS, "10233, 10234"),
        ("Orders of Bolt AG?", ORDERS, "10232, 10234"),
        ("Which order has the highest total?", ORDERS, "10233"),
        ("Total of Bolt AG?", ORDERS, "151.70"),
        ("Customer of 10233?", ORDERS, "Cato SA"),
        ("Welches Lebensmittel hat die meisten kcal?", FOOD, "Haferflocken"),
        ("Welches Lebensmittel hat das wenigste Fett?", FOOD, "Apfel"),
        ("Fett in Vollmilch?", FOOD, "3,6"),
    ],
)
def test_values_are_found(question: str, content: str, expected: str) -> None:
    assert found(question, content) == expected


@pytest.mark.parametrize(
    ("question", "content", "reason"),
    [
        (
            "Extension of Tom?",
            STAFF,
            "2 rows have “Tom” in their Name: Tom Ortiz and Tom Baker; name one",
        ),
        (
            "Preis der Schraube?",
            PREISE,
            "2 rows have “Schraube” in their Bezeichnung: Schraube M4x20 and Schraube M6x40; name one",
        ),
        (
            "Qty of steel rods?",
            STOCK,
            "2 rows have “steel rods” in their Part: Steel rod 8 mm and Steel rod 12 mm; name one",
        ),
        ("Abfahrt des RE 5?", TRAINS, "2 rows have the Linie RE 5; name one"),
        (
            "Total salary of Anna Berg and Bo?",
            STAFF,
            "the question compares or leaves out rows in a way that is not computed here",
        ),
    ],
)
def test_a_part_of_several_names_is_refused(question: str, content: str, reason: str) -> None:
    assert refused(question, content) == reason


def test_sums_are_written_as_their_column() -> None:
    assert found("Total price?", "item,price\na,$1.20\nb,$2.30\nc,$0.40\n") == "$3.90"
    assert found("Total weight?", "item,weight\nAxle,1.2 kg\nBolt,2.3 kg\nCog,5 kg\n") == "8.5 kg"
    assert found("Summe Preis?", 'item;Preis\na;"1,20 €"\nb;"1.200,30 €"\n') == "1.201,50 €"


def test_a_word_that_may_be_another_column_leaves_open_what_is_added() -> None:
    games = "Team,Attendance\nNorth End,640\nSouth End,230\n"
    assert "names no column" in refused("What is the total number of wins?", games)
    assert found("What is the total?", games) == "870"


def test_what_is_asked_of_each_row_is_no_refusal_for_several() -> None:
    assert is_left("What is the extension of each Tom?", STAFF)


def test_a_column_of_numbers_called_units_names_no_unit() -> None:
    assert found("Which city sold the most units?", "city,units\nRome,30\nOslo,12\n") is None  # "sold"
    assert found("Which city has the most units?", "city,units\nRome,30\nOslo,12\n") == "Rome"


STOPS = """\
Town,County,Riders 2014,Riders 2015
Ash,Essex,120,130
Elm,Essex,80,95
Oak,Kent,200,150
Fir,Kent,10,20
"""


def test_how_many_of_a_column_of_numbers_is_its_sum_over_the_rows_that_are_named() -> None:
    answer = answered("How many riders were there in Essex in 2015?", document_of(STOPS))
    assert answer is not None
    assert answer.direct is not None
    assert answer.direct.text == "225"
    assert len(answer.citations) == 2
    assert found("How many riders were there in total in 2014?", STOPS) == "410"


def test_every_row_that_is_counted_is_cited() -> None:
    rows = "".join(f"Place {chr(65 + at)},{'Kent' if at % 2 else 'Essex'},{at}\n" for at in range(24))
    answer = answered("How many towns are in Kent?", document_of(f"Town,County,Riders\n{rows}"))
    assert answer is not None
    assert answer.direct is not None
    assert (answer.direct.text, len(answer.citations)) == ("12", 12)


def test_a_word_that_divides_is_understood_within_the_head_of_a_column() -> None:
    hotels = "Hotel,Price per night,Rooms\nAnchor,80,12\nBell,65,30\nCrown,120,8\n"
    assert found("Which hotel has the lowest price per night?", hotels) == "Bell"
    assert "leaves out rows" in refused("Which hotel has the lowest price per guest?", hotels)


def test_a_column_of_dates_of_several_forms_has_one_order_of_day_and_month() -> None:
    spending = """\
Date,Category,Amount,Note
2024-01-03,Rent,850.00,January
05/01/2024,Food,64.20,
12 Jan 2024,Power,118.40,estimate
17/02/2024,Food,71.35,
19 Feb 2024,Travel,46.10,return
"""
    answer = answered("What did we spend in total in January?", document_of(spending, "spending.csv"))
    assert answer is not None
    assert answer.direct is not None
    assert answer.direct.text == "1,032.60"


def test_a_change_is_read_from_the_column_of_changes() -> None:
    papers = (
        "Newspaper,Circulation 2004,Circulation 2013,Change in circulation\n"
        "Boston Globe,446,245,-45%\nDenver Post,340,416,+22%\nNewsday,553,377,-32%\n"
    )
    assert found("By how many percent did the Boston Globe's circulation change?", papers) == "-45%"
    assert found("By how many percent did the Denver Post's circulation fall?", papers) is None
    assert found("By how much did the circulation of the Denver Post rise?", papers) == "+22%"
    towns = "Town,Thefts 2014,Thefts 2015,Change\nAsh,10,14,4\nElm,9,5,-4\n"
    assert found("By how much did thefts rise in Ash?", towns) == "4"
    assert found("By how many percent did thefts rise in Ash?", towns) is None
    assert found("By how much did burglaries rise in Ash?", towns) is None
