"""What is asked of the rows within a number: "among those with more than 10 ..., which has the most ...?"."""

import pytest

from tests.generate.tabular.test_answered import answered, document_of, found

CITIES = """\
City,State,2014_fires,2015_fires,Rent (GBP)
Leeds,North,120,150,700
York,North,40,130,650
Hull,East,210,190,500
Bath,West,35,20,900
Wells,West,8,,820
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Among cities with more than 100 fires in 2015, which had the fewest in 2014?", "York"),
        ("Which city with fewer than 100 fires in 2014 had the most fires in 2015?", "York"),
        ("Of the cities with at least 40 fires in 2014, which had the most in 2015?", "Hull"),
        ("What is the total of fires in 2014 in cities with more than 100 fires in 2015?", "370"),
        ("How many 2015 fires were there in cities with more than 100 fires in 2014?", "340"),
        ("What is the average rent of cities with over 30 fires in 2014?", "687.5"),
        ("Where was the cheapest rent among those with fewer than 50 fires in 2014?", "York"),
        ("How many fires were there in 2014 in cities under £700?", "250"),
    ],
)
def test_a_limit_is_kept_before_the_rest_is_asked(question: str, expected: str) -> None:
    assert found(question, CITIES) == expected


def test_the_limit_and_the_rows_without_its_value_are_said() -> None:
    answer = answered("Which city with more than 100 fires in 2015 has the lowest rent?", document_of(CITIES))
    assert answer is not None
    limit = "with 2015_fires above 100 (1 without a value)"
    assert answer.text == f"Hull: Rent (GBP) 500, the lowest of 3 rows {limit}"
    assert [one.quote.split()[0] for one in answer.citations] == ["Hull"]


@pytest.mark.parametrize(
    "question",
    [
        "Which city has the most fires in 2014 without more than 100 fires in 2015?",
        "Among the cities with more than 100 fires in 2015, which is the longest?",
        "What is the total of 2015 fires without rent?",
        "Which city with more than 100 fires in 2015 and fewer than 100 in 2014 is the safest?",
        "Which city with over 1 million people had the most fires in 2014?",
        "Which city with more than 900 fires in 2014 had the most fires in 2015?",
    ],
)
def test_a_limit_that_is_open_or_kept_by_no_row_is_refused(question: str) -> None:
    assert found(question, CITIES) is None
