"""Look-ups that compare the rows of a table."""

import pytest

from treatise.core.document import Document, Span
from treatise.core.evidence import Evidence, Passage
from treatise.core.table import Row
from treatise.generate.compared import answer_by_comparison
from treatise.ingest import read_bytes

BRIDGES = """\
Bridge,River,Length (m),Opened
Arno,Lune,310,1931
Brade,Lune,"1,205",1964
Corrie,Ember,88,1902
Dunmore,Ember,450,1977
Total,,"2,053",
"""


def asked(question: str, content: str = BRIDGES, row: int = 0) -> tuple[str, str] | None:
    """The direct answer, and the row that is cited."""
    document = read_bytes(content.encode(), name="bridges.csv")
    answer = answer_by_comparison(evidence(question, document, document.tables[0].rows[row]), [document])
    if answer is None:
        return None
    assert answer.direct is not None
    assert answer.direct.citations == (0,)
    return answer.direct.text, answer.citations[0].quote


PROSE = "# The valley\n\n" + "Its spans are old, and most of them still stand. " * 20
ROWS = "| Arno | Lune | 310 |\n| Brade | Lune | 1205 |\n| Cole | Wend | 40 |\n"
IN_PROSE = f"{PROSE}\n\n| bridge | river | length |\n|---|---|---|\n{ROWS}"


def asked_in_prose(question: str) -> str | None:
    """The direct answer from a table within prose."""
    document = read_bytes(IN_PROSE.encode(), name="valley.md")
    answer = answer_by_comparison(evidence(question, document, document.tables[0].rows[0]), [document])
    return answer.direct.text if answer and answer.direct else None


def evidence(question: str, document: Document, row: Row) -> Evidence:
    paragraph = document.paragraph_at(row.start)
    span = next(one for one in paragraph.sentences if one.start <= row.start < one.end)
    passage = Passage(document.id, span, document.quote(span.start, span.end), 1.0)
    return Evidence(question, (passage,), passage.text, max_words=200, confidence=0.1)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which bridge has the greatest length?", "Brade"),
        ("What river has the bridge with the smallest length?", "Ember"),
        ("Which bridge over the Ember has the greatest length?", "Dunmore"),
        ("Which bridge is listed after Brade?", "Corrie"),
        ('Which bridge is listed after "Brade"?', "Corrie"),
        ("Which bridge comes before Corrie?", "Brade"),
        ("What was opened before Arno?", None),
        ("How many bridges were opened after Arno?", None),
        ("Which bridge has the most lanes?", None),
        ("Which bridge has the greatest length of those opened in 1999?", None),
        ("What is the length of Arno?", None),
        ("Which bridge was opened last?", None),
        ("Which bridge has at least the length of Dunmore?", None),
    ],
)
def test_the_row_that_an_extreme_or_a_neighbour_means(question: str, expected: str | None) -> None:
    found = asked(question)
    assert (found[0] if found else None) == expected


def test_a_cell_is_named_without_its_quotation_marks() -> None:
    songs = 'Year,Song\n2001,"""Low Tide"""\n2002,"""Salt"""\n2003,"""Harbour"""\n'
    found = asked("After Low Tide, what song is listed?", songs)
    assert found is not None
    assert found[0] == '"Salt"'


def test_the_row_is_cited() -> None:
    found = asked("Which bridge has the greatest length?", row=2)
    assert found is not None
    assert found[1].split() == ["Brade", "Lune", "1,205", "1964"]


def test_two_rows_that_share_the_extreme_are_both_named() -> None:
    document = read_bytes(BRIDGES.replace("450", "1205").encode(), name="bridges.csv")
    found = evidence("Which bridge has the greatest length?", document, document.tables[0].rows[0])
    answer = answer_by_comparison(found, [document])
    assert answer is not None
    assert answer.direct is not None
    assert answer.direct.text == "Brade, Dunmore"


