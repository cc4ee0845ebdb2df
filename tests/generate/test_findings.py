"""What a paper finds, from its conclusion and abstract."""

from dataclasses import replace

import pytest
from builders import make_indexed

from treatise.core.answer import Answer
from treatise.core.document import Section
from treatise.core.evidence import Evidence
from treatise.generate.findings import answer_findings

PARAGRAPHS = [
    ["Abstract"],
    ["We study how pebbles move along the beaches of the north."],
    ["Method"],
    ["We show the pebbles a red lamp before each of the tests."],
    ["Conclusion"],
    [
        "We found that round pebbles travel farther than flat ones.",
        "We plan to find out why in another study next year.",
    ],
]


@pytest.mark.parametrize(
    "question",
    ["What does the paper find?", "What are the main findings?", "What do the authors conclude?", "key results"],
)
def test_the_conclusion_comes_before_the_abstract_and_plans_are_no_findings(question: str) -> None:
    answer = _answer(question)
    assert answer is not None
    assert answer.direct is not None
    assert answer.direct.text == PARAGRAPHS[5][0]
    assert [one.quote for one in answer.citations] == [PARAGRAPHS[5][0], PARAGRAPHS[1][0]]


def test_other_questions_and_documents_without_these_parts_are_left_to_the_reader() -> None:
    assert _answer("What are the results of the second test?") is None
    assert _answer("What are the main findings?", titled=False) is None


def _answer(question: str, *, titled: bool = True) -> Answer | None:
    indexed = make_indexed(PARAGRAPHS)
    document = indexed.document
    starts = [document.paragraphs[number].start for number in (0, 2, 4)]
    titles = [PARAGRAPHS[number][0] if titled else "Part" for number in (0, 2, 4)]
    sections = tuple(Section(title, 1, start) for title, start in zip(titles, starts, strict=True))
    indexed = replace(indexed, document=replace(document, sections=sections))
    return answer_findings(Evidence(question, (), "", 300, 0.9), indexed)
