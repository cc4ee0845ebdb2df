"""Limits in another scale than the column's, changes in percent, places of several rows, extremes that rows share."""

import pytest

from tests.generate.tabular.test_answered import answered, document_of, found, refused
from treatise.generate.tabular.changes import asks_percent_change
from treatise.generate.tabular.grid import grid_of
from treatise.generate.tabular.superlatives import lacking_sense
from treatise.ingest import read_bytes

TOWNS = "Town,Population (thousands)\nAsh,2500\nElm,900\nOak,3100\nFir,1800\n"
PLAIN = "Town,Population,Schools\nAsh,2500000,4\nElm,900000,3\nOak,3100000,4\n"
COUNCILS = "Council,Works approved,Staff\nNorth,$414629k,12\nInner,$200100k,9\nSouth,$98000k,7\n"
SALES = "Region,Revenue 2019 ($m),Revenue 2020 ($m),Margin 2019,Margin 2020\n" + (
    "North,40,50,10%,12%\nSouth,80,60,9%,8%\nEast,0,20,7%,7%\n"
)
YEARS = "Year,Visitors\n2018,400\n2019,500\n2020,650\n"
SEGMENTS = "Segment,FY2024,FY2025\nPhones,$200.0B,$210.0B\nTablets,$30.0B,$27.0B\n"


@pytest.mark.parametrize(
    ("question", "content", "expected"),
    [
        ("Which towns have a population over 2 million?", TOWNS, "Ash, Oak"),
        ("Which towns have over 2 million people?", TOWNS, "Ash, Oak"),
        ("Which towns have a population over 2,000,000?", TOWNS, "Ash, Oak"),
        ("Which towns have a population over 2000?", TOWNS, "Ash, Oak"),
        ("How many towns have less than 1 million inhabitants?", TOWNS, "1"),
        ("Which towns have more than 1.5 million people?", PLAIN, "Ash, Oak"),
        ("Which town has the most people?", PLAIN, "Oak"),
        ("Which councils have works approved over $200 million?", COUNCILS, "North, Inner"),
        ("Among councils with works approved over $0.2bn, which has the least staff?", COUNCILS, "Inner"),
        ("Which segments had more than $100 billion in FY2024?", SEGMENTS, "Phones"),
    ],
)
def test_a_limit_is_compared_in_the_scale_of_its_column(question: str, content: str, expected: str) -> None:
    assert found(question, content) == expected


def test_a_limit_whose_scale_is_open_is_refused() -> None:
    unsaid = TOWNS.replace(" (thousands)", "")
    assert "whose scale leaves open what is meant by 2" in refused(
        "Which towns have a population over 2 million?", unsaid
    )
    small = "Town,Population (thousands)\nAsh,2500\nElm,0.9\nOak,3100\n"
    assert "whose scale leaves open" in refused("Which towns have a population over 2000?", small)


def test_the_unit_of_a_column_may_follow_a_limit() -> None:
    disks = "Disk,Size,Copies\nAlpha,227 GiB,200\nBeta,90 GiB,300\n"
    assert found("Which disks have a size over 100 GiB?", disks) == "Alpha"
    assert found("Which disks have a size over 100 MiB?", disks) is None


@pytest.mark.parametrize(
    ("question", "content", "expected"),
    [
        (
            "By how much percent did North grow from 2019 to 2020?",
            SALES.replace(",Margin 2019,Margin 2020", ",A,B"),
            "25%",
        ),
        ("By what percentage did revenue in the South fall from 2019 to 2020?", SALES, "25%"),
        ("What was the percentage change in revenue of the South between 2019 and 2020?", SALES, "-25%"),
        ("How much did revenue in the North grow in percent from 2019 to 2020?", SALES, "25%"),
        ("By how much percent did visitors grow from 2018 to 2020?", YEARS, "62.5%"),
        ("How many percent did Phones grow from FY2024 to FY2025?", SEGMENTS, "5%"),
        ("By how much did revenue in the North grow from 2019 to 2020?", SALES, "10"),
    ],
)
def test_a_change_in_percent_is_of_the_earlier_number(question: str, content: str, expected: str) -> None:
    assert found(question, content) == expected


def test_a_change_in_percent_says_its_cells() -> None:
    answer = answered("By how much percent did visitors grow from 2019 to 2020?", document_of(YEARS))
    assert answer is not None
    assert answer.text == "30%, from 2019: Visitors 500 to 2020: Visitors 650"
    assert len(answer.citations) == 2


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("By how much percent did revenue in the South grow from 2019 to 2020?", "-25%, so it is no rise"),
        ("By how much percent did revenue in the East grow from 2019 to 2020?", "so there is no change in percent"),
        (
            "By how much percent did the margin of the North grow from 2019 to 2020?",
            "are shares, so there is no change",
        ),
    ],
)
def test_a_change_that_has_no_percentage_is_refused(question: str, reason: str) -> None:
    assert reason in refused(question, SALES)


HOURS = "Volunteer,Town,Hours\nAnn,Leeds,150\nBo,York,90\nCy,Hull,120\nDi,Leeds,130\n"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Where do those with over 100 hours live?", "Leeds, Hull"),
        ("Where do the volunteers with over 100 hours live?", "Leeds, Hull"),
        ("Who lives in Leeds?", "Ann, Di"),
    ],
)
def test_where_asks_for_the_places_of_the_rows_within_a_limit(question: str, expected: str) -> None:
    assert found(question, HOURS) == expected


