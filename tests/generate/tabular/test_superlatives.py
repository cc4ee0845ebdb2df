"""A superlative means the end and the column that its sense has."""

import pytest

from tests.generate.tabular.test_answered import found, refused

FLATS = """\
Flat,Rent,Size (m2),Balcony,Built
Harbour View,950,62,yes,1998
Mill Lane,720,48,no,1965
Park Court,810,55,yes,2004
Old Dairy,690,70,no,1911
Station Road,870,39,yes,2015
"""
PLANETS = """\
Planet,Moons,Diameter (km),Mean temperature (C)
Mercury,0,4879,167
Earth,1,12756,15
Jupiter,95,142984,-110
Saturn,146,120536,-140
"""
TEAM = """\
Name,Birth date,Joined,Height (cm),Time 100m (s)
Ana,2001-04-03,2019-05-01,171,12.4
Ben,1999-12-11,2021-02-15,183,11.8
Cara,2003-07-22,2018-09-01,165,13.1
Dai,2000-01-30,2022-01-10,190,11.5
"""


@pytest.mark.parametrize(
    ("question", "content", "expected"),
    [
        ("Which is the largest flat?", FLATS, "Old Dairy"),
        ("What is the cheapest flat with a balcony?", FLATS, "Park Court"),
        ("Which is the smallest flat with a balcony?", FLATS, "Station Road"),
        ("Which flat is the oldest?", FLATS, "Old Dairy"),
        ("Which is the newest flat?", FLATS, "Station Road"),
        ("Which planet is the largest?", PLANETS, "Jupiter"),
        ("What is the smallest planet?", PLANETS, "Mercury"),
        ("Which planet is the coldest?", PLANETS, "Saturn"),
        ("Who is the oldest?", TEAM, "Ben"),
        ("Who is the youngest?", TEAM, "Cara"),
        ("Who is the fastest?", TEAM, "Dai"),
        ("Who joined first?", TEAM, "Cara"),
        ("Who joined last?", TEAM, "Dai"),
    ],
)
def test_a_superlative_is_of_the_column_and_the_end_that_it_means(question: str, content: str, expected: str) -> None:
    assert found(question, content) == expected


SHOP = """\
Code,Item,Aisle,Price,Stock
P01,Rice,4,2.75,40
P02,Candles,11,3.20,8
P03,Salt,5,0.85,22
"""
SONGS = "Song,Singer,Year,Plays\nBlue,Ann Lee,1990,5\nRed,Bo Cox,1984,7\nGreen,Cy Day,2001,6\n"
PRIZES = "Year,Winner,Book,Pages\n2016,Ann Lee,Salt Roads,312\n2017,Bo Cox,Tin Boat,198\n2018,Cy Day,Ferry,254\n"


@pytest.mark.parametrize(
    ("question", "content", "expected"),
    [
        ("Where is the cheapest item?", SHOP, "5"),
        ("Where can I find the most expensive item?", SHOP, "11"),
        ("In which aisle is the cheapest item?", SHOP, "5"),
        ("Where is the cheapest item?", SHOP.replace("0.85", ""), "4"),
        ("Where is the rent lowest?", "City,State,Rent\nLeeds,North,500\nHull,East,450\n", "Hull"),
        ("Where does the oldest member live?", "Member,Age,Town\nAnn,34,Hull\nBo,61,Leeds\n", "Leeds"),
        ("Who is the youngest with a height over 170?", TEAM, "Ana"),
        ("Where is the cheapest room?", "Room,Floor,Rent\nLark,1,84\nWren,2,61\n", "2"),
        ("Which is the oldest song?", SONGS, "Red"),
        ("Which is the newest song?", SONGS, "Green"),
    ],
)
def test_where_asks_for_a_place_and_a_year_may_be_that_of_a_work(question: str, content: str, expected: str) -> None:
    assert found(question, content) == expected


@pytest.mark.parametrize(
    ("question", "content"),
    [
        ("Where is the cheapest item?", SHOP.replace("Aisle", "Weight")),
        ("Where is the cheapest city?", "City,Rent\nLeeds,500\nHull,450\n"),
        ("Who is the oldest winner?", PRIZES),
        ("Which is the newest book?", PRIZES),
        ("Who is the youngest singer?", SONGS),
        ("Which is the oldest city?", "City,Year,Spectators\nRome,1960,5\nTokyo,1964,7\n"),
    ],
)
def test_a_year_of_something_else_is_no_age_and_a_name_no_place(question: str, content: str) -> None:
    assert refused(question, content).startswith("the table has no column")


@pytest.mark.parametrize(
    ("question", "content"),
    [
        ("What is the most expensive flat without a balcony?", FLATS),
        ("Which is the cheapest flat with a garden?", FLATS),
        ("Which is the second largest flat?", FLATS),
        ("Which city has more than one flat and the lowest rent?", "Flat,City,Rent\nOak,York,7\nElm,Hull,6\n"),
        ("Which planet is the oldest?", PLANETS),
        ("Which flat is the oldest?", FLATS.replace("1965", "")),
        ("Who is the oldest winner?", "Winner,Year\nAnn Lee,1990\nBo Cox,2001\n"),
        ("Which is the largest city?", "City,Population,Area\nLeeds,800000,550\nHull,260000,700\n"),
        ("What does the cheapest flat cost?", FLATS),
        ("What is the rent of the cheapest flat?", FLATS),
    ],
)
def test_what_is_left_over_is_not_answered_by_sense(question: str, content: str) -> None:
    assert found(question, content) is None
