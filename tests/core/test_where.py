"""Filters over documents' fields."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treatise.core.errors import FilterError
from treatise.core.where import MAX_DEPTH, check_keys, parse_filter

REPORT = {
    "year": ("2021",),
    "type": ("PDF",),
    "tags": ("draft", "to read"),
    "date": ("2021-05-31",),
    "title": ('It\'s "new"',),
    "size": ("1500",),
}


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("year >= 2020 and type = 'pdf'", True),
        ("year > 2021", False),
        ("size < 900", False),  # as numbers: as text, "1500" comes before "900"
        ("size >= 1.5e3", True),
        ("year != 2021", False),
        ("tag = draft and tags = 'to read'", True),
        ("tags = other or year = 2021", True),
        ("tags = other or year = 2021 and type = html", False),  # and binds more closely
        ("(tags = other or year = 2021) and not type = html", True),
        ("type in (html, pdf)", True),
        ("type not in (html, 'pdf')", False),
        ("date >= 2021-05 and date < 2021-06", True),
        ("date <= 2021-05-30", False),
        ("date > 2020 and date = 2021 and date < 2022", True),  # the year of a date
        ("date > 2021 or date != 2021", False),
        ("title = 'it''s \"NEW\"'", True),
        ('title contains """new"""', True),
        ("title startswith it", True),
        ("author exists", False),
        ("not author exists and author != x", True),
        ("author = x or author < 5", False),
        ("title > 5", False),  # a text is no number
        ("YEAR == 2021 AND Type <> 'html'", True),
    ],
)
def test_a_filter_holds_as_it_reads(text: str, holds: bool) -> None:
    assert parse_filter(text).holds(REPORT) is holds


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not complete; expected next: the name of a field, such as year"),
        ("year", "is not complete; expected next: =, !=, "),
        ("year >=", "is not complete; expected next: a value, such as 2020"),
        ("year >= 2020 type = x", "character 14: expected and, or, or the end, found type"),
        ("(year = 1", "is not complete; expected next: \\)"),
        ("year = 'x", "character 8: the text that begins there has no second '"),
        ("path = reports/a b.pdf", "character 15: write a value .* in quotes: 'reports/a'"),
        ("path startswith /data", "character 17: write a value .* in quotes: '/data'"),
        ("title = it's", "character 11: write a value .* in quotes: 'it''s'"),
        ("title = “tea”", "character 9: write a value .* in quotes: 'tea'"),
        ("year in ()", "expected a value"),
        ("year = 1; DROP TABLE documents", "character 9: write a value .* in quotes: '1;'"),
        ("1=1 or year=1", "character 1: expected the name of a field"),
        ("year = 1 -- and", "character 10: write a value .* in quotes: '--'"),
        ("title = (select text from documents)", "expected a value"),
        ("and = 1", "expected the name of a field"),
        ("not " * (MAX_DEPTH + 2) + "year = 1", "is nested more than 30 deep"),
        ("(" * 10_000, "has 10,000 characters"),
        ("(" * 3_000, "is nested more than 30 deep"),
    ],
)
def test_what_is_no_filter_is_refused_at_its_place(text: str, message: str) -> None:
    with pytest.raises(FilterError, match=message):
        parse_filter(text)


def test_the_field_that_was_meant_is_named() -> None:
    with pytest.raises(FilterError, match="no document has a field 'titel': did you mean title"):
        check_keys(parse_filter("titel = tea"), REPORT)


@given(st.text(max_size=60) | st.text("yeartg=<>()'\", 0123and or not in", max_size=60))
def test_any_text_is_a_filter_or_a_filter_error(text: str) -> None:
    try:
        found = parse_filter(text)
    except FilterError:
        return
    assert found.holds(REPORT) in (True, False)


_COMPARISONS = st.sampled_from(["year = 2021", "year < 2000", "tags = draft", "author exists", "size > 10"])


@given(_COMPARISONS, _COMPARISONS)
def test_de_morgan(a: str, b: str) -> None:
    assert parse_filter(f"not ({a} and {b})").holds(REPORT) == parse_filter(f"not {a} or not {b}").holds(REPORT)
