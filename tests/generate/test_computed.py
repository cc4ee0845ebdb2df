"""Figures as answers: which of several documents may give one."""

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
