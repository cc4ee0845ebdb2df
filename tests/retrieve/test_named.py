"""A question that names documents is asked of these."""

import pytest

from treatise.retrieve.named import named_documents

POLICIES = {
    "csa": "Cloud Service Agreement",
    "refund": "Refund policy",
    "github": "GitHub Terms of Service",
    "terms": "Terms of Service",
    "faq": "Questions",
    "blank": "",
    "sign": "—",
}
MINUTES = {str(day): f"Minutes of 2025-03-{day:02}" for day in (5, 12, 19)} | {"april": "Minutes of 2025-04-02"}


@pytest.mark.parametrize(
    ("question", "documents"),
    [
        ("Under the cloud service agreement, who pays?", ["csa"]),
        ("Who pays under the CSA?", ["csa"]),
        ("What is our refund policy?", ["refund"]),
        ("What does the refund policy say about HEY?", ["refund"]),
        ("Which refund policy applies to a refund policy holder?", []),
        ("Does GitHub's Terms of Service allow bots?", ["github"]),
        ("Do the terms of service and the refund policy agree?", ["refund", "terms"]),
        ("Which questions are open?", []),
        ("", []),
    ],
)
def test_titles_name_documents(question: str, documents: list[str]) -> None:
    named = named_documents(question, POLICIES)
    assert (named.documents, named.question) == (documents, question)


@pytest.mark.parametrize(
    ("question", "documents", "rest"),
    [
        ("Who was present on 5 March 2025?", ["5"], "Who was present?"),
        (
            "What was decided at the meeting of 2025-03-12, and why?",
            ["12"],
            "What was decided at the meeting, and why?",
        ),
        ("Who left in April 2025?", ["april"], "Who left?"),
        ("Who left in March 2025?", [], "Who left in March 2025?"),  # most of them: the title tells nothing
        ("Who left in 2025?", [], "Who left in 2025?"),
        ("Who left on 1 May 2025?", [], "Who left on 1 May 2025?"),
    ],
)
def test_dates_name_documents_of_a_series(question: str, documents: list[str], rest: str) -> None:
    named = named_documents(question, MINUTES)
    assert (named.documents, named.question) == (documents, rest)


def test_a_date_in_a_single_title_names_nothing() -> None:
    titles = {"a": "Report of 5 March 2025", "b": "Tea", "c": "Cups"}
    assert named_documents("What happened on 5 March 2025?", titles).documents == []
