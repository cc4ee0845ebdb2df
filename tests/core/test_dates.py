"""Dates in texts: what has no year of four digits has no date, so that its patterns are not compiled."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treatise.core import dates
from treatise.core.dates import dates_in
from treatise.core.patterns import lazy_pattern

FORMS = st.one_of(*(st.from_regex(re.compile(form.pattern, re.IGNORECASE)) for form in dates._FORMS))
"""Texts with something that has the form of a date, if not its values."""


@given(st.one_of(FORMS, st.text("0123456789-/. 年月日may", max_size=20)))
def test_every_date_has_a_year_of_four_digits(text: str) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(dates, "_HAS_YEAR", re.compile(""))
        expected = list(dates_in(text))
    assert list(dates_in(text)) == expected


def test_a_text_without_a_year_compiles_no_form_of_a_date(monkeypatch: pytest.MonkeyPatch) -> None:
    forms = tuple(lazy_pattern(form.pattern, re.IGNORECASE) for form in dates._FORMS)
    monkeypatch.setattr(dates, "_FORMS", forms)
    assert list(dates_in("Section 12 of 3 May, 555-1234")) == []
    assert not any("_pattern" in vars(form) for form in forms)
