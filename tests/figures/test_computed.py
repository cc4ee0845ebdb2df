"""Figures of a report: what questions get, and which questions get none."""

import re
from dataclasses import replace

import pytest
from filing import report

from treatise.core.document import Document
from treatise.figures import figure_of
from treatise.figures.columns import number


@pytest.fixture(scope="module")
def acme() -> Document:
    """Its years are 2017 to 2019, the balance of 2018 and 2019, in millions."""
    return report()


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What was Acme's revenue in 2019?", "$1,200 million"),
        ("what were net sales in fiscal 2018", "$1,000 million"),
        ("How much did Acme pay in dividends in FY2019? Answer in USD billions.", "$0.06 billion"),
        ("What were dividends paid in 2018?", "$0 million"),
        ("What was Acme's gross margin in 2019?", "41.7%"),
        ("What is the gross profit for 2018?", "$400 million"),
        ("What is Acme's working capital ratio for FY2018?", "1.50"),
        (
            "By how much did Acme's revenue grow in 2019?",
            "from $1,000 million in 2018 to $1,200 million in 2019 (20.0%)",
        ),
        ("What was the revenue growth rate in 2019?", "20.0%"),
        ("What was the revenue CAGR from 2017 to 2019?", "22.5%"),
        ("What is the FY2017 - FY2019 3 year average of capex as a % of revenue?", "10.1%"),
        ("What was Acme's EPS in 2018?", "$2.40"),
        ("What was Acme's net income per share in 2019?", "$2.85"),
        ("What was diluted net income per common share in 2019?", "$2.85"),
        ("What was deferred revenue at the end of 2019?", "$20 million"),
        ("How much did Acme spend on product development in 2018?", "$25 million"),
        (
            "By how much did product development increase in 2019?",
            "from $25 million in 2018 to $30 million in 2019 (20.0%)",
        ),
        ("What was product development as a percentage of revenue in 2019?", "2.5%"),
        ("What percentage of revenue was SG&A expense in 2019?", "8.3%"),
        ("How has the effective tax rate changed between FY2018 and FY2019?", "from 20.0% in 2018 to 25.0% in 2019"),
        ("Does Acme have positive working capital in FY2018?", "Yes: $150 million"),
        ("Did Acme's operating margin decline in 2019?", "No: from 31.0% in 2018 to 33.3% in 2019"),
        ("What was Acme's EBITDA in 2019?", "$460 million"),
        ("What is the retention ratio for FY2019?", "0.80"),
        ("What is Acme's days inventory outstanding for 2019? Round to one decimal place.", "36.5 days"),
        ("How much free cash flow did Acme generate?", "$220 million"),
        ("What were net sales in 2018 and 2019?", "$1,000 million in 2018, $1,200 million in 2019"),
        (
            "What was the increase in Acme's revenue in 2019?",
            "from $1,000 million in 2018 to $1,200 million in 2019 (20.0%)",
        ),
        ("What was Acme's revenue in '18?", "$1,000 million"),
        ("What was Acme's cash balance at year end,2018?", "$130 million"),
    ],
)
def test_a_figure_of_the_whole_company(acme: Document, question: str, text: str) -> None:
    figure = figure_of(question, acme)
    assert figure is not None
    assert figure.text == text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What was Acme's revenue in North America in 2019?", "$900 million"),
        ("What was the operating income of the Tools segment in 2018?", "$250 million"),
        ("What was Toys revenue in 2019?", "$500 million"),
        ("What was the operating margin of Tools in 2019?", "42.9%"),
        ("By how much did Toys revenue grow in 2019?", "from $350 million in 2018 to $500 million in 2019 (42.9%)"),
        ("What was the revenue in Asia in 2018?", "$80 million"),
    ],
)
def test_a_figure_of_a_part_of_the_company(acme: Document, question: str, text: str) -> None:
    figure = figure_of(question, acme)
    assert figure is not None
    assert figure.text == text


def test_a_figure_of_a_part_says_so(acme: Document) -> None:
    figure = figure_of("What was Acme's revenue in North America in 2019?", acme)
    assert figure is not None
    assert figure.statement == "Revenue of North America, 2019: $900 million."


def test_tables_that_differ_give_no_figure(acme: Document) -> None:
    assert figure_of("What was the revenue in Asia in 2019?", acme) is None


@pytest.mark.parametrize(
    "question",
    [
        "What was Acme's revenue in Europe in 2019?",
        "What was the operating income of the Games segment in 2019?",
        "What was Borealis's revenue in 2019?",
        "What was Acme's revenue in 2024?",
        "What was Acme's revenue in the fourth quarter of 2019?",
        "What were lease liabilities in 2019?",
        "What was deferred revenue from tools in 2019?",
        "What was basic EPS in 2019?",
        "What drove the increase in revenue in 2019?",
        "Who prepared the balance sheet of 2019?",
        "What was Acme's adjusted EBITDA in 2019?",
        "What was Acme's long-term debt in 2019?",
        "What was the working capital ratio in 2017?",
        "What was the average annual growth of Acme's revenue from 2017 to 2019?",
        "What was Acme's annual revenue growth from 2017 to 2019?",
        "What were Acme's average total assets in 2019?",
        "Did Acme's revenue grow by 50% in 2019?",
        "Was Acme's operating income over 1 billion in 2019?",
        "What was Acme's revenue (excluding Toys) in 2019?",
        "What was Acme's revenue in 2019? Exclude Toys.",
        "What was Acme's revenue in 2019? What was its net income?",
        "What was Acme's free cash flow margin in 2019?",
        "What was the cash ratio of Acme in 2019?",
        "What was Acme's ROA (net income / total assets) in 2019?",
        "What was the quick ratio in 2019? Quick ratio is defined as (cash + securities) / total current liabilities.",
        "What was Toys revenue as a share of total revenue in 2019?",
        "What was Acme's net loss in 2019?",
        "Did Acme's net loss increase in 2019?",
        "What was Acme's revenue filed in 2019?",
        "What does Acme make?",
    ],
)
def test_other_questions_get_none(acme: Document, question: str) -> None:
    assert figure_of(question, acme) is None


