"""Lists of dated items: which of them lie within a range."""

import pytest

from treatise.core.evidence import Evidence
from treatise.generate.dated_items import answer_from_dated_items
from treatise.ingest import read_bytes

EVENTS = """# Village hall events 2024

Bookings open six weeks before each event, and members pay half price. Doors open half an hour before the start.

- 12 January 2024: Quiz night
- 9 March 2024: Spring fair
- 20 April 2024: Ceilidh
- 11 May 2024: Plant sale
- 15 June 2024: Midsummer concert

The committee meets on the first Monday of each month in the small room, and everyone is welcome to attend.
"""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which events are from March to May 2024?", "Spring fair, Ceilidh, Plant sale"),
        ("What events take place between April and June 2024?", "Ceilidh, Plant sale, Midsummer concert"),
        ("How many events are between 1 March and 31 May 2024?", "3"),
        ("Which events are after 1 May 2024?", "Plant sale, Midsummer concert"),
        ("Which concerts are from March to May 2024?", ""),
        ("Which outdoor events are from March to May 2024?", ""),
        ("Which events are from May to March 2024?", ""),
        ("When is the plant sale?", ""),
    ],
)
def test_items_within_a_range_are_listed_and_counted(question: str, answer: str) -> None:
    document = read_bytes(EVENTS.encode(), name="events.md")
    found = answer_from_dated_items(Evidence(question, (), "", 300, 0.9), document)
    assert (found.direct.text if found and found.direct else "") == answer
    for citation in found.citations if found else ():
        assert document.quote(citation.span.start, citation.span.end) == citation.quote