def test_a_value_that_is_no_number_leaves_the_extreme_open() -> None:
    assert asked("Which bridge has the greatest length?", BRIDGES.replace("450", "unknown")) is None


def test_the_next_row_of_a_table_that_runs_back_in_time_is_not_the_next_event() -> None:
    back = "Winner,Year\nIda Moss,2004\nAda Finn,2003\nUna Hale,2002\n"
    assert asked("Who was the winner after Ada Finn?", back) is None
    assert asked("Who was the winner after Ada Finn?", "\n".join([back.split("\n")[0], *back.split("\n")[3:0:-1]])) == (
        "Ida Moss",
        "Ida Moss\t2004",
    )


def test_the_text_around_a_table_may_say_what_its_rows_are() -> None:
    assert asked_in_prose("Which crossing has the greatest length?") == "Brade"
    assert asked_in_prose("How long is the longest crossing?") == "1205"


@pytest.mark.parametrize(
    "question",
    [
        "Which crossing had the greatest length in 1950?",
        "Which crossing has the most lanes?",
        "How many bridges are there?",
    ],
)
def test_other_numbers_columns_and_computations_are_left_to_the_text(question: str) -> None:
    assert asked_in_prose(question) is None


def test_a_part_of_a_report_about_somebody_else_is_not_compared() -> None:
    assert asked("Which bridge of Northrop Grumman has the greatest length?") is None


def test_rows_of_one_name_are_added_in_a_table_within_prose() -> None:
    assert asked_in_prose("Total length for Lune?") == "1,515"
    assert asked_in_prose("What is the average length for Lune?") == "757.5"
    assert asked_in_prose("What is the total length?") is None  # the text may state it


def test_an_average_over_a_table_within_prose_is_given_unless_the_text_speaks_of_one() -> None:
    prose = "# Inn\n\nBreakfast is from 7 to 10 and costs 12 euros for everybody who stays with us.\n\n"
    table = "| Room | Beds |\n|---|--:|\n| Lark | 2 |\n| Wren | 1 |\n| Owl | 3 |\n"
    for text, expected in ((prose + table, "2"), (f"{prose}On average, rooms have 2.5 beds.\n\n{table}", None)):
        document = read_bytes(text.encode(), name="inn.md")
        question = evidence("What is the average number of beds?", document, document.tables[0].rows[0])
        answer = answer_by_comparison(question, [document])
        assert (answer.direct.text if answer and answer.direct else None) == expected


def test_a_limit_is_kept_in_a_table_within_prose() -> None:
    assert asked_in_prose("Which bridge with a length under 1000 has the greatest length?") == "Arno"


def test_the_rows_within_a_limit_are_listed_from_a_table_within_prose() -> None:
    assert asked_in_prose("Which bridges have a length over 300?") == "Arno, Brade"
    document = read_bytes(IN_PROSE.encode(), name="valley.md")
    question = "Which bridges have a length over 5000?"
    answer = answer_by_comparison(evidence(question, document, document.tables[0].rows[0]), [document])
    assert answer is not None
    assert not answer.found
    assert answer.notes == ("0 of 3 rows of “The valley” have length > 5,000",)


def test_one_value_of_several_rows_is_refused_in_a_table_within_prose() -> None:
    document = read_bytes(IN_PROSE.encode(), name="valley.md")
    answer = answer_by_comparison(evidence("Length of Lune?", document, document.tables[0].rows[0]), [document])
    assert answer is not None
    assert answer.notes[0] == "2 rows have the river Lune; name one, or ask for the total of length"


DESKS = """\
# Office

{prose}

## Ground floor

| Desk | Person | Phone | 2022 | 2023 |
|---|---|---|---|---|
| G1 | Ann Lee | 101 | 40 | 55 |
| G2 | Bo Kent | 102 | 12 | 19 |
| G3 | Bo Marsh | 103 | 7 | 3 |

## First floor

| Desk | Person | Phone | 2022 | 2023 |
|---|---|---|---|---|
| F1 | Ann Hart | 201 | 30 | 20 |
| F2 | Cy Moss | 202 | 10 | 10 |
"""


