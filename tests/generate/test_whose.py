"""Questions about another company than the one whose report it is."""

import pytest

from treatise.generate.whose import whose
from treatise.ingest import read_bytes

REPORT = (
    "Tea Shops, Inc.\n\nAnnual report\n\nWe had approximately 5,500 employees. We rent computers from Amazon. "
    "Tea Shops competes with grocers. Tea Shops may lose money. The Company is in Ohio. The Company owns shops. "
    "The Company pays rent. The Company pays tax. The Company sells tea.\n"
)


@pytest.mark.parametrize(
    ("question", "is_refused"),
    [
        ("How many employees does Amazon have?", True),
        ("What is Amazon's number of employees?", True),
        ("How many employees does Tea Shops have?", False),
        ("How many employees are there in Ohio?", False),
        ("How many employees does the company have?", False),
    ],
)
def test_what_a_company_says_of_itself_is_said_of_no_other(question: str, *, is_refused: bool) -> None:
    document = read_bytes(REPORT.encode(), name="report.txt")
    reason = whose(question, "We had approximately 5,500 employees.", document, is_row=False)
    assert (reason is not None) == is_refused


def test_a_sentence_with_the_name_answers() -> None:
    document = read_bytes(REPORT.encode(), name="report.txt")
    assert whose("What does Amazon rent to us?", "We rent computers from Amazon.", document, is_row=False) is None


def test_texts_that_are_no_reports_of_a_company_are_left_alone() -> None:
    document = read_bytes(b"We trained a model. BERT is larger than ours.", name="paper.txt")
    assert whose("How large is BERT's corpus?", "We use 5,500 texts.", document, is_row=False) is None
