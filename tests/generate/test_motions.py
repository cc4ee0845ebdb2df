"""Motions in minutes: whether one was carried, and which were."""

import pytest

from treatise.core.answer import Answer
from treatise.core.evidence import Evidence
from treatise.generate.motions import answer_motion
from treatise.ingest import read_bytes

MINUTES = """# Minutes

## Budget

Motion to approve the 2025 budget: carried 5-2.

MOTION by Lee, seconded by Kim, to sell the hall. Motion failed.

## Park

It was moved by Hale and seconded by Lee that the zoning request
be denied. The motion
did not carry, 3-3.

**Motion:** Name the park after Ada Lovelace. Moved by Kim, seconded by Lee. **Carried** (5-2).

Mr. Crane moved that the library open on Sundays. The motion was tabled.

Lee made a motion to repair the roof.
All in favor; the motion carried 7-0.

The family moved to Oslo and the band was in motion. Nothing else passed the time.
"""


def answer_of(question: str, text: str = MINUTES) -> Answer | None:
    return answer_motion(Evidence(question, (), "", 99, 0.9), read_bytes(text.encode(), name="a.md"))


def said(question: str, text: str = MINUTES) -> str | None:
    answer = answer_of(question, text)
    return answer.direct.text if answer and answer.direct else None


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Did the motion to approve the budget pass?", "Yes"),
        ("Was the motion to approve the budget defeated?", "No"),
        ("Was the motion to sell the hall carried?", "No"),
        ("Did the motion to sell the hall fail?", "Yes"),
        ("Was the motion to deny the zoning request approved?", "No"),
        ("Was the motion to name the park adopted?", "Yes"),
        ("Did the motion to open the library on Sundays pass?", "No"),
        ("Did the motion to open the library on Sundays fail?", None),
        ("Has the motion to repair the roof been approved?", "Yes"),
        ("Did the motion to buy a boat pass?", None),
        ("Did the bill pass?", None),
        ("Who seconded the motion to sell the hall?", None),
        ("Which motions failed?", "to sell the hall, that the zoning request be denied"),
        (
            "What motions were carried?",
            "to approve the 2025 budget, Name the park after Ada Lovelace, to repair the roof",
        ),
    ],
)
def test_a_motion_is_carried_or_not_by_the_sentence_that_puts_it_or_one_after_it(
    question: str, says: str | None
) -> None:
    assert said(question) == says


def test_short_words_name_a_motion_too() -> None:
    assert said("Did the motion to buy tea pass?", "# Minutes\n\nMotion to buy tea: carried.\n") == "Yes"


def test_the_motion_and_its_end_are_quoted() -> None:
    answer = answer_of("Was the motion to sell the hall carried?")
    assert answer is not None
    quotes = [citation.quote for citation in answer.citations]
    assert quotes == ["MOTION by Lee, seconded by Kim, to sell the hall.", "Motion failed."]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Motion to overturn the decision, denied in May, carried 5-2.", "Was the motion to overturn it all carried?"),
        (
            "Motion to overturn the decision, denied in May, carried 5-2.",
            "Did the motion to overturn the decision pass?",
        ),
        ("Motion to sell the hall.\n\n# Park\n\nThe motion carried.", "Did the motion to sell the hall pass?"),
        ("Motion to sell the hall.\n\nMotion to buy cups. Carried.", "Which motions carried?"),
        ("Motion to sell tea: carried.\n\nMotion to sell tea: failed.", "Did the motion to sell tea pass?"),
        ("1. Motion to sell tea. Carried.\n2. Motion to sell tea cups. Failed.", "Did the motion to sell tea pass?"),
        ("Motion to raise fees to $30.\n\nIt was amended to $25. Carried.", "Did the motion to raise fees pass?"),
        ("Motion to buy tea was carried 3-0.\n\nA vote was taken. The vote failed.", "Did the motion to buy tea pass?"),
        ("Motion to buy tea.\n\nKim moved approval of the bill. Motion carried.", "Did the motion to buy tea pass?"),
        ("On motion by Kim the bill was approved.\n\nMotion to buy tea: carried.", "Which motions passed?"),
        ("Motion to buy tea: failed.\n\nMotion to reconsider: carried.", "Which motions failed?"),
        ("Motion to table the bill: carried.", "Which motions were tabled?"),
        ("Motion to sell tea: tabled.", "Which motions did not pass?"),
        ("Motion to sell tea: carried 5-2 (later rescinded).", "Did the motion to sell tea pass?"),
        ("Motion to sell tea: carried. This vote was reversed in June.", "Did the motion to sell tea pass?"),
    ],
)
def test_of_a_motion_whose_end_is_unclear_nothing_is_said(text: str, question: str) -> None:
    assert answer_of(question, f"# Minutes\n\n{text}\n") is None


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Motion to raise the fee to $35: carried.", "Was the motion to raise the fee to $40 carried?"),
        ("Motion to buy the old town hall: carried.", "Was the motion to sell the old town hall carried?"),
        ("Motion to deny the use of Hill Road: carried.", "Was the motion on the use of Hill Road carried?"),
        ("It was moved that dogs not be allowed. Carried.", "Was the motion to allow dogs carried?"),
        ("Motion to table the motion to buy a mower: carried.", "Was the motion to buy a mower carried?"),
        ("Motion to pay Acme $1,500: carried.", "Was the motion to pay Acme $500 carried?"),
        ("Motion to buy teak benches: failed.", "Did the motion to buy tea pass?"),
    ],
)
def test_a_motion_is_another_one_by_a_number_a_verb_or_a_word_that_turns_it(text: str, question: str) -> None:
    assert answer_of(question, f"# Minutes\n\n{text}\n") is None


@pytest.mark.parametrize(
    "between", ["Lee said that if the motion passed, fees would rise.", "Lee noted it was approved in the budget."]
)
def test_what_is_said_of_a_motion_before_its_end_is_no_end(between: str) -> None:
    assert said("Did the motion to buy tea pass?", f"Motion to buy tea.\n\n{between} Motion failed.\n") == "No"


def test_each_way_to_leave_a_motion_is_its_own() -> None:
    text = "Motion to buy tea. The motion died.\n\n2. Motion to buy cups. Withdrawn.\n"
    assert said("Which motions were withdrawn?", text) == "to buy cups"
    assert said("Was the motion to buy tea withdrawn?", text) is None


def test_if_no_motion_ended_as_the_question_says_that_is_the_reason_of_a_refusal() -> None:
    answer = answer_of("Which motions failed?", "# Minutes\n\nMotion to buy tea: carried.\n")
    assert answer is not None
    assert (answer.found, answer.notes) == (False, ("no motion is found that failed",))