def asked_of_first_passage(question: str, table: int = 0) -> tuple[str, ...] | None:
    """The direct answer or the reason of a refusal, if the passage begins at the bar before the heads of a table."""
    document = read_bytes(DESKS.format(prose=PROSE).encode(), name="office.md")
    row = document.tables[table].heads[0]
    paragraph = document.paragraph_at(row.start)
    span = Span(row.start - len("| "), paragraph.end)
    passage = Passage(document.id, span, document.quote(span.start, span.end), 1.0)
    found = Evidence(question, (passage,), passage.text, max_words=200, confidence=0.1)
    answer = answer_by_comparison(found, [document])
    return None if answer is None else (answer.direct.text,) if answer.direct else answer.notes


@pytest.mark.parametrize(
    ("question", "table", "expected"),
    [
        ("Phone of Bo?", 0, "2 rows have “Bo” in their Person: Bo Kent and Bo Marsh; name one"),
        ("Phone of Ann?", 0, "2 rows have “Ann” in their Person: Ann Lee and Ann Hart; name one"),
        ("Phone of Ann?", 1, "2 rows have “Ann” in their Person: Ann Lee and Ann Hart; name one"),
        ("Which person has the highest phone?", 1, "Cy Moss"),
        ("How much did Ann Lee rise from 2022 to 2023?", 0, "15"),
        ("How much did Ann Hart fall from 2022 to 2023?", 1, "10"),
    ],
)
def test_a_passage_that_begins_with_the_heads_is_of_the_table(question: str, table: int, expected: str) -> None:
    assert asked_of_first_passage(question, table) == (expected,)


@pytest.mark.parametrize("question", ["Phone of Ann on the first floor?", "Phone of Ann Hart?", "Phone of Di?"])
def test_a_row_that_is_named_or_absent_is_left_to_the_reader(question: str) -> None:
    assert asked_of_first_passage(question) is None


PLANS = "# Plans\n\nPrices are per month.\n\n| Plan | Price (€) | Users |\n|---|--:|--:|\n" + "".join(
    f"| {name} | {price} | {users} |\n"
    for name, price, users in (("Solo", 4, 1), ("Team Plus", 22, 5), ("Team", 15, 5), ("Office", 39, 15))
)


def test_a_number_before_the_head_of_its_column_limits_the_rows_of_an_extreme() -> None:
    document = read_bytes(PLANS.encode(), name="plans.md")
    row = document.tables[0].rows[1]
    for question, expected in (
        ("What is the cheapest plan with 5 users?", "Team"),
        ("Which is the most expensive plan with 5 users?", "Team Plus"),
    ):
        answer = answer_by_comparison(evidence(question, document, row), [document])
        assert answer is not None
        assert answer.direct is not None
        assert answer.direct.text == expected


def test_a_limit_of_rows_beside_a_superlative_is_no_answer_of_its_own() -> None:
    text = "# Lake\n\nFerries cross the lake every day of the week in summer, and on some days in winter.\n\n"
    rows = "| Anna | 1954 | 60 |\n| Bess | 1987 | 150 |\n| Cora | 2003 | 220 |\n| Dot | 1931 | 24 |\n"
    document = read_bytes(f"{text}| Ferry | Built | Seats |\n|---|---|---|\n{rows}".encode(), name="lake.md")
    row = document.tables[0].rows[0]
    for question, expected in (
        ("Which ferry with fewer than 100 seats is the newest?", "Anna"),
        ("Which ferry with fewer than 100 seats is the coldest?", None),
    ):
        answer = answer_by_comparison(evidence(question, document, row), [document])
        assert (answer.direct.text if answer and answer.direct else None) == expected
