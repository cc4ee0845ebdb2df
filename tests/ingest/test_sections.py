"""Sections that only the document as a whole shows: contents pages, filings, clauses, papers without clean headings."""

import pytest

from treatise.core.document import Document
from treatise.ingest import read_bytes

LONG = "The ship left the harbour in the morning and sailed along the coast until night came over the sea. " * 4


def outline(document: Document) -> list[tuple[int, str]]:
    return [(section.level, section.title) for section in document.sections if section.level]


def read(text: str, name: str = "a.txt") -> Document:
    document = read_bytes(text.encode(), name=name)
    assert document.text == text
    return document


def test_a_contents_page_is_evidence_and_no_structure() -> None:
    text = (
        "A Report\n\nContents\n\nOpening remarks ........ 1\nOur fleet and crew ........ 4\nClosing remarks ..... 9\n\n"
        f"Opening remarks\n\n{LONG}\n\nOur fleet and crew\n\n{LONG}\n\nClosing remarks\n\n{LONG}\n"
    )
    document = read(text)
    assert [title for _, title in outline(document)] == [
        "Contents",
        "Opening remarks",
        "Our fleet and crew",
        "Closing remarks",
    ]
    assert document.section_at(text.index("........ 4")).title == "Contents"
    assert document.section_at(text.rindex("The ship")).title == "Closing remarks"


def test_the_last_line_of_a_contents_page_heads_nothing() -> None:
    entries = "".join(f"## {title}\n\n" for title in ("One thing", "Another thing", "A last thing"))
    body = "".join(f"## {title}\n\n{LONG}\n\n" for title in ("One thing", "Another thing", "A last thing"))
    document = read(f"# Book\n\n## Contents\n\n{entries}{body}", "a.md")
    assert len(outline(document)) == 5
    assert document.section_at(document.text.index(LONG)).title == "One thing"


def test_a_word_contents_without_entries_changes_nothing() -> None:
    document = read(f"# Contents\n\n{LONG}\n\n# Other\n\n{LONG}\n", "a.md")
    assert outline(document) == [(1, "Contents"), (1, "Other")]


@pytest.mark.parametrize("name", ["a.txt", "a.md"])
def test_parts_and_items_of_a_filing_are_its_sections(name: str) -> None:
    toc = "Item 1. Business 3\n\nItem 1A. Risk Factors 9\n\nItem 2. Properties 20\n\n"
    body = (
        f"PART I\n\nItem 1. Business\n\n{LONG}\n\nItem 1A. Risk Factors\n\n{LONG}\n\nItem 2. Properties\n\n{LONG}\n\n"
        f"PART II ITEM 5. MARKET FOR EQUITY\n\n{LONG}\n"
    )
    document = read(toc + body, name)
    assert outline(document) == [
        (1, "PART I"),
        (2, "Item 1. Business"),
        (2, "Item 1A. Risk Factors"),
        (2, "Item 2. Properties"),
        (1, "PART II"),
        (2, "ITEM 5. MARKET FOR EQUITY"),
    ]


def test_a_sentence_about_an_item_is_no_heading() -> None:
    text = "".join(
        f"Item {n} of our list was sent to the harbour last week and came back.\n\n{LONG}\n\n" for n in range(1, 6)
    )
    assert outline(read(text)) == []


def test_sections_of_a_statute_run_into_their_text() -> None:
    text = "".join(
        f"Section {n}. {title}.—{LONG}\n\n" for n, title in enumerate(("Short title", "Scope", "Terms used"), 1)
    )
    assert [title for _, title in outline(read(text))] == [
        "Section 1. Short title",
        "Section 2. Scope",
        "Section 3. Terms used",
    ]


def test_clauses_with_decimals_lie_below_each_other() -> None:
    text = "LEASE\n\n" + "".join(
        f"4.{n} {title}. {LONG}\n\n" for n, title in enumerate(("Rent", "Interest", "Costs"), 1)
    )
    assert outline(read(text))[1:] == [(3, "4.1 Rent"), (3, "4.2 Interest"), (3, "4.3 Costs")]


def test_bold_lines_of_markdown_are_headings() -> None:
    document = read(f"# Tea\n\n**Making**\n\n{LONG}\n\n**Keeping:**\n\n{LONG}\n", "a.md")
    assert outline(document) == [(1, "Tea"), (2, "Making"), (2, "Keeping")]


def test_a_bold_sentence_or_a_single_bold_line_is_no_heading() -> None:
    assert outline(read(f"# Tea\n\n**Making**\n\n{LONG}\n\n**Do not boil it.**\n\n{LONG}\n", "a.md")) == [(1, "Tea")]


def test_roman_numerals_and_letters_below_them_are_headings() -> None:
    text = (
        f"I. Introduction\n\n{LONG}\n\nII. The method\n\n{LONG}\n\nA. Data\n\n{LONG}\n\nB. Training\n\n{LONG}\n\n"
        f"III. Results\n\n{LONG}\n"
    )
    assert outline(read(text)) == [
        (1, "I. Introduction"),
        (1, "II. The method"),
        (2, "A. Data"),
        (2, "B. Training"),
        (1, "III. Results"),
    ]


@pytest.mark.parametrize(
    "lines", [("I. Newton", "A. Einstein"), ("IV. Henry", "V. Henry"), ("A. One", "B. Two", "C. Three")]
)
def test_lone_numerals_and_initials_are_no_headings(lines: tuple[str, ...]) -> None:
    assert outline(read("".join(f"{line}\n\n{LONG}\n\n" for line in lines))) == []


def test_sentence_case_lines_are_headings_beside_named_ones() -> None:
    titles = ("Introduction", "How ships are built", "What the crew does", "Where they sail", "References")
    text = "".join(f"{title}\n\n{LONG}\n\n" for title in titles)
    assert [title for _, title in outline(read(text))] == list(titles)


def test_short_lines_of_a_story_are_no_headings() -> None:
    text = "".join(
        f"{line}\n\n{LONG}\n\n" for line in ("The old man sat down", "He looked at me", "Nothing moved", "It was late")
    )
    assert outline(read(text)) == []


def test_an_introduction_over_a_whole_paper_is_no_section() -> None:
    text = f"A Paper\n\nIntroduction\n\n{(LONG + chr(10) + chr(10)) * 30}References\n\n{LONG}\n"
    assert outline(read(text)) == [(1, "References")]
