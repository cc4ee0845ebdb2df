"""Conditions that a list below an introduction names."""

import pytest

from treatise.core.evidence import Evidence
from treatise.generate.conditions import answer_conditions
from treatise.ingest import read_bytes

MANUAL = (
    "# Kettle\n\n## Cleaning\n\nCleaning only starts if both of the following conditions are met:\n\n"
    "- The lid is shut.\n- The water is cold.\n\n## Steaming\n\nSteam is not made if one of the following is true:\n\n"
    "- No water.\n- The lid is open.\n\n## Heat\n\nHeating starts if any of the following conditions is met:\n\n"
    "- The lid is shut.\n- It is cold.\n\n## Warranty\n\nA refund has these steps:\n\n- Call us.\n- Send it.\n"
)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("What has to be true before the cleaning will start?", "The lid is shut, The water is cold"),
        ("Which conditions must be met for cleaning?", "The lid is shut, The water is cold"),
        ("What has to be true before steam is made?", None),
        ("Which conditions apply to a refund?", None),
        ("Which conditions must be met for heating?", None),
        ("What must be true if cleaning does not start?", None),
        ("What is the cleaning?", None),
        ("What has to be true?", None),
    ],
)
def test_the_conditions_of_what_the_question_names(question: str, says: str | None) -> None:
    document = read_bytes(MANUAL.encode(), name="a.md")
    answer = answer_conditions(Evidence(question, (), "", 99, 0.9), [document])
    assert (answer.direct.text if answer and answer.direct else None) == says


def test_of_two_lists_of_conditions_none_is_chosen() -> None:
    text = MANUAL + "\n## More cleaning\n\nCleaning ends if all of the following conditions hold:\n\n- A\n- B\n"
    question = "Which conditions must be met for cleaning?"
    document = read_bytes(text.encode(), name="a.md")
    assert answer_conditions(Evidence(question, (), "", 99, 0.9), [document]) is None
