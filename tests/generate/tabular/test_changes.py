"""The row that rose or fell the most, from one column to a later one."""

import pytest

from tests.generate.tabular.test_answered import answered, document_of, found, refused

FIRES = """\
City,State,2014_fires,2015_fires,Staff
Leeds,North,120,150,70
York,North,140,130,65
Hull,East,210,190,50
Bath,West,35,36,90
Wells,West,8,,82
"""
YEARS = "City,2019,2020,2021\nLeeds,9,4,8\nYork,7,9,3\nHull,2,1,2\n"
CRASHES = "Line,crashes_95_99,crashes_00_04\nRed,9,4\nBlue,3,7\nGreen,2,1\n"


@pytest.mark.parametrize(
    ("question", "content", "expected"),
    [
        ("Where did the number of fires fall the most?", FIRES, "Hull"),
        ("Which city's fires rose the least from 2014 to 2015?", FIRES, "Bath"),
        ("Which city in North had the biggest drop in fires?", FIRES, "York"),
        ("Among cities with more than 60 staff, where did fires fall the most?", FIRES, "York"),
        ("Which line's crashes fell the most?", CRASHES, "Red"),
        ("Which line had the largest increase in crashes between 1995-99 and 2000-04?", CRASHES, "Blue"),
        ("Which line's crashes changed the least?", CRASHES, "Green"),
        ("Where did mills fall the most from 2019 to 2021?", YEARS, "York"),
        ("Which region's sales fell the most?", "Region,Sales,Change\nLeeds,12,5\nYork,8,-3\nHull,4,-1\n", "York"),
    ],
)
def test_what_rose_or_fell_the_most_is_computed_from_two_columns(question: str, content: str, expected: str) -> None:
    assert found(question, content) == expected


def test_both_values_are_said_and_rows_without_one_counted() -> None:
    answer = answered("Where did fires fall the most?", document_of(FIRES))
    assert answer is not None
    assert answer.text == "Hull: 2014_fires 210, 2015_fires 190, the largest fall of 4 rows (1 without a value)"


def test_words_of_the_title_name_columns_too() -> None:
    answer = answered(
        "Which city had the biggest rise in fires from 2014 to 2015?", document_of(FIRES, "fires_2015.csv")
    )
    assert answer is not None
    assert answer.text.startswith("Leeds: 2014_fires 120, 2015_fires 150, the largest rise")


def test_whose_asks_for_the_name_and_where_for_the_place() -> None:
    hours = "Name,Town,Hours 2022,Hours 2023\nAnn,Marlow,120,95\nBo,Henley,80,\nCleo,Wargrave,40,88\n"
    assert found("Whose hours rose the most?", hours) == "Cleo"
    assert found("Where did hours fall the most?", hours) == "Marlow"


def test_an_open_change_is_refused_unless_a_head_has_the_word() -> None:
    assert "leaves open" in refused("Whose score rose the most?", "Name,Score\nAnn,120\nBo,80\nCleo,40\n")
    losses = "Team,Losses,Draws\nReds,4,2\nBlues,7,1\nGreens,5,5\n"
    assert found("Which team lost the most?", losses) == "Blues"


@pytest.mark.parametrize(
    ("question", "content"),
    [
        ("Which city grew the most?", FIRES),
        ("Where did rents fall the most from 2019 to 2021?", YEARS),
        ("Where did mills fall the most?", YEARS),
        ("Which state had the biggest rise in fires?", FIRES),
        ("Where did fires rise the most from 2013 to 2015?", FIRES),
        ("Which city's fires fell the most in percent?", FIRES),
        ("Which line's crashes fell the most?", "Line,crashes_1,crashes_2,crashes_3\nRed,9,4,2\nBlue,3,7,1\n"),
        ("Which region's sales fell the most?", "Region,Sales,Change in staff\nLeeds,12,5\nYork,8,-3\nHull,4,-1\n"),
    ],
)
def test_a_change_that_is_open_is_refused(question: str, content: str) -> None:
    assert found(question, content) is None


def test_all_rows_that_share_a_change_are_named() -> None:
    assert found("Where did fires fall the most?", FIRES.replace("140,130", "140,120")) == "York, Hull"


def test_no_rise_is_the_most_if_all_fell() -> None:
    assert "so it is no rise" in refused("Which line's crashes rose the most?", CRASHES.replace("3,7", "7,3"))


def test_changes_in_percent_must_not_rank_otherwise() -> None:
    content = "Shop,Sales 2022,Sales 2023,Change %\nAbbey,1000,900,-10\nBridge,100,50,-50\n"
    assert "another order by Change %" in refused("Which shop's sales fell the most?", content)
    assert found("Which shop's sales fell the most?", content.replace("-10", "-60")) == "Abbey"
