"""A question that names documents is asked of these."""

from types import EllipsisType

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
        ("Which cloud service agreement do we use?", ["csa"]),
        ("Who pays under the CSA?", ["csa"]),
        ("What is in our refund policy?", ["refund"]),
        ("What does the refund policy say about HEY?", ["refund"]),
        ("What is the refund policy form?", []),
        ("How do I apply to the refund policy committee?", []),
        ("How many days has the refund policy?", []),
        ("Who is the author of refund policy?", []),
        ("Under refund policy, who pays?", ["refund"]),
        ("Does the CSA allow bots?", ["csa"]),
        ("Who is the CSA of the company?", []),
        ("Which CSA did the state appoint?", []),
        ("Does GitHub's Terms of Service allow bots?", ["github"]),
        ("Under the terms of service or the refund policy, who pays?", []),
        ("Under the CSA and the law of Delaware, who pays?", []),
        ("Under the law of Delaware or the CSA, who pays?", []),
        ("How does the Cloud Service Agreement differ from the DPA?", []),
        ("What do both the Cloud Service Agreement and the GitHub Terms of Service say?", ["csa", "github"]),
        ("Which questions are open?", []),
        ("", []),
    ],
)
def test_titles_name_documents(question: str, documents: list[str]) -> None:
    named = named_documents(question, POLICIES)
    assert (named.documents, named.question) == (documents, question)


@pytest.mark.parametrize(
    "question",
    [
        "Which loans are approved by the board of directors?",
        "How long does the chief technology officer have to review an incident?",
        "Who must the data protection officer inform within 72 hours?",
        "How many offices are in the USA?",
        "What must be approved by the DPO?",
        "Does the board of directors allow remote work?",
    ],
)
def test_a_topic_that_is_a_title_too_names_no_document(question: str) -> None:
    topics = ["Board of Directors", "Chief Technology Officer", "Data Protection Officer", "User Security Awareness"]
    titles = {title: title for title in [*topics, "Data Processing Overview", "Remote work", "Tea"]}
    assert named_documents(question, titles).documents == []


def test_what_is_released_under_a_licence_is_not_asked_of_the_licence() -> None:
    titles = {title: title for title in ["Apache License", "GNU General Public License", "Tea", "Cups", "Pots"]}
    assert named_documents("Which parser is licensed under the Apache License?", titles).documents == []
    assert named_documents("Which parser is released under the GNU General Public License?", titles).documents == []
    assert named_documents("Which parser uses the GNU General Public License?", titles).documents == []
    assert named_documents("Under the Apache License, may I sell tea?", titles).documents == ["Apache License"]


@pytest.mark.parametrize("introduction", ["Under the", "under", "According to the", "according to"])
def test_a_topic_names_a_document_if_the_question_says_so(introduction: str) -> None:
    titles = {title: title for title in ["Board of Directors", "Tea", "Cups"]}
    assert named_documents(f"{introduction} board of directors, who pays?", titles).documents == ["Board of Directors"]


@pytest.mark.parametrize(
    ("question", "documents", "rest"),
    [
        ("Who was present on 5 March 2025?", ["5"], "Who was present?"),
        (
            "What was decided at the meeting of 2025-03-12, and why?",
            ["12"],
            "What was decided at the meeting, and why?",
        ),
        ("Who was absent in April 2025?", ["april"], "Who was absent?"),
        ("Who was absent in March 2025?", [], "Who was absent in March 2025?"),  # most of them: it tells nothing
        ("Who was absent in 2025?", [], "Who was absent in 2025?"),
        ("Who was absent on 1 May 2025?", [], "Who was absent on 1 May 2025?"),
        ("On 5 March 2025, who was present?", ["5"], "On 5 March 2025, who was present?"),
        ("What did the meetings of 5 March 2025 and 2 April 2025 decide?", ["5", "april"], ...),
        ("Did the meeting of 5 March 2025 or 1 May 2025 decide?", [], ...),
        ("Who pays for the contract signed on 5 March 2025?", [], ...),
    ],
)
def test_dates_name_documents_of_a_series(question: str, documents: list[str], rest: str | EllipsisType) -> None:
    named = named_documents(question, MINUTES)
    assert (named.documents, named.question) == (documents, question if rest is ... else rest)


@pytest.mark.parametrize(
    "question",
    [
        "Which meetings after 5 March 2025 discussed the budget?",
        "What was decided before 2 April 2025 about trees?",
        "Which meetings were held between 5 March 2025 and 2 April 2025?",
        "What was decided from 5 March 2025 to 2 April 2025?",
        "Which meeting postponed the launch to 5 March 2025?",
        "Welche Minutes gab es nach dem 5. März 2025?",
        "Quelles minutes y a-t-il après le 5 mars 2025 ?",
    ],
)
def test_a_date_that_bounds_a_time_names_no_document(question: str) -> None:
    assert named_documents(question, MINUTES).documents == []


def test_the_month_in_titles_is_not_what_a_question_is_about() -> None:
    titles = {str(day): f"Minutes, {day} March 2025" for day in (5, 12, 19)} | {"a": "Tea", "b": "Cups"}
    assert named_documents("Who pays for the contract signed on 5 March 2025?", titles).documents == []
    assert named_documents("What did the committee discuss on 5 March 2025?", titles).documents == ["5"]


def test_a_pasted_text_is_read_in_linear_time() -> None:
    titles = {str(number): f"The policy on tea number {number}" for number in range(2_000)}
    assert named_documents("the policy on tea and cups " * 10_000, titles).documents == []


def test_long_titles_that_begin_alike_are_compared_in_linear_time() -> None:
    titles = {str(number): "alpha " * 200 + "policy alpha" for number in range(2_000)}
    assert named_documents("alpha " * 1_900 + "policy", titles).documents == []


def test_a_date_in_a_single_title_names_nothing() -> None:
    titles = {"a": "Report of 5 March 2025", "b": "Tea", "c": "Cups"}
    assert named_documents("What happened on 5 March 2025?", titles).documents == []