def test_it_says_how_it_is_computed_and_cites_the_rows_in_the_order_of_use(acme: Document) -> None:
    figure = figure_of("What is Acme's quick ratio for 2019?", acme)
    assert figure is not None
    assert figure.statement == "Quick ratio, 2019: 1.68 ((500 − 80) / 250)."
    assert [acme.quote(row.start, row.end).split("\t")[0] for row in figure.rows] == [
        "Total current assets",
        "Inventories",
        "Total current liabilities",
    ]
    assert not figure.is_stated


def test_a_line_is_stated_and_not_computed(acme: Document) -> None:
    figure = figure_of("What was net income in 2018?", acme)
    assert figure is not None
    assert figure.is_stated
    assert figure.statement == "Net income, 2018: $240 million."


def test_the_definition_of_the_question_counts(acme: Document) -> None:
    question = (
        "What is the FY2019 DPO for Acme? DPO is defined as: 365 * (average accounts payable between FY2018 and "
        "FY2019) / (FY2019 COGS + change in inventory between FY2018 and FY2019). Round to two decimal places."
    )
    figure = figure_of(question, acme)
    assert figure is not None
    assert figure.text == "40.56 days"
    assert re.search(r"365 × \(average of 70 and 90\) / \(700 \+ \(80 − 60\)\)", figure.statement)


def test_it_may_be_defined() -> None:
    figure = figure_of("What is the asset turnover ratio for 2019? Define it as COGS / total assets.", report())
    assert figure is not None
    assert figure.statement == "Asset turnover ratio, 2019: 0.47 (700 / 1,500)."


def test_several_years_are_told_one_by_one(acme: Document) -> None:
    figure = figure_of("Did Acme's operating margin improve in 2019?", acme)
    assert figure is not None
    assert figure.statement.endswith("2018 to 2019: 31.0% (310 / 1,000) in 2018, 33.3% (400 / 1,200) in 2019.")
    figure = figure_of("What was the revenue CAGR from 2017 to 2019?", acme)
    assert figure is not None
    assert figure.statement == "Revenue, 2017 to 2019: 22.5%; $800 million in 2017, $1,200 million in 2019."


def test_a_definition_that_needs_itself_has_no_value(acme: Document) -> None:
    assert figure_of("What is the FY2019 DPO? DPO is defined as: DPO + 1.", acme) is None


def test_fiscal_years_that_end_in_the_next_calendar_year() -> None:
    opening = "Results of fiscal 2018, which ended January 28, 2019."
    document = report(opening=opening)
    figure = figure_of("What was Acme's revenue in fiscal 2018?", document)
    assert figure is not None
    assert figure.statement == "Revenue, 2018: $1,200 million."
    analyst = figure_of("What was Acme's revenue in FY2019?", document)
    assert analyst is not None
    assert analyst.text == "$1,200 million"


def test_half_years_are_no_years() -> None:
    months = [f"Six months ended June 30, {year}" for year in (2019, 2018, 2017)]
    assert figure_of("What was Acme's revenue in 2019?", report(years=months)) is None


def test_a_quarter_beside_a_year_is_not_taken_for_it() -> None:
    heads = ["Three Months Ended December 31, 2019", "Year Ended December 31, 2019", "Year Ended December 31, 2018"]
    figure = figure_of("What was Acme's revenue in 2019?", report(years=heads))
    assert figure is not None
    assert figure.text == "$1,000 million"


def test_without_a_scale_money_has_none() -> None:
    figure = figure_of("What was Acme's revenue in 2019? Answer in USD billions.", report(scale="unaudited"))
    assert figure is not None
    assert figure.text == "$1,200"


def test_two_columns_of_a_year_that_differ_give_no_figure() -> None:
    heads = ["2019 as reported", "2019 as restated", "2018"]
    assert figure_of("What was Acme's revenue in 2019?", report(years=heads)) is None


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("1,234.5", (1234.5, "1,234.5")),
        ("(12)", (-12.0, "12")),
        ("12,34,567", (1234567.0, "12,34,567")),
        ("1.234", None),
        ("1.234,5", None),
        ("1234,5", None),
        ("12,5", None),
    ],
)
def test_numbers_with_points_between_thousands_are_not_misread(cell: str, value: tuple[float, str] | None) -> None:
    assert number(cell) == value


def test_the_article_before_a_companys_name_is_no_word_of_it() -> None:
    with_a_row = report(others=((-1, ["Acme", "$1", "$2", "$3"]),))
    named = replace(with_a_row, title="The Acme Company, Form 10-K")
    figure = figure_of("What was Acme's revenue in 2019?", named)
    assert figure is not None
    assert figure.text == "$1,200 million"