BUDGET = "Item,Budget,Actual\nVenue,500,450\nCatering,900,1200\nMusic,300,300\n"


def test_the_most_expensive_item_of_a_budget_is_so_in_plan_and_result() -> None:
    assert found("What is the most expensive item?", BUDGET) == "Catering"
    assert found("Which item is the cheapest?", BUDGET) == "Music"
    other = BUDGET.replace("500,450", "1500,450")
    assert "several columns: Budget and Actual" in refused("What is the most expensive item?", other)
    assert found("What is the most expensive item in the budget?", other) == "Venue"
    assert found("What is the most expensive item?", BUDGET.replace("Music", "Income from sales")) is None


def test_what_is_free_costs_nothing() -> None:
    tickets = "Ticket,Full Price\nSingle,$5\nDay,$9\nChild,Free\n"
    assert found("What is the cheapest ticket?", tickets) == "Child"
    assert found("What is the most expensive ticket?", tickets) == "Day"


def test_all_rows_that_share_an_extreme_are_named() -> None:
    answer = answered("Which town has the most schools?", document_of(PLAIN))
    assert answer is not None
    assert answer.direct is not None
    assert answer.direct.text == "Ash, Oak"
    assert answer.text == "Ash: Schools 4; Oak: Schools 4, 2 rows with the highest of 3 rows"
    assert len(answer.citations) == 2
    many = "Town,Schools\n" + "".join(f"Town {one},4\n" for one in "abcdefgh") + "Elm,1\n"
    assert "8 rows share the value 4" in refused("Which town has the most schools?", many)


def test_years_are_the_rows_of_a_column_of_fiscal_years() -> None:
    refunds = "Fiscal Year,Refunds\n2018,310243182.1\n2019,435057215.45\n2020,403244450.91\n"
    assert found("How many years had refunds over 400 million?", refunds) == "2"


def test_numbers_of_a_column_in_different_scales_are_compared() -> None:
    money = "Company,Revenue\nAxo,$1.9B\nBeo,$753M\nCio,$4.2B\n"
    assert found("Which company has the highest revenue?", money) == "Cio"
    assert found("Which companies have a revenue over $1 billion?", money) == "Axo, Cio"
    lengths = "Road,Length,Lanes\nAsh,5 km,2\nElm,300 m,4\n"
    assert "different units" in refused("Which road has the greatest length?", lengths)


def test_a_note_before_a_table_states_its_scale() -> None:
    text = "# Firms\n\n*Figures in thousands*\n\n| Firm | Turnover |\n|---|---|\n| Axo | 1,200 |\n| Beo | 800 |\n"
    document = read_bytes(text.encode(), name="firms.md")
    grid = grid_of(document, document.tables)
    assert grid is not None
    assert grid.columns[1].scale == 1000.0


def test_a_sentence_before_a_table_that_counts_other_things_states_no_scale() -> None:
    text = (
        "# Shop\n\nWe sell these in thousands of shops.\n\n| Item | Sold |\n|---|---|\n| Cup | 1,500 |\n| Mug | 800 |\n"
    )
    document = read_bytes(text.encode(), name="shop.md")
    grid = grid_of(document, document.tables)
    assert grid is not None
    assert grid.columns[1].scale == 1.0


def test_a_difference_in_percent_is_no_difference_of_numbers() -> None:
    assert asks_percent_change("By how much percent is Pro more than Basic?")
    assert not asks_percent_change("How many percent of the plans are sold?")


def test_a_plan_that_is_paid_monthly_has_a_price() -> None:
    document = document_of("Plan,Monthly,Yearly\nBasic,5,50\nPro,12,120\n")
    grid = grid_of(document, document.tables)
    assert grid is not None
    assert lacking_sense("Which plan is the cheapest?", grid) is None


@pytest.mark.parametrize(
    ("question", "content", "reason"),
    [
        ("What is the cheapest item?", "Item,Amount,Unit\nFlour,500,g\nEggs,3,pcs\n", "no column of prices"),
        ("What is the most expensive task?", "Task,Estimated,Actual\nPlan,5,8\nBuild,40,55\n", "no column of prices"),
        ("What percentage of visitors came to Oak?", "Mill,Visitors\nOak,40\nElm,60\n", "no column of percentages"),
        ("Which towns have a population over 2 million euros?", TOWNS, "are not in EUR"),
    ],
)
def test_what_no_column_is_of_is_refused(question: str, content: str, reason: str) -> None:
    assert reason in refused(question, content)


def test_what_was_sold_is_of_the_sales() -> None:
    content = "Region,Sales 2019,Sales 2020,Increase %\nNorth,400,500,25\nSouth,300,330,10\n"
    assert found("How much more did the North sell than the South in 2020?", content) == "170"


def test_a_number_that_is_a_link_is_a_number() -> None:
    rows = "| Ash | [263,554](https://a.org/1) |\n| Elm | [182,818](https://a.org/2) |\n"
    document = read_bytes(f"| LGA | Population (2021) |\n|---|---|\n{rows}".encode(), name="areas.md")
    answer = answered("Which LGA has the most people?", document)
    assert answer is not None
    assert answer.text == "Ash: Population (2021) 263,554, the highest of 2 rows"
