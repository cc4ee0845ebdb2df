"""Marks of footnotes are no part of the sentences of a PDF; exponents are."""

from dataclasses import replace

from treatise.ingest.pdf_footnotes import without_footnote_marks
from treatise.ingest.pdf_words import Word

NOTE = [Word("1", 60, 63, 104, 6, False, False), Word("See", 65, 80, 100, 8, False, False)]


def line(*texts: str) -> list[Word]:
    return [Word(text, 60 + 50 * at, 105 + 50 * at, 700, 10, False, False) for at, text in enumerate(texts)]


def mark(row: list[Word], text: str = "1") -> Word:
    return Word(text, row[-1].x1 + 1, row[-1].x1 + 4, 704, 6, False, False)


def texts(rows: list[list[Word]]) -> list[str]:
    return [" ".join(word.text for word in row) for row in without_footnote_marks(rows)]


def test_a_mark_whose_footnote_follows_on_the_page_is_left_out() -> None:
    row = line("It", "is", "so.")
    assert texts([[*row, mark(row)], line("More", "of", "it."), NOTE]) == ["It is so.", "More of it.", "1 See"]


def test_a_mark_glued_to_its_word_is_left_out() -> None:
    row = line("It", "is", "so.1")
    row[-1] = replace(row[-1], raised="1")
    assert texts([row, line("More", "of", "it."), NOTE])[0] == "It is so."


def test_a_mark_alone_on_a_line_is_left_out() -> None:
    row = line("It", "is", "so.")
    alone = [Word("1", 60, 63, 690, 6, False, False)]
    assert texts([row, alone, line("More", "of", "it."), NOTE]) == ["It is so.", "More of it.", "1 See"]


def test_a_raised_number_without_a_footnote_stays() -> None:
    row = line("It", "is", "so.")
    assert texts([[*row, mark(row, "2")], line("More", "of", "it."), NOTE])[0] == "It is so. 2"


def test_the_power_of_a_unit_stays() -> None:
    row = line("Two", "km")
    assert texts([[*row, mark(row)], line("More", "of", "it."), NOTE])[0] == "Two km 1"
