"""Figures as answers: which of several documents may give one."""

import pytest
from builders import make_document
from filing import report

from treatise.core.evidence import Evidence
from treatise.generate.computed import answer_figure

OTHER = make_document([["Borealis Corporation sells boats."]])


def evidence(question: str) -> Evidence:
    return Evidence(question, (), "", 300, 0.9)


def test_of_several_documents_the_one_of_the_company_that_is_named() -> None:
    documents = [OTHER, report()]
    named = answer_figure(evidence("What was Acme's revenue in 2019?"), documents)
    assert named is not None
    assert named.direct is not None
    assert named.direct.text == "$1,200 million"
    assert answer_figure(evidence("What was the revenue in 2019?"), documents) is None
    assert answer_figure(evidence("What was the revenue in 2019?"), documents[1:]) is not None


@pytest.mark.parametrize(
    "question",
    [
        "What was Acme's revenue excluding Asia in 2019?",
        "What was Acme's free cash flow margin in 2019?",
        "What was the ROA (net income / total assets) in 2019?",
        "Did Acme's revenue grow by 50% in 2019?",
    ],
)
def test_another_computation_is_refused_with_the_reason(question: str) -> None:
    answer = answer_figure(evidence(question), [report()])
    assert answer is not None
    assert not answer.found
    assert answer.notes == (
        "this needs a computation that is not known here; lines of the statements can be asked for",
    )
    assert answer_figure(evidence(question), [OTHER]) is None, "not a report"


@pytest.mark.parametrize(
    "question",
    [
        "What is the interest rate on long-term debt in 2019?",
        "How many customers had more than 10% of revenue in 2019?",
        "Why did revenue fall without the tools in 2019?",
        "What was adjusted net income in 2019?",
    ],
)
def test_what_a_report_may_say_in_words_is_left_to_the_reader(question: str) -> None:
    assert answer_figure(evidence(question), [report()]) is None
