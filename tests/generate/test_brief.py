"""The few words that answer, and texts out of which nothing may be taken."""

import pytest

from treatise.generate.asked import Asked, asked
from treatise.generate.brief import brief, denies, unbroken

MEETING = "The next meeting is on 2 April 2025 at 10:30 in room B12."


@pytest.mark.parametrize(
    ("question", "text", "says"),
    [
        ("How much is the rent?", "The rent is £1,450 per month, payable in advance.", "£1,450 per month"),
        ("How much money was approved?", "The board approved 12,000 euros for the new website.", "12,000 euros"),
        (
            "When is it paid?",
            "It is paid within ten days after the end of the term.",
            "within ten days after the end of the term",
        ),
        ("When does it end?", "The tenancy begins on 1 July 2024 and ends on 30 June 2026.", "on 30 June 2026"),
        ("When is the next meeting?", MEETING, "on 2 April 2025 at 10:30"),
        ("At what time does it start?", MEETING, "at 10:30"),
        ("For how long is it kept?", "The records are kept for 4 months with no exception at all.", "for 4 months"),
    ],
)
def test_the_amount_or_date_stands_alone(question: str, text: str, says: str) -> None:
    assert brief(asked(question), question, text) == says


@pytest.mark.parametrize(
    ("form", "question", "text"),
    [
        (Asked.DURATION, "For how long?", "The licence lasts twenty-four months from the date of installation."),
        (Asked.DURATION, "For how long?", "The warranty runs for one and a half years from installation of it."),
        (Asked.DURATION, "For how long?", "It lasts eighteen months, or two weeks for minors and for guests."),
        (Asked.NUMBER, "How many rooms are there?", "The house has eighteen rooms, one of which is closed."),
        (Asked.NUMBER, "How many are for testing?", "Of the 1,200 queries, 100 are for training, leaving 1,000."),
        (Asked.NUMBER, "How many times may one be elected?", "No person shall be elected to it more than twice."),
        (Asked.NUMBER, "How much is the fine?", "The fine is £100 for each day that the book is late."),
        (Asked.NUMBER, "How much is needed?", "The company must have assets of $20 million or more in the bank."),
        (Asked.NUMBER, "How much does it cost?", "The ticket to the museum costs £15 plus VAT at the door."),
        (Asked.DATE, "When does it end?", "The project ends a week before 30 June 2026 at the site."),
        (Asked.DATE, "When is it due?", "The report is due on the Monday after 1 May of each year."),
        (Asked.DATE, "When is the fair?", "The fair is held from 3 to 5 March 2025 in the hall."),
        (Asked.DATE, "Until when is it valid?", "The card is valid until 31 December 2025 or later if renewed."),
        (Asked.DATE, "When was it?", "The deadline was 31 March 2024, but it was extended to 15 April 2024"),
        (Asked.DATE, "When may a party leave?", "A party may leave upon at least thirty days' written notice to all."),
        (Asked.CLOCK, "At what time is breakfast?", "Breakfast starts at half past seven, lunch is at 12:30"),
    ],
)
def test_nothing_is_taken_out_of_a_text_that_says_more(form: Asked, question: str, text: str) -> None:
    assert brief(form, question, text) == text


def test_clocks_and_addresses_stay_whole_and_denials_are_known() -> None:
    text = "Doors open at 7:30 p.m. sharp; write to a.b@example.org."
    parts = [(16, 20), (text.index("example"), len(text) - 1)]
    assert [text[slice(*unbroken(text, *part))] for part in parts] == ["7:30 p.m.", "a.b@example.org"]
    assert denies("Lockers may not be used for")
    assert not denies("Lockers may be used for")
