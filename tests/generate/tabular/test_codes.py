"""Rows that are called by the title of their table, or by what their codes abbreviate."""

import pytest

from tests.generate.tabular.test_answered import answered, document_of, found

INVOICES = (
    "ID,Customer,Amount,Status\nINV-001,Huber,1200,paid\nINV-002,Maier,124,open\nINV-003,Huber,980,open\n"
    "INV-004,Zeiss,450,paid\n"
)
PRODUCTS = "SKU,Name,Price\n1001,Lamp,30\n1002,Desk,120\n1003,Chair,80\n"
STORES = "ID,City,Manager\nS1,Rome,Ida\nS2,Oslo,Una\nS3,Rome,Ada\n"


def of_file(question: str, content: str, name: str) -> str | None:
    answer = answered(question, document_of(content, name))
    return answer.direct.text if answer and answer.direct else None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the amount of INV-003?", "980"),
        ("Which invoices are above 500?", "INV-001, INV-003"),
        ("How many invoices are above 500?", "2"),
        ("Which invoices are open?", "INV-002, INV-003"),
        ("Which invoices are from Huber?", "INV-001, INV-003"),
        ("How many invoices does Huber have?", "2"),
        ("Which invoice has the highest amount?", "INV-001"),
        ("What is the total amount of open invoices?", "1,104"),
        ("Which customers have open invoices?", "Maier, Huber"),
    ],
)
@pytest.mark.parametrize("name", ["data.csv", "invoices.csv"])
def test_the_first_column_of_codes_names_the_rows(question: str, name: str, expected: str) -> None:
    assert of_file(question, INVOICES, name) == expected


def test_rows_that_have_names_besides_their_codes_are_called_by_these() -> None:
    assert of_file("Which products are above 50?", PRODUCTS, "products.csv") == "Desk, Chair"


def test_codes_of_one_letter_abbreviate_nothing() -> None:
    assert found("Which streets are in Rome?", STORES) is None


@pytest.mark.parametrize(
    "question",
    [
        "Which bridges are longer than 50?",
        "Which bridges are more expensive than 50?",
    ],
)
def test_a_bound_of_another_measure_is_not_that_of_the_only_column(question: str) -> None:
    assert found(question, "Bridge,Visitors\nArno,40\nBrade,60\nCorrie,95\n") is None


SAMPLES = (
    "Sample ID,Site,Depth [m],Temp [°C],Taken on\nS-01,Lake A,2,14.2,2024-06-03\nS-02,Lake A,10,9.8,2024-06-03\n"
    "S-03,Lake B,2,15.1,2024-07-09\nS-04,River C,1,17.3,2024-07-10\n"
)
BOOKS = (
    "Title,Author,Price,Copies\nTide,Okafor,$18.99,3\nBread,Petit,$24.50,1\nSalt,Okafor,$19.99,5\n"
    "Birds,Stone,$12.00,2\n"
)


@pytest.mark.parametrize(
    ("question", "content", "expected"),
    [
        ("Highest temperature?", SAMPLES, "17.3"),
        ("Lowest temp in Lake A?", SAMPLES, "9.8"),
        ("Which samples were taken on 2024-06-03?", SAMPLES, "S-01, S-02"),
        ("How many samples were taken in July 2024?", SAMPLES, "2"),
        ("Samples of Lake B in July?", SAMPLES, "S-03"),
        ("Which books cost less than $20?", BOOKS, "Tide, Salt, Birds"),
        ("Most expensive book?", BOOKS, "Bread"),
        ("Average price?", BOOKS, "$18.87"),
        ("Total copies of Okafor?", BOOKS, "8"),
        ("Average price of author Okafor?", BOOKS, "$19.49"),
    ],
)
def test_users_words_are_read(question: str, content: str, expected: str) -> None:
    assert of_file(question, content, "books.csv") == expected
