"""Rows that sum up others are not added to them, and numbers whose sum says nothing are not added."""

import time

import pytest

from tests.generate.tabular.test_answered import answered, document_of, found, refused
from treatise.generate.tabular.grid import grid_of, whole_tables

VISITORS = """\
Month,Visitors,Revenue
January,100,10
February,200,20
March,300,30
Q1,600,60
April,400,40
May,500,50
Year to date,1500,150
"""
GOALS = """\
Player,Team,Season,Goals
Ann,Red,2019,5
Ann,Red,2020,7
Ann,Red,Total,12
Bob,Blue,2019,3
Bob,Blue,2020,4
Bob,Blue,Total,7
"""
BRANCHES = """\
Branch,Occupancy rate,Temperature,Members
A,80,20,10
B,70,18,20
C,60,25,30
All branches,70,21,60
"""
OFFICES = """\
Office,2022,2023,Staff
Leeds,1210,1140,31
York,640,655,17
Total North,1850,1795,48
Bristol,980,1105,25
Exeter,415,428,11
South total,1395,1533,36
"""
SHOP = """\
Item,Price,Stock,Tax
Rice,2.75,40,Z
Soap,1.40,0,S
Oil,,5,R
Z = zero-rated,,,
R = reduced rate,,,
Note: prices of May,,,
"""
REPS = """\
Rep,Region,Q1,Q2
Ada,North,100,120
Ben,North,200,180
Cy,South,50,70
Dee,South,300,310
Subtotal South,,350,380
Total,,650,680
"""
CASES = "Day,New cases,Cumulative cases\nMonday,5,5\nTuesday,7,12\nWednesday,3,15\n"
ECLIPSES = "Place,Year,Kind,Seconds\nPeru,2001,Total,90\nChile,2003,Annular,80\nPeru,2006,Partial,70\n"


@pytest.mark.parametrize(
    ("question", "content", "expected"),
    [
        ("How many visitors in total?", VISITORS, "1,500"),
        ("Which month has the most visitors?", VISITORS, "May"),
        ("Who has the highest Q1?", REPS, "Dee"),
        ("What is the average of Q1?", REPS, "162.5"),
        ("How many reps are there?", REPS, "4"),
        ("How many visitors were there from January to March?", VISITORS, "600"),
        ("How many goals did Ann score?", GOALS, "12"),
        ("Which branch has the most members?", BRANCHES, "C"),
        ("How many members are there?", BRANCHES, "60"),
        ("How many new cases were there in total?", CASES, "15"),
        ("Total seconds?", ECLIPSES, "240"),
        ("How many staff are there in total?", OFFICES, "84"),
        ("What is the grand total of staff?", OFFICES + "Grand total,3245,3328,84\n", "84"),
        ("Which office has the most staff?", OFFICES, "Leeds"),
    ],
)
def test_rows_of_quarters_years_and_kinds_are_not_counted_twice(question: str, content: str, expected: str) -> None:
    assert found(question, content) == expected


HALL = """\
Group,Item,Budget 2023,Actual 2023,Actual 2024
Income,Hire,4200,4510,4980
Income,Bar,800,955,1010
,Total income,5000,5465,5990
Costs,Heating,2400,2910,2650
Costs,Cleaning,1100,1100,1180
,Total costs,3500,4010,3830
"""


@pytest.mark.parametrize(
    ("question", "content", "expected"),
    [
        ("What was the total of the North in 2022?", OFFICES, "1850"),
        ("What is the total staff of the South?", OFFICES, "36"),
        ("What was the actual total income in 2023?", HALL, "5465"),
        ("What was the total of costs in 2024?", HALL, "3830"),
    ],
)
def test_a_total_that_is_named_is_read(question: str, content: str, expected: str) -> None:
    assert (found(question, content) or "").replace(",", "") == expected


def test_a_named_total_of_an_open_column_or_another_sum_is_refused() -> None:
    assert "several columns" in refused("What was total income in 2023?", HALL)
    assert "the table's total is" in refused("What was the total actual 2024 of costs?", HALL.replace("3830", "3930"))


def test_a_sum_agrees_with_one_of_several_totals() -> None:
    assert "the table's total is" in refused("Total staff?", OFFICES + "Grand total,3245,3328,90\n")


def test_notes_below_a_sheet_are_no_rows() -> None:
    assert found("What is the average stock?", SHOP) == "15"
    answer = answered("What is the average price?", document_of(SHOP))
    assert answer is not None
    assert answer.text == "Price: 2.075, the average of 3 rows (1 without a value)"


def test_a_quarter_that_is_no_sum_of_the_months_above_is_a_row() -> None:
    assert found("Total sales?", "Period,Sales\nJanuary,10\nFebruary,20\nMarch,30\nQ2,50\nQ3,70\n") == "180"


@pytest.mark.parametrize(
    ("question", "content"),
    [("What is the total temperature?", BRANCHES), ("What is the total of cumulative cases?", CASES)],
)
def test_temperatures_and_running_totals_are_not_added(question: str, content: str) -> None:
    assert "whose sum says nothing" in refused(question, content)


SALES = "Region,Sales,Change %\nLeeds,1200,5\nYork,800,-3\nHull,450,12\n"


def test_a_fall_is_no_rise() -> None:
    assert found("By how much did sales fall in York?", SALES) == "-3"
    assert found("By how much did sales rise in Hull?", SALES) == "12"
    assert "so it is no rise" in refused("By how much did sales rise in York?", SALES)
    assert "so it is no fall" in refused("By what percentage did sales fall in Leeds?", SALES)


@pytest.mark.parametrize("label", ["Total {}", "Subtotal {}", "Item {} total", "Q1 {}"])
def test_rows_that_are_all_called_totals_take_linear_time(label: str) -> None:
    rows = "".join(f"{label.format(at)},{at % 7 + 1},{at % 5 + 2}\n" for at in range(2_000))
    document = document_of(f"Name,Place,Size\n{rows}")
    started = time.process_time()
    for parts in whole_tables(document):
        grid_of(document, parts)
    assert time.process_time() - started < 10
