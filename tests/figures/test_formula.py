"""Formulas as people write them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treatise.figures.formula import Operand, Token, evaluate, parse_formula, postfix

NAMES = {
    "sales": re.compile("net sales|sales", re.IGNORECASE),
    "stock": re.compile("stock", re.IGNORECASE),
    "stock turnover": re.compile("stock turnover", re.IGNORECASE),
}
VALUES = {"sales": 12.0, "stock": 4.0, "stock turnover": 3.0}


def value(text: str) -> float | None:
    tokens = parse_formula(text, NAMES)
    return None if tokens is None else evaluate(tokens, lambda operand: VALUES[operand.name])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("net sales / stock", 3),
        ("sales divided by stock", 3),
        ("Sales less stock times 2", 4),
        ("(sales - stock) * 2", 16),
        ("[sales − stock] × 2", 16),
        ("100 - sales - stock", 84),
        ("stock turnover + 1", 4),
        ("total sales plus the stock at the end of the year", 16),
    ],
)
def test_value(text: str, expected: float) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    "text", ["", "sales of tools", "sales /", "(sales", "sales)", "sales stock", "/ sales", "* 2", "()"]
)
def test_what_is_no_formula(text: str) -> None:
    assert parse_formula(text, NAMES) is None


def test_years_and_functions_belong_to_their_name() -> None:
    text = "FY2019 sales / (average stock between FY2018 and FY2019) + change in stock from 2017 to 2019"
    assert parse_formula(text, NAMES) == [
        Operand("sales", years=(2019,)),
        "/",
        "(",
        Operand("stock", years=(2018, 2019), function="average"),
        ")",
        "+",
        Operand("stock", years=(2017, 2019), function="change"),
    ]


def test_nothing_is_divided_by_zero() -> None:
    assert value("sales / (stock - 4)") is None


@given(st.lists(st.sampled_from(["+", "-", "*", "/", "(", ")", Operand(number=2.0)]), max_size=12))
def test_postfix_is_evaluated_as_python_does(tokens: list[Token]) -> None:
    text = " ".join(token if isinstance(token, str) else "2.0" for token in tokens)
    try:
        expected = eval(text, {"__builtins__": {}})
    except (SyntaxError, TypeError, ZeroDivisionError):
        return
    if isinstance(expected, float) and "( )" not in text and not re.search(r"(?:^|[(+\-*/]) [-+]", text):
        found = evaluate(tokens, lambda _: None) if postfix(tokens) else None
        assert found == pytest.approx(expected) or found is None


@given(st.text(alphabet="sales tock()+-*/0123456789FY.,", max_size=60))
def test_any_text_is_a_formula_or_none(text: str) -> None:
    tokens = parse_formula(text, NAMES)
    assert tokens is None or postfix(tokens)
