"""Titles: what a source states, unless a program put it there."""

import pytest

from tests.ingest.samples import workbook
from treatise.ingest import read_bytes
from treatise.ingest.titles import is_sensible_title


@pytest.mark.parametrize(
    "title",
    [
        *("0000796343-15-000022", "Untitled", "Microsoft Word - report.doc", "paper_final.tex", "Document1", "Slide 1"),
        *("2019-12-31", "", " ", "550e8400-e29b-41d4-a716-446655440000", "Sheet1", "---"),
    ],
)
def test_names_and_numbers_are_no_titles(title: str) -> None:
    assert not is_sensible_title(title)


@pytest.mark.parametrize(
    "title", ["On Tea", "1984 and after", "C++", "Books", "Q3", "The document", "资本论", "Node.js"]
)
def test_words_are_titles(title: str) -> None:
    assert is_sensible_title(title)


def test_a_senseless_title_gives_way_to_the_heading_and_the_name() -> None:
    page = b"<!doctype html><title>page1.html</title><h1>On Tea</h1><p>Boil."
    assert read_bytes(page, name="x.html").title == "On Tea"
    sheets = '<sheet name="Sheet1" r:id="r1"/>'
    assert read_bytes(workbook(sheets=sheets), name="sales 2024.xlsx").title == "sales 2024"
